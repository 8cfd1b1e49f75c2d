#include "base/base.h"

#include "image/formats/decoders.h"

#include <dlfcn.h>
#include <libexif/exif-data.h>

#define OPAQUE    65535
#define TEXT_LOOK 512 /* bytes looked at to tell whether a file is text */

#ifndef MOST_PIXELS /* fewer for fuzzers (tests/fuzz/CMakeLists.txt) */
#define MOST_PIXELS SEG_MAX_PIXELS
#endif

/* What files that are not read begin with, so that the message can say what was given. */
static const struct {
    size_t offset;
    const char *magic;
    size_t length;
    const char *what;
    int raw; /* of a camera */
} others[] = {
    {8, "CR\x02", 3, "a Canon raw image (CR2)", 1},
    {4, "ftypcrx", 7, "a Canon raw image (CR3)", 1},
    {6, "HEAPCCDR", 8, "a Canon raw image (CRW)", 1},
    {0, "FUJIFILMCCD-RAW", 15, "a Fujifilm raw image (RAF)", 1},
    {0, "IIRO", 4, "an Olympus raw image (ORF)", 1},
    {0, "IIRS", 4, "an Olympus raw image (ORF)", 1},
    {0, "MMOR", 4, "an Olympus raw image (ORF)", 1},
    {0, "IIU\0", 4, "a Panasonic raw image (RW2)", 1},
    {0, "FOVb", 4, "a Sigma raw image (X3F)", 1},
    {0, "\0MRM", 4, "a Minolta raw image (MRW)", 1},
    {4, "ftyp", 4, "a film", 0},
    {0, "%PDF", 4, "a PDF document", 0},
    {0, "%!PS", 4, "a PostScript document", 0},
    {0, "8BPS", 4, "a Photoshop file", 0},
    {0, "gimp xcf", 8, "a GIMP file", 0},
    {0, "qoif", 4, "a QOI image", 0},
    {0, "PK\3\4", 4, "a ZIP archive", 0},
    {0, "\x1F\x8B", 2, "a gzip archive", 0},
};

/* Text: no control characters but line ends, tabs and form feeds at the beginning, and mostly ASCII. */
static int is_text(const unsigned char *bytes, size_t size) {
    size_t look = size < TEXT_LOOK ? size : TEXT_LOOK, high = 0;
    for (size_t i = 0; i < look; i++) {
        int space = bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\f';
        if (bytes[i] == 0x7F || (bytes[i] < 0x20 && !space))
            return 0;
        high += bytes[i] >= 0x80;
    }
    return look > 4 * high;
}

/* What a file seems to be, NULL where that is not known; *raw: it is of a camera. */
static const char *what_is(const unsigned char *bytes, size_t size, int *raw) {
    *raw = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (size >= others[i].offset + others[i].length &&
            memcmp(bytes + others[i].offset, others[i].magic, others[i].length) == 0) {
            *raw = others[i].raw;
            return others[i].what;
        }
    return !size ? "empty" : is_text(bytes, size) ? "a text file" : NULL;
}

seg_status seg_refuse_raw(seg_context *ctx, const char *name, const char *what) {
    return seg_fail(
        ctx, SEG_ERR_INPUT,
        "'%s' is %s, which is not read: develop it in a raw converter (darktable, RawTherapee, the camera's "
        "own) and export a JPEG, PNG or TIFF",
        name, what);
}

seg_status seg_truncated(seg_context *ctx, const char *name, const char *format) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a truncated %s, its end is missing: copy or download it again", name,
                    format);
}

seg_status seg_check_size(seg_context *ctx, const char *name, int64_t width, int64_t height) {
    if (width < 1 || height < 1)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is damaged: it claims to be %lld x %lld pixels; use a good copy",
                        name, (long long)width, (long long)height);
    if (width > SEG_MAX_SIDE || height > SEG_MAX_SIDE || width * height > MOST_PIXELS)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is too large with %lld x %lld pixels (at most %d a side and %lld in all): scale it down",
                        name, (long long)width, (long long)height, SEG_MAX_SIDE, MOST_PIXELS);
    return SEG_OK;
}

seg_status seg_no_memory_to_read(seg_context *ctx, const char *name) {
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'; use a smaller picture", name);
}

seg_status seg_check_room(seg_context *ctx, const char *name, const seg_raster *raster) {
    char what[SEG_MESSAGE_SIZE / 2];
    snprintf(what, sizeof what, "reading '%.300s', %d x %d pixels,", name, raster->width, raster->height);
    return seg_reserve(ctx, raster->decoding, what);
}

static size_t pixels_of(const seg_raster *raster) {
    return (size_t)raster->width * (size_t)raster->height;
}

