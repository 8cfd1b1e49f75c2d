/* Whole images by libvips: the first picture of a file, upright. */
#include "base/base.h"
#include "image/colour.h"
#include "image/formats/decoders.h"
#include "image/formats/vips_image.h"

#include <stdlib.h>
#include <string.h>

#define LIBVIPS_BYTES ((size_t)32 << 20) /* what it holds of any image, the library itself included */
#define STRIP         ((size_t)1 << 20)  /* bytes that are fetched at a time, about */

typedef struct vips_job {
    seg_context *ctx;
    const char *name;
    const seg_format *about;
    const unsigned char *bytes;
    size_t size;
    seg_tiff_bytes tiff;
    seg_tiff_page page;
    int is_tiff, orientation, pnm_bits; /* pnm_bits: 0 of other formats */
    seg_vips_image image;
    seg_raster *out;
} vips_job;

/* WebP says in the name of a chunk how it is compressed, HEIF in a box which primaries it has. */
static int has(const vips_job *job, const char *chunk) {
    return memmem(job->bytes, job->size, chunk, strlen(chunk)) != NULL;
}

static void keep_primaries(vips_job *job) {
    const unsigned char *box = memmem(job->bytes, job->size, "colrnclx", 8);
    if (box && strcmp(job->about->loader, "heifload_source") == 0 && job->bytes + job->size - box >= 12)
        seg_raster_keep_primaries(job->ctx, job->name, box[8] << 8 | box[9], box[10] << 8 | box[11], job->out);
}

/* Width, height and, but of bitmaps, the largest sample from the header of PNM, which comments may interrupt. libvips
 * fills missing rows, does not tell the largest sample and leaves samples as they are, but for those of bitmaps, which
 * become 0 and 255. */
static seg_status check_pnm(vips_job *job) {
    int value[3] = {0, 0, 1}, comment = 0;
    size_t at = 2;
    for (int i = 0; i < (job->bytes[1] == '4' ? 2 : 3); i++) {
        for (value[i] = 0; at < job->size && (comment || job->bytes[at] < '0' || job->bytes[at] > '9'); at++)
            comment = job->bytes[at] == '#' || (comment && job->bytes[at] != '\n' && job->bytes[at] != '\r');
        for (; at < job->size && job->bytes[at] >= '0' && job->bytes[at] <= '9'; at++)
            value[i] = value[i] > SEG_MAX_SIDE ? value[i] : 10 * value[i] + job->bytes[at] - '0';
    }
    for (job->pnm_bits = 1; job->pnm_bits < 16 && (1 << job->pnm_bits) - 1 < value[2];)
        job->pnm_bits++;
    if ((1 << job->pnm_bits) - 1 != value[2])
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "'%s' is a PNM whose largest sample is %d; only 1, 3, 7 and so on to 65535 are read: save it "
                        "as PNG",
                        job->name, value[2]);
    SEG_TRY(seg_check_size(job->ctx, job->name, value[0], value[1]));
    const size_t samples = (size_t)value[0] * (job->bytes[1] == '6' ? 3 : 1);
    const size_t row = job->bytes[1] == '4' ? (samples + 7) / 8 : samples * (job->pnm_bits > 8 ? 2 : 1);
    if (at >= job->size || (job->size - at - 1) / row < (size_t)value[1])
        return seg_truncated(job->ctx, job->name, "PNM");
    return SEG_OK;
}

static seg_status check_tiff(vips_job *job) {
    const seg_tiff_page *p = &job->page;
    job->tiff = (seg_tiff_bytes){.bytes = job->bytes, .size = job->size};
    SEG_TRY(seg_tiff_choose(job->ctx, &job->tiff, job->name, &job->page));
    SEG_TRY(seg_tiff_check(job->ctx, &job->tiff, job->name, p));
    return seg_check_size(job->ctx, job->name, (int64_t)(p->width < INT32_MAX ? p->width : INT32_MAX),
                          (int64_t)(p->height < INT32_MAX ? p->height : INT32_MAX));
}

/* Form and bounds, before a pixel is read. */
static seg_status read_header(vips_job *job) {
    seg_raster *out = job->out;
    seg_vips_image *v = &job->image;
    SEG_TRY(seg_check_size(job->ctx, job->name, v->width, v->height));
    seg_vips_form(v, job->is_tiff ? &job->page : NULL, out);
    if (job->pnm_bits) {
        v->divide = job->pnm_bits == 1 && job->bytes[1] == '4' ? 255 : 1;
        out->bits = job->pnm_bits;
    }
    if (job->about == &seg_formats[SEG_FORMAT_WEBP])
        out->lossy = !has(job, "VP8L");
    job->orientation = v->call.vips_image_get_orientation(v->image);
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    size_t held = pixels * (size_t)job->about->held;
    if (job->is_tiff) /* rows of tiles, or some strips */
        held += 3 * v->pixel * (size_t)v->width *
                (size_t)(job->page.block_height < (size_t)v->height ? job->page.block_height : (size_t)v->height);
    out->decoding = (job->orientation > 1 ? 2 : 1) * seg_raster_bytes(out, v->alpha > 0) + held + LIBVIPS_BYTES;
    return SEG_OK;
}

