/* A volume of slices, or an image of channels, in files of their own; strokes or truths of some slices; NPY images. */
#pragma once

#include <segment/image.h>

typedef struct seg_slice_files {
    char *name;  /* of the one file, or of the folder */
    char **path; /* NULL: one file; else of each slice, NULL where it has none */
    int count;   /* slices or channels */
    int apart;   /* 1: channels */
} seg_slice_files;

/* Whether a name ends as those of arrays do: NPY and NRRD. */
int seg_is_array_name(const char *path);
/* An array as an image: height x width grey, or x 3 RGB or 4 RGBA, as seg_image_create takes them; else, or with
 * *channels > 1, x channels, one below the other, from the least to the largest number unless these are of 8 or 16 bits
 * without a sign: of all channels, or of each as seg_stack_read does. *channels: those that are asked for, 0: any; then
 * those that there are. *slices: more than 1: an array of three dimensions is a volume, slices x height x width; then
 * those that there are, also of slices x height x width x channels. NULL: an image.
 * SEG_OK, SEG_ERR_INPUT, SEG_ERR_USAGE, SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_array_read_image(seg_context *ctx, const char *path, int *channels, int *slices, seg_image *out);
/* How many slices the volume in an array has; 0: it is not one of three or four dimensions. *apart, if not NULL: their
 * distance in pixels, if the file states it. */
int seg_array_slices(seg_context *ctx, const char *path, double *apart);
/* All slices, one below the other; as seg_image_read. */
seg_status seg_slices_read_image(seg_context *ctx, const seg_slice_files *files, seg_image *out);
/* As seg_scribbles_read or, without `about`, seg_truth_read; of slices, images alone. A slice without a file has no
 * strokes, its truth is SEG_VOID. */
seg_status seg_slices_read_labels(seg_context *ctx, const seg_slice_files *files, const seg_image *photo,
                                  const seg_labelmap *map, seg_scribbles_about *about, seg_mask *out);
/* The names of a file of shapes, where they alone say which label is which: entered into a list in alphabetical order,
 * of this file and others. SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
seg_status seg_shapes_read_names(seg_context *ctx, const char *path, seg_labelmap *names);
