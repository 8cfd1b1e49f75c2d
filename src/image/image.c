#include "base/base.h"

#include "image/colour.h"
#include "image/formats/decoders.h"
#include "image/formats/image_tiles.h"
#include "image/shown.h"
#include "image/shrink.h"

#define OPAQUE 65535u
#define NARROW 16384 /* a quarter of the 16-bit range */

/* `value` of 0..from scaled to 0..to, rounded. */
static uint32_t rescale(uint32_t value, uint32_t from, uint32_t to) {
    return (uint32_t)(((uint64_t)value * to + from / 2) / from);
}

/* Composite sample `value` of opacity `alpha`, 0..65535, over white. Sums stay below 2^32: 65535^2 + 32767. */
static uint32_t over_white(uint32_t value, uint32_t white, uint32_t alpha) {
    return (value * alpha + white * (OPAQUE - alpha) + OPAQUE / 2) / OPAQUE;
}

/* Convert one row to 8 bits by a table of the sample of each value, or the three samples of each palette index. */
static void row8(const seg_raster *raster, const uint8_t table[256][3], size_t first, uint8_t *to) {
    size_t width = (size_t)raster->width;
    const uint8_t *from = raster->sample8 + first * (size_t)raster->channels;
    if (raster->channels == 3) {
        for (size_t i = 0; i < 3 * width; i++)
            to[i] = table[from[i]][0];
    } else {
        for (size_t x = 0; x < width; x++)
            for (size_t c = 0; c < 3; c++)
                to[3 * x + c] = table[from[x]][c];
    }
    if (raster->alpha)
        for (size_t i = 0; i < 3 * width; i++)
            to[i] = (uint8_t)over_white(to[i], 255, raster->alpha[first + i / 3]);
}

static void row16(const seg_raster *raster, uint32_t most, size_t first, uint16_t *to) {
    size_t width = (size_t)raster->width, divide = raster->channels == 3 ? 1 : 3;
    const uint16_t *from = raster->sample16 + first * (size_t)raster->channels;
    for (size_t i = 0; i < 3 * width; i++)
        to[i] = (uint16_t)(most == OPAQUE ? from[i / divide] : rescale(from[i / divide], most, OPAQUE));
    if (raster->alpha)
        for (size_t i = 0; i < 3 * width; i++)
            to[i] = (uint16_t)over_white(to[i], OPAQUE, raster->alpha[first + i / 3]);
}

/* Fill the table of row8. */
static void fill_table(const seg_raster *raster, uint8_t table[256][3]) {
    uint32_t most = (1u << raster->bits) - 1;
    for (uint32_t v = 0; v < 256; v++)
        for (int c = 0; c < 3; c++)
            table[v][c] = raster->kind == SEG_RASTER_PALETTE ? raster->palette[v][c]
                                                             : (uint8_t)rescale(v < most ? v : most, most, 255);
}

static int is_grey(const seg_raster *raster) {
    if (raster->kind != SEG_RASTER_PALETTE)
        return raster->kind == SEG_RASTER_GREY;
    for (int i = 0; i < raster->palette_count; i++)
        if (raster->palette[i][0] != raster->palette[i][1] || raster->palette[i][1] != raster->palette[i][2])
            return 0;
    return 1;
}

static int is_wide(const seg_raster *raster) {
    return raster->bits > 8;
}

static size_t image_bytes(const seg_raster *raster) {
    return (size_t)raster->width * (size_t)raster->height * (is_wide(raster) ? 3 * sizeof(uint16_t) : 3);
}

typedef struct conversion {
    const seg_raster *raster;
    seg_image *out;
    uint8_t table[256][3];
} conversion;

static void convert_rows(void *arg, size_t top, size_t bottom, SEG_UNUSED int worker) {
    const conversion *c = arg;
    const seg_raster *raster = c->raster;
    for (size_t y = top; y < bottom; y++) {
        size_t first = y * (size_t)raster->width;
        if (is_wide(raster))
            row16(raster, (1u << raster->bits) - 1, first, (uint16_t *)c->out->data + 3 * first);
        else
            row8(raster, c->table, first, (uint8_t *)c->out->data + 3 * first);
    }
}

/* Fill the samples of `out`, which may be the raster's own where it has three per pixel. */
static void convert(seg_context *ctx, const seg_raster *raster, seg_image *out) {
    conversion c = {.raster = raster, .out = out};
    out->width = raster->width;
    out->height = raster->height;
    out->depth = is_wide(raster) ? 16 : 8;
    out->grey = is_grey(raster);
    if (!is_wide(raster))
        fill_table(raster, c.table);
    seg_parallel(ctx, (size_t)raster->height, 0, convert_rows, &c);
}

seg_status seg_image_from_raster(seg_context *ctx, const seg_raster *raster, seg_image *out) {
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_allocated(out->data = seg_alloc(ctx, image_bytes(raster), 1)));
    convert(ctx, raster, out);
    return SEG_OK;
}

/* 12-bit cameras and microscopes use a sixteenth of the 16-bit range. The range that is used is stretched to the whole
 * scale for the features and for display. The samples stay unchanged, for comparison with painted copies. */
