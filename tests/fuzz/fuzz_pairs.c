/* Any bytes as constraints of samples or of patches, answers without an answer too; nothing is appended on failure, and
 * written again they read the same. */
#include "fuzz.h"

#include <segment/constraints.h>

#include <inttypes.h>

static const seg_patch_grid photo = {.width = 33, .height = 22, .side = 5, .columns = 7, .rows = 5};

static size_t write_pairs(const seg_constraints *pairs, char *text, size_t room) {
    size_t used = 0;
    for (size_t p = 0; p < pairs->pairs && used < room; p++)
        used += (size_t)snprintf(text + used, room - used, "%" PRId32 ",%" PRId32 ",%d,%.17g\n", pairs->pair[p].i,
                                 pairs->pair[p].j, pairs->pair[p].sign, pairs->pair[p].weight);
    return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { MOST = 200, LINE = 64 };
    seg_context ctx = fuzz_context();
    const unsigned how = fuzz_take(&bytes, &size);
    const seg_patch_grid *grid = how & 1 ? &photo : NULL;
    SCOPED(seg_constraints) pairs, unknown;
    const seg_pair before = {.i = 0, .j = 1, .sign = 1, .weight = 1};
    CHECK(seg_constraints_create(&ctx, 35, &pairs) == SEG_OK && seg_constraints_create(&ctx, 35, &unknown) == SEG_OK);
    CHECK(seg_constraints_add(&ctx, &pairs, before) == SEG_OK);
    const seg_status status =
        seg_constraints_read(&ctx, fuzz_file(0, bytes, size), grid, 0, &pairs, how & 2 ? &unknown : NULL);
    if (!fuzz_outcome(&ctx, status, REFUSED, NULL, 0))
        CHECK(pairs.pairs == 1 && unknown.pairs == 0);
    for (size_t p = 0; p < pairs.pairs; p++) {
        const seg_pair *pair = &pairs.pair[p];
        CHECK(pair->i >= 0 && pair->j >= 0 && (size_t)pair->i < pairs.n && (size_t)pair->j < pairs.n);
        CHECK(pair->i != pair->j && (pair->sign == 1 || pair->sign == -1) && pair->weight > 0);
    }
    if (pairs.pairs <= MOST) {
        SCOPED(seg_constraints) again;
        char text[MOST * LINE];
        size = write_pairs(&pairs, text, sizeof text);
        CHECK(seg_constraints_create(&ctx, 35, &again) == SEG_OK);
        CHECK(seg_constraints_read(&ctx, fuzz_file(0, text, size), NULL, 0, &again, NULL) == SEG_OK);
        CHECK(again.pairs == pairs.pairs);
        for (size_t p = 0; p < pairs.pairs; p++)
            CHECK(again.pair[p].i == pairs.pair[p].i && again.pair[p].j == pairs.pair[p].j &&
                  again.pair[p].sign == pairs.pair[p].sign && again.pair[p].weight == pairs.pair[p].weight);
    }
    return 0;
}
