/** @file image.h
 *  Images and label images. Storage order everywhere: row by row from the top left, a pixel's samples side by side. */
#pragma once

#include <segment/context.h>

/** @addtogroup images Images, strokes, masks
 *  @{ */

#define SEG_MAX_SIDE   65535       /**< largest width or height in pixels */
#define SEG_MAX_STACK  1048576     /**< largest height of pixels in memory: slices of a volume, one below the other */
#define SEG_MAX_PIXELS 268435456ll /**< largest width x height (2^28) */

/** An image: RGB (sRGB-encoded), three samples per pixel. Made by seg_image_read() of a file and by seg_image_create()
 * of pixels in memory. Calls that take a const image borrow it. A program that has such samples already may
 * fill the struct itself: set what is unknown to 0, and do not call seg_image_free(). The struct keeps its size. */
typedef struct seg_image {
    int width;  /**< pixels, >= 1 */
    int height; /**< pixels, >= 1 */
    int depth;  /**< bits per sample, 8 or 16 */
    int grey;   /**< 1 where the file was grey: the three samples of each pixel are then equal */
    void *data; /**< width*height*3 samples, uint8_t (depth 8) or uint16_t (depth 16, native byte order);
                     owned, released by seg_image_free */
    int low;    /**< depth 16: the sample that is black to the features and in images */
    int high;   /**< likewise white; 0 and 65535 where not low < high. seg_image_read sets them to the smallest
                     and the largest sample of an image that fills less than a quarter of the scale, as a
                     camera of 12 bits does */
} seg_image;

/** A label image: scribbles (0 and SEG_VOID unmarked), a mask, or a truth. Made by the readers and by
 * seg_mask_from_labels(); a program may fill the struct itself as it may a seg_image. The struct keeps its size. */
typedef struct seg_mask {
    int width;              /**< pixels, >= 1 */
    int height;             /**< pixels, >= 1 */
    uint8_t *label;         /**< width*height labels: 0 none, 1..254 a label, SEG_VOID void; owned */
    int labels;             /**< the largest label present or reserved (k), 0..254 */
    uint8_t colour[256][3]; /**< RGB of each label, for display and for the palette that is written */
    int slices;             /**< of a volume, one below the other; 0 or 1: an image */
} seg_mask;

#define SEG_VOID       255 /**< pixels that are not scored and belong to no label */
#define SEG_MAX_LABELS 254 /**< largest number of labels */

/** The formats of images that are read: the one list of their names and of the endings of their files.
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

/** Read an image of one of the formats in SEG_IMAGE_FORMATS, detected by content, not by name; of several images in
 *  a file the first, of a TIFF the first of full resolution. PNG, JPEG and BMP are read by the library itself,
 *  all others by libvips, which the first such file loads and which must be installed (Debian's libvips42). What
 * becomes of samples, orientation, colour profiles and transparency is in docs/formats.md. `path` "-" is standard
 * input; "stack.tif[3]" is a page of a TIFF, "stack.tif[0-9]" ten of them as a volume. Likewise the other readers.
 *  @param path  file to read
 *  @param out  filled on success (free with seg_image_free); zeroed on failure.
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (damaged, truncated, larger than the limits above), SEG_ERR_MEMORY,
 *  SEG_ERR_LIMIT (max_memory, before the pixels are decoded; likewise the readers below). Cost: O(pixels). */
SEG_API seg_status seg_image_read(seg_context *ctx, const char *path, seg_image *out);

/** Types of the samples of pixels in memory. */
typedef enum seg_sample_type {
    SEG_SAMPLE_U8 = 0, /**< uint8_t, 0 black, 255 white (of opacity: opaque) */
    SEG_SAMPLE_U16,    /**< uint16_t in the machine's byte order, 0 to 65535 */
    SEG_SAMPLE_FLOAT   /**< float, 0 to 1; becomes 16 bits */
} seg_sample_type;

/** Pixels in memory. */
typedef struct seg_pixels {
    const void *data;     /**< the first sample of the top row; a pixel's samples side by side. Needs no alignment */
    int width;            /**< pixels, 1 .. SEG_MAX_SIDE */
    int height;           /**< pixels, 1 .. SEG_MAX_STACK; at most SEG_MAX_PIXELS in all */
    int channels;         /**< 1 grey, 3 RGB, 4 RGBA: not multiplied by the opacity, composited over white */
    seg_sample_type type; /**< of a sample */
    ptrdiff_t stride; /**< bytes from a row to the one below it: at least a row's bytes; negative where rows are stored
                         from the bottom up (`data` is then the row that is stored last); 0: rows touch each other */
} seg_pixels;

/** Make an image of pixels in memory. They are copied: the caller's memory is not needed afterwards. The image is the
 * one that seg_image_read() makes of a PNG or TIFF file with these samples, and so is every mask made of it.
 *  @param pixels  what is copied
 *  @param out  free with seg_image_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (no data, a size, number of channels, type or stride outside what seg_pixels says),
 *  SEG_ERR_INPUT (a float that is not within 0..1; the message says which), SEG_ERR_MEMORY, SEG_ERR_LIMIT.
 *  Cost: O(pixels); besides the image a copy of grey samples and 2 bytes per pixel of RGBA. */
