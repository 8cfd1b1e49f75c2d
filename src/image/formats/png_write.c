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
    const seg_mask *mask;   /* what is written: a mask, */
    int grey;               /* whose labels are values, */
    const seg_image *image; /* or an image, */
    const uint8_t *alpha;   /* or a cut-out: the opacity of each of its pixels */
    uint8_t *row;           /* one row of a 16-bit image in 8 bits, or of a cut-out and the image */
    seg_status stopped;     /* SEG_ERR_CANCELLED where the call was cancelled */
    char reason[128];
} png_job;

static void on_error(png_structp png, png_const_charp text) {
    png_job *job = png_get_error_ptr(png);
    snprintf(job->reason, sizeof job->reason, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(SEG_UNUSED png_structp png, SEG_UNUSED png_const_charp text) {}

static void on_write(png_structp png, png_bytep bytes, size_t size) {
    png_job *job = png_get_io_ptr(png);
    seg_writer_put(&job->writer, bytes, size);
    if (job->writer.error)
        png_error(png, "write failed"); /* commit reports why */
}

static void on_flush(SEG_UNUSED png_structp png) {}

/* Row y of a cut-out. Transparent pixels are black, so that nothing of the image is left there. */
static void cut_row(png_job *job, int y) {
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
static const uint8_t *row_of(png_job *job, int y) {
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
static int encode(png_job *job) {
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

static seg_status no_memory(seg_context *ctx, const char *path) {
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'; use a smaller picture", path);
}

static seg_status write_png(png_job job, const char *path) {
    seg_context *ctx = job.ctx;
    seg_status status = SEG_ERR_MEMORY;
    SEG_TRY(seg_writer_open(ctx, path, &job.writer));
    if (job.image && (job.alpha || job.image->depth == 16) &&
        !(job.row = seg_alloc(ctx, (size_t)job.image->width, job.alpha ? 7 : 3)))
        goto done;
    job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    if (!job.info)
        status = no_memory(ctx, path);
    else if (encode(&job) || job.writer.error)
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
    return write_png((png_job){.ctx = ctx, .mask = mask, .grey = form == SEG_MASK_GREY}, path);
}

seg_status seg_image_write_png(seg_context *ctx, const char *path, const seg_image *image, const uint8_t *alpha) {
    return write_png((png_job){.ctx = ctx, .image = image, .alpha = alpha}, path);
}
