#include "image/formats/vips_image.h"

#include "base/base.h"
#include "image/colour.h"
#include "image/formats/decoders.h"
#include "image/formats/late_library.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPAQUE 65535u

/* --- Loading. --- */

#define EVERY_LEVEL (-1) /* of messages, and the marks of those that would end the process */

#define NAME(result, name, arguments) #name,
static const char *const names[] = {SEG_VIPS_FUNCTIONS(NAME)};
static const seg_late_library library = {"libvips.so.42", "libvips42", sizeof names / sizeof *names, names};

static pthread_mutex_t vips_lock = PTHREAD_MUTEX_INITIALIZER; /* libvips is started once a process */

static void say_nothing(const char *domain, int level, const char *message, void *user) {
    (void)domain, (void)level, (void)message, (void)user;
}

static int start(const seg_vips_calls *vips) {
    vips->g_log_set_handler("VIPS", EVERY_LEVEL, say_nothing, NULL);
    if (vips->vips_init("segment") != 0)
        return 0;
    vips->vips_cache_set_max(0);
    vips->vips_block_untrusted_set(1);
    for (int i = 0; i < SEG_FORMAT_COUNT; i++)
        if (seg_formats[i].unblock)
            vips->vips_operation_block_set(seg_formats[i].unblock, 0);
    return 1;
}

seg_status seg_vips_load(seg_context *ctx, const char *name, const char *kind, seg_vips_calls *calls) {
    seg_status status = SEG_OK;
    SEG_TRY(seg_late_load(ctx, &library, name, kind, calls));
    pthread_mutex_lock(&vips_lock);
    if (!calls->g_type_from_name("VipsImage") && !start(calls))
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' is %s, and libvips cannot be started: convert the image to PNG",
                          name, kind);
    pthread_mutex_unlock(&vips_lock);
    return status;
}

/* --- A TIFF's bytes, one of which may be patched. --- */

typedef struct tiff_stream {
    seg_tiff_bytes *from;
    int64_t at;
} tiff_stream;

static int64_t on_read(SEG_UNUSED void *source, void *to, int64_t length, void *user) {
    tiff_stream *s = user;
    const int64_t got = seg_tiff_bytes_read(s->from, (uint64_t)s->at, to, length > 0 ? (size_t)length : 0);
    s->at += got > 0 ? got : 0;
    return got;
}

static int64_t on_seek(SEG_UNUSED void *source, int64_t offset, int whence, void *user) {
    tiff_stream *s = user;
    const int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? s->at : (int64_t)s->from->size;
    if (base + offset < 0)
        return -1;
    return s->at = base + offset;
}

static void end_stream(void *user, SEG_UNUSED void *closure) {
    free(user);
}

static void *source_of(const seg_vips_calls *vips, seg_tiff_bytes *tiff) {
    tiff_stream *stream = malloc(sizeof *stream);
    void *source = stream ? vips->vips_source_custom_new() : NULL;
    if (!source) {
        free(stream);
        return NULL;
    }
    *stream = (tiff_stream){.from = tiff};
    vips->g_signal_connect_data(source, "read", (void (*)(void))on_read, stream, NULL, 0);
    vips->g_signal_connect_data(source, "seek", (void (*)(void))on_seek, stream, (void *)(uintptr_t)end_stream, 0);
    return source;
}

/* --- Opening. --- */

seg_status seg_vips_failed(seg_context *ctx, const seg_vips_image *v) {
    char *text = v->call.vips_error_buffer_copy(), reason[160] = "";
    for (char *at = text; at && *at; at++) { /* one line per cause */
        const size_t used = strlen(reason);
        if (*at == '\n' && at[1] == 0)
            break;
        if (used + 2 < sizeof reason)
            strcpy(reason + used, *at == '\n' ? "; " : (char[2]){*at});
    }
    v->call.g_free(text);
    v->call.vips_error_clear();
    if (errno == ENOMEM || strstr(reason, "out of memory"))
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'; use a smaller picture", v->name);
    if (strstr(reason, "not found"))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s, which the libvips of this machine does not read: install Debian's libvips42, or "
                        "convert the image to PNG",
                        v->name, v->about->kind);
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is %s that is damaged or of an unusual kind (%s): convert it to PNG",
                    v->name, v->about->kind, reason[0] ? reason : "no reason is known");
}

