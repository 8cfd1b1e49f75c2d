/* Layers over an image of the report: strokes, and the pixels in which a mask and the truth differ. Transparent
 * elsewhere. */
#ifndef SEG_EVALUATION_EXPERIMENTS_LAYERS_H
#define SEG_EVALUATION_EXPERIMENTS_LAYERS_H

#include <segment/image.h>

typedef struct seg_layer {
    int width, height;
    uint32_t *pixel; /* alpha, red, green, blue; owned */
} seg_layer;

/* The strokes in their colours with a dark line around them, which shows them on ground of the same colour. SEG_OK,
 * SEG_ERR_MEMORY. */
seg_status seg_layer_strokes(seg_context *ctx, const seg_mask *scribbles, seg_layer *out);
/* Stripes on the pixels whose labels differ and that have one in the truth. The layer has the size of the truth; a mask
 * of another size is sampled. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_layer_difference(seg_context *ctx, const seg_mask *truth, const seg_mask *mask, seg_layer *out);
void seg_layer_free(seg_layer *layer);

/* As PNG. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_layer_write(seg_context *ctx, const char *path, const seg_layer *layer);

#endif
