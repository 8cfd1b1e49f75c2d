#include "base/base.h"
#include "image/colour.h"
#include "image/formats/decoders.h"
#include "image/formats/tiff_write.h"
#include "image/labels.h"
#include "image/shown.h"

#include <png.h>
#include <zlib.h>

#define DEFLATE_RATIO 1032 /* deflate: at most 258 bytes from 2 bits, so no stream grows more than this */
#define OPAQUE        65535
#define ZLIB_BYTES    ((size_t)64 << 10)

typedef char reason[128]; /* why libpng gave up */

static void on_error(png_structp png, png_const_charp text) {
    snprintf(png_get_error_ptr(png), sizeof(reason), "%s", text);
    png_longjmp(png, 1);
}

static int is_out_of_memory(const char *why) {
    return strstr(why, "ut of memory") || strstr(why, "nsufficient memory");
}

/* ---- Chunks besides the pixels, read here, because libpng would allocate any length that one states. ---- */

#define LONGEST_NAME    79 /* of a profile */
#define LARGEST_PROFILE ((size_t)4 << 20)

/* The content of the first chunk of that kind, NULL where there is none or the file ends before. */
static const unsigned char *find_chunk(const unsigned char *bytes, size_t size, const char *kind, size_t *length) {
    for (size_t at = 8; at + 12 <= size;) {
        const unsigned char *n = bytes + at;
        *length = (uint32_t)n[0] << 24 | (uint32_t)n[1] << 16 | (uint32_t)n[2] << 8 | n[3];
        if (*length > size - at - 12)
            return NULL;
        if (memcmp(bytes + at + 4, kind, 4) == 0)
            return bytes + at + 8;
        at += *length + 12;
    }
    return NULL;
}

/* The EXIF orientation, which may come after the pixels: 1 to 8, 1 where there is none, 0 where memory ran out. */
static int find_orientation(const unsigned char *bytes, size_t size) {
    size_t length = 0;
    const unsigned char *exif = find_chunk(bytes, size, "eXIf", &length);
    return exif ? seg_exif_plain_orientation(exif, length) : 1;
}

/* Unpack a stream of zlib. *unpacked is NULL where it is damaged, or larger than any profile. */
static seg_status unpack(seg_context *ctx, const unsigned char *packed, size_t size, unsigned char **unpacked,
                         size_t *length) {
    const size_t room = size < LARGEST_PROFILE / DEFLATE_RATIO ? (size + 1) * DEFLATE_RATIO : LARGEST_PROFILE;
    uLongf used = room;
    SEG_TRY(seg_allocated(*unpacked = seg_alloc(ctx, room, 1)));
    const int code = uncompress(*unpacked, &used, packed, (uLong)size);
    *length = used;
    if (code == Z_OK)
        return SEG_OK;
    free(seg_taken(unpacked));
    return code == Z_MEM_ERROR ? seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading a colour profile") : SEG_OK;
}

/* Keep the file's colour space: cICP, else iCCP's profile; a warning where it is damaged. SEG_OK, SEG_ERR_MEMORY. */
static seg_status keep_colours(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                               seg_raster *raster) {
    size_t length = 0, unpacked_size = 0;
    SEG_FREED unsigned char *unpacked = NULL;
    const unsigned char *chunk = find_chunk(bytes, size, "cICP", &length);
    if (chunk && length == 4) {
        seg_raster_keep_primaries(ctx, name, chunk[0], chunk[1], raster);
        return SEG_OK;
    }
    chunk = find_chunk(bytes, size, "iCCP", &length);
    const unsigned char *zero = chunk ? memchr(chunk, 0, length < LONGEST_NAME + 1 ? length : LONGEST_NAME + 1) : NULL;
    if (!zero || (size_t)(zero - chunk) + 2 > length || zero[1] != 0)
        return SEG_OK;
    seg_status status = unpack(ctx, zero + 2, length - (size_t)(zero + 2 - chunk), &unpacked, &unpacked_size);
    if (status == SEG_OK && !unpacked)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has a damaged colour profile, which is not applied", name);
    else if (status == SEG_OK)
        status = seg_raster_keep_profile(ctx, name, unpacked, unpacked_size, raster);
    return status;
}

/* ---- Pixels. ---- */

/* Everything that must outlive libpng's longjmp: no local variable of the function that calls setjmp changes. */
typedef struct png_job {
    seg_context *ctx;
    const char *name;
    const unsigned char *bytes;
    size_t size, at;
    int truncated, header_only;
    reason why;
    png_structp png;
    png_infop info;
    int type, passes; /* PNG colour type; passes of interlacing */
    int orientation;  /* 1 to 8; 0 where there was no memory to find it */
    size_t row_bytes;
    unsigned char *rows; /* samples with alpha: one row, or all of an interlaced image */
    seg_raster *out;
} png_job;