static int is_device_independent(int interpretation) {
    return interpretation == SEG_VIPS_XYZ || interpretation == SEG_VIPS_YXY || interpretation == SEG_VIPS_LAB ||
           interpretation == SEG_VIPS_LABQ || interpretation == SEG_VIPS_LABS;
}

static int int_of(const seg_vips_image *v, const char *name) {
    int value = 0;
    return v->call.vips_image_get_typeof(v->image, name) && v->call.vips_image_get_int(v->image, name, &value) == 0
               ? value
               : 0;
}

static void look(seg_vips_image *v, const seg_tiff_page *page) {
    const seg_vips_calls *vips = &v->call;
    v->width = vips->vips_image_get_width(v->image);
    v->height = vips->vips_image_get_height(v->image);
    v->bands = vips->vips_image_get_bands(v->image);
    v->format = vips->vips_image_get_format(v->image);
    v->cmyk = v->bands >= 4 && vips->vips_image_get_interpretation(v->image) == SEG_VIPS_CMYK;
    v->colours = v->cmyk ? 4 : v->bands >= 3 ? 3 : 1;
    v->alpha = v->bands == v->colours + 1 ? v->colours : 0;
    v->pixel = (size_t)v->bands * (v->format == SEG_VIPS_UCHAR ? 1 : 2);
    v->divide = 1;
    if (page) {
        v->colours = page->photometric < SEG_TIFF_RGB || page->palette_count ? 1 : v->colours;
        v->alpha = page->alpha < v->bands ? page->alpha : 0;
        v->associated = v->alpha && page->associated;
        if (page->bits < 8 && v->format == SEG_VIPS_UCHAR)
            v->divide = 255 / ((1 << page->bits) - 1);
    }
    const int bits = v->format == SEG_VIPS_USHORT ? int_of(v, "heif-bitdepth") : 0;
    v->shift = bits > 8 && bits < 16 ? 16 - bits : 0;
}

seg_status seg_vips_open(seg_context *ctx, const seg_vips_file *from, seg_vips_image *v) {
    const seg_format *about = from->about;
    const seg_tiff_page *page = from->page;
    memset(v, 0, sizeof *v);
    SEG_TRY(seg_vips_load(ctx, from->name, about->kind, &v->call));
    const seg_vips_calls *vips = &v->call;
    v->about = about;
    v->name = from->name;
    errno = 0;
    vips->vips_error_clear();
    v->source = page ? source_of(vips, from->tiff) : vips->vips_source_new_from_memory(from->bytes, from->size);
    /* Options end at the first name that is NULL. */
    const int failed =
        !v->source || vips->vips_call(about->loader, v->source, &v->image, "access", from->access, "fail_on",
                                      SEG_VIPS_FAIL_ON_ERROR, page ? "page" : NULL, page ? page->page : 0, NULL);
    if (failed)
        return seg_vips_failed(ctx, v);
    if (is_device_independent(vips->vips_image_get_interpretation(v->image))) {
        void *srgb = NULL;
        if (vips->vips_call("colourspace", v->image, &srgb, SEG_VIPS_SRGB, NULL))
            return seg_vips_failed(ctx, v);
        vips->g_object_unref(v->image);
        v->image = srgb;
    }
    look(v, page);
    if (v->format != SEG_VIPS_UCHAR && v->format != SEG_VIPS_USHORT)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s of samples that are signed, floating-point numbers or of 32 bits, which are not "
                        "read: save it with 8 or 16 bits per sample",
                        v->name, about->kind);
    return SEG_OK;
}

void seg_vips_close(seg_vips_image *v) {
    if (v->region)
        v->call.g_object_unref(v->region);
    if (v->image)
        v->call.g_object_unref(v->image);
    if (v->source)
        v->call.g_object_unref(v->source);
    memset(v, 0, sizeof *v);
}

