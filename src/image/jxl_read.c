/* JPEG XL, by libjxl: the first picture, upright. */
#include "base/base.h"
#include "image/colour.h"
#include "image/decoders.h"
#include "image/interleaved.h"
#include "image/late_library.h"

#include <jxl/decode.h>
#include <jxl/version.h>
#include <stdlib.h>
#include <string.h>

#define LIBJXL_BYTES  ((size_t)16 << 20) /* what it holds of any image */
#define LIBJXL_PIXELS 40                 /* bytes per pixel: some copies of three channels as floating-point numbers */

#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0) /* an argument that was never used */
#define FORMAT NULL,
#else
#define FORMAT
#endif

#define FUNCTIONS(X)                                                                                                   \
    X(JxlDecoderCreate)                                                                                                \
    X(JxlDecoderDestroy)                                                                                               \
    X(JxlDecoderSubscribeEvents)                                                                                       \
    X(JxlDecoderSetInput)                                                                                              \
    X(JxlDecoderProcessInput)                                                                                          \
    X(JxlDecoderGetBasicInfo)                                                                                          \
    X(JxlDecoderGetICCProfileSize)                                                                                     \
    X(JxlDecoderGetColorAsICCProfile)                                                                                  \
    X(JxlDecoderImageOutBufferSize)                                                                                    \
    X(JxlDecoderSetImageOutBuffer)

typedef struct jxl_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} jxl_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_JXL, SEG_PACKAGE_JXL, sizeof names / sizeof *names, names};

typedef struct jxl_job {
    seg_context *ctx;
    const char *name;
    jxl_calls call;
    JxlDecoder *jxl;
    JxlPixelFormat format;
    int known, animated, done, header_only; /* known: the header was read */
    unsigned char *rows;
    seg_raster *out;
} jxl_job;

static seg_status damaged(const jxl_job *job) {
    return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a damaged or unusual JPEG XL image: convert it to PNG",
                    job->name);
}

static seg_status read_header(jxl_job *job) {
    seg_raster *out = job->out;
    JxlBasicInfo about;
    if (job->call.JxlDecoderGetBasicInfo(job->jxl, &about) != JXL_DEC_SUCCESS)
        return damaged(job);
    const seg_status status = seg_check_size(job->ctx, job->name, about.xsize, about.ysize);
    if (status != SEG_OK)
        return status;
    const int opacity = about.alpha_bits > 0;
    out->width = (int)about.xsize;
    out->height = (int)about.ysize;
    out->channels = about.num_color_channels == 1 ? 1 : 3;
    out->kind = out->channels == 1 ? SEG_RASTER_GREY : SEG_RASTER_RGB;
    out->bits = about.bits_per_sample > 8 ? 16 : 8;
    out->lossy = out->lossy || !about.uses_original_profile;
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    out->decoding = seg_raster_bytes(out, opacity) + LIBJXL_PIXELS * pixels + LIBJXL_BYTES +
                    (opacity ? pixels * (size_t)(out->channels + 1) * (out->bits > 8 ? 2 : 1) : 0);
    job->format = (JxlPixelFormat){.num_channels = (uint32_t)(out->channels + opacity),
                                   .data_type = out->bits > 8 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                                   .endianness = JXL_NATIVE_ENDIAN};
    job->animated = about.have_animation;
    job->known = 1;
    return job->header_only ? SEG_OK : seg_check_room(job->ctx, job->name, out);
}

/* Where libjxl is to put the pixels: in the raster itself where they have no opacity. */
static seg_status make_room(jxl_job *job) {
    seg_raster *out = job->out;
    const int opacity = (int)job->format.num_channels > out->channels;
    size_t wanted = 0;
    const size_t room = (size_t)out->width * (size_t)out->height * job->format.num_channels * (out->bits > 8 ? 2 : 1);
    if (job->rows || out->sample8 || out->sample16 || !job->known)
        return damaged(job);
    const seg_status status = seg_raster_allocate(job->ctx, out, opacity);
    if (status != SEG_OK)
        return status;
    if (opacity && !(job->rows = seg_alloc(job->ctx, room, 1)))
        return SEG_ERR_MEMORY;
    void *to = opacity ? job->rows : out->bits > 8 ? (void *)out->sample16 : (void *)out->sample8;
    if (job->call.JxlDecoderImageOutBufferSize(job->jxl, &job->format, &wanted) != JXL_DEC_SUCCESS || wanted != room ||
        job->call.JxlDecoderSetImageOutBuffer(job->jxl, &job->format, to, room) != JXL_DEC_SUCCESS)
        return damaged(job);
    return SEG_OK;
}