/* libpng only warns of a damaged tRNS chunk and drops it, which would change what the image shows. */
static void on_warning(png_structp png, png_const_charp text) {
    if (strncmp(text, "tRNS:", 5) == 0)
        png_error(png, text);
}

static void on_read(png_structp png, png_bytep into, size_t length) {
    png_job *job = png_get_io_ptr(png);
    if (length > job->size - job->at) {
        job->truncated = 1;
        png_error(png, "unexpected end");
    }
    memcpy(into, job->bytes + job->at, length);
    job->at += length;
}

static seg_status why_it_failed(const png_job *job) {
    if (job->truncated)
        return seg_truncated(job->ctx, job->name, "PNG");
    if (is_out_of_memory(job->why))
        return seg_no_memory_to_read(job->ctx, job->name);
    return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a damaged PNG (%s): use a good copy", job->name, job->why);
}

/* Samples; opacities, which a tRNS chunk gives too; with alpha a row of both, or all of them (decode, below). libpng
 * holds three rows and zlib's window. */
static size_t bytes_to_decode(const png_job *job) {
    const seg_raster *out = job->out;
    const int alpha = (job->type & PNG_COLOR_MASK_ALPHA) != 0;
    size_t bytes = seg_raster_bytes(out, alpha || png_get_valid(job->png, job->info, PNG_INFO_tRNS)) +
                   3 * job->row_bytes + ZLIB_BYTES;
    if (job->orientation > 1)
        bytes *= 2; /* turned into a copy */
    return alpha ? bytes + job->row_bytes * (job->passes > 1 ? (size_t)out->height : 1) : bytes;
}

