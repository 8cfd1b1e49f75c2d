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

static void read_results(seg_context *ctx, seg_journal *journal) {
    static const char *labels[] = {"one", "two"};
    const seg_settings settings = {.label = labels, .labels = 2, .clicks = 3};
    seg_photo_item item = {.name = (char[]){"a"}};
    const seg_photo_set set = {.item = &item, .items = 1};
    SCOPED(seg_results) results;
    const seg_status status = seg_results_read(ctx, journal, &set, &settings, &results);
    if (fuzz_outcome(ctx, status, REFUSED, &results, sizeof results))
        CHECK(results.scored + results.skipped + results.broken == results.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    const int made = fuzz_take(&bytes, &size) & 1;
    AUTOFREE char *text = made ? make_journal(bytes, size, &size) : fuzz_text(bytes, size);
    const char *path = fuzz_file(0, text, size), *head = strchr(text, ':'), *end = head ? strchr(head, '\n') : NULL;
    AUTOFREE char *settings = end && end > head + 2 ? strndup(head + 2, (size_t)(end - head) - 2) : strdup("none");
    seg_journal *journal;
    const seg_status status = seg_journal_open(&ctx, path, settings, 0, &journal);
    if (fuzz_outcome(&ctx, status, REFUSED | ALLOW(SEG_ERR_USAGE), &journal, sizeof journal))
        read_results(&ctx, journal);
    seg_journal_close(journal);
    return 0;
}
