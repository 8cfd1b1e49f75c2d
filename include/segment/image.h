/** @file image.h
 *  Images and label images. Storage order everywhere: row by row from the top left, a pixel's samples side by side. */
#pragma once

#include <segment/context.h>

/** @addtogroup images Images, strokes, masks
 *  @{ */

#define SEG_MAX_SIDE   65535       /**< largest width or height in pixels */
#define SEG_MAX_STACK  1048576     /**< largest height of pixels in memory: slices of a volume, one below the other */
#define SEG_MAX_PIXELS 268435456ll /**< largest width x height (2^28) */

/** An image: RGB (sRGB-encoded), three samples per pixel. seg_image_read() makes it from a file, seg_image_create()
 *  from pixels in memory. Calls that take a const image borrow it. A program that has such samples already
 *  may fill the struct itself: set unknown fields to 0, and do not call seg_image_free(). The struct keeps its size. */
typedef struct seg_image {
    int width;  /**< pixels, >= 1 */
    int height; /**< pixels, >= 1 */
    int depth;  /**< bits per sample, 8 or 16 */
    int grey;   /**< 1 if the file was grey: the three samples of each pixel are then equal */
    void *data; /**< width*height*3 samples, uint8_t (depth 8) or uint16_t (depth 16, native byte order);
                     owned, released by seg_image_free */
    int low;    /**< depth 16: the sample shown and used as black */
    int high;   /**< likewise white; 0 and 65535 unless low < high. seg_image_read sets them to the smallest and largest
                     sample of an image that fills less than a quarter of the scale, such as one of a 12-bit camera.
                     Where an image of any depth uses less of this range, features and refinement narrow it further */
} seg_image;

/** A label image: scribbles (0 and SEG_VOID unmarked), a mask, or a truth. The readers and seg_mask_from_labels() make
 *  it; a program may also fill the struct itself, like a seg_image. The struct keeps its size. */
typedef struct seg_mask {
    int width;              /**< pixels, >= 1 */
    int height;             /**< pixels, >= 1 */
    uint8_t *label;         /**< width*height labels: 0 none, 1..254 a label, SEG_VOID void; owned */
    int labels;             /**< the largest label present or reserved (k), 0..254 */
    uint8_t colour[256][3]; /**< RGB of each label, for display and for the palette of files */
    int slices;             /**< slices of a volume, one below the other; 0 or 1: an image */
} seg_mask;

#define SEG_VOID       255 /**< pixels without a label, which are not scored */
#define SEG_MAX_LABELS 254 /**< largest number of labels */

/** The formats of images that are read: the list of their names and file extensions.
 *  @param FIRST  macro of (identifier, name, endings of file names with commas between them) for the first format
 *  @param NEXT   macro of the same for each of the others */
#define SEG_IMAGE_FORMATS(FIRST, NEXT)                                                                                 \
    FIRST(PNG, "PNG", "png")                                                                                           \
    NEXT(JPEG, "JPEG", "jpg,jpeg,jpe,jfif")                                                                            \
    NEXT(BMP, "BMP", "bmp,dib")                                                                                        \
    NEXT(TIFF, "TIFF", "tif,tiff")                                                                                     \
    NEXT(PNM, "PNM", "pnm,ppm,pgm,pbm")                                                                                \
    NEXT(WEBP, "WebP", "webp")                                                                                         \
    NEXT(GIF, "GIF", "gif")                                                                                            \
    NEXT(HEIC, "HEIC", "heic,heif")                                                                                    \
    NEXT(AVIF, "AVIF", "avif")                                                                                         \
    NEXT(JXL, "JPEG XL", "jxl")                                                                                        \
    NEXT(JP2, "JPEG 2000", "jp2,j2k,j2c,jpc")

/** @cond */
#define SEG_IMAGE_FIRST_NAME(id, name, endings)    name
#define SEG_IMAGE_NEXT_NAME(id, name, endings)     ", " name
#define SEG_IMAGE_FIRST_ENDINGS(id, name, endings) endings
#define SEG_IMAGE_NEXT_ENDINGS(id, name, endings)  "," endings
/** @endcond */