/* Header up to the first IDAT: size, kind, palette, transformations. */
static seg_status read_header(png_job *job) {
    png_uint_32 width, height;
    int bits, type, interlace;
    seg_raster *out = job->out;
    png_set_read_fn(job->png, job, on_read);
    png_set_user_limits(job->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* checked below with a better message */
    /* Text, profiles and the like may be compressed bombs, and nothing here needs them. */
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(job->png, job->info);
    png_get_IHDR(job->png, job->info, &width, &height, &bits, &type, &interlace, NULL, NULL);
    SEG_TRY(seg_check_size(job->ctx, job->name, width, height));
    if ((uint64_t)png_get_rowbytes(job->png, job->info) * height / DEFLATE_RATIO > job->size)
        return seg_truncated(job->ctx, job->name, "PNG");
    job->type = type;
    out->width = (int)width;
    out->height = (int)height;
    out->bits = bits;
    out->channels = type & PNG_COLOR_MASK_COLOR && type != PNG_COLOR_TYPE_PALETTE ? 3 : 1;
    out->kind = type == PNG_COLOR_TYPE_PALETTE ? SEG_RASTER_PALETTE
                : out->channels == 3           ? SEG_RASTER_RGB
                                               : SEG_RASTER_GREY;
    if (bits < 8)
        png_set_packing(job->png); /* a byte a sample, not scaled */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (bits == 16)
        png_set_swap(job->png);
#endif
    job->passes = png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    job->row_bytes = png_get_rowbytes(job->png, job->info);
    out->decoding = bytes_to_decode(job);
    return job->header_only ? SEG_OK : seg_check_room(job->ctx, job->name, out);
}

/* Part the samples and the opacity of one row of grey + alpha or RGB + alpha. */
static void split_row(seg_raster *out, const unsigned char *row, int y) {
    const size_t width = (size_t)out->width, channels = (size_t)out->channels, first = (size_t)y * width;
    const uint16_t *wide = (const uint16_t *)(const void *)row;
    for (size_t x = 0, at = 0; x < width; x++, at++) {
        for (size_t c = 0; c < channels; c++, at++)
            seg_raster_put(out, (first + x) * channels + c, out->bits == 16 ? wide[at] : row[at]);
        out->alpha[first + x] = out->bits == 16 ? wide[at] : (uint16_t)(row[at] * 257);
    }
}

static void read_pixels(png_job *job) {
    seg_raster *out = job->out;
    unsigned char *direct = out->bits > 8 ? (unsigned char *)out->sample16 : out->sample8;
    unsigned char *base = job->rows ? job->rows : direct;
    size_t step = job->rows && job->passes == 1 ? 0 : job->row_bytes; /* one row, used again and again */
    for (int pass = 0; pass < job->passes; pass++)
        for (int y = 0; y < out->height; y++) {
            png_read_row(job->png, base + (size_t)y * step, NULL);
            if (job->rows && pass == job->passes - 1)
                split_row(out, base + (size_t)y * step, y);
        }
    png_read_end(job->png, NULL); /* also checks that the end is there */
}

static void keep_palette(png_job *job) {
    seg_raster *out = job->out;
    png_colorp entry;
    int count = 0;
    if (!png_get_PLTE(job->png, job->info, &entry, &count) || count > 256)
        count = 0;
    for (int i = 0; i < count; i++) {
        out->palette[i][0] = entry[i].red;
        out->palette[i][1] = entry[i].green;
        out->palette[i][2] = entry[i].blue;
    }
    out->palette_count = count;
    seg_palette_complete(job->ctx, job->name, out);
}

/* Opacity from a tRNS chunk: one a palette entry, or one fully transparent grey or colour (compared as stored). */
static seg_status keep_transparency(png_job *job) {
    seg_raster *out = job->out;
    size_t pixels = (size_t)out->width * (size_t)out->height;
    png_bytep entry = NULL;
    png_color_16p key = NULL;
    int count = 0;
    unsigned mask = (1u << out->bits) - 1; /* the key's bits above the depth do not count */
    if (job->type & PNG_COLOR_MASK_ALPHA || !png_get_tRNS(job->png, job->info, &entry, &count, &key))
        return SEG_OK;
    uint16_t *alpha = out->alpha = seg_alloc(job->ctx, pixels, sizeof *out->alpha);
    SEG_TRY(seg_allocated(alpha));
    if (out->kind == SEG_RASTER_PALETTE) {
        uint16_t opacity[256];
        for (int i = 0; i < 256; i++)
            opacity[i] = i < count && entry ? (uint16_t)(entry[i] * 257) : OPAQUE;
        for (size_t i = 0; i < pixels; i++)
            alpha[i] = opacity[out->sample8[i]];
        return SEG_OK;
    }
    const unsigned colour[3] = {key->red & mask, key->green & mask, key->blue & mask}, grey = key->gray & mask;
    for (size_t i = 0; i < pixels; i++) {
        int same = 1;
        for (size_t c = 0; c < (size_t)out->channels && same; c++)
            same = seg_raster_value(out, i * (size_t)out->channels + c) == (out->channels == 1 ? grey : colour[c]);
        alpha[i] = same ? 0 : OPAQUE;
    }
    return SEG_OK;
}

/* The only function that is jumped back into. */
static seg_status decode(png_job *job) {
    if (setjmp(png_jmpbuf(job->png)))
        return why_it_failed(job);
    SEG_TRY(read_header(job));
    if (job->header_only)
        return SEG_OK;
    const int alpha = (job->type & PNG_COLOR_MASK_ALPHA) != 0;
    SEG_TRY(seg_raster_allocate(job->ctx, job->out, alpha));
    if (alpha && !(job->rows = seg_alloc(job->ctx, job->row_bytes, job->passes > 1 ? (size_t)job->out->height : 1)))
        return SEG_ERR_MEMORY;
    read_pixels(job);
    if (job->out->kind == SEG_RASTER_PALETTE)
        keep_palette(job);
    SEG_TRY(keep_transparency(job));
    seg_raster_drop_opaque(job->out);
    return SEG_OK;
}

seg_status seg_png_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out) {
    png_job job = {.ctx = ctx, .name = name, .bytes = bytes, .size = size, .header_only = header_only, .out = out};
    job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, job.why, on_error, on_warning);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    job.orientation = find_orientation(bytes, size);
    seg_status status = job.info && job.orientation ? decode(&job) : seg_no_memory_to_read(ctx, name);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    free(job.rows);
    if (status == SEG_OK && !header_only)
        status = keep_colours(ctx, bytes, size, name, out);
    if (status == SEG_OK && header_only)
        seg_raster_turn_size(job.orientation, out);
    return status == SEG_OK && !header_only ? seg_raster_turn(ctx, job.orientation, out) : status;
}

/* ---- Writing. ---- */

#define ROWS_UNHEARD 64
#define LEVEL        6 /* a mask's runs of equal labels are quick at any; an image's strategy below has one only */

/* Everything that must outlive libpng's longjmp. */
typedef struct png_writing {
    seg_context *ctx;
    seg_writer writer;
    png_structp png;
    png_infop info;
    const seg_mask *mask;   /* what is written: a mask, */
    int grey;               /* whose labels are values, */
    const seg_image *image; /* or an image, */
    const uint8_t *alpha;   /* or a cut-out: the opacity of each of its pixels */
    uint8_t *row;           /* one row of a 16-bit image in 8 bits, or of a cut-out and the image */
    seg_status stopped;     /* SEG_ERR_CANCELLED where the call was cancelled */
    reason why;
} png_writing;

static void on_write_warning(SEG_UNUSED png_structp png, SEG_UNUSED png_const_charp text) {}

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    png_writing *job = png_get_io_ptr(png);
    seg_writer_put(&job->writer, bytes, size);
    if (job->writer.error)
        png_error(png, "write failed"); /* commit reports why */
}

