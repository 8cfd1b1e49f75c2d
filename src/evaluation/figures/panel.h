/* The panel figure of the papers: images with their truths and the masks of all methods. */
#ifndef SEG_EVALUATION_FIGURES_PANEL_H
#define SEG_EVALUATION_FIGURES_PANEL_H

#include <segment/image.h>

/* A row of pictures, 8-bit RGB of one size. */
typedef struct seg_panel_row {
    int width, height;
    unsigned char **picture; /* `pictures` of them, width * height * 3 bytes; owned */
    char **caption;          /* likewise, below each; owned */
    int pictures;
} seg_panel_row;

/* Begin a row with `pictures` empty places. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_panel_row_create(seg_context *ctx, const seg_image *photo, int pictures, seg_panel_row *out);
void seg_panel_row_free(seg_panel_row *row);

/* Put the image, with strokes on it (NULL: none), into a place. */
seg_status seg_panel_put_photo(seg_context *ctx, seg_panel_row *row, int place, const seg_image *photo,
                               const seg_mask *scribbles, const char *caption);
/* Put a mask, tinted over the image and outlined; void is dark. Sizes may differ: the mask is sampled. */
seg_status seg_panel_put_mask(seg_context *ctx, seg_panel_row *row, int place, const seg_image *photo,
                              const seg_mask *mask, const char *caption);

/* Draw the rows under each other, `heading` above the columns: to NAME.svg, .pdf and .png in the folder, or, without a
 * folder (NULL), to the one file `name`, whose ending tells the format. */
seg_status seg_panel_draw(seg_context *ctx, const seg_panel_row *row, size_t rows, const char *const *heading,
                          const char *folder, const char *name);

#endif
