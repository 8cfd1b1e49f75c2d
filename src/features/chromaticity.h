/* Two columns beside the mean colour that do not change with light and shade. */
#ifndef SEG_FEATURES_CHROMATICITY_H
#define SEG_FEATURES_CHROMATICITY_H

#include <segment/features.h>

/* Append a / (L + 16) and b / (L + 16) of each row's mean colour, which is the first three columns: in CIELAB, all
 * three grow with the cube root of the light [cie15], so that the quotients of a patch and of the same one in shade are
 * equal but for the darkest patches, of linear reflectance below 0.9 % (seg_lab_pixels). They count as a and b do at L
 * = 50. Nothing is appended where spec has no mean, or where no row has a colour: the columns would be noise. X keeps
 * its other columns to the byte. SEG_OK, SEG_ERR_MEMORY: X is as before. Cost O(rows x columns). */
seg_status seg_chromaticity_append(seg_context *ctx, const seg_feature_spec *spec, seg_matrix *X);

#endif
