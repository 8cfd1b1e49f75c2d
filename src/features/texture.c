/* Texture energies by a bank of log-Gabor filters [field1987; kovesi1999].
 *
 * The inverse two-dimensional transforms are computed as lines along y, then lines along x. Thus lines of the spectrum
 * on which a filter is zero and rows outside the image are never transformed, each line fits the first-level cache, and
 * all threads work on one filter at a time, so that memory does not grow with their number.
 *
 * The amplitude is averaged over all pixels, even for coarse filters. Every fourth pixel would suffice for such a
 * smooth quantity, but then a patch would have only one or two, and other ones in a mirrored image. */
#include "features/columns.h"

#include "base/lanes.h"
#include "features/grid.h"
#include "features/lab.h"
#include "features/log_gabor.h"
#include "image/slices.h"
#include "linalg/fft.h"

#define BLOCK 8 /* columns copied together: eight complex floats are a cache line */

/* Sizes and buffers of one run. Complex numbers are pairs of floats, so that plain loops vectorise. */
typedef struct run {
    const seg_patch_grid *grid;
    size_t width, height;      /* of the image */
    size_t padded_w, padded_h; /* of the transforms: the image and its mirror images around it */
    size_t line;               /* floats of a thread's buffer for one complex line */
    seg_fft across, down;      /* of the padded lines */
    seg_log_gabor bank;
    float *lightness; /* height x width, mean subtracted */
    float *spectrum;  /* (padded_w / 2 + 1) x padded_h complex: u >= 0, v side by side */
    float *half_done; /* height x padded_w complex: transformed along one direction only */
    float *scratch;   /* (BLOCK + 1) lines per thread, aligned */
    double *sum;      /* of the amplitude over each patch */
    seg_arena arena;
} run;

static float *lines_of(const run *r, int worker) {
    return r->scratch + (size_t)worker * (BLOCK + 1) * r->line;
}

/* Index into a line of n samples that is mirrored at both ends repeatedly. */
static size_t mirrored(long i, size_t n) {
    long period = 2 * (long)n, at = i % period;
    at = at < 0 ? at + period : at;
    return (size_t)(at < (long)n ? at : period - 1 - at);
}

/* The source of sample i of a padded line: half of the padding mirrors the end, half (before 0) the start. */
static size_t source_of(size_t i, size_t n, size_t padded) {
    return mirrored(i < n + (padded - n) / 2 ? (long)i : (long)i - (long)padded, n);
}

/* Compute the lightness minus its mean. A constant image becomes exactly zero here, and so do all its energies. */
static seg_status take_lightness(seg_context *ctx, const seg_image *image, run *r) {
    double total = 0;
    SEG_TRY(seg_lab_planes(ctx, image, (seg_lab){r->lightness, NULL, NULL}));
    for (size_t i = 0; i < r->width * r->height; i++)
        total += r->lightness[i];
    const float mean = (float)(total / ((double)r->width * (double)r->height));
    for (size_t i = 0; i < r->width * r->height; i++)
        r->lightness[i] -= mean;
    return SEG_OK;
}

static void transform_rows(void *arg, size_t first, size_t last, int worker) {
    const run *r = arg;
    const size_t columns = r->padded_w / 2 + 1;
    float *row = lines_of(r, worker), *transformed = row + r->line;
    for (size_t y = first; y < last; y++) {
        const float *source = r->lightness + y * r->width;
        memcpy(row, source, r->width * sizeof *row);
        for (size_t x = r->width; x < r->padded_w; x++)
            row[x] = source[source_of(x, r->width, r->padded_w)];
        fftwf_execute_dft_r2c(r->across.real, row, (fftwf_complex *)transformed);
        memcpy(r->half_done + 2 * y * columns, transformed, 2 * columns * sizeof *row);
    }
}

static void transform_columns(void *arg, size_t first, size_t last, int worker) {
    const run *r = arg;
    const size_t columns = r->padded_w / 2 + 1, count = last - first;
    float *lines = lines_of(r, worker);
    for (size_t v = 0; v < r->padded_h; v++) {
        const float *from = r->half_done + 2 * (source_of(v, r->height, r->padded_h) * columns + first);
        for (size_t k = 0; k < count; k++) {
            lines[k * r->line + 2 * v] = from[2 * k];
            lines[k * r->line + 2 * v + 1] = from[2 * k + 1];
        }
    }
    for (size_t k = 0; k < count; k++) {
        fftwf_complex *column = (fftwf_complex *)(lines + k * r->line);
        fftwf_execute_dft(r->down.forward, column, column);
        memcpy(r->spectrum + 2 * (first + k) * r->padded_h, column, r->padded_h * sizeof *column);
    }
}

/* out += value * from, real times complex numbers; turned: with the conjugates of from[0], from[-1], ... */
SEG_WIDER_TOO static void add_product(size_t n, const float *restrict value, const float *restrict from,
                                      float *restrict out) {
    for (size_t v = 0; v < n; v++) {
        out[2 * v] += value[v] * from[2 * v];
        out[2 * v + 1] += value[v] * from[2 * v + 1];
    }
}