void seg_image_set_ends(seg_context *ctx, const char *name, uint16_t low, uint16_t high, seg_image *image) {
    if (high <= low || high - low >= NARROW)
        return;
    image->low = low;
    image->high = high;
    seg_log(ctx, SEG_LOG_INFO, "'%s' uses the values %d to %d of 16 bits only; they are taken as black and white", name,
            low, high);
}

void seg_image_extend_ends(const seg_image *image, uint16_t *low, uint16_t *high) {
    const size_t samples = 3 * (size_t)image->width * (size_t)image->height;
    const uint16_t *sample = image->data;
    for (size_t i = 0; image->depth == 16 && i < samples; i++) {
        *low = sample[i] < *low ? sample[i] : *low;
        *high = sample[i] > *high ? sample[i] : *high;
    }
}

seg_status seg_image_take_part(seg_context *ctx, const char *name, seg_raster *raster, seg_image *out) {
    if (raster->kind != SEG_RASTER_RGB) {
        SEG_TRY(seg_image_from_raster(ctx, raster, out));
    } else {
        memset(out, 0, sizeof *out);
        out->data = is_wide(raster) ? (void *)raster->sample16 : (void *)raster->sample8;
        if (raster->alpha || (raster->bits != 8 && raster->bits != 16))
            convert(ctx, raster, out);
        out->width = raster->width;
        out->height = raster->height;
        out->depth = is_wide(raster) ? 16 : 8;
        out->grey = 0;
        raster->sample8 = NULL;
        raster->sample16 = NULL;
    }
    SEG_RETURN_OR(seg_image_to_srgb(ctx, name, raster, out), seg_image_free(out));
}

seg_status seg_image_take_raster(seg_context *ctx, const char *name, seg_raster *raster, seg_image *out) {
    SEG_TRY(seg_image_take_part(ctx, name, raster, out));
    uint16_t low = UINT16_MAX, high = 0;
    seg_image_extend_ends(out, &low, &high);
    seg_image_set_ends(ctx, name, low, high, out);
    return SEG_OK;
}

seg_status seg_image_read(seg_context *ctx, const char *path, seg_image *out) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_raster_read(ctx, path, &raster));
    return seg_image_take_raster(ctx, seg_file_label(path, "standard input"), &raster, out);
}

static seg_status read_tiled_header(seg_context *ctx, const char *path, seg_image_header *out) {
    seg_tiled_image *image;
    SEG_TRY(seg_tiled_open(ctx, path, &image));
    *out = *seg_tiled_about(image);
    seg_tiled_close(image);
    return SEG_OK;
}