/** Their names as one text, "PNG, JPEG, ...". */
#define SEG_IMAGE_FORMAT_NAMES SEG_IMAGE_FORMATS(SEG_IMAGE_FIRST_NAME, SEG_IMAGE_NEXT_NAME)
/** All endings as one text, "png,jpg,...". */
#define SEG_IMAGE_FORMAT_ENDINGS SEG_IMAGE_FORMATS(SEG_IMAGE_FIRST_ENDINGS, SEG_IMAGE_NEXT_ENDINGS)

/** Read an image of one of the formats in SEG_IMAGE_FORMATS, recognised by content, not by name; the first image
 *  of a file, or the first of full resolution of a TIFF. The library reads PNG, JPEG and BMP itself, and all
 *  others with libvips (Debian's libvips42), which must be installed and is loaded by the first such file.
 *  docs/formats.md describes the handling of samples, orientation, colour profiles and transparency. `path` "-" is
 *  standard input; "stack.tif[3]" a page of a TIFF, "stack.tif[0-9]" ten as a volume, as in the other readers.
 *  @param path  file to read
 *  @param out  filled on success (free with seg_image_free); zeroed on failure.
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (damaged, truncated, larger than the limits above), SEG_ERR_MEMORY,
 *  SEG_ERR_LIMIT (max_memory, before pixels are decoded, also in the readers below). Cost: O(pixels). */
SEG_API seg_status seg_image_read(seg_context *ctx, const char *path, seg_image *out);

/** Types of the samples of pixels in memory. */
typedef enum seg_sample_type {
    SEG_SAMPLE_U8 = 0, /**< uint8_t, 0 black, 255 white (opacity: opaque) */
    SEG_SAMPLE_U16,    /**< uint16_t in the machine's byte order, 0 to 65535 */
    SEG_SAMPLE_FLOAT   /**< float, 0 to 1; becomes 16 bits */
} seg_sample_type;

/** Pixels in memory. */
typedef struct seg_pixels {
    const void *data;     /**< the first sample of the top row; a pixel's samples side by side. Needs no alignment */
    int width;            /**< pixels, 1 .. SEG_MAX_SIDE */
    int height;           /**< pixels, 1 .. SEG_MAX_STACK; at most SEG_MAX_PIXELS in total */
    int channels;         /**< 1 grey, 3 RGB, 4 RGBA: not multiplied by the opacity, composited over white */
    seg_sample_type type; /**< type of the samples */
    ptrdiff_t stride;     /**< bytes from a row to the one below it: at least the bytes of a row; negative if rows are
                             stored from the bottom up (`data` is then the last row in memory); 0: contiguous rows */
} seg_pixels;

/** Make an image from pixels in memory, which are copied. The image equals the one that seg_image_read()
 *  makes from a PNG or TIFF file with these samples, and so do all masks made from it.
 *  @param pixels  the pixels
 *  @param out  free with seg_image_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (no data, a size, number of channels, type or stride that seg_pixels does not allow),
 *  SEG_ERR_INPUT (a float that is not within 0..1; the message says which), SEG_ERR_MEMORY, SEG_ERR_LIMIT.
 *  Cost: O(pixels); memory besides the image: a copy of grey samples, 2 bytes per pixel of RGBA. */
SEG_API seg_status seg_image_create(seg_context *ctx, const seg_pixels *pixels, seg_image *out);

/** The header of an image, which is read without decoding the image. */
typedef struct seg_image_header {
    const char *format;   /**< its name in SEG_IMAGE_FORMATS by the first bytes; NULL if unknown.
                             Static storage; also set if the rest of the header cannot be read */
    int width;            /**< pixels, upright */
    int height;           /**< likewise */
    int depth;            /**< bits per sample in a seg_image, 8 or 16 */
    size_t image_bytes;   /**< bytes of the seg_image's samples; 0 by tiles, as the next two */
    size_t reading;       /**< peak of additional bytes while reading: the file, the decoder's
                               arrays, the samples as stored. Scribbles and truths take one byte per pixel more */
    size_t reading_image; /**< the same for an image, with its three channels */
    size_t file_bytes;    /**< of the file */
    int tiled;            /**< by tiles: 1: tiles; 0: strips, whose whole rows are in memory */
    int tile_width;       /**< by tiles: pixels of a tile or strip */
    int tile_height;      /**< likewise */
    int pages;            /**< pages of a TIFF of full resolution; else 0 */
    int channels; /**< by tiles: channels stated in the file besides colours and opacity; they count as pages. Else 0 */
    int slices;   /**< by tiles: slices of an OME-TIFF; its pages are counted channel by channel. Else 0 */
    double spacing; /**< likewise: distance of slices in pixels; 0: unknown */
} seg_image_header;

