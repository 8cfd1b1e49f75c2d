/* What people would take for the object that is marked: a small convolutional net, trained on outlines that people drew
 * around regions of images (scripts/train-object.py; docs/history/first-clicks.md, "A net"). */
#pragma once

#include <segment/features.h>

typedef struct seg_object_net seg_object_net;

/* What the net sees of an image, whatever is marked. 16-bit images are read as they are shown. Cost O(pixels), and that
 * of 280 million products, 20 MB. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_object_net_look(seg_context *ctx, const seg_image *photo, seg_object_net **out);
void seg_object_net_free(seg_object_net *net); /* or NULL */

/* The marks of a label in place of those before: patches of which group has it, 0 for the object, 1 for its background.
 * Cost: 16 products for each of them and each of 6,000 cells. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_object_net_mark(seg_context *ctx, seg_object_net *net, const seg_patch_grid *grid, const int16_t *group,
                               int label);

/* The log odds of the object in each patch of the image, within -7..7, once both labels' marks are given. The same
 * bytes for any number of threads. Cost: 360 million products. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_object_net_odds(seg_context *ctx, seg_object_net *net, const seg_patch_grid *grid, double *odds);
