/* The pages of a file that are asked for, one below the other: they become a volume. */
#include "image/formats/decoders.h"

#include "base/base.h"

int seg_pages_of(const char *path, seg_pages *out) {
    const char *open = strrchr(path, '[');
    int used = 0;
    if (!open || open == path)
        return 0;
    if (sscanf(open, "[%d-%d]%n", &out->first, &out->last, &used) != 2 || !used) {
        if (sscanf(open, "[%d]%n", &out->first, &used) != 1 || !used)
            return 0;
        out->last = out->first;
    }
    out->stem = (size_t)(open - path);
    return open[used] == 0 && out->first >= 0 && out->last >= out->first && access(path, F_OK) != 0;
}

char *seg_pages_file(const char *path) {
    seg_pages pages;
    return strndup(path, seg_pages_of(path, &pages) ? pages.stem : strlen(path));
}

/* Give the pages before it room for a page: those of all pages. */
static seg_status make_room(seg_context *ctx, int pages, seg_raster *out) {
    seg_raster all = *out;
    all.height *= pages;
    all.sample8 = NULL;
    all.sample16 = NULL;
    SEG_TRY(seg_raster_allocate(ctx, &all, 0));
    free(out->sample8);
    free(out->sample16);
    out->sample8 = all.sample8;
    out->sample16 = all.sample16;
    out->height = all.height;
    return SEG_OK;
}

/* Where slices come from: pages of a file, or files. */
typedef struct source {
    seg_context *ctx;
    const seg_pages_job *job; /* NULL: files */
    int first;                /* page */
    const char *name;         /* of all */
    char *const *path;        /* of files */
    int count, apart;
} source;

static seg_status get(const source *from, int i, seg_raster *out) {
    return from->job ? seg_page_decode(from->job, from->first + i, out)
                     : seg_raster_read(from->ctx, from->path[i], out);
}

static seg_status check(const source *from, int i, const seg_raster *first, const seg_raster *page) {
    char said[512];
    if (from->job)
        snprintf(said, sizeof said, "page %d of '%.450s'", from->first + i, from->name);
    else
        snprintf(said, sizeof said, "'%.480s'", from->path[i]);
    if (page->alpha)
        return seg_fail(from->ctx, SEG_ERR_INPUT,
                        "%s has opacity, which the slices of a volume cannot have: save it without", said);
    if (page->width == first->width && page->height == first->height && page->channels == first->channels &&
        (page->bits > 8) == (first->bits > 8) && page->kind == first->kind)
        return SEG_OK;
    return seg_fail(from->ctx, SEG_ERR_INPUT,
                    "%s has %d x %d pixels of %d sample(s) of %d bits%s, but the first has %d x %d of %d of %d bits%s; "
                    "slices of a volume and files of channels must be alike",
                    said, page->width, page->height, page->channels, page->bits,
                    page->kind == SEG_RASTER_PALETTE ? " with a palette" : "", first->width, first->height,
                    first->channels, first->bits, first->kind == SEG_RASTER_PALETTE ? " with a palette" : "");
}

static void put(const seg_raster *page, int slice, seg_raster *out) {
    const size_t samples = (size_t)page->width * (size_t)page->height * (size_t)page->channels;
    if (out->sample8)
        memcpy(out->sample8 + (size_t)slice * samples, page->sample8, samples);
    else
        memcpy(out->sample16 + (size_t)slice * samples, page->sample16, samples * sizeof *page->sample16);
}

/* Let the samples of each slice stand for the same numbers, from the least to the largest that occurs: those of slice i
 * stand for ends[2i] to ends[2i+1]. Channels (`apart`) stay as they are where one of them would keep too few. */