/** Read the header of an image, of scribbles or of a truth.
 *  @param path  file to read
 *  @param by_tiles  0: an image for seg_image_read(); the file is read and freed again. 1: a TIFF for
 *  seg_segment_tiled(), of up to 262144 pixels per side: grey, RGB or palette of 1, 2, 4, 8 or 16 bits, upright,
 *  with or without opacity, with any compression of libtiff; YCbCr inside JPEG. Only its header is read
 *  @param out  owns nothing; on failure zeroed except `format`
 *  @return as seg_image_read; SEG_ERR_USAGE for "-"; SEG_ERR_INPUT by tiles for a file that is not such a TIFF. Cost:
 *  O(bytes of the file), by tiles O(1). */
SEG_API seg_status seg_image_header_read(seg_context *ctx, const char *path, int by_tiles, seg_image_header *out);

/** Release what the image owns and zero it. NULL and zeroed images are fine.
 *  @param image  the image */
SEG_API void seg_image_free(seg_image *image);

/** Make a mask, scribbles or a truth from labels in memory, which are copied. `labels` becomes the largest label,
 *  and colours are the defaults.
 *  @param label  the first label of the top row: 0 none, 1..254 a label, SEG_VOID void
 *  @param width  1 .. SEG_MAX_SIDE
 *  @param height  1 .. SEG_MAX_STACK; at most SEG_MAX_PIXELS in all
 *  @param stride  bytes from a row to the one below it, as seg_pixels.stride
 *  @param out  free with seg_mask_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (no labels, a size or stride out of range), SEG_ERR_MEMORY */
SEG_API seg_status seg_mask_from_labels(seg_context *ctx, const uint8_t *label, int width, int height, ptrdiff_t stride,
                                        seg_mask *out);

/** Colours of labels 1..254 that are easy to distinguish, also for colour-blind people (the first eight by
 *  Okabe & Ito); 0 is black, 255 white.
 *  @param colour  filled, RGB */
SEG_API void seg_mask_default_colours(uint8_t colour[256][3]);

/** Release what the mask owns and zero it. NULL and zeroed masks are fine.
 *  @param mask  the mask */
SEG_API void seg_mask_free(seg_mask *mask);

/** How a mask is written. */
typedef enum seg_mask_form {
    SEG_MASK_PNG = 0, /**< 8-bit palette PNG: index = label, all 256 palette entries */
    SEG_MASK_GREY,    /**< 8-bit grey PNG: value = label. Any values can be written, such as
                           seg_result.uncertainty; width, height and label of the mask are used */
    SEG_MASK_TIFF     /**< tiled TIFF with reduced copies for viewers of large images (docs/formats.md). For a volume
                           a page per slice, without copies. Not to standard output or a device */
} seg_mask_form;

/** Write a mask to a temporary file that is then renamed to `path`, so that `path` is never a partial file; "-"
 *  is standard output.
 *  @param path  file to write
 *  @param mask  what is written
 *  @param form  the format
 *  @return SEG_OK, SEG_ERR_USAGE (a TIFF to "-" or a device), SEG_ERR_IO, SEG_ERR_MEMORY, SEG_ERR_CANCELLED (by the
 *  progress callback; then no file is written). Cost O(pixels); the same bytes for any number of threads. */
SEG_API seg_status seg_mask_write(seg_context *ctx, const char *path, const seg_mask *mask, seg_mask_form form);

/** Write an image as 8-bit PNG (16-bit samples are scaled from low..high and rounded), as carefully as seg_mask_write.
 *  @param path  file to write
 *  @param image  what is written
 *  @param alpha  its opacity, width * height values, 255 opaque: writes RGBA, not premultiplied; where it is
 *  0 the colours are black, so that nothing of the image remains there. NULL: RGB
 *  @return as seg_mask_write */
SEG_API seg_status seg_image_write_png(seg_context *ctx, const char *path, const seg_image *image,
                                       const uint8_t *alpha);

