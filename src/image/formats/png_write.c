#include "base/base.h"
#include "image/file.h"
#include "image/formats/tiff_write.h"
#include "image/shown.h"

#include <segment/image.h>

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ROWS_UNHEARD 64
#define LEVEL        6 /* a mask's runs of equal labels are quick at any; an image's strategy below has one only */

/* Everything that must outlive libpng's longjmp. */
typedef struct png_job {
    seg_context *ctx;
    seg_writer writer;
    png_structp png;
    png_infop info;
    uint8_t *row;       /* one row of a 16-bit image in 8 bits, or of a cut-out */
    seg_status stopped; /* SEG_ERR_CANCELLED where the call was cancelled */
    char reason[128];
} png_job;

static void on_error(png_structp png, png_const_charp text) {
    png_job *job = png_get_error_ptr(png);
    snprintf(job->reason, sizeof job->reason, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    png_job *job = png_get_io_ptr(png);
    seg_writer_put(&job->writer, bytes, size);
    if (job->writer.error)
        png_error(png, "write failed"); /* why is told by commit */
}

static void on_flush(png_structp png) {
    (void)png;
}

static void begin(png_job *job, int width, int height, int type, int filters) {
    png_set_write_fn(job->png, job, on_write, on_flush);
    png_set_user_limits(job->png, SEG_MAX_SIDE, SEG_MAX_SIDE);
    png_set_compression_level(job->png, LEVEL);
    png_set_filter(job->png, PNG_FILTER_TYPE_BASE, filters);
    png_set_IHDR(job->png, job->info, (png_uint_32)width, (png_uint_32)height, 8, type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
}

/* Between rows, so that a large picture does not outlast a request to cancel. */
static void write_row(png_job *job, int y, const uint8_t *row) {
    if (y % ROWS_UNHEARD == 0 && (job->stopped = seg_poll(job->ctx)) != SEG_OK)
        png_error(job->png, "stopped");
    png_write_row(job->png, row);
}

static void write_mask(png_job *job, const seg_mask *mask) {
    png_color palette[256];
    for (int i = 0; i < 256; i++)
        palette[i] = (png_color){mask->colour[i][0], mask->colour[i][1], mask->colour[i][2]};
    begin(job, mask->width, mask->height, PNG_COLOR_TYPE_PALETTE, PNG_FILTER_NONE);
    png_set_PLTE(job->png, job->info, palette, 256);
    png_write_info(job->png, job->info);
    for (int y = 0; y < mask->height; y++)
        write_row(job, y, mask->label + (size_t)y * (size_t)mask->width);
    png_write_end(job->png, NULL);
}

/* Transparent pixels are black, so that nothing of the image is left there. */
static void write_cutout(png_job *job, const seg_image *image, const uint8_t *opacity) {
    const size_t width = (size_t)image->width;
    int black = 0, white = 255;
    if (image->depth == 16)
        seg_image_ends(image, &black, &white);
    begin(job, image->width, image->height, PNG_COLOR_TYPE_RGB_ALPHA, PNG_FILTER_AVG);
    png_set_compression_strategy(job->png, Z_RLE); /* as for images */
    png_write_info(job->png, job->info);
    for (int y = 0; y < image->height; y++) {
        const size_t first = (size_t)y * width;
        memset(job->row, 0, 4 * width);
        for (size_t x = 0; x < width; x++) {
            const int alpha = opacity[first + x];
            if (!alpha)
                continue;
            for (size_t c = 0; c < 3; c++) {
                const size_t at = 3 * (first + x) + c;
                job->row[4 * x + c] = image->depth == 16 ? seg_shown(((const uint16_t *)image->data)[at], black, white)
                                                         : ((const uint8_t *)image->data)[at];
            }
            job->row[4 * x + 3] = (uint8_t)alpha;
        }
        write_row(job, y, job->row);
    }
    png_write_end(job->png, NULL);
}

static void write_image(png_job *job, const seg_image *image) {
    size_t samples = 3 * (size_t)image->width;
    begin(job, image->width, image->height, PNG_COLOR_TYPE_RGB, PNG_FILTER_AVG);
    /* The rests of an image's prediction hardly ever repeat: looking for runs only is three times as fast as
     * looking for matches, and the files come out no larger. */
    png_set_compression_strategy(job->png, Z_RLE);
    png_write_info(job->png, job->info);
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = (const uint8_t *)image->data + (size_t)y * samples;
        if (job->row) {
            int black, white;
            seg_image_ends(image, &black, &white);
            const uint16_t *from = (const uint16_t *)image->data + (size_t)y * samples;
            for (size_t i = 0; i < samples; i++)
                job->row[i] = seg_shown(from[i], black, white);
            row = job->row;
        }
        write_row(job, y, row);
    }
    png_write_end(job->png, NULL);
}

static void write_grey(png_job *job, const seg_mask *grey) {
    begin(job, grey->width, grey->height, PNG_COLOR_TYPE_GRAY, PNG_FILTER_SUB);
    png_set_compression_strategy(job->png, Z_RLE); /* as for images */
    png_write_info(job->png, job->info);
    for (int y = 0; y < grey->height; y++)
        write_row(job, y, grey->label + (size_t)y * (size_t)grey->width);
    png_write_end(job->png, NULL);
}

/* The only function that is jumped back into. Mask (grey: its labels are values) or image is given. */
static int encode(png_job *job, const seg_mask *mask, int grey, const seg_image *image, const uint8_t *alpha) {
    if (setjmp(png_jmpbuf(job->png)))
        return 0;
    if (alpha)
        write_cutout(job, image, alpha);
    else if (image)
        write_image(job, image);
    else if (grey)
        write_grey(job, mask);
    else
        write_mask(job, mask);
    return 1;
}

static seg_status no_memory(seg_context *ctx, const char *path) {
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'; use a smaller picture", path);
}

static seg_status write_png(seg_context *ctx, const char *path, const seg_mask *mask, int grey, const seg_image *image,
                            const uint8_t *alpha) {
    png_job job = {.ctx = ctx};
    seg_status status = seg_writer_open(ctx, path, &job.writer);
    if (status != SEG_OK)
        return status;
    if (image && (alpha || image->depth == 16)) {
        job.row = seg_alloc(ctx, (size_t)image->width, alpha ? 4 : 3);
        if (!job.row) {
            status = SEG_ERR_MEMORY;
            goto done;
        }
    }
    job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    if (!job.info)
        status = no_memory(ctx, path);
    else if (encode(&job, mask, grey, image, alpha) || job.writer.error)
        status = seg_writer_commit(ctx, &job.writer);
    else if (job.stopped)
        status = job.stopped;
    else if (strstr(job.reason, "ut of memory") || strstr(job.reason, "nsufficient memory"))
        status = no_memory(ctx, path);
    else
        status = seg_fail(ctx, SEG_ERR_IO, "cannot write '%s': %s", path, job.reason);
done:
    png_destroy_write_struct(&job.png, &job.info);
    seg_writer_abandon(&job.writer);
    free(job.row);
    return status;
}

seg_status seg_mask_write(seg_context *ctx, const char *path, const seg_mask *mask, seg_mask_form form) {
    if (form == SEG_MASK_TIFF)
        return seg_mask_write_tiff(ctx, path, mask);
    return write_png(ctx, path, mask, form == SEG_MASK_GREY, NULL, NULL);
}

seg_status seg_image_write_png(seg_context *ctx, const char *path, const seg_image *image, const uint8_t *alpha) {
    return write_png(ctx, path, NULL, 0, image, alpha);
}