static void on_flush(SEG_UNUSED png_structp png) {}

/* Row y of a cut-out. Transparent pixels are black, so that nothing of the image is left there. */
static void cut_row(png_writing *job, int y) {
    const size_t width = (size_t)job->image->width;
    const uint8_t *alpha = job->alpha + (size_t)y * width;
    uint8_t *to = job->row, *shown = to + 4 * width;
    seg_shown_row(job->image, y, shown);
    for (size_t x = 0; x < width; x++) {
        memset(to + 4 * x, 0, 4);
        if (alpha[x])
            memcpy(to + 4 * x, shown + 3 * x, 3);
        to[4 * x + 3] = alpha[x];
    }
}

/* The samples of row y, as they are written. */
static const uint8_t *row_of(png_writing *job, int y) {
    if (!job->image)
        return job->mask->label + (size_t)y * (size_t)job->mask->width;
    if (job->alpha)
        cut_row(job, y);
    else if (job->image->depth == 16)
        seg_shown_row(job->image, y, job->row);
    else
        return (const uint8_t *)job->image->data + 3 * (size_t)y * (size_t)job->image->width;
    return job->row;
}

/* The only function that is jumped back into. */
static int encode(png_writing *job) {
    const seg_image *image = job->image;
    const int width = image ? image->width : job->mask->width, height = image ? image->height : job->mask->height;
    const int palette = !image && !job->grey;
    png_color colour[256];
    if (setjmp(png_jmpbuf(job->png)))
        return 0;
    png_set_write_fn(job->png, job, on_write, on_flush);
    png_set_user_limits(job->png, SEG_MAX_SIDE, SEG_MAX_SIDE);
    png_set_compression_level(job->png, LEVEL);
    png_set_filter(job->png, PNG_FILTER_TYPE_BASE, palette ? PNG_FILTER_NONE : image ? PNG_FILTER_AVG : PNG_FILTER_SUB);
    png_set_IHDR(job->png, job->info, (png_uint_32)width, (png_uint_32)height, 8,
                 palette      ? PNG_COLOR_TYPE_PALETTE
                 : !image     ? PNG_COLOR_TYPE_GRAY
                 : job->alpha ? PNG_COLOR_TYPE_RGB_ALPHA
                              : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    for (int i = 0; palette && i < 256; i++)
        colour[i] = (png_color){job->mask->colour[i][0], job->mask->colour[i][1], job->mask->colour[i][2]};
    if (palette)
        png_set_PLTE(job->png, job->info, colour, 256);
    else /* the residuals of an image's prediction hardly ever repeat: looking for runs only is three times as fast as
          * looking for matches, and the files come out no larger */
        png_set_compression_strategy(job->png, Z_RLE);
    png_write_info(job->png, job->info);
    for (int y = 0; y < height; y++) { /* a large picture must not outlast a request to cancel */
        if (y % ROWS_UNHEARD == 0 && (job->stopped = seg_poll(job->ctx)) != SEG_OK)
            png_error(job->png, "stopped");
        png_write_row(job->png, row_of(job, y));
    }
    png_write_end(job->png, NULL);
    return 1;
}

static void end_writing(png_writing *job) {
    png_destroy_write_struct(&job->png, &job->info);
    seg_writer_abandon(&job->writer);
    free(job->row);
}

static seg_status write_png(png_writing what, const char *path) {
    SEG_RELEASED(end_writing) png_writing job = what;
    seg_context *ctx = job.ctx;
    SEG_TRY(seg_writer_open(ctx, path, &job.writer));
    if (job.image && (job.alpha || job.image->depth == 16) &&
        !(job.row = seg_alloc(ctx, (size_t)job.image->width, job.alpha ? 7 : 3)))
        return SEG_ERR_MEMORY;
    job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job.why, on_error, on_write_warning);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    if (job.info && (encode(&job) || job.writer.error))
        return seg_writer_commit(ctx, &job.writer);
    if (job.stopped)
        return job.stopped;
    if (!job.info || is_out_of_memory(job.why))
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'; use a smaller picture", path);
    return seg_fail(ctx, SEG_ERR_IO, "cannot write '%s': %s", path, job.why);
}

seg_status seg_mask_write(seg_context *ctx, const char *path, const seg_mask *mask, seg_mask_form form) {
    if (form == SEG_MASK_TIFF)
        return seg_mask_write_tiff(ctx, path, mask);
    return write_png((png_writing){.ctx = ctx, .mask = mask, .grey = form == SEG_MASK_GREY}, path);
}

seg_status seg_image_write_png(seg_context *ctx, const char *path, const seg_image *image, const uint8_t *alpha) {
    return write_png((png_writing){.ctx = ctx, .image = image, .alpha = alpha}, path);
}
