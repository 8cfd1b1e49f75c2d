/* Ambiguous regions: two labels fit nearly equally well. */
#ifndef SEG_PIPELINE_AMBIGUOUS_H
#define SEG_PIPELINE_AMBIGUOUS_H

#include <segment/photo.h>

#define SEG_AMBIGUOUS_MARGIN 0.25 /* best minus second best score below which a patch is ambiguous */
#define SEG_AMBIGUOUS_SHARE  0.01 /* of the image: smaller areas are not worth a stroke */

/* Insert a region into the list, the largest first. */
void seg_ambiguous_enter(const seg_ambiguous_region *region, int is_island, seg_result *out);

/* Add the ambiguous regions of the scores of the patches to out->ambiguous; constraints->group: the marked patches;
 * out->column_label is set. covered: 1 for patches of an island that is listed already; a region mostly within one is
 * not listed again. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_ambiguous_find(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                              const seg_constraints *constraints, const uint8_t *covered, seg_result *out);

#endif
