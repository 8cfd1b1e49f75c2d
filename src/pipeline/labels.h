/* Label numbers of the scribbles against group numbers of the constraints: labels may have gaps (a palette's 1 and 3),
 * groups have none. */
#ifndef SEG_PIPELINE_LABELS_H
#define SEG_PIPELINE_LABELS_H

#include <segment/constraints.h>

typedef struct seg_label_map {
    int groups;                        /* labels that have marked pixels */
    int16_t group[SEG_MAX_LABELS + 1]; /* of each label, -1 without */
    uint8_t label[SEG_MAX_LABELS];     /* of each cluster: its group's label, then numbers after the largest label */
} seg_label_map;

/* Find the labels present in the scribbles (NULL: none). */
void seg_label_map_make(const seg_mask *scribbles, seg_label_map *out);

/* Number the clusters groups .. k-1 that have no strokes after the largest label. SEG_ERR_USAGE where the numbers run
 * out. */
seg_status seg_label_map_extend(seg_context *ctx, int k, seg_label_map *map);

/* Give constraints from scribbles (groups by label) the map's groups without gaps. A label that lost every patch to
 * labels with more pixels there takes the one where it has most; SEG_ERR_INPUT where even that would leave another
 * label none.
 */
seg_status seg_label_map_apply(seg_context *ctx, const seg_label_map *map, const seg_mask *scribbles,
                               const seg_patch_grid *grid, seg_constraints *constraints);

#endif