SEG_API seg_status seg_image_create(seg_context *ctx, const seg_pixels *pixels, seg_image *out);

/** What the header of an image tells before anything of it is decoded. */
typedef struct seg_image_header {
    const char *format; /**< its name in SEG_IMAGE_FORMATS, told by the first bytes; NULL where it is none of them.
                           Static storage; set also where the rest of the header cannot be read */
    int width;          /**< pixels, upright */
    int height;         /**< likewise */
    int depth;          /**< bits per sample as a seg_image has them, 8 or 16 */
    size_t image_bytes; /**< of the seg_image's samples; 0 by tiles, likewise the next two */
    size_t reading; /**< bytes that reading holds at most besides what the process held before: the file, the decoder's
                         arrays, the samples as stored. Scribbles and truths take one byte per pixel more */
    size_t reading_image; /**< the same for an image, with its three channels */
    size_t file_bytes;    /**< of the file */
    int tiled;            /**< by tiles: 1: tiles; 0: strips, of which whole rows are kept */
    int tile_width;       /**< by tiles: pixels of a tile or strip */
    int tile_height;      /**< likewise */
    int pages;            /**< of a TIFF, those of full resolution; else 0 */
    int channels; /**< by tiles: that the file says to have, besides colours and opacity; they count as pages. Else 0 */
    int slices;   /**< by tiles: of an OME-TIFF; its pages count channel by channel. Else 0 */
    double spacing; /**< likewise: from slice to slice, in pixels; 0: not known */
} seg_image_header;

/** Read the header of an image, of scribbles or of a truth.
 *  @param path  file to read
 *  @param by_tiles  0: of an image that seg_image_read() reads; the file is read and freed again. 1: of a TIFF that
 *  seg_segment_tiled() reads, of up to 262144 pixels a side: grey, RGB or palette of 1, 2, 4, 8 or 16 bits, upright,
 * with or without opacity, in any compression that libtiff knows; YCbCr inside JPEG. Only its header is read
 *  @param out   owns nothing; zeroed but for `format` on failure
 *  @return as seg_image_read; SEG_ERR_USAGE for "-"; SEG_ERR_INPUT by tiles for a file that is not such a TIFF. Cost:
 *  O(bytes of the file), by tiles O(1). */
SEG_API seg_status seg_image_header_read(seg_context *ctx, const char *path, int by_tiles, seg_image_header *out);

/** Release what the image owns and zero it. NULL and zeroed images are fine.
 *  @param image  what is released */
SEG_API void seg_image_free(seg_image *image);

/** Make a mask, scribbles or a truth of labels in memory, which are copied. `labels` becomes the largest label, the
 *  colours are the default ones.
 *  @param label  the first label of the top row: 0 none, 1..254 a label, SEG_VOID void
 *  @param width  1 .. SEG_MAX_SIDE
 *  @param height  1 .. SEG_MAX_STACK; at most SEG_MAX_PIXELS in all
 *  @param stride  bytes from a row to the one below it, as seg_pixels.stride
 *  @param out  free with seg_mask_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_USAGE (no labels, a size or stride outside what is allowed), SEG_ERR_MEMORY */
SEG_API seg_status seg_mask_from_labels(seg_context *ctx, const uint8_t *label, int width, int height, ptrdiff_t stride,
                                        seg_mask *out);

/** Colours of labels 1..254 that neighbours can be told apart by, colour-blind people included (the first eight after
 *  Okabe & Ito); 0 is black, 255 white.
 *  @param colour  filled, RGB */
SEG_API void seg_mask_default_colours(uint8_t colour[256][3]);

/** Release what the mask owns and zero it. NULL and zeroed masks are fine.
 *  @param mask  what is released */
SEG_API void seg_mask_free(seg_mask *mask);

/** How a mask is written. */
typedef enum seg_mask_form {
    SEG_MASK_PNG = 0, /**< 8-bit palette PNG: index = label, all 256 palette entries */
    SEG_MASK_GREY,    /**< 8-bit grey PNG: value = label. Any values may be written so, such as seg_result.uncertainty;
                           width, height and label of the mask are used */
    SEG_MASK_TIFF /**< tiled TIFF with reduced copies for viewers of large images (docs/formats.md). Of a volume a page
                       for each slice, without copies. Not to standard output or a device */
} seg_mask_form;

/** Write a mask. Written beside `path` and renamed over it, so that `path` never holds half a file; `path` "-" is
 * standard output.
 *  @param path  file to write
 *  @param mask  what is written
 *  @param form  how
 *  @return SEG_OK, SEG_ERR_USAGE (a TIFF to "-" or a device), SEG_ERR_IO, SEG_ERR_MEMORY, SEG_ERR_CANCELLED (the
 *  progress callback is asked meanwhile; of a file, nothing is there then). Cost O(pixels); the same bytes for any
 *  number of threads. */
