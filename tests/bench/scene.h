/* A generated image and everything that is computed of it on the way to a mask. */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include "base/context.h"

#include <segment/segment.h>

#define SCENE_REGIONS 4
#define SCENE_VECTORS 20 /* m, CCSKL's default */

typedef struct scene {
    seg_image photo;
    seg_patch_grid grid; /* of 5 x 5 patches */
    seg_matrix features;
    seg_csr affinity;
    seg_matrix smooth; /* n x m: the smoothest eigenvectors, scaled as the method scales them */
    seg_constraints scribbles;
} scene;

/* Four regions of different colour and stripes, noise, `marked` patches marked in each. The same numbers every time. */
seg_status scene_make(seg_context *ctx, int width, int height, int marked, scene *out);
void scene_free(scene *s);

#endif
