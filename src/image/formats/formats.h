/* The formats of images that are read, a row each: what they begin with, how they are called and named, who reads them.
 * Help, completion, messages and documents ask here. */
#ifndef SEG_IMAGE_FORMATS_FORMATS_H
#define SEG_IMAGE_FORMATS_FORMATS_H

#include "image/raster.h"

typedef seg_status seg_decoder(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                               int header_only, seg_raster *out);

typedef struct seg_magic {
    size_t offset;
    const char *bytes;
    size_t length;
} seg_magic;

#define SEG_FORMAT_ID(id, name, endings) SEG_FORMAT_##id,
typedef enum seg_format_id { SEG_IMAGE_FORMATS(SEG_FORMAT_ID, SEG_FORMAT_ID) SEG_FORMAT_COUNT } seg_format_id;

typedef struct seg_format {
    const char *kind;   /* "a TIFF image" */
    seg_magic magic[9]; /* any of them; NULL ends them */
    seg_decoder *decode;
    const char *loader;  /* libvips' operation */
    const char *unblock; /* libvips' class of the loader where it counts as not for files of strangers */
    int lossy;           /* 1: values may not be exact */
    int held;            /* bytes per pixel that libvips and the decoder hold besides what comes out */
} seg_format;

extern const seg_format seg_formats[SEG_FORMAT_COUNT];

/* The format of a file that begins so; NULL for none of them. */
const seg_format *seg_format_of(const unsigned char *bytes, size_t size);
/* Its name in SEG_IMAGE_FORMATS; NULL where it is none of them. */
const char *seg_image_format(const void *bytes, size_t size);

#endif
