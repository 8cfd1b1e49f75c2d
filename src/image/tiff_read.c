/* TIFF. Grey, RGB and palette samples are taken as they are stored (tiff_samples.c); of the kinds that are rare or of
 * 8 bits anyway (inks, YCbCr, CIELAB, logarithmic light) libtiff makes an RGBA picture, or refuses. */
#include "image/tiff_pages.h"
#include "image/tiff_samples.h"

#include "base/base.h"
#include "image/colour.h"
#include "image/decoders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#define LARGEST_BLOCK ((tmsize_t)1 << 31) /* bytes libtiff may ask for at once: all of 2^28 RGBA pixels take 2^30 */

typedef struct tiff_job {
    const unsigned char *bytes;
    size_t size, at;
    char reason[128];
} tiff_job;

static tmsize_t on_read(thandle_t handle, void *into, tmsize_t length) {
    tiff_job *job = handle;
    const size_t left = job->at < job->size ? job->size - job->at : 0;
    const size_t got = (size_t)length < left ? (size_t)length : left;
    memcpy(into, job->bytes + (got ? job->at : 0), got);
    job->at += got;
    return (tmsize_t)got;
}
static tmsize_t on_write(thandle_t handle, void *from, tmsize_t length) {
    (void)handle, (void)from, (void)length;
    return -1;
}
static toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
    tiff_job *job = handle;
    const toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? job->at : job->size;
    return job->at = (size_t)(base + offset);
}
static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}
static toff_t on_size(thandle_t handle) {
    return ((tiff_job *)handle)->size;
}

/* The bytes are in memory: libtiff reads them there. (Read by calls, tiles that are not compressed and whose size is no
 * multiple of 1024 are refused by libtiff 4.5.) */
static int on_map(thandle_t handle, void **base, toff_t *size) {
    const tiff_job *job = handle;
    *base = (void *)(uintptr_t)job->bytes;
    *size = job->size;
    return 1;
}
static void on_unmap(thandle_t handle, void *base, toff_t size) {
    (void)handle, (void)base, (void)size;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    tiff_job *job = user;
    (void)tiff, (void)module;
    if (!job->reason[0]) /* the first says most */
        vsnprintf(job->reason, sizeof job->reason, format, arguments);
    return 1;
}
/* Most warn of tags that nobody knows. Of the JPEG inside, libtiff only warns where it is cut off or of another size
 * than the strip, and leaves the rest as it was. */
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    return module && strstr(module, "JPEG") ? on_error(tiff, user, module, format, arguments) : 1;
}

/* libtiff's picture, colours multiplied by their opacity, over white. */
static int read_any(seg_context *ctx, TIFF *tiff, const seg_tiff_kind *k, seg_raster *out) {
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    uint32_t *rgba = seg_alloc_zero(ctx, pixels, sizeof *rgba);
    int good = 0;
    out->sample8 = seg_alloc(ctx, pixels, 3);
    /* Asked for in the file's own orientation the rows come as stored; what is to be turned is turned below. */
    if (rgba && out->sample8 &&
        TIFFReadRGBAImageOriented(tiff, (uint32_t)out->width, (uint32_t)out->height, rgba, k->orientation, 1) == 1) {
        for (size_t i = 0; i < pixels; i++) {
            const unsigned white = 255 - TIFFGetA(rgba[i]);
            const unsigned rgb[3] = {TIFFGetR(rgba[i]) + white, TIFFGetG(rgba[i]) + white, TIFFGetB(rgba[i]) + white};
            for (int c = 0; c < 3; c++)
                out->sample8[3 * i + (size_t)c] = (uint8_t)(rgb[c] > 255 ? 255 : rgb[c]);
        }
        good = 1;
    }
    free(rgba);
    return good;
}

/* Samples and opacities, twice where they are turned; of other kinds libtiff's RGBA and the samples made of it; and the
 * strip or tile that it decodes into. */
