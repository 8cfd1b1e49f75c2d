/* How wide outlines are. */
#ifndef SEG_MASKS_OUTLINE_WIDTH_H
#define SEG_MASKS_OUTLINE_WIDTH_H

#include <segment/overlay.h>

/* The width of an outline that is as wide in any image viewed whole: 2 pixels up to 0.3 megapixels, beyond in
 * proportion to the square root of their number, rounded, at most 32. @return 2..32 */
int seg_outline_width(int width, int height);

#endif
