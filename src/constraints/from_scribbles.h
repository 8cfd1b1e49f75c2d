/* One pass over the scribbles: groups of the patches and counts of the labels. */
#ifndef SEG_CONSTRAINTS_FROM_SCRIBBLES_H
#define SEG_CONSTRAINTS_FROM_SCRIBBLES_H

#include <segment/constraints.h>

/* As seg_constraints_from_scribbles; the marked pixels of each label are added to `pixels`. */
seg_status seg_scribbles_read_patches(seg_context *ctx, const seg_mask *scribbles, const seg_patch_grid *grid,
                                      size_t pixels[256], seg_constraints *out);

#endif