/* All rows from the top down. */
static seg_status read_pixels(vips_job *job) {
    seg_vips_image *v = &job->image;
    SEG_TRY(seg_raster_allocate(job->ctx, job->out, v->alpha > 0));
    const size_t line = (size_t)v->width * v->pixel;
    const int step = line < STRIP / 64 ? 64 : line > STRIP ? 1 : (int)(STRIP / line);
    for (int y = 0; y < v->height; y += step) {
        const int rows = v->height - y < step ? v->height - y : step;
        const size_t count = (size_t)rows * (size_t)v->width;
        void *samples = seg_vips_fetch(v, 0, y, v->width, rows);
        if (!samples)
            return seg_vips_failed(job->ctx, v);
        seg_vips_put(v, samples, count, (size_t)y * (size_t)v->width, job->out);
        v->call.g_free(samples);
    }
    if (v->bands > v->colours + (v->alpha > 0))
        seg_log(job->ctx, SEG_LOG_INFO, "'%s' has %d samples per pixel; the first %d%s are used", job->name, v->bands,
                v->colours, v->alpha ? " and the opacity" : "");
    return SEG_OK;
}

/* The indices of a GIF's palette, which libvips has looked up: they may be labels. A picture with colours that the
 * palette lacks keeps its colours. */
static seg_status find_indices(vips_job *job) {
    const seg_vips_image *v = &job->image;
    seg_raster *out = job->out;
    int *colour = NULL, count = 0;
    const size_t pixels = (size_t)out->width * (size_t)out->height, channels = (size_t)out->channels;
    if (!v->call.vips_image_get_typeof(v->image, "gif-palette") ||
        v->call.vips_image_get_array_int(v->image, "gif-palette", &colour, &count) != 0 || count < 1 || count > 256)
        return SEG_OK;
    SEG_FREED uint8_t *index = seg_alloc(job->ctx, pixels, 1);
    uint8_t last = 0;
    if (!index)
        return SEG_ERR_MEMORY;
    uint8_t palette[256][3];
    for (int i = 0; i < count; i++)
        memcpy(palette[i], &colour[i], 3); /* red first in memory */
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *from = out->sample8 + i * channels, rgb[3] = {from[0], from[channels / 2], from[channels - 1]};
        int place = last;
        if (out->alpha && out->alpha[i] == 0) {
            index[i] = 0;
            continue;
        }
        if (memcmp(palette[place], rgb, 3) != 0)
            for (place = 0; place < count && memcmp(palette[place], rgb, 3) != 0;)
                place++;
        if (place == count)
            return SEG_OK;
        index[i] = last = (uint8_t)place;
    }
    free(out->sample8);
    out->sample8 = seg_taken(&index);
    out->channels = 1;
    out->kind = SEG_RASTER_PALETTE;
    out->palette_count = count;
    memcpy(out->palette, palette, sizeof palette[0] * (size_t)count);
    return SEG_OK;
}

static seg_status decode(vips_job *job, int header_only) {
    seg_context *ctx = job->ctx;
    seg_raster *out = job->out;
    const seg_vips_file file = {job->about,         job->name,  job->bytes,
                                job->size,          &job->tiff, job->is_tiff ? &job->page : NULL,
                                SEG_VIPS_SEQUENTIAL};
    SEG_TRY(seg_vips_open(ctx, &file, &job->image));
    SEG_TRY(read_header(job));
    if (header_only) {
        seg_raster_turn_size(job->orientation, out);
        return SEG_OK;
    }
    SEG_TRY(seg_check_room(ctx, job->name, out));
    SEG_TRY(read_pixels(job));
    SEG_TRY(seg_vips_keep_profile(ctx, &job->image, out));
    if (!out->icc)
        keep_primaries(job);
    if (job->about == &seg_formats[SEG_FORMAT_GIF])
        SEG_TRY(find_indices(job));
    seg_palette_complete(ctx, job->name, out);
    seg_raster_drop_opaque(out);
    if (job->is_tiff)
        seg_tiff_say_pages(ctx, job->name, &job->page);
    else if (job->image.call.vips_image_get_n_pages(job->image.image) > 1)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has several pictures; the first is used", job->name);
    return seg_raster_turn(ctx, job->orientation, out);
}

seg_status seg_vips_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out) {
    const seg_format *about = seg_format_of(bytes, size);
    vips_job job = {.ctx = ctx, .name = name, .about = about, .bytes = bytes, .size = size, .out = out};
    job.is_tiff = about == &seg_formats[SEG_FORMAT_TIFF];
    if (job.is_tiff)
        SEG_TRY(check_tiff(&job));
    if (about == &seg_formats[SEG_FORMAT_PNM])
        SEG_TRY(check_pnm(&job));
    const seg_status status = decode(&job, header_only);
    seg_vips_close(&job.image);
    return status;
}