SEG_API seg_status seg_mask_write(seg_context *ctx, const char *path, const seg_mask *mask, seg_mask_form form);

/** Write an image as 8-bit PNG (16-bit samples are scaled from low..high and rounded), as carefully as seg_mask_write.
 *  @param path  file to write
 *  @param image  what is written
 *  @param alpha  its opacity, width * height values, 255 opaque: RGBA is written then, not multiplied by it; where it
 * is 0 the colours are black, so that nothing of the image is left there. NULL: RGB
 *  @return as seg_mask_write */
SEG_API seg_status seg_image_write_png(seg_context *ctx, const char *path, const seg_image *image,
                                       const uint8_t *alpha);

/** Write bytes as they are, as carefully as seg_mask_write.
 *  @param path  file to write
 *  @param bytes  its content
 *  @param size  how many bytes
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
SEG_API seg_status seg_file_write(seg_context *ctx, const char *path, const void *bytes, size_t size);

/** Read a ground truth or a mask, an image or an array (docs/formats.md says which label a value or a colour is). In
 *  the result void is SEG_VOID and no pixel is 0.
 *  @param path  file to read
 *  @param out  free with seg_mask_free; zeroed on failure
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY. */
SEG_API seg_status seg_truth_read(seg_context *ctx, const char *path, seg_mask *out);

/** The colours that label maps name: entry i is the colour of label i + 1. */
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

/** Give labels names, in the order of their numbers from 1: over those of a label map, or without one. Labels
 *  that are new in the map get the colour 0,0,0, so read scribbles with the map before.
 *  @param names  with commas between them, blanks around them left out, as in "background,cat,dog"; an empty one
 * changes nothing
 *  @param map    names and, where it has fewer labels than there are names, its count are changed; unchanged on failure
 *  @return SEG_OK, SEG_ERR_USAGE (more than SEG_MAX_LABELS names, two alike, one of more than 63 bytes, a control
 *  character or bytes that are not UTF-8; the message begins with "names"), SEG_ERR_MEMORY */
SEG_API seg_status seg_labelmap_set_names(seg_context *ctx, const char *names, seg_labelmap *map);

/** Kinds of scribble files. */
typedef enum seg_scribbles_kind {
    SEG_SCRIBBLES_PALETTE = 1, /**< palette PNG: the index is the label */
    SEG_SCRIBBLES_GREY,        /**< grey with few values: the value is the label */
    SEG_SCRIBBLES_COLOURS, /**< each exact colour is a label; black, white, grey or transparent ground is unmarked */
    SEG_SCRIBBLES_PAINTED, /**< flat colours painted on a copy of the image */
    SEG_SCRIBBLES_SNAPPED, /**< as one of the two above, but with smoothed or JPEG-compressed strokes, which are
                                snapped to the flat colours */
    SEG_SCRIBBLES_SHAPES,  /**< areas, lines and points of labelme, COCO or GeoJSON */
    SEG_SCRIBBLES_ARRAY    /**< NPY: the number is the label */
} seg_scribbles_kind;

/** How a scribble file was read. */
typedef struct seg_scribbles_about {
    seg_scribbles_kind kind; /**< what was detected */
    int labels_found;        /**< how many labels occur */
    size_t marked;           /**< pixels that have a label */
    char ground[96];         /**< what the strokes were painted on, in words; empty where values are the labels */
    int ambiguous;           /**< 1 where the call failed because the colours found are ambiguous: give a label map */
} seg_scribbles_about;

/** Read scribbles in any of the forms of seg_scribbles_kind, detected by content. Those of another size than the
 *  image but of its proportions are scaled, nearest neighbour, which is logged at SEG_LOG_WARNING. docs/formats.md says
 *  which label a value, a colour or a shape is. Where more than one reading is likely, the call fails with a message
 * that shows the colours found.
 *  @param path  file to read
 *  @param photo  the image (needed to find strokes painted on a copy of it), or NULL
 *  @param map    label map for colour strokes, or NULL
 *  @param out    scribbles: 0 unmarked, 1..k labels, colours those of the strokes; same size as the image
 *  @param about  how the file was read; every field is set, also on failure; may be NULL. It is also logged at
 *  SEG_LOG_INFO as a sentence.
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (wrong size, nothing marked, too many ambiguous pixels, a colour missing
 * from the map, ...), SEG_ERR_MEMORY. A file that is byte for byte the unpainted image has nothing marked.
 *  Logged at SEG_LOG_WARNING: what was snapped, and scribbles that leave nearly nothing of the image unmarked. */
SEG_API seg_status seg_scribbles_read(seg_context *ctx, const char *path, const seg_image *photo,
                                      const seg_labelmap *map, seg_mask *out, seg_scribbles_about *about);

/** @} */
