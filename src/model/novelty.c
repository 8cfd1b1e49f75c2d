/* The distance of a patch from all marked patches. */
#include "model/model.h"

#include "base/base.h"
#include "base/lanes.h"

#define MOST_SAMPLES ((size_t)SEG_NOVELTY_MOST)
#define STEEP        8
#define LEAST_SCALE  0.15

/* The scale of each column: its standard deviation, but at least a share of the largest one, so that a column that
 * hardly varies under the strokes (such as texture in flat regions) does not make every other patch unknown. */
static void choose_scales(const seg_matrix *F, seg_novelty *out) {
    double largest = 0;
    for (size_t c = 0; c < out->columns; c++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < F->rows; i++)
            sum += F->at[i * F->cols + c];
        sum /= (double)F->rows;
        for (size_t i = 0; i < F->rows; i++) {
            const double from = F->at[i * F->cols + c] - sum;
            squares += from * from;
        }
        out->scale[c] = sqrt(squares / (double)F->rows);
        largest = fmax(largest, out->scale[c]);
    }
    for (size_t c = 0; c < out->columns; c++)
        out->scale[c] = fmax(out->scale[c], fmax(LEAST_SCALE * largest, 1e-6));
}

seg_status seg_novelty_learn(seg_context *ctx, const seg_matrix *F, size_t columns, seg_novelty *out) {
    const size_t count = F->rows < MOST_SAMPLES ? F->rows : MOST_SAMPLES;
    *out = (seg_novelty){.count = count, .columns = columns};
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(out->row, count, columns), SEG_ARRAY(out->scale, columns)));
    choose_scales(F, out);
    for (size_t s = 0; s < count; s++) {
        const double *from = F->at + s * F->rows / count * F->cols;
        for (size_t c = 0; c < columns; c++)
            out->row[s * columns + c] = (float)(from[c] / out->scale[c]);
    }
    return SEG_OK;
}

void seg_novelty_free(seg_novelty *novelty) {
    SEG_CLEAR(novelty, novelty->row);
}

typedef struct measuring {
    const seg_novelty *novelty;
    const seg_matrix *F;
    float *column; /* the samples, columns x MOST_SAMPLES, for vectorisation; places beyond `count` are ignored */
    double *distance;
} measuring;

/* Squared distances of a row to all samples, summed column by column. */
SEG_WIDER_TOO static void compare(size_t d, const double *restrict row, const double *restrict scale,
                                  const float *restrict column, float *restrict sum) {
    for (size_t s = 0; s < MOST_SAMPLES; s++)
        sum[s] = 0;
    for (size_t c = 0; c < d; c++) {
        const float value = (float)(row[c] / scale[c]), *sample = column + c * MOST_SAMPLES;
        for (size_t s = 0; s < MOST_SAMPLES; s++)
            sum[s] += (value - sample[s]) * (value - sample[s]);
    }
}

static void measure(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const measuring *m = arg;
    const size_t d = m->novelty->columns;
    float sum[MOST_SAMPLES];
    for (size_t i = first; i < last; i++) {
        float least = HUGE_VALF;
        compare(d, m->F->at + i * m->F->cols, m->novelty->scale, m->column, sum);
        for (size_t s = 0; s < m->novelty->count; s++)
            least = sum[s] < least ? sum[s] : least;
        m->distance[i] = sqrt((double)least / (double)d);
    }
}

seg_status seg_novelty_distance(seg_context *ctx, const seg_novelty *novelty, const seg_matrix *F, double *distance) {
    const size_t d = novelty->columns;
    SEG_LOCAL(float, column, seg_alloc_zero(ctx, d, MOST_SAMPLES * sizeof *column));
    for (size_t s = 0; s < novelty->count; s++)
        for (size_t c = 0; c < d; c++)
            column[c * MOST_SAMPLES + s] = novelty->row[s * d + c];
    return seg_parallel_polled(ctx, F->rows, 256, measure, &(measuring){novelty, F, column, distance});
}

double seg_novelty_share(const seg_novelty *novelty, double distance) {
    return novelty->reach > 0 ? 1 / (1 + pow(novelty->reach / fmax(distance, 1e-12), STEEP)) : 0;
}
