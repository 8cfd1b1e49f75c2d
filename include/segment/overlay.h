/** @file overlay.h
 *  An image of a mask for a report. */
#pragma once

#include <segment/features.h>
#include <segment/regions.h>

/** @addtogroup images Images, strokes, masks
 *  @{ */

/** Which colours an overlay has. */
typedef enum seg_overlay_palette {
    SEG_PALETTE_MASK = 0,     /**< the mask's: those of the scribbles, as in mask and reports */
    SEG_PALETTE_OKABE_ITO = 1 /**< seg_mask_default_colours(), suitable for colour-blind readers */
} seg_overlay_palette;

#define SEG_OUTLINE_AUTO (-1) /**< width of an outline: by the image's size */

/** How an overlay is drawn. */
typedef struct seg_overlay_style {
    double alpha;                /**< strength of the tint, 0..1; default 0.4 */
    int outline;                 /**< width of the outline in pixels, 0..32 (dark and light side by side, visible
                                    on any colour); default SEG_OUTLINE_AUTO: by the image's size */
    seg_overlay_palette palette; /**< default SEG_PALETTE_MASK */
    int64_t reserved[4];         /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_overlay_style;
/** The defaults, to initialise a style with. */
#define SEG_OVERLAY_STYLE_DEFAULT                                                                                      \
    {                                                                                                                  \
        0.4, SEG_OUTLINE_AUTO, SEG_PALETTE_MASK, {                                                                     \
            0                                                                                                          \
        }                                                                                                              \
    }

/** Draw the mask over the image: each region tinted in its label's colour and outlined; pixels of 0 are unchanged.
 *  @param photo  8 or 16 bits per sample
 *  @param mask  of the image's size
 *  @param style  tint and outline; NULL: the defaults
 *  @param out  8-bit image of the same size; free with seg_image_free. May be `photo`
 *  itself, which is then replaced, without a copy if it has 8 bits per sample; unchanged on failure
 *  @return SEG_OK, SEG_ERR_INPUT (sizes differ), SEG_ERR_USAGE (style out of range), SEG_ERR_MEMORY. */
SEG_API seg_status seg_overlay_draw(seg_context *ctx, const seg_image *photo, const seg_mask *mask,
                                    const seg_overlay_style *style, seg_image *out);

/** The opacity of a cut-out: 255 on the labels and 0 elsewhere, with a soft border where the scores of the
 *  pixels are undecided (docs/formats.md).
 *  @param mask    the mask
 *  @param scores  of its pixels; NULL: hard borders
 *  @param labels  a bit per label; label l is 1 << l % 8 of byte l / 8
 *  @param alpha   filled, width * height
 *  @return SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost O(pixels), a byte per pixel. */
SEG_API seg_status seg_cutout_alpha(seg_context *ctx, const seg_mask *mask, const seg_region_scores *scores,
                                    const uint8_t labels[32], uint8_t *alpha);

/** @} */
