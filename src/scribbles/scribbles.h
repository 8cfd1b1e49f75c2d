/* From the content of a file to the label of each pixel: shared by the readers of images, strokes and shapes. */
#pragma once

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

/* Labelled areas, lines and dots, as annotation programs write them, and their rasterisation. */

typedef enum seg_shape_kind {
    SEG_SHAPE_AREA = 1, /* rings, filled by the even-odd rule: holes may be rings, or joined by a cut of zero width */
    SEG_SHAPE_LINE,     /* polylines, 3 pixels wide */
    SEG_SHAPE_DOTS,     /* points, 5 pixels wide */
    SEG_SHAPE_RUNS      /* run lengths in column-major order, alternately outside and inside, in the y of points */
} seg_shape_kind;

typedef struct seg_shape {
    seg_shape_kind kind;
    int number;         /* the label number in the file, 0 without one */
    int name;           /* index of its name, -1 without one */
    size_t first, last; /* rings */
} seg_shape;

/* The shapes of a file. A zeroed struct is empty. */
typedef struct seg_shapes {
    seg_context *ctx;
    const char *file;  /* for messages */
    int width, height; /* pixels, 0 where the file does not state them */
    double (*point)[2];
    size_t points;
    size_t *ring_end; /* end of each ring: number of points up to and including it */
    size_t rings;
    seg_shape *shape;
    size_t shapes;
    char **name;
    size_t names;
} seg_shapes;

/* Append. `name` may be NULL; a name that is known keeps its index. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_INPUT (a coordinate
 * that is not a number or far outside of any image). */
seg_status seg_shapes_add(seg_shapes *shapes, seg_shape_kind kind, int number, const char *name);
seg_status seg_shapes_add_point(seg_shapes *shapes, double x, double y);
seg_status seg_shapes_end_ring(seg_shapes *shapes);
void seg_shapes_free(seg_shapes *shapes);

/* Draw the shapes in order, later ones over earlier ones, into shapes->width x shapes->height labels. The labels are,
 * by the first rule that applies: the positions of the names in `map`; the file's own numbers, where names and numbers
 * correspond one to one; N where all names are "label N"; the positions of the names in alphabetical order. SEG_OK,
 * SEG_ERR_INPUT, SEG_ERR_MEMORY; `out` is zeroed on failure. Cost: O(pixels + points x height) per shape. */
seg_status seg_shapes_draw(seg_shapes *shapes, const seg_labelmap *map, seg_mask *out);

/* The same in two steps, for images that are too large for an array of labels: first the labels of the shapes and their
 * colours, then any rows top .. bottom-1 of shapes->width labels each. toggled: work space of (bottom - top) * (width +
 * 1) bytes. Shapes of the kind SEG_SHAPE_RUNS are not drawn. */
seg_status seg_shapes_number(seg_shapes *shapes, const seg_labelmap *map, uint8_t colour[256][3], int *labels);
/* Enter the names into a list in alphabetical order, where they alone say which label is which. Refuses names that are
 * too long for a label map, and more than it has room for. */
seg_status seg_shapes_names(const seg_shapes *shapes, seg_labelmap *names);
void seg_shapes_draw_rows(const seg_shapes *shapes, int top, int bottom, uint8_t *toggled, uint8_t *label);

/* Read a text that ends with a zero byte. `width` and `height` of the shapes are 0 where the file has none. JSON:
 * labelme, COCO, GeoJSON. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; the caller frees the shapes. */
seg_status seg_shapes_read_json(seg_shapes *shapes, const char *text, size_t size);
