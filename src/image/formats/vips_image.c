#include "image/formats/vips_image.h"
#include "base/base.h"
#include "image/colour.h"

#include <pthread.h>

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
        return seg_no_memory_to_read(ctx, v->name);
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

/* Of a sample; 0: a kind that is not read. */
static size_t bytes_of(int format) {
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 4};
    return format >= 0 && (size_t)format < sizeof bytes ? bytes[format] : 0;
}

static double number_at(int format, const void *samples, size_t i) {
    switch (format) {
    case SEG_VIPS_CHAR:
        return ((const int8_t *)samples)[i];
    case SEG_VIPS_SHORT:
        return ((const int16_t *)samples)[i];
    case SEG_VIPS_UINT:
        return ((const uint32_t *)samples)[i];
    case SEG_VIPS_INT:
        return ((const int32_t *)samples)[i];
    default:
        return (double)((const float *)samples)[i];
    }
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
    v->wide = v->format != SEG_VIPS_UCHAR && v->format != SEG_VIPS_USHORT;
    v->pixel = (size_t)v->bands * bytes_of(v->format);
    v->divide = 1;
    if (page) {
        v->colours = page->photometric < SEG_TIFF_RGB || page->palette_count ? 1 : v->colours;
        v->alpha = page->alpha < v->bands ? page->alpha : 0;
        v->plane = page->plane <= v->bands ? page->plane : 0;
        if (v->plane) {
            v->colours = 1;
            v->alpha = v->cmyk = 0;
        }
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
    if (v->wide && (!page || !v->pixel || v->cmyk || v->alpha))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s of samples that are floats, signed or of 32 bits, which are read of grey and RGB "
                        "TIFF files without opacity only: save it with 8 or 16 bits per sample",
                        v->name, about->kind);
    return SEG_OK;
}

void seg_vips_close(seg_vips_image *v) {
    void *const owned[] = {v->region, v->image, v->source};
    for (int i = 0; i < 3; i++)
        if (owned[i])
            v->call.g_object_unref(owned[i]);
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

/* Extend low and high of a wide image by `count` pixels, and say in *whole whether all numbers are whole so far. */
static seg_status measure(seg_context *ctx, seg_vips_image *v, const void *samples, size_t count, int *whole) {
    const size_t bands = (size_t)v->bands;
    for (size_t i = 0; i < count * bands; i++) {
        if (v->plane ? i % bands != (size_t)v->plane - 1 : i % bands >= (size_t)v->colours)
            continue;
        const double value = number_at(v->format, samples, i);
        if (!isfinite(value))
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "'%s' has samples that are infinite or not a number (NaN): replace them by a number",
                            v->name);
        v->low = fmin(v->low, value);
        v->high = fmax(v->high, value);
        *whole &= value == nearbyint(value);
    }
    return SEG_OK;
}

void seg_vips_put(const seg_vips_image *v, const void *samples, size_t count, size_t to, seg_raster *out) {
    const size_t bands = (size_t)v->bands, channels = (size_t)out->channels, width = v->pixel / bands;
    const unsigned most = v->format == SEG_VIPS_UCHAR ? 255 : OPAQUE;
    const double scale = v->high > v->low ? OPAQUE / (v->high - v->low) : 0;
    if (bands == channels && v->divide == 1 && v->shift == 0 && !v->wide) {
        uint8_t *at = out->sample8 ? out->sample8 : (uint8_t *)out->sample16;
        memcpy(at + to * channels * width, samples, count * channels * width);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned sample[4] = {0};
        const size_t from = i * bands + (v->plane ? (size_t)v->plane - 1 : 0);
        for (size_t c = 0; c < 4 && c < bands && !(v->plane && c); c++)
            sample[c] = v->wide      ? (unsigned)(scale * (number_at(v->format, samples, from + c) - v->low) + 0.5)
                        : width == 1 ? ((const uint8_t *)samples)[from + c] / (unsigned)v->divide
                                     : (unsigned)((const uint16_t *)samples)[from + c] >> v->shift;
        for (size_t c = 0; c < channels; c++) /* as it is, or what the inks leave of the light */
            seg_raster_put(out, (to + i) * channels + c,
                           v->cmyk ? (unsigned)((uint64_t)(most - sample[3]) * (most - sample[c]) / most) : sample[c]);
        if (!out->alpha)
            continue;
        const size_t a = i * bands + (size_t)v->alpha;
        out->alpha[to + i] =
            width == 1 ? (uint16_t)(((const uint8_t *)samples)[a] * 257) : ((const uint16_t *)samples)[a];
    }
    if (v->associated)
        divide_by_opacity(to, count, out);
}