size_t seg_raster_bytes(const seg_raster *raster, int opacity) {
    return pixels_of(raster) *
           ((size_t)raster->channels * (raster->bits > 8 ? 2 : 1) + (opacity ? sizeof *raster->alpha : 0));
}

seg_status seg_raster_allocate(seg_context *ctx, seg_raster *raster, int opacity) {
    void *samples = seg_alloc_zero(ctx, pixels_of(raster) * (size_t)raster->channels, raster->bits > 8 ? 2 : 1);
    if (raster->bits > 8)
        raster->sample16 = samples;
    else
        raster->sample8 = samples;
    if (samples && opacity)
        raster->alpha = seg_alloc_zero(ctx, pixels_of(raster), sizeof *raster->alpha);
    return samples && (raster->alpha || !opacity) ? SEG_OK : SEG_ERR_MEMORY;
}

void seg_raster_drop_opaque(seg_raster *raster) {
    uint16_t all = OPAQUE;
    if (!raster->alpha)
        return;
    for (size_t i = 0; i < pixels_of(raster); i++)
        all &= raster->alpha[i];
    if (all == OPAQUE)
        free(seg_taken(&raster->alpha));
}

void seg_palette_complete(seg_context *ctx, const char *name, seg_raster *raster) {
    size_t pixels = (size_t)raster->width * (size_t)raster->height;
    int largest = 0;
    if (raster->kind != SEG_RASTER_PALETTE)
        return;
    for (size_t i = 0; i < pixels; i++)
        largest = raster->sample8[i] > largest ? raster->sample8[i] : largest;
    if (largest < raster->palette_count)
        return;
    seg_log(ctx, SEG_LOG_WARNING, "'%s' uses palette entry %d but has only %d; the missing ones are taken as black",
            name, largest, raster->palette_count);
    raster->palette_count = largest + 1;
}

seg_status seg_page_decode(const seg_pages_job *job, int page, seg_raster *out) {
    seg_context *ctx = job->ctx;
    const void *bytes = job->bytes;
    const char *name = job->name;
    const seg_format *format = seg_format_of(bytes, job->size);
    int raw = 0;
    const char *what = what_is(bytes, job->size, &raw);
    *out = (seg_raster){.page = page};
    if (raw && (!format || ((const char *)bytes)[0] == 'I')) /* CR2 is a TIFF of previews */
        return seg_refuse_raw(ctx, name, what);
    if (!format)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' %s%s; " SEG_IMAGE_FORMAT_NAMES " images are read: convert it to PNG",
                        name, what ? "seems to be " : "is of no known kind", what ? what : "");
    if (page >= 0 && format != &seg_formats[SEG_FORMAT_TIFF])
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' asks for pages, which are read of TIFF files only: leave the [] out",
                        name);
    return format->decode(ctx, bytes, job->size, name, job->header_only, out);
}

static seg_status decode(const seg_pages_job *job, seg_raster *out) {
    SEG_RETURN_OR(seg_pages_decode(job, out), seg_raster_free(out));
}

seg_status seg_raster_decode(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_raster *out) {
    return decode(&(seg_pages_job){ctx, bytes, size, name, 0, 0}, out);
}

seg_status seg_raster_probe(seg_context *ctx, const void *bytes, size_t size, const char *name, seg_raster *out) {
    return decode(&(seg_pages_job){ctx, bytes, size, name, 1, 0}, out);
}

seg_status seg_raster_read(seg_context *ctx, const char *path, seg_raster *out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    return seg_raster_decode(ctx, bytes, size, seg_file_label(path, "standard input"), out);
}

void seg_raster_free(seg_raster *raster) {
    SEG_CLEAR(raster, raster->sample8, raster->sample16, raster->alpha, raster->icc);
}

#define MAGIC(offset, text)                                                                                            \
    { offset, text, sizeof text - 1 }

#define BY_VIPS(kind, loader, unblock, lossy, held, ...)                                                               \
    { kind, {__VA_ARGS__}, seg_vips_decode, loader, unblock, lossy, held }

