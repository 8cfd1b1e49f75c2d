/* Any text as the record of an item and as the settings of an evaluation; a record written again reads the same. */
#include "fuzz.h"

#include "evaluation/experiments/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    seg_item_result result, again;
    seg_settings settings;
    char *text = fuzz_text(bytes, size);
    seg_status status = seg_item_result_parse(&ctx, text, &result);
    if (fuzz_outcome(&ctx, status, REFUSED, &result, sizeof result)) {
        char *first = seg_item_result_text(&ctx, &result), *second;
        CHECK(first && seg_item_result_parse(&ctx, first, &again) == SEG_OK);
        CHECK((second = seg_item_result_text(&ctx, &again)) && strcmp(first, second) == 0);
        free(first);
        free(second);
        seg_item_result_free(&again);
    }
    seg_item_result_free(&result);
    status = seg_settings_parse(&ctx, text, &settings);
    if (fuzz_outcome(&ctx, status, REFUSED, &settings, sizeof settings)) {
        CHECK(settings.labels > 0 && settings.repeats > 0 && settings.dataset && settings.title);
        for (int m = 0; m < settings.labels; m++)
            CHECK(settings.label[m]);
    }
    seg_settings_free(&settings);
    free(text);
    return 0;
}
