/* Label images as tiled TIFF files: palette, deflate, smaller copies for viewers. */
#pragma once

#include <segment/image.h>

/* Labels of pixels left .. right-1 of row y. Called by several threads at once. */
typedef void (*seg_label_reader)(const void *user, int y, int left, int right, uint8_t *label);

/* Write labels with the size and colours of `form`, whose own labels are not read: pages of full size, half, a
 * quarter ... down to one tile, each pixel of these being one of those that it stands for. A BigTIFF where the labels
 * might take more than 4 gigabytes. As carefully as seg_mask_write; standard output and what cannot be sought are
 * refused. progress 0..1 under the name "writing". SEG_OK, SEG_ERR_USAGE, SEG_ERR_IO, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. Cost O(pixels); memory for one row of tiles. The same bytes for any number of threads. */
seg_status seg_tiff_write_labels(seg_context *ctx, const char *path, const seg_mask *form, seg_label_reader reader,
                                 const void *user);

/* seg_mask_write as SEG_MASK_TIFF. */
seg_status seg_mask_write_tiff(seg_context *ctx, const char *path, const seg_mask *mask);