const seg_format seg_formats[SEG_FORMAT_COUNT] = {
    [SEG_FORMAT_PNG] = {"a PNG image", {MAGIC(0, "\x89PNG")}, seg_png_decode},
    [SEG_FORMAT_JPEG] = {"a JPEG image", {MAGIC(0, "\xFF\xD8\xFF")}, seg_jpeg_decode},
    [SEG_FORMAT_BMP] = {"a BMP image", {MAGIC(0, "BM")}, seg_bmp_decode},
    [SEG_FORMAT_TIFF] = BY_VIPS("a TIFF image", "tiffload_source", NULL, 0, 0, MAGIC(0, "II*\0"), MAGIC(0, "MM\0*"),
                                MAGIC(0, "II+\0"), MAGIC(0, "MM\0+")),
    [SEG_FORMAT_PNM] = BY_VIPS("a PNM image", "ppmload_source", "VipsForeignLoadPpm", 0, 8, MAGIC(0, "P4"),
                               MAGIC(0, "P5"), MAGIC(0, "P6")),
    [SEG_FORMAT_WEBP] = BY_VIPS("a WebP image", "webpload_source", NULL, 0, 8, MAGIC(8, "WEBP")),
    [SEG_FORMAT_GIF] = BY_VIPS("a GIF image", "gifload_source", NULL, 0, 8, MAGIC(0, "GIF8")),
    [SEG_FORMAT_HEIC] = BY_VIPS("an HEIC image", "heifload_source", NULL, 1, 24, MAGIC(4, "ftyphei"),
                                MAGIC(4, "ftyphevc"), MAGIC(4, "ftyphevx"), MAGIC(4, "ftypmif1"), MAGIC(4, "ftypmif2"),
                                MAGIC(4, "ftypmiaf"), MAGIC(4, "ftypmsf1")),
    [SEG_FORMAT_AVIF] = BY_VIPS("an AVIF image", "heifload_source", NULL, 1, 24, MAGIC(4, "ftypavi")),
    [SEG_FORMAT_JXL] = BY_VIPS("a JPEG XL image", "jxlload_source", "VipsForeignLoadJxl", 1, 40, MAGIC(0, "\xFF\x0A"),
                               MAGIC(0, "\0\0\0\x0CJXL ")),
    [SEG_FORMAT_JP2] = BY_VIPS("a JPEG 2000 image", "jp2kload_source", "VipsForeignLoadJp2k", 1, 24,
                               MAGIC(0, "\0\0\0\x0CjP  "), MAGIC(0, "\xFF\x4F\xFF\x51")),
};

const seg_format *seg_format_of(const unsigned char *bytes, size_t size) {
    for (const seg_format *f = seg_formats; f < seg_formats + SEG_FORMAT_COUNT; f++)
        for (const seg_magic *m = f->magic; m->bytes; m++)
            if (size >= m->offset + m->length && memcmp(bytes + m->offset, m->bytes, m->length) == 0 &&
                /* a text may begin with PNM's letters: white space or a comment follows them */
                (f != &seg_formats[SEG_FORMAT_PNM] || (size > 2 && memchr(" \t\n\v\f\r#", bytes[2], 7))))
                return f;
    return NULL;
}

#define NAME(id, name, endings) name,

const char *seg_image_format(const void *bytes, size_t size) {
    static const char *const names[] = {SEG_IMAGE_FORMATS(NAME, NAME)};
    const seg_format *format = seg_format_of(bytes, size);
    return format ? names[format - seg_formats] : NULL;
}

/* The EXIF orientation of an image, and turning it upright. */

#define MOST_EXIF       4096  /* bytes; what the orientation is in stands first */
#define LONGEST_SEGMENT 65533 /* bytes a JPEG segment can hold */
#define TILE            32 /* pixels: a tile's rows and columns both stay in the first-level cache while it is turned */

/* Where pixel (x, y) of the file goes: offset + x * step_x + y * step_y, in pixels of the upright image. */
typedef struct placement {
    ptrdiff_t offset, step_x, step_y;
} placement;

static placement place(int width, int height, int orientation) {
    const ptrdiff_t w = width, h = height;
    const placement all[] = {
        {0, 1, w},            /* upright */
        {w - 1, -1, w},       /* mirrored left to right */
        {w * h - 1, -1, -w},  /* half a turn */
        {w * (h - 1), 1, -w}, /* mirrored top to bottom */
        {0, h, 1},            /* mirrored along the main diagonal */
        {h - 1, h, -1},       /* to be turned clockwise: the file's left column becomes the top row, its bottom first */
        {w * h - 1, -h, -1},  /* mirrored along the other diagonal */
        {h * (w - 1), -h, 1}}; /* to be turned anticlockwise */
    return all[orientation >= 1 && orientation <= 8 ? orientation - 1 : 0];
}

static void turn_tile(const seg_turn *t, placement p, const uint8_t *from, uint8_t *to, ptrdiff_t columns,
                      ptrdiff_t rows) {
    const ptrdiff_t pixel = t->pixel;
    for (ptrdiff_t y = 0; y < rows; y++) {
        const uint8_t *source = from + y * t->width * pixel;
        uint8_t *target = to + y * p.step_y * pixel;
        for (ptrdiff_t x = 0; x < columns; x++, source += pixel, target += pixel * p.step_x)
            if (pixel == 3) {
                target[0] = source[0];
                target[1] = source[1];
                target[2] = source[2];
            } else {
                memcpy(target, source, (size_t)pixel);
            }
    }
}

