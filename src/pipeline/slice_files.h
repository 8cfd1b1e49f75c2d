/* A volume whose slices are files of their own: the image, and scribbles or a truth for some of its slices. */
#pragma once

#include <segment/image.h>

typedef struct seg_slice_files {
    char *name;  /* of the one file, or of the folder */
    char **path; /* NULL: one file; else of each slice, NULL where it has none */
    int count;   /* slices */
} seg_slice_files;

/* All slices, one below the other; as seg_image_read. */
seg_status seg_slices_read_image(seg_context *ctx, const seg_slice_files *files, seg_image *out);
/* As seg_scribbles_read or, without `about`, seg_truth_read; of slices, images alone. A slice without a file has no
 * strokes, its truth is SEG_VOID. */
seg_status seg_slices_read_labels(seg_context *ctx, const seg_slice_files *files, const seg_image *photo,
                                  const seg_labelmap *map, seg_scribbles_about *about, seg_mask *out);