seg_status seg_image_header_read(seg_context *ctx, const char *path, int by_tiles, seg_image_header *out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0;
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    memset(out, 0, sizeof *out);
    if (strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "the header of standard input cannot be read and the rest left for later");
    if (by_tiles)
        return read_tiled_header(ctx, path, out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    out->format = seg_image_format(bytes, size);
    SEG_TRY(seg_raster_probe(ctx, bytes, size, path, &raster));
    *out = (seg_image_header){.format = out->format,
                              .width = raster.width,
                              .height = raster.height,
                              .depth = is_wide(&raster) ? 16 : 8,
                              .image_bytes = image_bytes(&raster),
                              .reading = size + raster.decoding,
                              .reading_image = size + raster.decoding,
                              .file_bytes = size,
                              .pages = raster.pages};
    /* Grey values and palette indices are expanded to three channels after the file has been freed. */
    if (raster.kind != SEG_RASTER_RGB && raster.decoding + out->image_bytes > out->reading_image)
        out->reading_image = raster.decoding + out->image_bytes;
    return SEG_OK;
}

void seg_image_free(seg_image *image) {
    SEG_CLEAR(image, image->data);
}

#define COLUMNS 16 /* columns of reduced pixels per block of parallel work */

seg_status seg_shrinker_create(seg_context *ctx, int width, int height, int depth, int factor, seg_shrinker *out) {
    *out = (seg_shrinker){.factor = factor, .width = width, .height = height};
    out->out.width = (width + factor - 1) / factor;
    out->out.height = (height + factor - 1) / factor;
    out->out.depth = depth;
    out->sum = seg_alloc_zero(ctx, 3 * (size_t)out->out.width, sizeof *out->sum);
    out->out.data = seg_alloc(ctx, (size_t)out->out.width * (size_t)out->out.height, 3 * (size_t)(depth / 8));
    return out->sum && out->out.data ? SEG_OK : SEG_ERR_MEMORY;
}

void seg_shrinker_free(seg_shrinker *shrinker) {
    seg_image_free(&shrinker->out);
    SEG_CLEAR(shrinker, shrinker->sum);
}

typedef struct adding {
    const seg_image *rows;
    seg_shrinker *s;
} adding;

/* Add pixels from .. to-1 of a row to the sums. */
static void add_pixels(const seg_image *rows, size_t row, int from, int to, uint64_t sum[3]) {
    const size_t first = 3 * (row * (size_t)rows->width + (size_t)from), count = (size_t)(to - from);
    uint32_t red = 0, green = 0, blue = 0; /* sums over at most 262144 8-bit pixels of a row */
    if (rows->depth == 16) {
        const uint16_t *sample = (const uint16_t *)rows->data + first;
        for (size_t i = 0; i < 3 * count; i++)
            sum[i % 3] += sample[i];
        return;
    }
    const uint8_t *sample = (const uint8_t *)rows->data + first;
    for (size_t x = 0; x < count; x++) {
        red += sample[3 * x];
        green += sample[3 * x + 1];
        blue += sample[3 * x + 2];
    }
    sum[0] += red;
    sum[1] += green;
    sum[2] += blue;
}

/* Store the rounded mean of the pixels of cell x, y, and reset its sums. */
static void finish(const seg_shrinker *s, int x, int y, uint64_t sum[3]) {
    const int right = s->width - x * s->factor < s->factor ? s->width : (x + 1) * s->factor;
    const int below = s->height - y * s->factor < s->factor ? s->height : (y + 1) * s->factor;
    const uint64_t count = (uint64_t)(right - x * s->factor) * (uint64_t)(below - y * s->factor);
    for (int c = 0; c < 3; c++) {
        const size_t at = ((size_t)y * (size_t)s->out.width + (size_t)x) * 3 + (size_t)c;
        seg_image_put(&s->out, at, (unsigned)((sum[c] + count / 2) / count));
        sum[c] = 0;
    }
}

static void add_columns(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const adding *a = arg;
    const seg_shrinker *s = a->s;
    for (int row = 0; row < a->rows->height; row++) {
        const int y = s->row + row, complete = (y + 1) % s->factor == 0 || y + 1 == s->height;
        for (int x = (int)first; x < (int)last; x++) {
            const int right = s->width - x * s->factor < s->factor ? s->width : (x + 1) * s->factor;
            add_pixels(a->rows, (size_t)row, x * s->factor, right, s->sum + 3 * (size_t)x);
            if (complete)
                finish(s, x, y / s->factor, s->sum + 3 * (size_t)x);
        }
    }
}

void seg_shrinker_add(seg_context *ctx, const seg_image *rows, seg_shrinker *shrinker) {
    seg_parallel(ctx, (size_t)shrinker->out.width, COLUMNS, add_columns, &(adding){rows, shrinker});
    shrinker->row += rows->height;
    shrinker->out.grey = rows->grey;
}

static seg_status shrink_one(seg_context *ctx, const seg_image *image, int factor, seg_image *out) {
    SEG_RELEASED(seg_shrinker_free) seg_shrinker s = {0};
    SEG_TRY(seg_shrinker_create(ctx, image->width, image->height, image->depth, factor, &s));
    seg_shrinker_add(ctx, image, &s);
    s.out.low = image->low;
    s.out.high = image->high;
    return SEG_HANDED_OVER(out, s.out);
}

/* Mean of `count` images one below the other, of `samples` samples each, which begin at sample `first` of `out`. */
static void mean_of(const seg_image *stack, size_t samples, int count, size_t first, const seg_image *out) {
    for (size_t p = 0; p < samples; p++) {
        uint32_t sum = (uint32_t)count / 2;
        for (int i = 0; i < count; i++)
            sum += seg_image_sample(stack, (size_t)i * samples + p);
        seg_image_put(out, first + p, sum / (uint32_t)count);
    }
}

seg_status seg_image_shrink(seg_context *ctx, const seg_image *image, seg_stack stack, int factor, seg_image *out) {
    SEG_RELEASED(seg_image_free) seg_image all = {0};
    SEG_RELEASED(seg_image_free) seg_image layer = {0}; /* its slices, reduced */
    memset(out, 0, sizeof *out);
    if (stack.slices <= 1)
        return shrink_one(ctx, image, factor, out);
    for (int i = 0; i < stack.slices; i++) {
        SEG_RELEASED(seg_image_free) seg_image reduced = {0};
        const seg_image slice = seg_image_slice(image, stack.slices, i);
        SEG_TRY(shrink_one(ctx, &slice, factor, &reduced));
        const size_t samples = (size_t)reduced.width * (size_t)reduced.height * 3;
        const size_t bytes = samples * (size_t)(reduced.depth / 8);
        if (!all.data) {
            const int layers = (stack.slices + stack.deep - 1) / stack.deep;
            all = layer = reduced;
            all.height *= layers;
            all.data = seg_alloc(ctx, (size_t)layers, bytes);
            layer.data = seg_alloc(ctx, (size_t)stack.deep, bytes);
            SEG_TRY(seg_allocated(all.data && layer.data));
        }
        const int member = i % stack.deep;
        memcpy((uint8_t *)layer.data + (size_t)member * bytes, reduced.data, bytes);
        if (member + 1 == stack.deep || i + 1 == stack.slices)
            mean_of(&layer, samples, member + 1, (size_t)(i / stack.deep) * samples, &all);
    }
    return SEG_HANDED_OVER(out, all);
}
