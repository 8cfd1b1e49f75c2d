/* Any bytes as a journal of an evaluation, read for its report. Where the first byte is odd, the lines are given the
 * head and the sums that a journal has, so that what stands in the records is read too. */
#include "fuzz.h"

#include "base/hash.h"
#include "evaluation/runner/results.h"

#include <inttypes.h>

/* "# segment journal 1: " before the first line, a tab and a sum behind the others. To be freed. */
static char *make_journal(const uint8_t *bytes, size_t size, size_t *length) {
    char *text = malloc(32 + 20 * size), *to = text;
    const uint8_t *at = bytes, *end = bytes + size;
    CHECK(text);
    to += sprintf(to, "# segment journal 1: ");
    for (size_t line = 0; at < end; line++) {
        const uint8_t *from = at;
        for (; at < end && *at != '\n'; at++)
            *to++ = (char)*at;
        const uint64_t sum = seg_hash(SEG_HASH_START, from, (size_t)(at - from));
        at += at < end;
        to += line ? sprintf(to, "\t%016" PRIx64 "\n", sum) : sprintf(to, "\n");
    }
    *length = (size_t)(to - text);
    return text;
}

static void read_results(seg_context *ctx, seg_journal *journal, const char *settings) {
    seg_results results;
    const seg_status status = seg_results_read(ctx, journal, settings, &results);
    double mean, low, high;
    if (fuzz_outcome(ctx, status, REFUSED, &results, sizeof results)) {
        CHECK(results.scored + results.skipped + results.broken == results.items);
        for (size_t i = 0; i < results.items; i++)
            for (int m = 0; m < results.settings.labels; m++)
                (void)seg_results_value(&results, i, m, SEG_FIGURE_ACCURACY);
        for (int m = 0; m < results.settings.labels; m++)
            (void)seg_results_after(ctx, &results, m, 1, &mean, &low, &high);
    }
    seg_results_free(&results);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    const int made = fuzz_take(&bytes, &size) & 1;
    char *text = made ? make_journal(bytes, size, &size) : fuzz_text(bytes, size), *settings;
    const char *path = fuzz_file(0, text, size);
    seg_status status = seg_settings_of_journal(&ctx, path, &settings);
    CHECK((settings != NULL) == (fuzz_outcome(&ctx, status, REFUSED, NULL, 0)));
    if (settings) {
        seg_journal *journal, *other;
        status = seg_journal_open(&ctx, path, settings, 0, &journal);
        if (fuzz_outcome(&ctx, status, REFUSED | ALLOW(SEG_ERR_USAGE), &journal, sizeof journal)) {
            read_results(&ctx, journal, settings);
            /* As a part of another journal. */
            CHECK(seg_journal_open(&ctx, fuzz_file(1, "", 0), settings, 0, &other) == SEG_OK);
            CHECK(seg_journal_merge(&ctx, other, path, 1, NULL) == SEG_OK);
            const seg_record *a, *b;
            size_t count, merged;
            CHECK(seg_journal_sorted(&ctx, journal, &a, &count) == SEG_OK);
            CHECK(seg_journal_sorted(&ctx, other, &b, &merged) == SEG_OK && merged == count);
            for (size_t r = 0; r < count; r++)
                CHECK(strcmp(a[r].key, b[r].key) == 0 && strcmp(a[r].text, b[r].text) == 0);
            seg_journal_close(other);
        }
        seg_journal_close(journal);
    }
    free(settings);
    free(text);
    return 0;
}
