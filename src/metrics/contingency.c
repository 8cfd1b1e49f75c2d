/* The contingency table: the one pass over the data; every metric is computed from it. */
#include "base/base.h"
#include "base/parallel.h"

#include <segment/metrics.h>

#include <stdlib.h>
#include <string.h>

#define LABEL_LIMIT 65536             /* labels of seg_contingency_count are below this */
#define CELL_LIMIT  ((size_t)1 << 28) /* 2 GiB of counts: beyond, labels want renumbering */
#define BYTE_TABLE  ((size_t)256 * 256)

/* Take over the rows x cols corner of a table with `stride` columns. */
static seg_status make_table(seg_context *ctx, int rows, int cols, seg_contingency *out) {
    size_t cells = (size_t)rows * (size_t)cols;
    if (cells > CELL_LIMIT)
        return seg_fail(ctx, SEG_ERR_MEMORY,
                        "a table of %d x %d labels is too large; renumber the labels from 0 without gaps", rows, cols);
    out->count = seg_alloc_zero(ctx, cells, sizeof *out->count);
    if (!out->count)
        return SEG_ERR_MEMORY;
    out->rows = rows;
    out->cols = cols;
    return SEG_OK;
}

seg_status seg_contingency_count(seg_context *ctx, const int *prediction, const int *truth, size_t n,
                                 seg_contingency *out) {
    int rows = 0, cols = 0;
    memset(out, 0, sizeof *out);
    /* Below 2^32 samples the number of pairs fits 64 bits (scores.c). */
    if (n > UINT32_MAX)
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu samples are too many; the metrics count up to 4294967295", n);
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0)
            continue;
        if (prediction[i] < 0 || prediction[i] >= LABEL_LIMIT || truth[i] >= LABEL_LIMIT)
            return seg_fail(ctx, SEG_ERR_USAGE, "sample %zu has the labels %d and %d; labels must be in 0..%d", i,
                            prediction[i], truth[i], LABEL_LIMIT - 1);
        rows = prediction[i] >= rows ? prediction[i] + 1 : rows;
        cols = truth[i] >= cols ? truth[i] + 1 : cols;
    }
    if (rows == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "no sample has a true label, so none can be scored");
    seg_status status = make_table(ctx, rows, cols, out);
    if (status != SEG_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (truth[i] < 0)
            continue;
        out->count[(size_t)prediction[i] * (size_t)cols + (size_t)truth[i]]++;
        out->total++;
    }
    return SEG_OK;
}

/* Count pairs of bytes. Regions are large, so eight pixels at a time mostly meet one cell. */
static void count_bytes(const uint8_t *a, const uint8_t *b, size_t n, uint32_t *count) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t eight_a, eight_b;
        memcpy(&eight_a, a + i, 8);
        memcpy(&eight_b, b + i, 8);
        /* A word that is its own rotation by a byte has eight equal bytes. */
        int uniform = eight_a == (eight_a << 8 | eight_a >> 56) && eight_b == (eight_b << 8 | eight_b >> 56);
        if (uniform) {
            count[(size_t)a[i] << 8 | b[i]] += 8;
        } else {
            for (size_t j = i; j < i + 8; j++)
                count[(size_t)a[j] << 8 | b[j]]++;
        }
    }
    for (; i < n; i++)
        count[(size_t)a[i] << 8 | b[i]]++;
}

typedef struct counting {
    const uint8_t *prediction, *truth;
    size_t pixels, parts;
    uint32_t *count; /* a table a part */
} counting;

static void count_part(void *arg, size_t part, size_t end, int worker) {
    const counting *c = arg;
    const size_t from = c->pixels / c->parts * part;
    const size_t to = part + 1 == c->parts ? c->pixels : from + c->pixels / c->parts;
    (void)end;
    (void)worker;
    count_bytes(c->prediction + from, c->truth + from, to - from, c->count + part * BYTE_TABLE);
}

seg_status seg_contingency_masks(seg_context *ctx, const seg_mask *prediction, const seg_mask *truth,
                                 seg_contingency *out) {
    memset(out, 0, sizeof *out);
    if (prediction->width != truth->width || prediction->height != truth->height)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the prediction has %d x %d pixels, the truth %d x %d; compare masks of the same image",
                        prediction->width, prediction->height, truth->width, truth->height);
    const size_t pixels = (size_t)truth->width * (size_t)truth->height;
    int threads = seg_threads(ctx);
    if ((size_t)threads > pixels / BYTE_TABLE + 1) /* a table costs as much as the pixels it counts */
        threads = (int)(pixels / BYTE_TABLE + 1);
    uint32_t *count = seg_alloc_zero(ctx, (size_t)threads * BYTE_TABLE, sizeof *count);
    if (!count)
        return SEG_ERR_MEMORY;
    /* Sums of whole numbers: the same for any division of the work. */
    seg_parallel(ctx, (size_t)threads, 1, count_part,
                 &(counting){prediction->label, truth->label, pixels, (size_t)threads, count});
    int rows = 0, cols = 0;
    for (int part = 1; part < threads; part++)
        for (size_t cell = 0; cell < BYTE_TABLE; cell++)
            count[cell] += count[(size_t)part * BYTE_TABLE + cell];
    for (int row = 0; row < 256; row++)
        for (int col = 0; col < SEG_VOID; col++)
            if (count[row * 256 + col]) {
                rows = row + 1;
                cols = col >= cols ? col + 1 : cols;
            }
    seg_status status =
        rows == 0 ? seg_fail(ctx, SEG_ERR_INPUT, "there is nothing to score: every pixel of the truth is void")
                  : make_table(ctx, rows, cols, out);
    for (int row = 0; status == SEG_OK && row < rows; row++)
        for (int col = 0; col < cols; col++) {
            out->count[(size_t)row * (size_t)cols + (size_t)col] = count[row * 256 + col];
            out->total += count[row * 256 + col];
        }
    free(count);
    return status;
}

void seg_contingency_free(seg_contingency *table) {
    if (!table)
        return;
    free(table->count);
    memset(table, 0, sizeof *table);
}
