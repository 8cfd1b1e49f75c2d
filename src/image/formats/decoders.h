/* The decoders behind seg_raster_decode, one a format. Each checks the size limits and that out->decoding bytes are
 * within the context's limit before it allocates pixels (or comes back then, where only the header is wanted), and
 * leaves `out` for the caller to free on failure. */
#pragma once

#include "image/raster.h"

seg_status seg_png_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out);
seg_status seg_jpeg_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out);
seg_status seg_bmp_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out);

/* All others, by libvips, which is loaded by the first such file. */
seg_status seg_vips_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out);

/* SEG_ERR_INPUT unless both sides are 1..SEG_MAX_SIDE and the area is at most SEG_MAX_PIXELS. */
seg_status seg_check_size(seg_context *ctx, const char *name, int64_t width, int64_t height);

/* SEG_ERR_INPUT: a file of the format ("PNG") that ends too early. */
seg_status seg_truncated(seg_context *ctx, const char *name, const char *format);
/* SEG_ERR_INPUT: a camera raw file ("a Canon raw image"), with what to do. */
seg_status seg_refuse_raw(seg_context *ctx, const char *name, const char *what);

/* SEG_ERR_MEMORY, for libraries that report no more than that. */
seg_status seg_no_memory_to_read(seg_context *ctx, const char *name);

/* SEG_ERR_LIMIT unless raster->decoding more bytes are within the context's limit. */
seg_status seg_check_room(seg_context *ctx, const char *name, const seg_raster *raster);

/* Bytes of the arrays that seg_raster_allocate makes, by the raster's size, channels and bits. */
size_t seg_raster_bytes(const seg_raster *raster, int opacity);
/* Allocate the samples and, where `opacity` is 1, the opacities, all 0; the caller frees. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_raster_allocate(seg_context *ctx, seg_raster *raster, int opacity);
/* Free opacities that are all of them full. */
void seg_raster_drop_opaque(seg_raster *raster);
/* Store a sample. */
static inline void seg_raster_put(seg_raster *raster, size_t at, unsigned value) {
    if (raster->sample8)
        raster->sample8[at] = (uint8_t)value;
    else
        raster->sample16[at] = (uint16_t)value;
}

/* Make palette_count cover every index: entries that a file uses but does not have (a fault, but the indices may still
 * be labels) are black, which is logged. */
void seg_palette_complete(seg_context *ctx, const char *name, seg_raster *raster);

/* The EXIF orientation (1..8) in an APP1 segment's `size` bytes, 1 where there is none, 0 where memory ran out. */
int seg_exif_orientation(const unsigned char *bytes, size_t size);

/* Likewise of EXIF with or without the mark before it, which JPEG alone always has; only its beginning is read. */
int seg_exif_plain_orientation(const unsigned char *bytes, size_t size);

/* The size of a file's image, the bytes of a pixel and the EXIF orientation; `out`: the whole upright image, for the
 * orientations 5..8 in rows of `height` pixels. */
typedef struct seg_turn {
    int width, height, pixel, orientation;
    uint8_t *out;
} seg_turn;

/* Turn some rows of the image upright, from `first` on: `samples` begins with them. */
void seg_orient_rows(const seg_turn *turn, const uint8_t *samples, int first, int rows);
/* Samples and opacities of a raster; numbers other than 2..8 leave it as it is. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_raster_turn(seg_context *ctx, int orientation, seg_raster *raster);
/* Likewise of one without samples, or with samples that have been turned: width and height alone. */
void seg_raster_turn_size(int orientation, seg_raster *raster);

typedef struct seg_pages_job {
    seg_context *ctx;
    const void *bytes;
    size_t size;
    const char *name;       /* with the pages */
    int header_only, apart; /* apart: as in seg_stack_files */
} seg_pages_job;

/* The pages that the name asks for, or what a file is read as without. */
seg_status seg_pages_decode(const seg_pages_job *job, seg_raster *out);
/* One page; -1: the first of full resolution. */
seg_status seg_page_decode(const seg_pages_job *job, int page, seg_raster *out);

/* The formats of images that are read, a row each: what they begin with, how they are called and named, who reads them.
 * Help, completion, messages and documents ask here. */

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

/* Decoders that few files need are loaded when such a file is read: HEIF alone brings two dozen shared objects, which
 * would cost each run more time than a small image takes. They also need not be installed. */

/* A list LIST(X) of a library's functions, X(name) each, becomes a struct of pointers to them and their names:
 *     typedef struct calls { LIST(SEG_LATE_POINTER) } calls;
 *     static const char *const names[] = {LIST(SEG_LATE_NAME)};
 */
#define SEG_LATE_POINTER(function) __typeof__(function) *function;
#define SEG_LATE_NAME(function)    #function,

typedef struct seg_late_library {
    const char *file;    /* what the loader looks for, "libwebp.so.7" */
    const char *package; /* Debian's, for the message */
    int count;           /* functions */
    const char *const *names;
} seg_late_library;

/* Load it and look its functions up: `calls` is `count` pointers. SEG_OK; SEG_ERR_INPUT where the library is not
 * installed, with a sentence that names it and `name`, which is `kind` ("a WebP image"); SEG_ERR_MEMORY. The library
 * stays loaded: some cannot be unloaded, and the next file would wait again. */
seg_status seg_late_load(seg_context *ctx, const seg_late_library *library, const char *name, const char *kind,
                         void *calls);
