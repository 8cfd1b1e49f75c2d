/* How far a patch is from everything that was marked. */
#include "model/model.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLES ((size_t)256)
#define STEEP        8

/* Each column's standard deviation, 1 where it is constant. */
static void choose_scales(const seg_matrix *F, seg_novelty *out) {
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
        if (!(out->scale[c] > 1e-6)) /* of features between 0 and 1 or so */
            out->scale[c] = 1e-6;
    }
}

seg_status seg_novelty_learn(seg_context *ctx, const seg_matrix *F, size_t columns, seg_novelty *out) {
    const size_t count = F->rows < MOST_SAMPLES ? F->rows : MOST_SAMPLES;
    *out = (seg_novelty){.count = count, .columns = columns};
    out->row = seg_alloc(ctx, count, columns * sizeof *out->row);
    out->scale = seg_alloc(ctx, columns, sizeof *out->scale);
    if (!out->row || !out->scale) {
        seg_novelty_free(out);
        return SEG_ERR_MEMORY;
    }
    choose_scales(F, out);
    for (size_t s = 0; s < count; s++) {
        const double *from = F->at + s * F->rows / count * F->cols;
        for (size_t c = 0; c < columns; c++)
            out->row[s * columns + c] = (float)(from[c] / out->scale[c]);
    }
    return SEG_OK;
}

void seg_novelty_free(seg_novelty *novelty) {
    free(novelty->row);
    free(novelty->scale);
    memset(novelty, 0, sizeof *novelty);
}

typedef struct measuring {
    const seg_novelty *novelty;
    const seg_matrix *F;
    float *room; /* a row a worker */
    double *distance;
} measuring;

static void measure(void *arg, size_t first, size_t last, int worker) {
    const measuring *m = arg;
    const size_t d = m->novelty->columns;
    float *row = m->room + (size_t)worker * d;
    for (size_t i = first; i < last; i++) {
        float least = HUGE_VALF;
        for (size_t c = 0; c < d; c++)
            row[c] = (float)(m->F->at[i * m->F->cols + c] / m->novelty->scale[c]);
        for (size_t s = 0; s < m->novelty->count; s++) {
            const float *sample = m->novelty->row + s * d;
            float sum = 0;
            for (size_t c = 0; c < d; c++)
                sum += (row[c] - sample[c]) * (row[c] - sample[c]);
            least = sum < least ? sum : least;
        }
        m->distance[i] = sqrt((double)least / (double)d);
    }
}

seg_status seg_novelty_distance(seg_context *ctx, const seg_novelty *novelty, const seg_matrix *F, double *distance) {
    float *room = seg_alloc(ctx, (size_t)seg_threads(ctx), novelty->columns * sizeof *room);
    if (!room)
        return SEG_ERR_MEMORY;
    const seg_status status =
        seg_parallel_polled(ctx, F->rows, 256, measure, &(measuring){novelty, F, room, distance});
    free(room);
    return status;
}

double seg_novelty_share(const seg_novelty *novelty, double distance) {
    return novelty->reach > 0 ? 1 / (1 + pow(novelty->reach / fmax(distance, 1e-12), STEEP)) : 0;
}