void seg_vips_form(const seg_vips_image *v, const seg_tiff_page *page, seg_raster *out) {
    out->width = v->width;
    out->height = v->height;
    out->channels = v->colours == 1 ? 1 : 3;
    out->kind = out->channels == 3 ? SEG_RASTER_RGB : SEG_RASTER_GREY;
    out->bits = v->format == SEG_VIPS_UCHAR ? 8 : 16 - v->shift;
    out->lossy = page ? page->lossy : v->about->lossy;
    for (int most = 255 / v->divide; v->divide > 1 && most < 1 << (out->bits - 1);)
        out->bits--;
    if (page && page->palette_count) {
        out->kind = SEG_RASTER_PALETTE;
        out->palette_count = page->palette_count;
        memcpy(out->palette, page->palette, sizeof out->palette);
    }
}

seg_status seg_vips_keep_profile(seg_context *ctx, const seg_vips_image *v, seg_raster *out) {
    const void *profile = NULL;
    size_t size = 0;
    if (v->cmyk || !v->call.vips_image_get_typeof(v->image, "icc-profile-data") ||
        v->call.vips_image_get_blob(v->image, "icc-profile-data", &profile, &size) != 0 || !profile)
        return SEG_OK; /* a profile of inks does not apply to the RGB made of them */
    return seg_raster_keep_profile(ctx, v->name, profile, size, out);
}

/* --- Pixels. --- */

void *seg_vips_fetch(seg_vips_image *v, int left, int top, int width, int height) {
    size_t size = 0;
    errno = 0;
    if (!v->region && !(v->region = v->call.vips_region_new(v->image)))
        return NULL;
    return v->call.vips_region_fetch(v->region, left, top, width, height, &size);
}

/* Colour c of a pixel of `most` at most: as it is, or what the inks leave of the light. */
static unsigned colour_of(const seg_vips_image *v, const unsigned *sample, size_t c, unsigned most) {
    return v->cmyk ? (unsigned)((uint64_t)(most - sample[3]) * (most - sample[c]) / most) : sample[c];
}

static void divide_by_opacity(size_t first, size_t count, seg_raster *out) {
    const size_t channels = (size_t)out->channels;
    const uint64_t most = (1u << out->bits) - 1;
    for (size_t i = first; i < first + count; i++)
        for (size_t c = channels * i; c < channels * (i + 1) && out->alpha[i]; c++) {
            const uint64_t value = out->sample8 ? out->sample8[c] : out->sample16[c];
            const uint64_t full = (value * OPAQUE + out->alpha[i] / 2u) / out->alpha[i];
            seg_raster_put(out, c, (unsigned)(full < most ? full : most));
        }
}

void seg_vips_put(const seg_vips_image *v, const void *samples, size_t count, size_t to, seg_raster *out) {
    const size_t bands = (size_t)v->bands, channels = (size_t)out->channels, width = v->pixel / bands;
    const unsigned most = v->format == SEG_VIPS_UCHAR ? 255 : OPAQUE;
    if (bands == channels && v->divide == 1 && v->shift == 0) {
        uint8_t *at = out->sample8 ? out->sample8 : (uint8_t *)out->sample16;
        memcpy(at + to * channels * width, samples, count * channels * width);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned sample[4] = {0};
        for (size_t c = 0; c < 4 && c < bands; c++)
            sample[c] = width == 1 ? ((const uint8_t *)samples)[i * bands + c] / (unsigned)v->divide
                                   : (unsigned)((const uint16_t *)samples)[i * bands + c] >> v->shift;
        for (size_t c = 0; c < channels; c++)
            seg_raster_put(out, (to + i) * channels + c, colour_of(v, sample, c, most));
        if (!out->alpha)
            continue;
        const size_t a = i * bands + (size_t)v->alpha;
        out->alpha[to + i] =
            width == 1 ? (uint16_t)(((const uint8_t *)samples)[a] * 257) : ((const uint16_t *)samples)[a];
    }
    if (v->associated)
        divide_by_opacity(to, count, out);
}
