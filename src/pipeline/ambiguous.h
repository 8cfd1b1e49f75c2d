/* Where the strokes say too little. */
#ifndef SEG_PIPELINE_DOUBTS_H
#define SEG_PIPELINE_DOUBTS_H

#include <segment/photo.h>

/* Fill out->ambiguous and out->ambiguous_count from the scores of the patches and the marked ones (constraints->group);
 * out->column_label is set. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_ambiguous_find(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                              const seg_constraints *constraints, seg_result *out);

#endif
