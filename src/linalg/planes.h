/* The layers of a convolutional net, on one plane of numbers per channel. */
#pragma once

#include "base/base.h"

/* Planes with a border of one zero on each side. Pixel (x, y) of channel c is seg_plane_row(p, c, y)[x]. */
typedef struct seg_planes {
    int channels, width, height;
    size_t pitch, plane; /* numbers from row to row, and from channel to channel */
    float *at;
} seg_planes;

static inline float *seg_plane_row(const seg_planes *p, int channel, int y) {
    return p->at + (size_t)channel * p->plane + ((size_t)y + 1) * p->pitch + 1;
}

/* Planes of zeros, in the arena. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_planes_create(seg_context *ctx, seg_arena *arena, int channels, int width, int height, seg_planes *out);

/* Some channels of planes, which stay the owner. */
seg_planes seg_planes_part(const seg_planes *p, int first, int channels);

/* A convolution of odd side, with zeros around the image. */
typedef struct seg_layer {
    int in, out, side;
    const float *weight; /* ceil(out / 4) x in x side x side x 4: of four outputs together, 0 for those behind `out` */
    const float *bias;   /* 4 ceil(out / 4) */
} seg_layer;

enum { SEG_LAYER_ADDS = 1, SEG_LAYER_CUTS = 2 };

/* out = the layer of `in`, added to what `out` holds with SEG_LAYER_ADDS, negative numbers 0 with SEG_LAYER_CUTS. The
 * same bytes on any processor, for any number of threads. Cost O(out x in x side^2) per pixel. */
void seg_planes_convolve(seg_context *ctx, const seg_layer *layer, const seg_planes *in, int how,
                         const seg_planes *out);

/* out: half as wide and high, the largest of each four. */
void seg_planes_halve(const seg_planes *in, const seg_planes *out);

/* out += in, which is half as wide and high, enlarged bilinearly. */
void seg_planes_add_doubled(const seg_planes *in, const seg_planes *out);