SEG_WIDER_TOO static void add_product_turned(size_t n, const float *restrict value, const float *restrict last,
                                             float *restrict out) {
    const float *restrict from = last - 2 * (n - 1);
    for (size_t v = 0; v < n; v++) {
        out[2 * v] += value[v] * from[2 * (n - 1 - v)];
        out[2 * v + 1] -= value[v] * from[2 * (n - 1 - v) + 1];
    }
}

SEG_WIDER_TOO static void magnitudes(size_t n, const float *restrict from, float *restrict out) {
    for (size_t i = 0; i < n; i++)
        out[i] = sqrtf(from[2 * i] * from[2 * i] + from[2 * i + 1] * from[2 * i + 1]);
}

/* The data of one filter. */
typedef struct filtering {
    const run *r;
    int scale, orientation;
    size_t positive, negative; /* frequencies along x where it is not zero: 0 .. positive - 1, -negative .. -1 */
} filtering;

/* One column of spectrum times filter. The spectrum at u < 0 is the conjugate of that at (-u, -v): v = 0 is its own
 * mirror, the other frequencies run from index n - 1 down. */
static void filter_column(const filtering *f, long u, float *value, float *out) {
    const run *r = f->r;
    const size_t n = r->padded_h;
    const size_t below = seg_log_gabor_last(f->scale, r->bank.height),
                 above = seg_log_gabor_first(f->scale, r->bank.height);
    const float *from = r->spectrum + 2 * (size_t)(u < 0 ? -u : u) * n;
    float *high = out + 2 * (n - above);
    /* The transforms are not normalised; twice the sum over the half plane is the amplitude. */
    const float gain = (float)(2 / ((double)r->padded_w * (double)r->padded_h));
    seg_log_gabor_column(&r->bank, f->scale, f->orientation, u, gain, value);
    memset(out, 0, 2 * n * sizeof *out);
    if (u >= 0) {
        add_product(below + 1, value, from, out);
        add_product(above, value + below + 1, from + 2 * (n - above), high);
    } else {
        add_product_turned(1, value, from, out);
        add_product_turned(below, value + 1, from + 2 * (n - 1), out + 2);
        add_product_turned(above, value + below + 1, from + 2 * above, high);
    }
}

/* Inverse transform of spectrum times filter along y, for the image's rows only. */
static void inverse_columns(void *arg, size_t first, size_t last, int worker) {
    const filtering *f = arg;
    const run *r = f->r;
    const size_t columns = f->positive + f->negative, count = last - first;
    float *lines = lines_of(r, worker), *value = lines + BLOCK * r->line;
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        long u = i < f->positive ? (long)i : (long)i - (long)columns;
        fftwf_complex *column = (fftwf_complex *)(lines + k * r->line);
        filter_column(f, u, value, (float *)column);
        fftwf_execute_dft(r->down.inverse, column, column);
    }
    for (size_t y = 0; y < r->height; y++) {
        float *to = r->half_done + 2 * (y * columns + first);
        for (size_t k = 0; k < count; k++) {
            to[2 * k] = lines[k * r->line + 2 * y];
            to[2 * k + 1] = lines[k * r->line + 2 * y + 1];
        }
    }
}

/* The amplitudes of one row of pixels, from its frequencies: those >= 0 come first. */
static void inverse_row(const filtering *f, const float *from, float *row, float *amplitude) {
    const run *r = f->r;
    const size_t positive = f->positive, negative = f->negative;
    memcpy(row, from, 2 * positive * sizeof *row);
    memset(row + 2 * positive, 0, 2 * (r->padded_w - positive - negative) * sizeof *row);
    memcpy(row + 2 * (r->padded_w - negative), from + 2 * positive, 2 * negative * sizeof *row);
    fftwf_execute_dft(r->across.inverse, (fftwf_complex *)row, (fftwf_complex *)row);
    magnitudes(r->width, row, amplitude);
}

/* Inverse transform along x, and each patch's sum of magnitudes, by one thread a row of patches: in pixel order. */
static void inverse_rows(void *arg, size_t first, size_t last, int worker) {
    const filtering *f = arg;
    const run *r = f->r;
    const seg_patch_grid *grid = r->grid;
    const size_t columns = f->positive + f->negative;
    float *row = lines_of(r, worker), *amplitude = row + r->line;
    for (int patch_row = (int)first; patch_row < (int)last; patch_row++) {
        double *sum = r->sum + (size_t)patch_row * (size_t)grid->columns;
        const int top = patch_row * grid->side;
        const int bottom = grid->side < grid->height - top ? top + grid->side : grid->height;
        memset(sum, 0, (size_t)grid->columns * sizeof *sum);
        for (int y = top; y < bottom; y++) {
            inverse_row(f, r->half_done + 2 * (size_t)y * columns, row, amplitude);
            for (int c = 0; c < grid->columns; c++)
                for (int x = seg_patch_left(grid, c); x < seg_patch_right(grid, c); x++)
                    sum[c] += amplitude[x];
        }
    }
}