static seg_status even_out(seg_context *ctx, const double *ends, int count, int apart, seg_raster *out) {
    double least = INFINITY;
    const size_t samples = (size_t)out->width * (size_t)(out->height / count) * (size_t)out->channels;
    out->low = INFINITY;
    out->high = -INFINITY;
    for (size_t i = 0; i < (size_t)count; i++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t s = i * samples; s < (i + 1) * samples; s++) {
            const double value = ends[2 * i] + (ends[2 * i + 1] - ends[2 * i]) * out->sample16[s] / UINT16_MAX;
            low = fmin(low, value);
            high = fmax(high, value);
        }
        out->low = fmin(out->low, low);
        out->high = fmax(out->high, high);
        least = high > low ? fmin(least, high - low) : least;
    }
    if (apart && least * SEG_RANGES_ALIKE < out->high - out->low)
        return SEG_OK;
    for (int i = 0; i < count && out->high > out->low; i++) {
        const double per = UINT16_MAX / (out->high - out->low),
                     scale = (ends[2 * i + 1] - ends[2 * i]) * per / UINT16_MAX,
                     shift = (ends[2 * i] - out->low) * per + 0.5;
        uint16_t *sample = out->sample16 + (size_t)i * samples;
        for (size_t s = 0; s < samples; s++)
            sample[s] = (uint16_t)(sample[s] * scale + shift);
        SEG_TRY(seg_poll(ctx));
    }
    return SEG_OK;
}

static seg_status read_slices(const source *from, seg_raster *out) {
    seg_context *ctx = from->ctx;
    const int count = from->count;
    seg_raster first;
    SEG_TRY(get(from, 0, out));
    if ((int64_t)out->height * count > SEG_MAX_STACK || (int64_t)out->width * out->height * count > SEG_MAX_PIXELS)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is too large: %d slices of %d x %d pixels, at most %lld in all: "
                        "take fewer of them, or scale them down",
                        from->name, count, out->width, out->height, SEG_MAX_PIXELS);
    if (from->job && from->job->header_only) {
        out->height *= count;
        out->decoding *= (size_t)count;
        return SEG_OK;
    }
    if (from->job && count == 1)
        return SEG_OK;
    first = *out;
    SEG_TRY(check(from, 0, &first, out));
    SEG_RELEASED(seg_raster_free) seg_raster page = first;
    out->sample8 = NULL;
    out->sample16 = NULL;
    page.icc = NULL; /* which stays with the volume */
    SEG_LOCAL(double, ends, seg_alloc(ctx, (size_t)count, 2 * sizeof *ends));
    SEG_TRY(make_room(ctx, count, out));
    int wide = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            seg_raster_free(&page);
            SEG_TRY(get(from, i, &page));
            SEG_TRY(check(from, i, &first, &page));
        }
        put(&page, i, out);
        ends[2 * i] = page.low;
        ends[2 * i + 1] = page.high || page.low ? page.high : UINT16_MAX;
        wide |= page.bits > 8 && (ends[2 * i] != 0 || ends[2 * i + 1] != UINT16_MAX);
        SEG_TRY(seg_poll(ctx));
    }
    return wide ? even_out(ctx, ends, count, from->apart, out) : SEG_OK;
}

seg_status seg_pages_decode(const seg_pages_job *job, seg_raster *out) {
    seg_pages pages;
    if (!seg_pages_of(job->name, &pages))
        return seg_page_decode(job, -1, out);
    return read_slices(&(source){job->ctx, job, pages.first, job->name, NULL, pages.last - pages.first + 1, job->apart},
                       out);
}

seg_status seg_stack_read(seg_context *ctx, const seg_stack_files *files, seg_raster *out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0;
    if (!files->path)
        SEG_TRY(seg_file_read(ctx, files->name, &bytes, &size));
    SEG_RETURN_OR(files->path
                      ? read_slices(&(source){ctx, NULL, 0, files->name, files->path, files->count, files->apart}, out)
                      : seg_pages_decode(&(seg_pages_job){ctx, bytes, size, files->name, 0, files->apart}, out),
                  seg_raster_free(out));
}
