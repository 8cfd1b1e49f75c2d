/* The colours of labels in an overlay and in its legend. */
#ifndef SEG_MASKS_OVERLAY_COLOURS_H
#define SEG_MASKS_OVERLAY_COLOURS_H

#include <segment/overlay.h>

void seg_overlay_colours(const seg_overlay_style *style, const seg_mask *mask, uint8_t colour[256][3]);

/* The width of an outline that is as wide in any image viewed whole: 2 pixels up to 0.3 megapixels, beyond in
 * proportion to the square root of their number, rounded, at most 32. @return 2..32 */
int seg_outline_width(int width, int height);

#endif
