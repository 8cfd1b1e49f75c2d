/* Two columns besides the mean colour that are invariant to illumination and shading. */
#ifndef SEG_FEATURES_CHROMATICITY_H
#define SEG_FEATURES_CHROMATICITY_H

#include <segment/features.h>

/* Append a / (L + 16) and b / (L + 16) of each row's mean colour (its first three columns): in CIELAB, a, b and L + 16
 * are proportional to the cube root of the light [cie15], so a patch has the same quotients in light and in shade,
 * except the darkest ones, of linear reflectance below 0.9 % (seg_lab_pixels). They are scaled to equal a and b at L =
 * 50. Nothing is appended where spec has no mean, or where no row has a colour: the columns would be noise. X keeps its
 * other columns to the byte. SEG_OK, SEG_ERR_MEMORY: X is as before. Cost O(rows x columns). */
seg_status seg_chromaticity_append(seg_context *ctx, const seg_feature_spec *spec, seg_matrix *X);

#endif
