/* Camera raw files by name. */
#ifndef SEG_IMAGE_FORMATS_RAW_NAMES_H
#define SEG_IMAGE_FORMATS_RAW_NAMES_H

#include <segment/context.h>

#include <stddef.h>

/* What a camera raw file that has a beginning of its own is called ("a Canon raw image (CR2)"), NULL for others.
 */
const char *seg_raw_name(const unsigned char *bytes, size_t size);
/* Likewise one that is a TIFF, by the maker's name in it. */
const char *seg_raw_of_maker(const char *make);
/* SEG_ERR_INPUT with the sentence that says what to do. */
seg_status seg_refuse_raw(seg_context *ctx, const char *name, const char *what);

#endif