/* libjxl makes a profile of whatever the file says of its colours. */
static seg_status keep_profile(jxl_job *job) {
    size_t size = 0;
    if (job->call.JxlDecoderGetICCProfileSize(job->jxl, FORMAT JXL_COLOR_PROFILE_TARGET_DATA, &size) !=
            JXL_DEC_SUCCESS ||
        size == 0)
        return SEG_OK;
    unsigned char *profile = seg_alloc(job->ctx, size, 1);
    if (!profile)
        return SEG_ERR_MEMORY;
    seg_status status = SEG_OK;
    if (job->call.JxlDecoderGetColorAsICCProfile(job->jxl, FORMAT JXL_COLOR_PROFILE_TARGET_DATA, profile, size) ==
        JXL_DEC_SUCCESS)
        status = seg_raster_keep_profile(job->ctx, job->name, profile, size, job->out);
    free(profile);
    return status;
}

static seg_status on_event(jxl_job *job, JxlDecoderStatus event) {
    switch (event) {
    case JXL_DEC_BASIC_INFO:
        return read_header(job);
    case JXL_DEC_COLOR_ENCODING:
        return keep_profile(job);
    case JXL_DEC_JPEG_RECONSTRUCTION:
        job->out->lossy = 1; /* a JPEG in another coat */
        return SEG_OK;
    case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        return make_room(job);
    case JXL_DEC_FULL_IMAGE:
        job->done = 1;
        return SEG_OK;
    case JXL_DEC_NEED_MORE_INPUT:
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "'%s' is a truncated JPEG XL image, its end is missing: copy or download it again", job->name);
    default:
        return damaged(job);
    }
}

static void part_opacity(jxl_job *job) {
    const size_t row = (size_t)job->out->width * job->format.num_channels * (job->out->bits > 8 ? 2 : 1);
    for (int y = 0; y < job->out->height && job->rows; y++)
        if (job->out->bits > 8)
            seg_raster_put_row16(job->out, y, job->rows + (size_t)y * row);
        else
            seg_raster_put_row8(job->out, y, job->rows + (size_t)y * row);
    seg_raster_drop_opaque(job->out);
}

static seg_status decode(jxl_job *job, const unsigned char *bytes, size_t size) {
    const int events =
        JXL_DEC_BASIC_INFO |
        (job->header_only ? 0 : JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE | JXL_DEC_JPEG_RECONSTRUCTION);
    seg_status status = SEG_OK;
    if (job->call.JxlDecoderSubscribeEvents(job->jxl, events) != JXL_DEC_SUCCESS ||
        job->call.JxlDecoderSetInput(job->jxl, bytes, size) != JXL_DEC_SUCCESS)
        return damaged(job);
    while (status == SEG_OK && !job->done && !(job->header_only && job->known))
        status = on_event(job, job->call.JxlDecoderProcessInput(job->jxl));
    if (status != SEG_OK || job->header_only)
        return status;
    if (!job->out->sample8 && !job->out->sample16)
        return damaged(job);
    part_opacity(job);
    if (job->animated)
        seg_log(job->ctx, SEG_LOG_WARNING, "'%s' has several pictures; the first is used", job->name);
    return SEG_OK;
}

seg_status seg_jxl_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out) {
    jxl_job job = {.ctx = ctx, .name = name, .header_only = header_only, .out = out};
    seg_status status = seg_late_load(ctx, &library, name, "a JPEG XL image", &job.call);
    if (status != SEG_OK)
        return status;
    job.jxl = job.call.JxlDecoderCreate(NULL);
    status = job.jxl ? decode(&job, bytes, size) : seg_no_memory_to_read(ctx, name);
    if (job.jxl)
        job.call.JxlDecoderDestroy(job.jxl);
    free(job.rows);
    return status;
}
