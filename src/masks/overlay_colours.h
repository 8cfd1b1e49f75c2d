/* The colours of labels in an overlay and in its legend. */
#ifndef SEG_MASKS_OVERLAY_COLOURS_H
#define SEG_MASKS_OVERLAY_COLOURS_H

#include <segment/overlay.h>

void seg_overlay_colours(const seg_overlay_style *style, const seg_mask *mask, uint8_t colour[256][3]);

#endif
