/* The colours of labels in an overlay and in its legend. */
#ifndef SEG_MASKS_OVERLAY_COLOURS_H
#define SEG_MASKS_OVERLAY_COLOURS_H

#include <segment/overlay.h>

void seg_overlay_colours(const seg_overlay_style *style, const seg_mask *mask, uint8_t colour[256][3]);

/* The width of an outline that is as wide in any image viewed whole: 2 pixels up to 0.3 megapixels, beyond in
 * proportion to the square root of their number, rounded, at most 32. @return 2..32 */
int seg_outline_width(int width, int height);

/* Put a legend below a picture: for each label that occurs in the mask a square in its colour and its name. The text
 * is drawn by cairo, which is loaded by the first call, in DejaVu Sans or what fontconfig has in its place; other
 * fonts give other bytes. @return SEG_OK, SEG_ERR_USAGE (a picture of 16 bits), SEG_ERR_INPUT (cairo is not
 * installed; the picture would be higher than SEG_MAX_SIDE), SEG_ERR_MEMORY */
seg_status seg_overlay_add_legend(seg_context *ctx, seg_image *picture, const seg_mask *mask,
                                  const seg_overlay_style *style, const seg_labelmap *names);

#endif
