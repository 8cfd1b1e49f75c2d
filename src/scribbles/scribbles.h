/* From the content of a file to the label of each pixel: shared by the readers of images, strokes and shapes. */
#ifndef SEG_SCRIBBLES_SCRIBBLES_H
#define SEG_SCRIBBLES_SCRIBBLES_H

#include "image/label_rows.h"
#include "image/labels.h"

/* The input and output of a reader. */
typedef struct seg_scribbles_job {
    seg_context *ctx;
    const char *name;        /* of the file, for messages */
    const seg_image *photo;  /* the image that the scribbles are for, or NULL */
    const seg_labelmap *map; /* NULL: labels are numbered in the order of their colours or names */
    seg_mask *out;           /* owned by the caller; zeroed where a function below fails */
    seg_scribbles_about *about;
} seg_scribbles_job;

/* seg_scribbles_read on a decoded image. */
seg_status seg_scribbles_from_raster(const seg_scribbles_job *job, const seg_raster *raster);

/* Likewise on the bytes of an image. Scribbles with the photo's proportions but not its size are read without the
 * photo, and must still be scaled. */
seg_status seg_scribbles_from_image(const seg_scribbles_job *job, const unsigned char *bytes, size_t size);

/* Likewise on the bytes of any file, ended by a zero byte. */
seg_status seg_scribbles_from_bytes(const seg_scribbles_job *job, const unsigned char *bytes, size_t size);

/* Fill the numbers of `about`, in which the kind is set, and log the result. */
void seg_scribbles_tell(const seg_scribbles_job *job);

/* 1 where one size is the other scaled by some factor, up to the rounding to whole pixels, and they differ by more than
 * a twentieth: an image of nearly the same size was probably cropped, not scaled. */
int seg_sizes_in_proportion(int width, int height, int other_width, int other_height);

/* Read scribbles for an image that is too large for an array of labels: an image or array of its size or, more usually,
 * its proportions, or shapes in its coordinates. Like seg_scribbles_read, except that strokes on a copy of the image
 * are not recognised. header: holds the size of the image, and gets the labels and their colours, without an array.
 * SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY; free `out` in either case. */
seg_status seg_scribble_rows_read(seg_context *ctx, const char *path, const seg_labelmap *map, seg_mask *header,
                                  seg_label_rows *out, seg_scribbles_about *about);

#endif
