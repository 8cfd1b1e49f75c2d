/* Labelled areas, lines and dots, as annotation programs write them, and their rasterisation. */
#ifndef SEG_SCRIBBLES_SHAPES_H
#define SEG_SCRIBBLES_SHAPES_H

#include <segment/image.h>

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
    size_t points, point_room;
    size_t *ring_end; /* end of each ring: number of points up to and including it */
    size_t rings, ring_room;
    seg_shape *shape;
    size_t shapes, shape_room;
    char **name;
    size_t names, name_room;
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
void seg_shapes_draw_rows(const seg_shapes *shapes, int top, int bottom, uint8_t *toggled, uint8_t *label);

/* Read a text that ends with a zero byte. `width` and `height` of the shapes are 0 where the file has none. JSON:
 * labelme, COCO, GeoJSON. SEG_OK, SEG_ERR_INPUT, SEG_ERR_MEMORY; the caller frees the shapes. */
seg_status seg_shapes_read_json(seg_shapes *shapes, const char *text, size_t size);

#endif