void seg_orient_rows(const seg_turn *t, const uint8_t *samples, int first, int rows) {
    const placement p = place(t->width, t->height, t->orientation);
    for (ptrdiff_t x = 0; x < t->width; x += TILE)
        turn_tile(t, p, samples + x * t->pixel, t->out + (p.offset + x * p.step_x + first * p.step_y) * t->pixel,
                  t->width - x < TILE ? t->width - x : TILE, rows);
}

typedef struct turning {
    const uint8_t *samples;
    seg_turn turn;
} turning;

static void turn_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const turning *t = arg;
    seg_orient_rows(&t->turn, t->samples + top * (size_t)t->turn.width * (size_t)t->turn.pixel, (int)top,
                    (int)(bottom - top));
}

/* The upright array of what has `pixel` bytes for each pixel, in its place; NULL without memory. */
static void *turn(seg_context *ctx, int orientation, const seg_raster *raster, int pixel, void *from) {
    uint8_t *upright = seg_alloc(ctx, (size_t)raster->width * (size_t)raster->height, (size_t)pixel);
    if (!upright)
        return NULL;
    turning t = {from, {raster->width, raster->height, pixel, orientation, upright}};
    seg_parallel(ctx, (size_t)raster->height, TILE, turn_rows, &t);
    free(from);
    return upright;
}

seg_status seg_raster_turn(seg_context *ctx, int orientation, seg_raster *raster) {
    void *upright = NULL;
    if (orientation < 2 || orientation > 8)
        return SEG_OK;
    if (raster->sample8 && (upright = turn(ctx, orientation, raster, raster->channels, raster->sample8)))
        raster->sample8 = upright;
    if (raster->sample16 && (upright = turn(ctx, orientation, raster, 2 * raster->channels, raster->sample16)))
        raster->sample16 = upright;
    if (upright && raster->alpha && (upright = turn(ctx, orientation, raster, 2, raster->alpha)))
        raster->alpha = upright;
    SEG_TRY(seg_allocated(upright));
    seg_raster_turn_size(orientation, raster);
    return SEG_OK;
}

void seg_raster_turn_size(int orientation, seg_raster *raster) {
    if (orientation >= 5 && orientation <= 8)
        SEG_SWAP(int, raster->width, raster->height);
}

int seg_exif_orientation(const unsigned char *bytes, size_t size) {
    const int before = errno;
    int orientation = 1;
    if (size < 6 || size > LONGEST_SEGMENT || memcmp(bytes, "Exif\0\0", 6) != 0)
        return 1;
    errno = 0; /* libexif does not report a lack of memory: malloc does */
    ExifData *data = exif_data_new();
    if (!data)
        return 0;
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION); /* read what is there, repair nothing */
    exif_data_load_data(data, bytes, (unsigned)size);
    ExifEntry *entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry && entry->format == EXIF_FORMAT_SHORT && entry->components >= 1 && entry->size >= 2)
        orientation = exif_get_short(entry->data, exif_data_get_byte_order(data));
    exif_data_unref(data);
    const int exhausted = errno == ENOMEM;
    errno = before;
    return exhausted ? 0 : orientation >= 1 && orientation <= 8 ? orientation : 1;
}

int seg_exif_plain_orientation(const unsigned char *bytes, size_t size) {
    unsigned char exif[MOST_EXIF + 6] = "Exif\0";
    const size_t look = size < MOST_EXIF ? size : MOST_EXIF;
    if (look >= 6 && memcmp(bytes, exif, 6) == 0)
        return seg_exif_orientation(bytes, look);
    memcpy(exif + 6, bytes, look);
    return seg_exif_orientation(exif, look + 6);
}

/* *function: the one that is missing, NULL where the library itself is; 1 where all were found. */
static int find(const seg_late_library *library, unsigned char *to, const char **function) {
    *function = NULL;
    errno = 0;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    for (int i = 0; handle && i < library->count && !*function; i++) {
        void *found = dlsym(handle, library->names[i]);
        if (!found)
            *function = library->names[i];
        memcpy(to + (size_t)i * sizeof found, &found, sizeof found);
    }
    if (handle)
        dlclose(handle); /* it stays loaded (RTLD_NODELETE) */
    return handle && !*function;
}

seg_status seg_late_load(seg_context *ctx, const seg_late_library *library, const char *name, const char *kind,
                         void *calls) {
    const char *function;
    if (find(library, calls, &function))
        return SEG_OK;
    if (function)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s, and the %s of this machine has no %s: install another version of Debian's "
                        "%s, or convert the image to PNG",
                        name, kind, library->file, function, library->package);
    if (errno == ENOMEM)
        return seg_no_memory_to_read(ctx, name);
    return seg_fail(ctx, SEG_ERR_INPUT,
                    "'%s' is %s, and %s, which reads it, is not installed: install Debian's %s, or convert the "
                    "image to PNG",
                    name, kind, library->file, library->package);
}
