/* HEIC and AVIF, by libheif: the primary image, turned and cropped as the file asks for. */
#include "base/base.h"
#include "image/colour.h"
#include "image/decoders.h"
#include "image/interleaved.h"
#include "image/late_library.h"

#include <libheif/heif.h>
#include <stdlib.h>
#include <string.h>

#define LIBHEIF_BYTES ((size_t)16 << 20) /* what it and a decoder hold of any image */
#define STRICT        3                  /* version of libheif's options from which on they have strict_decoding */

#define FUNCTIONS(X)                                                                                                   \
    X(heif_context_alloc)                                                                                              \
    X(heif_context_free)                                                                                               \
    X(heif_context_set_max_decoding_threads)                                                                           \
    X(heif_context_read_from_memory_without_copy)                                                                      \
    X(heif_context_get_primary_image_handle)                                                                           \
    X(heif_image_handle_release)                                                                                       \
    X(heif_image_handle_get_width)                                                                                     \
    X(heif_image_handle_get_height)                                                                                    \
    X(heif_image_handle_has_alpha_channel)                                                                             \
    X(heif_image_handle_get_luma_bits_per_pixel)                                                                       \
    X(heif_decoding_options_alloc)                                                                                     \
    X(heif_decoding_options_free)                                                                                      \
    X(heif_image_handle_get_raw_color_profile_size)                                                                    \
    X(heif_image_handle_get_raw_color_profile)                                                                         \
    X(heif_image_handle_get_nclx_color_profile)                                                                        \
    X(heif_nclx_color_profile_free)                                                                                    \
    X(heif_decode_image)                                                                                               \
    X(heif_image_release)                                                                                              \
    X(heif_image_get_width)                                                                                            \
    X(heif_image_get_height)                                                                                           \
    X(heif_image_get_bits_per_pixel_range)                                                                             \
    X(heif_image_get_plane_readonly)

typedef struct heif_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} heif_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_HEIF, SEG_PACKAGE_HEIF, sizeof names / sizeof *names, names};

typedef struct heif_job {
    seg_context *ctx;
    const char *name;
    heif_calls call;
    struct heif_context *file;
    struct heif_image_handle *handle;
    struct heif_decoding_options *options;
    struct heif_image *image;
    int opacity;
} heif_job;

static seg_status why_it_failed(const heif_job *job, struct heif_error error) {
    if (error.code == heif_error_Memory_allocation_error && error.subcode != heif_suberror_Security_limit_exceeded)
        return seg_no_memory_to_read(job->ctx, job->name);
    if (error.subcode == heif_suberror_Unsupported_codec)
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "'%s' is a HEIF image of a kind that libheif has no decoder for here: install Debian's "
                        "libheif-plugin-libde265 (HEIC) or libheif-plugin-dav1d (AVIF), or convert the image to PNG",
                        job->name);
    return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a damaged or unusual HEIF image (%.200s): convert it to PNG",
                    job->name, error.message ? error.message : "no reason is known");
}

static seg_status does_not_match(const heif_job *job) {
    return seg_fail(job->ctx, SEG_ERR_INPUT,
                    "'%s' is a damaged HEIF image (its header does not match what is in it): use a good copy",
                    job->name);
}

static seg_status read_header(heif_job *job, const unsigned char *bytes, size_t size, seg_raster *out) {
    const heif_calls *heif = &job->call;
    job->file = heif->heif_context_alloc();
    if (!job->file)
        return seg_no_memory_to_read(job->ctx, job->name);
    heif->heif_context_set_max_decoding_threads(job->file, 0);
    struct heif_error error = heif->heif_context_read_from_memory_without_copy(job->file, bytes, size, NULL);
    if (error.code == heif_error_Ok)
        error = heif->heif_context_get_primary_image_handle(job->file, &job->handle);
    if (error.code != heif_error_Ok)
        return why_it_failed(job, error);
    const int width = heif->heif_image_handle_get_width(job->handle);
    const int height = heif->heif_image_handle_get_height(job->handle);
    const int bits = heif->heif_image_handle_get_luma_bits_per_pixel(job->handle);
    const seg_status status = seg_check_size(job->ctx, job->name, width, height);
    if (status != SEG_OK)
        return status;
    if (bits < 1 || bits > 16)
        return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a HEIF image of an unknown number of bits: convert it to PNG",
                        job->name);
    job->opacity = heif->heif_image_handle_has_alpha_channel(job->handle);
    out->width = width;
    out->height = height;
    out->kind = SEG_RASTER_RGB;
    out->channels = 3;
    out->bits = bits > 8 ? bits : 8;
    out->lossy = 1;
    /* What the decoder holds, at most three planes, and libheif's picture of it, which is turned into a copy. */
    const size_t planes = (size_t)width * (size_t)height * (bits > 8 ? 2 : 1);
    out->decoding = seg_raster_bytes(out, job->opacity) + planes * (3 + 2 * (job->opacity ? 4 : 3)) + LIBHEIF_BYTES;
    return SEG_OK;
}

