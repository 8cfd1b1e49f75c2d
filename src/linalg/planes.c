/* Layers of a convolutional net. */
#include "linalg/planes.h"

#include "base/lanes.h"

#define WIDE 16 /* pixels of a row that are computed together */
#define OUTS 4  /* and output channels */

seg_status seg_planes_create(seg_context *ctx, seg_arena *arena, int channels, int width, int height, seg_planes *out) {
    const size_t pitch = ((size_t)width + WIDE - 1) / WIDE * WIDE + 2;
    *out = (seg_planes){channels, width, height, pitch, ((size_t)height + 2) * pitch, NULL};
    out->at = seg_arena_alloc_zero(ctx, arena, (size_t)channels * out->plane, sizeof *out->at);
    return seg_allocated(out->at);
}

seg_planes seg_planes_part(const seg_planes *p, int first, int channels) {
    seg_planes part = *p;
    part.channels = channels;
    part.at += (size_t)first * p->plane;
    return part;
}

typedef struct convolving {
    const seg_layer *layer;
    const seg_planes *in, *out;
    int how;
} convolving;

/* An explicit vector type, so that sums stay in registers. */
typedef float lanes __attribute__((vector_size(32)));

/* Items: rows of OUTS channels. */
SEG_WIDER_TOO static void convolve_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const convolving *j = arg;
    const seg_layer *l = j->layer;
    const int shift = l->side == 1; /* the border is not seen */
    for (size_t item = first; item < last; item++) {
        const int o = OUTS * (int)(item / (size_t)j->out->height), y = (int)(item % (size_t)j->out->height);
        const int outs = l->out - o < OUTS ? l->out - o : OUTS;
        for (int x = 0; x < j->out->width; x += WIDE) {
            const int wide = j->out->width - x < WIDE ? j->out->width - x : WIDE;
            const float *w = l->weight + (size_t)o * (size_t)(l->in * l->side * l->side);
            lanes sum[OUTS][2];
            for (int k = 0; k < OUTS; k++) {
                sum[k][0] = sum[k][1] = l->bias[o + k] - (lanes){0};
                if (j->how & SEG_LAYER_ADDS && k < outs) {
                    lanes before[2];
                    memcpy(before, seg_plane_row(j->out, o + k, y) + x, sizeof before);
                    sum[k][0] += before[0];
                    sum[k][1] += before[1];
                }
            }
            for (int c = 0; c < l->in; c++)
                for (int v = 0; v < l->side; v++) {
                    const float *row = seg_plane_row(j->in, c, y + v - 1 + shift) + x - 1 + shift;
                    for (int u = 0; u < l->side; u++, w += OUTS) {
                        lanes a, b;
                        memcpy(&a, row + u, sizeof a);
                        memcpy(&b, row + u + WIDE / 2, sizeof b);
                        for (int k = 0; k < OUTS; k++) {
                            sum[k][0] += w[k] * a;
                            sum[k][1] += w[k] * b;
                        }
                    }
                }
            for (int k = 0; k < outs; k++) {
                float *to = seg_plane_row(j->out, o + k, y) + x, value[WIDE];
                memcpy(value, sum[k], sizeof value);
                for (int i = 0; i < wide; i++)
                    to[i] = j->how & SEG_LAYER_CUTS && value[i] < 0 ? 0 : value[i];
            }
        }
    }
}

void seg_planes_convolve(seg_context *ctx, const seg_layer *layer, const seg_planes *in, int how,
                         const seg_planes *out) {
    const size_t rows = (size_t)((layer->out + OUTS - 1) / OUTS) * (size_t)out->height;
    seg_parallel(ctx, rows, 0, convolve_rows, &(convolving){layer, in, out, how});
}

void seg_planes_halve(const seg_planes *in, const seg_planes *out) {
    for (int c = 0; c < out->channels; c++)
        for (int y = 0; y < out->height; y++) {
            const float *a = seg_plane_row(in, c, 2 * y), *b = a + in->pitch;
            float *to = seg_plane_row(out, c, y);
            for (int x = 0; x < out->width; x++)
                to[x] = fmaxf(fmaxf(a[2 * x], a[2 * x + 1]), fmaxf(b[2 * x], b[2 * x + 1]));
        }
}

/* The pixel of the smaller image beside that of pixel i of the larger one, on the nearer side. */
static int beside(int i, int count) {
    const int at = i / 2 + (i % 2 ? 1 : -1);
    return at < 0 ? 0 : at < count ? at : count - 1;
}

void seg_planes_add_doubled(const seg_planes *in, const seg_planes *out) {
    for (int c = 0; c < out->channels; c++)
        for (int y = 0; y < out->height; y++) {
            const float *a = seg_plane_row(in, c, y / 2), *b = seg_plane_row(in, c, beside(y, in->height));
            float *to = seg_plane_row(out, c, y);
            for (int x = 0; x < out->width; x++) {
                const int near = x / 2, far = beside(x, in->width);
                to[x] += 0.75F * (0.75F * a[near] + 0.25F * a[far]) + 0.25F * (0.75F * b[near] + 0.25F * b[far]);
            }
        }
}
