/* Any text as the record of an item; written again it reads the same. */
#include "fuzz.h"

#include "evaluation/runner/item.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    SCOPED(seg_item_result) result;
    AUTOFREE char *text = fuzz_text(bytes, size);
    seg_status status = seg_item_result_parse(&ctx, text, &result);
    if (fuzz_outcome(&ctx, status, REFUSED, &result, sizeof result)) {
        SCOPED(seg_item_result) again;
        AUTOFREE char *first = seg_item_result_text(&result), *second = NULL;
        CHECK(first && seg_item_result_parse(&ctx, first, &again) == SEG_OK);
        CHECK((second = seg_item_result_text(&again)) && strcmp(first, second) == 0);
    }
    return 0;
}