static size_t bytes_to_decode(TIFF *tiff, const seg_tiff_kind *k, const seg_raster *out) {
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    const size_t sample = out->bits > 8 ? sizeof(uint16_t) : 1;
    const size_t plain = pixels * ((size_t)k->colours * sample + (k->alpha ? sizeof *out->alpha : 0));
    const tmsize_t block = TIFFIsTiled(tiff) ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    return (seg_tiff_has_samples(k) ? (k->orientation > 1 ? 2 : 1) * plain : 7 * pixels) +
           (block > 0 ? 2 * (size_t)block : 0);
}

/* Profiles of inks and of CIELAB say nothing about what libtiff makes of them. */
static seg_status keep_profile(seg_context *ctx, TIFF *tiff, const seg_tiff_kind *k, const char *name,
                               seg_raster *out) {
    uint32_t size = 0;
    const void *profile = NULL;
    if ((!seg_tiff_has_samples(k) && k->photometric != PHOTOMETRIC_YCBCR) ||
        !TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &profile) || !profile)
        return SEG_OK;
    return seg_raster_keep_profile(ctx, name, profile, size, out);
}

static seg_status read_page(seg_context *ctx, TIFF *tiff, const char *name, tiff_job *job, int header_only,
                            seg_raster *out) {
    uint32_t width = 0, height = 0;
    seg_tiff_kind k = {0};
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    seg_tiff_read_kind(tiff, &k);
    seg_status status = seg_check_size(ctx, name, width, height);
    if (status != SEG_OK)
        return status;
    /* Without compression every pixel has its bits, unless tiles share the bytes of one, which only bombs do. */
    if (k.compression == COMPRESSION_NONE && (uint64_t)width * height * k.bits / 8 > job->size)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a truncated TIFF, its end is missing: copy or download it again",
                        name);
    out->width = (int)width;
    out->height = (int)height;
    out->lossy =
        k.compression == COMPRESSION_JPEG || k.compression == COMPRESSION_OJPEG || k.compression == COMPRESSION_WEBP;
    if (!TIFFIsCODECConfigured(k.compression))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is a TIFF compressed in a way that is not read (number %d): save it with LZW or deflate",
                        name, k.compression);
    seg_tiff_form(&k, out);
    out->decoding = bytes_to_decode(tiff, &k, out);
    if (header_only) {
        seg_raster_turn_size(k.orientation, out);
        return SEG_OK;
    }
    if ((status = seg_check_room(ctx, name, out)) != SEG_OK)
        return status;
    ctx->message[0] = 0;
    const int good =
        seg_tiff_has_samples(&k) ? seg_tiff_samples(ctx, tiff, &k, name, out) : read_any(ctx, tiff, &k, out);
    if (!good && ctx->over_limit && ctx->message[0]) /* the sentence is there */
        return SEG_ERR_LIMIT;
    if (errno == ENOMEM || (!good && ctx->message[0])) /* libtiff has many words for it, or none where it goes on */
        return seg_no_memory_to_read(ctx, name);
    if (!good || job->reason[0]) /* libtiff goes on after some faults, with pixels that are none */
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged TIFF or one of an unusual kind (%s): convert it to PNG",
                        name, job->reason[0] ? job->reason : "sizes do not agree");
    status = keep_profile(ctx, tiff, &k, name, out);
    return status == SEG_OK ? seg_raster_turn(ctx, k.orientation, out) : status;
}

seg_status seg_tiff_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out) {
    tiff_job job = {.bytes = bytes, .size = size};
    errno = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return seg_no_memory_to_read(ctx, name);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, LARGEST_BLOCK);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, &job);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, &job);
    TIFF *tiff =
        TIFFClientOpenExt(name, "r", &job, on_read, on_write, on_seek, on_close, on_size, on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    if (!tiff)
        return errno == ENOMEM
                   ? seg_no_memory_to_read(ctx, name)
                   : seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged TIFF (%s): use a good copy", name, job.reason);
    int page = 0;
    seg_status status = seg_tiff_choose_page(ctx, tiff, name, &page);
    job.reason[0] =
        status == SEG_OK ? 0 : job.reason[0]; /* what was wrong with pages that are not read does not matter */
    if (status == SEG_OK)
        status = read_page(ctx, tiff, name, &job, header_only, out);
    if (status == SEG_OK && !header_only)
        seg_tiff_say_pages(ctx, tiff, name, page);
    TIFFClose(tiff);
    return status;
}