/* Map energies to 0..1, independently of the image's contrast: e / (e + c). One constant for all filters preserves
 * their proportions; filters of equal width in octaves respond equally to all scales of a natural scene [field1987], so
 * no scale dominates. */
static void compress(const seg_patch_grid *grid, double weight, double *out, size_t stride) {
    const size_t patches = (size_t)grid->columns * (size_t)grid->rows;
    double total = 0, typical;
    for (size_t p = 0; p < patches; p++)
        for (size_t f = 0; f < SEG_TEXTURE_FILTERS; f++)
            total += out[p * stride + f];
    typical = total / ((double)patches * SEG_TEXTURE_FILTERS);
    for (size_t p = 0; p < patches; p++)
        for (size_t f = 0; f < SEG_TEXTURE_FILTERS; f++) {
            double *e = &out[p * stride + f];
            *e = typical > 0 ? weight * (*e / (*e + typical)) : 0;
        }
}

/* An even length: frequencies u and -u are then distinct except 0 and the last. */
static size_t padded_length(size_t n) {
    return 2 * seg_fft_good_length((n + 1) / 2);
}

static seg_status run_create(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, run *r) {
    const size_t padding = 2 * (size_t)seg_log_gabor_wavelength(SEG_TEXTURE_SCALES - 1);
    *r = (run){.grid = grid, .width = (size_t)image->width, .height = (size_t)image->height};
    r->padded_w = padded_length(r->width + padding);
    r->padded_h = padded_length(r->height + padding);
    r->line = (2 * (seg_larger(r->padded_w, r->padded_h) + 1) + 15) / 16 * 16; /* rounded up to the alignment */
    const size_t columns = r->padded_w / 2 + 1;
    SEG_TRY(seg_fft_create(ctx, r->padded_w, 1, &r->across));
    SEG_TRY(seg_fft_create(ctx, r->padded_h, 0, &r->down));
    SEG_TRY(seg_log_gabor_create(ctx, r->padded_w, r->padded_h, &r->arena, &r->bank));
    r->lightness = seg_arena_alloc(ctx, &r->arena, r->width * r->height, sizeof(float));
    r->spectrum = seg_arena_alloc(ctx, &r->arena, 2 * columns * r->padded_h, sizeof(float));
    r->half_done = seg_arena_alloc(ctx, &r->arena, 2 * r->height * r->padded_w, sizeof(float));
    r->scratch = seg_arena_alloc(ctx, &r->arena, (size_t)seg_threads(ctx) * (BLOCK + 1) * r->line + SEG_FFT_ALIGNMENT,
                                 sizeof(float));
    r->sum = seg_arena_alloc(ctx, &r->arena, (size_t)grid->columns * (size_t)grid->rows, sizeof(double));
    if (r->scratch)
        r->scratch = seg_fft_align(r->scratch);
    return r->arena.status;
}

static void run_free(run *r) {
    seg_fft_free(&r->across);
    seg_fft_free(&r->down);
    seg_arena_free(&r->arena);
}

static seg_status energies(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, double *out,
                           size_t stride) {
    SEG_RELEASED(run_free) run r;
    SEG_TRY(run_create(ctx, image, grid, &r));
    SEG_TRY(take_lightness(ctx, image, &r));
    seg_parallel(ctx, r.height, 0, transform_rows, &r); /* to half_done, rows of padded_w / 2 + 1; then the spectrum */
    seg_parallel(ctx, r.padded_w / 2 + 1, BLOCK, transform_columns, &r);
    for (int filter = 0; filter < SEG_TEXTURE_FILTERS; filter++) {
        const int scale = filter / SEG_TEXTURE_ORIENTATIONS, orientation = filter % SEG_TEXTURE_ORIENTATIONS;
        filtering f = {&r, scale, orientation, seg_log_gabor_last(scale, r.padded_w) + 1, 0};
        if (orientation != 0) /* the first orientation is the half plane u > 0 */
            f.negative = seg_log_gabor_first(scale, r.padded_w);
        seg_parallel(ctx, f.positive + f.negative, BLOCK, inverse_columns, &f);
        seg_parallel(ctx, (size_t)grid->rows, 0, inverse_rows, &f);
        /* A window of half a wavelength [jain1991texture]. */
        SEG_TRY(seg_poll(ctx));
        SEG_TRY(seg_patch_average(ctx, grid, 0.5 * seg_log_gabor_wavelength(scale), r.sum, out + filter, stride));
    }
    return SEG_OK;
}

seg_status seg_texture_columns(seg_context *ctx, const seg_image *image, const seg_patch_grid *grid, double weight,
                               double *out, size_t stride) {
    const int slices = seg_patch_layers(grid);
    const seg_patch_grid one = seg_patch_grid_slice(grid);
    const size_t patches = (size_t)one.columns * (size_t)one.rows;
    for (int i = 0; i < slices; i++) {
        const seg_image slice = seg_image_slice(image, slices, i);
        SEG_TRY(energies(ctx, &slice, &one, out + (size_t)i * patches * stride, stride));
    }
    compress(grid, weight, out, stride);
    return SEG_OK;
}