static seg_status keep_colours(heif_job *job, seg_raster *out) {
    const heif_calls *heif = &job->call;
    const size_t size = heif->heif_image_handle_get_raw_color_profile_size(job->handle);
    struct heif_color_profile_nclx *nclx = NULL;
    if (size == 0) {
        if (heif->heif_image_handle_get_nclx_color_profile(job->handle, &nclx).code == heif_error_Ok && nclx) {
            seg_raster_keep_primaries(job->ctx, job->name, (int)nclx->color_primaries,
                                      (int)nclx->transfer_characteristics, out);
            heif->heif_nclx_color_profile_free(nclx);
        }
        return SEG_OK;
    }
    unsigned char *profile = seg_alloc(job->ctx, size, 1);
    if (!profile)
        return SEG_ERR_MEMORY;
    seg_status status = SEG_OK;
    if (heif->heif_image_handle_get_raw_color_profile(job->handle, profile).code == heif_error_Ok)
        status = seg_raster_keep_profile(job->ctx, job->name, profile, size, out);
    free(profile);
    return status;
}

/* The compressed picture may claim another size than the file's header, up to gigabytes, and libheif 1.15 writes beyond
 * its memory where it converts such a one to RGB. So it is decoded as it is stored first, and looked at. */
static seg_status check_stored_size(heif_job *job, const seg_raster *out) {
    static const enum heif_channel first[] = {heif_channel_Y, heif_channel_R, heif_channel_interleaved};
    const heif_calls *heif = &job->call;
    struct heif_image *stored = NULL;
    const struct heif_error error =
        heif->heif_decode_image(job->handle, &stored, heif_colorspace_undefined, heif_chroma_undefined, job->options);
    if (error.code != heif_error_Ok)
        return why_it_failed(job, error);
    int fits = 0;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) /* -1 where it has no such channel */
        fits = fits || (heif->heif_image_get_width(stored, first[i]) == out->width &&
                        heif->heif_image_get_height(stored, first[i]) == out->height);
    heif->heif_image_release(stored);
    return fits ? SEG_OK : does_not_match(job);
}

static seg_status read_pixels(heif_job *job, seg_raster *out) {
    const heif_calls *heif = &job->call;
    const int wide = out->bits > 8;
    int stride = 0;
    job->options = heif->heif_decoding_options_alloc();
    if (!job->options)
        return seg_no_memory_to_read(job->ctx, job->name);
    if (job->options->version >= STRICT)
        job->options->strict_decoding = 1;
    seg_status status = check_stored_size(job, out);
    if (status != SEG_OK)
        return status;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const enum heif_chroma deep =
        job->opacity ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
#else
    const enum heif_chroma deep =
        job->opacity ? heif_chroma_interleaved_RRGGBBAA_BE : heif_chroma_interleaved_RRGGBB_BE;
#endif
    const enum heif_chroma plain = job->opacity ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    const struct heif_error error =
        heif->heif_decode_image(job->handle, &job->image, heif_colorspace_RGB, wide ? deep : plain, job->options);
    if (error.code != heif_error_Ok)
        return why_it_failed(job, error);
    const uint8_t *rows = heif->heif_image_get_plane_readonly(job->image, heif_channel_interleaved, &stride);
    const int bits = heif->heif_image_get_bits_per_pixel_range(job->image, heif_channel_interleaved);
    if (!rows || heif->heif_image_get_width(job->image, heif_channel_interleaved) != out->width ||
        heif->heif_image_get_height(job->image, heif_channel_interleaved) != out->height || bits != out->bits)
        return does_not_match(job);
    status = seg_raster_allocate(job->ctx, out, job->opacity);
    for (int y = 0; y < out->height && status == SEG_OK; y++)
        if (wide)
            seg_raster_put_row16(out, y, rows + (size_t)y * (size_t)stride);
        else
            seg_raster_put_row8(out, y, rows + (size_t)y * (size_t)stride);
    seg_raster_drop_opaque(out);
    return status;
}

seg_status seg_heif_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out) {
    heif_job job = {.ctx = ctx, .name = name};
    seg_status status = seg_late_load(ctx, &library, name, "an HEIC or AVIF image", &job.call);
    if (status != SEG_OK)
        return status;
    status = read_header(&job, bytes, size, out);
    if (status == SEG_OK && !header_only && (status = seg_check_room(ctx, name, out)) == SEG_OK)
        status = read_pixels(&job, out);
    if (status == SEG_OK && !header_only)
        status = keep_colours(&job, out);
    if (job.image)
        job.call.heif_image_release(job.image);
    if (job.options)
        job.call.heif_decoding_options_free(job.options);
    if (job.handle)
        job.call.heif_image_handle_release(job.handle);
    if (job.file)
        job.call.heif_context_free(job.file);
    return status;
}