/** Write bytes unchanged, as carefully as seg_mask_write.
 *  @param path  file to write
 *  @param bytes  its content
 *  @param size  number of bytes
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
SEG_API seg_status seg_file_write(seg_context *ctx, const char *path, const void *bytes, size_t size);

/** Read a ground truth or a mask, an image or an array (docs/formats.md defines the labels of values and colours).
 *  In the result void is SEG_VOID and no pixel is 0.
 *  @param path  file to read
 *  @param out  free with seg_mask_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
SEG_API seg_status seg_truth_read(seg_context *ctx, const char *path, seg_mask *out);

/** The colours and names of a label map: entry i is for label i + 1. */
typedef struct seg_labelmap {
    int count;                         /**< 0..254 */
    uint8_t colour[SEG_MAX_LABELS][3]; /**< RGB */
    char name[SEG_MAX_LABELS][64];     /**< UTF-8, may be empty */
} seg_labelmap;

/** Read a label map, a text file (docs/formats.md).
 *  @param path  file to read
 *  @param out  colours and names; owns nothing
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (with the line's number). */
SEG_API seg_status seg_labelmap_read(seg_context *ctx, const char *path, seg_labelmap *out);

/** Name labels, in order from 1, in place of the names of a label map or without one. Labels that
 *  are new in the map get the colour 0,0,0, so read scribbles with the map first.
 *  @param names  separated by commas, with blanks around them ignored, as in "background,cat,dog"; an empty
 *  one changes nothing
 *  @param map  names and, if there are more names than labels, its count are changed; unchanged on failure
 *  @return SEG_OK, SEG_ERR_USAGE (more than SEG_MAX_LABELS names, equal names, one of more than 63 bytes,
 *  a control character or invalid UTF-8; the message begins with "names"), SEG_ERR_MEMORY */
SEG_API seg_status seg_labelmap_set_names(seg_context *ctx, const char *names, seg_labelmap *map);

/** Kinds of scribble files. */
typedef enum seg_scribbles_kind {
    SEG_SCRIBBLES_PALETTE = 1, /**< palette PNG: the index is the label */
    SEG_SCRIBBLES_GREY,        /**< grey with few values: the value is the label */
    SEG_SCRIBBLES_COLOURS, /**< each exact colour is a label; a black, white, grey or transparent canvas is unmarked */
    SEG_SCRIBBLES_PAINTED, /**< flat colours painted on a copy of the image */
    SEG_SCRIBBLES_SNAPPED, /**< as one of the two above, but with smoothed or JPEG-compressed strokes, which are
                                snapped to the flat colours */
    SEG_SCRIBBLES_SHAPES,  /**< areas, lines and points of labelme, COCO or GeoJSON */
    SEG_SCRIBBLES_ARRAY    /**< NPY: the number is the label */
} seg_scribbles_kind;

/** How a scribble file was read. */
typedef struct seg_scribbles_about {
    seg_scribbles_kind kind; /**< the detected kind */
    int labels_found;        /**< number of labels that occur */
    size_t marked;           /**< pixels that have a label */
    char ground[96];         /**< what the strokes were painted on, in words; empty if values are the labels */
    int ambiguous;           /**< 1 if the call failed because the colours found are ambiguous: give a label map */
} seg_scribbles_about;

/** Read scribbles of any seg_scribbles_kind, recognised by content. Scribbles of another size with the
 *  aspect ratio of the image are scaled (nearest neighbour), which is logged at SEG_LOG_WARNING. docs/formats.md
 *  defines the labels of values, colours and shapes. If several readings are likely, the call fails with a message
 *  that lists the colours found.
 *  @param path  file to read
 *  @param photo  the image (needed to find strokes painted on a copy of it), or NULL
 *  @param map    label map for colour strokes, or NULL
 *  @param out    scribbles: 0 unmarked, 1..k labels, colours those of the strokes; same size as the image
 *  @param about  how the file was read; every field is set, also on failure; may be NULL. Also logged
 *  at SEG_LOG_INFO as a sentence.
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (wrong size, nothing marked, too many ambiguous pixels, a colour missing
 *  from the map, ...), SEG_ERR_MEMORY. An unpainted copy of the image has nothing marked. Logged at
 *  SEG_LOG_WARNING: snapped colours, and scribbles that leave nearly nothing of the image unmarked. */
SEG_API seg_status seg_scribbles_read(seg_context *ctx, const char *path, const seg_image *photo,
                                      const seg_labelmap *map, seg_mask *out, seg_scribbles_about *about);

/** @} */