/* Whole images by libvips: the first picture of a file, upright. */

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
    SEG_TRY(seg_tiff_choose(job->ctx, &job->tiff, job->name, job->out->page, &job->page));
    job->out->pages = p->full;
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
    size_t held = (size_t)v->width * (size_t)v->height * (size_t)job->about->held;
    if (job->is_tiff) /* rows of tiles, or some strips */
        held += 3 * v->pixel * (size_t)v->width *
                (size_t)(job->page.block_height < (size_t)v->height ? job->page.block_height : (size_t)v->height);
    out->decoding = (job->orientation > 1 ? 2 : 1) * seg_raster_bytes(out, v->alpha > 0) + held + LIBVIPS_BYTES;
    return SEG_OK;
}

/* All rows from the top down: put into the raster or, with `whole`, measured. */
static seg_status read_rows(vips_job *job, int *whole) {
    seg_vips_image *v = &job->image;
    seg_status status = SEG_OK;
    const size_t line = (size_t)v->width * v->pixel;
    const int step = line < STRIP / 64 ? 64 : line > STRIP ? 1 : (int)(STRIP / line);
    for (int y = 0; y < v->height && status == SEG_OK; y += step) {
        const int rows = v->height - y < step ? v->height - y : step;
        const size_t count = (size_t)rows * (size_t)v->width;
        void *samples = seg_vips_fetch(v, 0, y, v->width, rows);
        if (!samples)
            return seg_vips_failed(job->ctx, v);
        if (whole)
            status = measure(job->ctx, v, samples, count, whole);
        else
            seg_vips_put(v, samples, count, (size_t)y * (size_t)v->width, job->out);
        v->call.g_free(samples);
    }
    return status;
}

/* Find the ends of a wide image, and open it again. Whole numbers of 16 bits, labels too, stay what they are. */
static seg_status find_ends(vips_job *job, const seg_vips_file *file) {
    seg_vips_image *v = &job->image;
    int whole = 1;
    v->low = INFINITY;
    v->high = -INFINITY;
    SEG_TRY(read_rows(job, &whole));
    const double low = v->low, high = v->high;
    seg_vips_close(v);
    SEG_TRY(seg_vips_open(job->ctx, file, v));
    whole = whole && low >= 0 && high <= OPAQUE;
    v->low = whole ? 0 : low;
    v->high = whole ? OPAQUE : high;
    job->out->low = v->low;
    job->out->high = v->high;
    return SEG_OK;
}

static seg_status read_pixels(vips_job *job, const seg_vips_file *file) {
    seg_vips_image *v = &job->image;
    if (v->wide)
        SEG_TRY(find_ends(job, file));
    SEG_TRY(seg_raster_allocate(job->ctx, job->out, v->alpha > 0));
    SEG_TRY(read_rows(job, NULL));
    if (v->bands > v->colours + (v->alpha > 0) && !v->plane)
        seg_log(job->ctx, SEG_LOG_WARNING, "'%s' has %d samples per pixel; the first %d%s are used", job->name,
                v->bands, v->colours, v->alpha ? " and the opacity" : "");
    return SEG_OK;
}

/* The indices of a GIF's palette, as they may be labels. A picture with colours that it lacks keeps its colours. */
static seg_status find_indices(vips_job *job) {
    const seg_vips_image *v = &job->image;
    seg_raster *out = job->out;
    int *colour = NULL, count = 0;
    const size_t pixels = (size_t)out->width * (size_t)out->height, channels = (size_t)out->channels;
    if (!v->call.vips_image_get_typeof(v->image, "gif-palette") ||
        v->call.vips_image_get_array_int(v->image, "gif-palette", &colour, &count) != 0 || count < 1 || count > 256)
        return SEG_OK;
    SEG_LOCAL(uint8_t, index, seg_alloc(job->ctx, pixels, 1));
    uint8_t last = 0;
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
    SEG_TRY(read_pixels(job, &file));
    SEG_TRY(seg_vips_keep_profile(ctx, &job->image, out));
    if (!out->icc)
        keep_primaries(job);
    if (job->about == &seg_formats[SEG_FORMAT_GIF])
        SEG_TRY(find_indices(job));
    seg_palette_complete(ctx, job->name, out);
    seg_raster_drop_opaque(out);
    if (job->is_tiff && out->page < 0)
        seg_tiff_say_pages(ctx, job->name, &job->page);
    else if (!job->is_tiff && job->image.call.vips_image_get_n_pages(job->image.image) > 1)
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
