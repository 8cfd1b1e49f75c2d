#include "masks/edge_smoother.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that a thread sweeps together: their lines stay in the cache from one row to the next. */
#define BLOCK 64

static float alike(float d2, float inverse) {
    float x = 1 + d2 * inverse;
    return 1 / (x * x);
}

seg_status seg_edge_weights_create(seg_context *ctx, int width, int height, const float *L, const float *a,
                                   const float *b, float sigma, seg_edge_weights *out) {
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    const float inverse = 1 / (sigma * sigma);
    memset(out, 0, sizeof *out);
    out->width = width;
    out->height = height;
    out->right = seg_alloc(ctx, pixels, sizeof *out->right);
    out->down = seg_alloc(ctx, pixels, sizeof *out->down);
    if (!out->right || !out->down) {
        seg_edge_weights_free(out);
        return SEG_ERR_MEMORY;
    }
#pragma omp parallel for schedule(static) num_threads(seg_threads(ctx))
    for (int y = 0; y < height; y++) {
        const size_t row = (size_t)y * w;
        for (size_t p = row; p < row + w - 1; p++) {
            float dL = L[p] - L[p + 1], da = a[p] - a[p + 1], db = b[p] - b[p + 1];
            out->right[p] = alike(dL * dL + da * da + db * db, inverse);
        }
        out->right[row + w - 1] = 0;
        for (size_t p = row; p < row + w; p++) {
            if (y + 1 == height) {
                out->down[p] = 0;
                continue;
            }
            float dL = L[p] - L[p + w], da = a[p] - a[p + w], db = b[p] - b[p + w];
            out->down[p] = alike(dL * dL + da * da + db * db, inverse);
        }
    }
    return SEG_OK;
}

void seg_edge_weights_free(seg_edge_weights *weights) {
    if (!weights)
        return;
    free(weights->right);
    free(weights->down);
    memset(weights, 0, sizeof *weights);
}

/* One row by Thomas' algorithm: (1 + s(w_left + w_right)) u_x - s w_left u_x-1 - s w_right u_x+1 = f_x. ratio: width
 * numbers of work space. `planes` is a constant in every call, so that the inner loops unroll into vectors. */
static inline void solve_row(int width, int planes, float s, const float *right, float *ratio, float *u) {
    float left = 0;
    for (int x = 0; x < width; x++) {
        float next = s * right[x];
        float scale = 1 / (1 + left + next - (x ? left * ratio[x - 1] : 0));
        float *here = u + (size_t)x * (size_t)planes;
        ratio[x] = next * scale;
        if (x)
            for (int c = 0; c < planes; c++)
                here[c] = (here[c] + left * here[c - planes]) * scale;
        else
            for (int c = 0; c < planes; c++)
                here[c] *= scale;
        left = next;
    }
    for (int x = width - 2; x >= 0; x--) {
        float *here = u + (size_t)x * (size_t)planes;
        for (int c = 0; c < planes; c++)
            here[c] += ratio[x] * here[c + planes];
    }
}

/* The same down the columns from .. to-1, row by row. */
static inline void solve_columns(int width, int height, int planes, float s, const float *down, int from, int to,
                                 float *ratio, float *U) {
    const size_t stride = (size_t)width * (size_t)planes;
    for (int y = 0; y < height; y++) {
        const size_t row = (size_t)y * (size_t)width;
        for (int x = from; x < to; x++) {
            float above = y ? s * down[row - (size_t)width + (size_t)x] : 0, next = s * down[row + (size_t)x];
            float scale = 1 / (1 + above + next - (y ? above * ratio[row - (size_t)width + (size_t)x] : 0));
            float *here = U + (row + (size_t)x) * (size_t)planes;
            ratio[row + (size_t)x] = next * scale;
            if (y)
                for (int c = 0; c < planes; c++)
                    here[c] = (here[c] + above * (here - stride)[c]) * scale;
            else
                for (int c = 0; c < planes; c++)
                    here[c] *= scale;
        }
    }
    for (int y = height - 2; y >= 0; y--)
        for (int x = from; x < to; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            float *here = U + p * (size_t)planes;
            for (int c = 0; c < planes; c++)
                here[c] += ratio[p] * (here + stride)[c];
        }
}

#define FOR_PLANES(call)                                                                                               \
    switch (planes) {                                                                                                  \
    case 4: {                                                                                                          \
        enum { P = 4 };                                                                                                \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    case 8: {                                                                                                          \
        enum { P = 8 };                                                                                                \
        call;                                                                                                          \
        break;                                                                                                         \
    }                                                                                                                  \
    default: {                                                                                                         \
        const int P = planes;                                                                                          \
        call;                                                                                                          \
    }                                                                                                                  \
    }

seg_status seg_edge_smooth(seg_context *ctx, const seg_edge_weights *weights, int planes, float strength, int turns,
                           float *U) {
    const int width = weights->width, height = weights->height, blocks = (width + BLOCK - 1) / BLOCK;
    float *ratio = seg_alloc(ctx, (size_t)width * (size_t)height, sizeof *ratio);
    if (!ratio)
        return SEG_ERR_MEMORY;
    for (int turn = 1; turn <= turns; turn++) {
        /* Strengths fall by four each turn and sum to what one full solve would use [min2014fgs, Eq. 11]. */
        const float s = 1.5f * powf(4, (float)(turns - turn)) / (powf(4, (float)turns) - 1) * strength;
#pragma omp parallel num_threads(seg_threads(ctx))
        {
#pragma omp for schedule(static)
            for (int y = 0; y < height; y++) {
                const size_t row = (size_t)y * (size_t)width;
                FOR_PLANES(solve_row(width, P, s, weights->right + row, ratio + row, U + row * (size_t)P))
            }
#pragma omp for schedule(static)
            for (int block = 0; block < blocks; block++) {
                const int from = block * BLOCK, to = from + BLOCK < width ? from + BLOCK : width;
                FOR_PLANES(solve_columns(width, height, P, s, weights->down, from, to, ratio, U))
            }
        }
    }
    free(ratio);
    return SEG_OK;
}
