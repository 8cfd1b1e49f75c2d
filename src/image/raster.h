/* A decoded file, not interpreted: samples, palette and transparency. Images, scribbles and truths are made from it. */
#pragma once

#include "image/file.h"

typedef enum seg_raster_kind { SEG_RASTER_PALETTE = 1, SEG_RASTER_GREY, SEG_RASTER_RGB } seg_raster_kind;

typedef struct seg_raster {
    int width, height;
    seg_raster_kind kind;
    int channels; /* 1 (palette index, grey value) or 3 (RGB) */
    int bits;     /* bits per sample in the file, 1..16; samples are 0 .. 2^bits - 1, NOT scaled */
    double low,
        high;  /* numbers that do not fit into `bits`, in which 0 and the most stand for these; both 0: they do */
    int lossy; /* 1 for JPEG and other lossy formats, whose exact values mean nothing */
    uint16_t *sample16; /* width*height*channels samples where bits > 8, else NULL; owned */
    uint8_t *sample8;   /* likewise where bits <= 8; owned */
    uint16_t *alpha;    /* width*height opacities 0..65535, NULL where all are opaque; owned */
    int palette_count;
    uint8_t palette[256][3];
    unsigned char *icc; /* colour profile as the file has it, NULL without one; owned */
    size_t icc_size;
    int primaries;   /* colour primaries by their number in H.273 where they are not sRGB's, else 0 (colour.h) */
    int page, pages; /* which one a decoder is asked for, -1: the first; how many of full resolution there are */
    size_t decoding; /* peak memory of decoding in bytes: these arrays and the decoder's own */
} seg_raster;

typedef struct seg_stack_files {
    const char *name;
    char *const *path;
    int count, apart;
} seg_stack_files;

/* Decode an image of one of the formats (decoders.h), told apart by content. `name` is for messages. */
seg_status seg_raster_decode(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_raster *out);
/* Only the properties in the header: width, height (upright), kind, channels, bits, lossy, decoding; no arrays. */
seg_status seg_raster_probe(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_raster *out);
seg_status seg_raster_read(seg_context *ctx, const char *path, seg_raster *out);
/* Files of the same size and kind, one below the other; `name` is that of all. No path: the pages that it names.
 * Numbers that do not fit have the ends of all, so that slices compare; with `apart`, as channels, each its own if the
 * numbers of one have a range less than 1 / SEG_RANGES_ALIKE of that of all, other than 0. */
#define SEG_RANGES_ALIKE 64
seg_status seg_stack_read(seg_context *ctx, const seg_stack_files *files, seg_raster *out);
void seg_raster_free(seg_raster *raster);

/* The image of a raster: RGB over white, palette looked up, scaled to 0..255 (bits <= 8) or 16 bits, 0..65535. */
seg_status seg_image_from_raster(seg_context *ctx, const seg_raster *raster, seg_image *out);
/* The same for a raster that is not needed any more: samples of three channels move to the image and are converted in
 * place. The caller still frees the raster. Finds the black and white levels of 16-bit samples. `name` is for messages;
 * `out` is zeroed on failure. */
seg_status seg_image_take_raster(seg_context *ctx, const char *name, seg_raster *raster, seg_image *out);
/* Likewise for a part of an image, whose samples do not tell the black and white levels of the whole. */
seg_status seg_image_take_part(seg_context *ctx, const char *name, seg_raster *raster, seg_image *out);
/* Of a 16-bit image, go on with its smallest and largest samples. */
void seg_image_extend_ends(const seg_image *image, uint16_t *low, uint16_t *high);
/* Set the black and white levels of a 16-bit image with samples from low to high, if that range is narrow. */
void seg_image_set_ends(seg_context *ctx, const char *name, uint16_t low, uint16_t high, seg_image *image);
enum { SEG_SAMPLE_VALUES = 65536, SEG_SAMPLE_COUNTS = 3 * SEG_SAMPLE_VALUES };
/* Add samples of rows of an image of `all`, the first of them row `top`, to the numbers of the values of red, then of
 * green, then of blue (SEG_SAMPLE_COUNTS): of all rows, or of some, so that there are about four million. */
void seg_image_count(const seg_image *rows, int top, int all, uint32_t *count);
/* Set black and white, within those that the image has, so that it uses three quarters or more: an image with less
 * contrast has nearly the same features. Used are 256 equal parts, each by the square root of its samples, but 1 / 200
 * at each end: a hot pixel does not matter, a small object of a uniform image does. */
void seg_image_find_ends(const uint32_t *count, seg_image *image);
/* A copy at 8 bits of an image that is dark or has a colour cast, as if in more and whiter light; freed by the caller.
 * No data: the image is neither. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels). */
seg_status seg_image_relight(seg_context *ctx, const seg_image *image, seg_image *out);
/* Replace an image whose black and white are set by a copy, where it has noise, is dark or has a colour cast; the noise
 * of several slices stays, since they smooth each other. `owned` is freed then and also becomes the copy; it may be the
 * same. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels). */
seg_status seg_image_see(seg_context *ctx, int slices, seg_image *owned, seg_image *seen);
