/* Which of a TIFF's images is the one that is meant. */
#ifndef SEG_IMAGE_TIFF_PAGES_H
#define SEG_IMAGE_TIFF_PAGES_H

#include <segment/context.h>

#include <tiffio.h>

/* Make the first image of full resolution the current one: the first page that is not marked as a reduced image or a
 * mask, else the first such image below the first page (SubIFD). *page: its number from 1, 0 where it is below a page.
 * SEG_ERR_INPUT for camera raw files, and where there are reduced images only. */
seg_status seg_tiff_choose_page(seg_context *ctx, TIFF *tiff, const char *name, int *page);

/* Warn where there are further pages of full resolution. Leaves another page the current one. */
void seg_tiff_say_pages(seg_context *ctx, TIFF *tiff, const char *name, int page);

#endif
