/* TIFF files read block by block (tiles or strips): any rectangle of an image that is never in memory as a whole. */
#pragma once

#include <segment/image.h>

#define SEG_TILED_MAX_SIDE 262144 /* pixels */

typedef struct seg_tiled_image seg_tiled_image;

/* Open the page that is used of a file. path is borrowed. SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (not a TIFF, damaged, or of
 * a kind that is read as a whole only: the message names it), SEG_ERR_MEMORY. */
seg_status seg_tiled_open(seg_context *ctx, const char *path, seg_tiled_image **out);
void seg_tiled_close(seg_tiled_image *image);
/* As seg_image_header_read by tiles. */
const seg_image_header *seg_tiled_about(const seg_tiled_image *image);

/* Pixels left .. right-1 of rows top .. bottom-1. */
typedef struct seg_area {
    int left, top, right, bottom;
} seg_area;

/* Whether anything of an area is wanted. */
typedef int (*seg_tiled_wanted)(const void *user, const seg_area *area);

/* An area of the image, as seg_image_read gives it, but for low and high. Blocks that are not wanted are not decoded,
 * their pixels have any colour; wanted NULL: all are. One call at a time; it uses the context's threads. SEG_OK,
 * SEG_ERR_IO, SEG_ERR_INPUT (damaged, truncated), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_tiled_read(seg_context *ctx, seg_tiled_image *image, const seg_area *part, seg_tiled_wanted wanted,
                          const void *user, seg_image *out);
