/* Time and memory of the whole program against the size of the image: one image of images/ with its strokes,
 * made larger and smaller, with the noise of a sensor, since a smoothly enlarged one would be too easy to decode. */
#include "bench.h"
#include "process.h"

#include "evaluation/figures/plot.h"
#include "image/mask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>

#define SIZES   4
#define NOISE   20 /* grey levels from least to most */
#define QUALITY 92

static const double megapixels[SIZES] = {0.3, 3, 12, 48}, megapixels_small[SIZES] = {0.05, 0.1, 0.3, 1.2};

/* A number of 0..NOISE-1 for each sample, the same every time. */
static int noise(uint32_t at) {
    at = (at ^ at >> 16) * 0x7FEB352Du;
    at = (at ^ at >> 15) * 0x846CA68Bu;
    return (int)((at >> 16) * NOISE >> 16);
}

void bench_scaled_row(const seg_image *photo, int width, int height, int y, uint8_t *row) {
    const uint8_t *data = photo->data;
    const double v = fmax((y + 0.5) * photo->height / height - 0.5, 0);
    const int top = (int)v, below = top + 1 < photo->height ? top + 1 : top;
    for (int x = 0; x < width; x++) {
        const double u = fmax((x + 0.5) * photo->width / width - 0.5, 0);
        const int left = (int)u, right = left + 1 < photo->width ? left + 1 : left;
        for (int c = 0; c < 3; c++) {
            const double a = data[3 * (top * photo->width + left) + c], b = data[3 * (top * photo->width + right) + c];
            const double d = data[3 * (below * photo->width + left) + c];
            const double e = data[3 * (below * photo->width + right) + c];
            const double value = (a + (b - a) * (u - left)) * (1 - (v - top)) + (d + (e - d) * (u - left)) * (v - top);
            const int noisy = (int)lround(value) - NOISE / 2 +
                              noise((uint32_t)(3 * ((size_t)y * (size_t)width + (size_t)x) + (size_t)c));
            row[3 * x + c] = (uint8_t)(noisy < 0 ? 0 : noisy > 255 ? 255 : noisy);
        }
    }
}

int bench_write_jpeg(const char *path, const seg_image *photo, int width, int height, int progressive) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors; /* the default one ends the program with a sentence, which is right here */
    uint8_t *row = bench_alloc((size_t)width, 3);
    FILE *file = fopen(path, "wb");
    if (!file) {
        free(row);
        return bench_fail("cannot write '%s'", path);
    }
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, QUALITY, TRUE);
    if (progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < height; y++) {
        bench_scaled_row(photo, width, height, y, row);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(row);
    return fclose(file) ? bench_fail("cannot write '%s'", path) : 0;
}

seg_status bench_scaled_scribbles(seg_context *ctx, const seg_mask *scribbles, int width, int height, seg_mask *out) {
    seg_status status = seg_mask_create(ctx, width, height, out);
    for (size_t y = 0; !status && y < (size_t)height; y++)
        for (size_t x = 0; x < (size_t)width; x++)
            out->label[y * (size_t)width + x] =
                scribbles->label[y * (size_t)scribbles->height / (size_t)height * (size_t)scribbles->width +
                                 x * (size_t)scribbles->width / (size_t)width];
    out->labels = scribbles->labels;
    return status;
}

static int write_scribbles(seg_context *ctx, const char *path, const seg_mask *scribbles, int width, int height) {
    SCOPED(seg_mask) out = {0};
    seg_status status = bench_scaled_scribbles(ctx, scribbles, width, height, &out);
    if (!status)
        status = seg_mask_write(ctx, path, &out, SEG_MASK_PNG);
    return status ? bench_fail("%s", ctx->message) : 0;
}

/* What one size cost. */
typedef struct cost {
    double megapixels, wall, cpu, memory;
} cost;

/* One size: make the files, run the program, print a line. */
static int measure(seg_context *ctx, const bench_options *options, const seg_image *photo, const seg_mask *scribbles,
                   const char *const file[4], double size, cost *out) {
    const double factor = sqrt(size * 1e6 / ((double)photo->width * photo->height));
    const int width = (int)lround(photo->width * factor), height = (int)lround(photo->height * factor);
    const size_t runs = (size_t)options->runs;
    char threads[32];
    const char *const command[] = {options->segment, file[0], "--scribbles", file[1], "-o", file[2],
                                   "--overlay",      file[3], "--threads",   threads, NULL};
    double *wall = bench_alloc(2 * runs, sizeof *wall), *cpu = wall + runs, memory = 0;
    int code =
        bench_write_jpeg(file[0], photo, width, height, 0) || write_scribbles(ctx, file[1], scribbles, width, height);
    snprintf(threads, sizeof threads, "%d", options->threads < 0 ? 0 : options->threads);
    for (size_t run = 0; run < runs && !code; run++) {
        bench_usage usage;
        code = bench_spawn(command, &usage);
        wall[run] = usage.wall;
        cpu[run] = usage.cpu;
        memory = fmax(memory, usage.memory);
    }
    if (!code) {
        *out = (cost){(double)width * height / 1e6, bench_median(wall, runs), bench_median(cpu, runs), memory / 1e6};
        printf("%.3f,%d,%d,%.3f,%.3f,%.3f,%.1f,%.2f\n", out->megapixels, width, height, wall[0], out->wall, out->cpu,
               out->memory, out->megapixels / out->wall);
        fflush(stdout);
    }
    free(wall);
    return code;
}

int bench_read_with_scribbles(seg_context *ctx, const char *path, seg_image *photo, seg_mask *scribbles) {
    const char *dot = strrchr(path, '.');
    const int stem = dot ? (int)(dot - path) : (int)strlen(path);
    AUTOFREE char *scribbles_path = bench_text("%.*s-scribbles.png", stem, path);
    int code = 0;
    if (seg_image_read(ctx, path, photo) || seg_scribbles_read(ctx, scribbles_path, photo, NULL, scribbles, NULL))
        code = bench_fail("%s", ctx->message);
    else if (photo->depth != 8)
        code = bench_fail("'%s' has %d bits per sample; give an image of 8", path, photo->depth);
    return code;
}

/* STEM.svg: seconds and memory against megapixels. */
static int draw(seg_context *ctx, const char *stem, const cost *found) {
    double x[SIZES], wall[SIZES], cpu[SIZES], memory[SIZES];
    for (int s = 0; s < SIZES; s++) {
        x[s] = found[s].megapixels;
        wall[s] = found[s].wall;
        cpu[s] = found[s].cpu;
        memory[s] = found[s].memory;
    }
    const seg_series seconds[] = {{.name = "wall", .count = SIZES, .x = x, .y = wall},
                                  {.name = "processor", .count = SIZES, .x = x, .y = cpu, .style = 1, .dashed = 1}};
    const seg_series peak[] = {{.name = "peak memory", .count = SIZES, .x = x, .y = memory, .style = 2}};
    const seg_panel panel[] = {{.title = "Time",
                                .x = {.label = "megapixels", .logarithmic = 1},
                                .y = {.label = "seconds", .logarithmic = 1},
                                .series = seconds,
                                .series_count = 2},
                               {.title = "Memory",
                                .x = {.label = "megapixels", .logarithmic = 1},
                                .y = {.label = "MB", .logarithmic = 1},
                                .series = peak,
                                .series_count = 1}};
    const seg_figure figure = {.panel = panel, .panel_count = 2};
    return bench_figure_write(ctx, &figure, stem) ? bench_fail("%s", ctx->message) : 0;
}

int bench_scale(const bench_options *options) {
    cost found[SIZES];
    char folder[] = "/tmp/segment-bench-XXXXXX";
    SCOPED(seg_image) photo = {0};
    SCOPED(seg_mask) scribbles = {0};
    seg_context ctx = seg_context_default();
    int code = bench_read_with_scribbles(&ctx, options->folder, &photo, &scribbles);
    if (!code && !mkdtemp(folder))
        code = bench_fail("cannot make a temporary folder");
    else if (!code) {
        char *file[4] = {bench_text("%s/photo.jpg", folder), bench_text("%s/scribbles.png", folder),
                         bench_text("%s/mask.png", folder), bench_text("%s/overlay.png", folder)};
        puts("megapixels,width,height,least_wall_s,wall_s,cpu_s,peak_mb,megapixels_per_s");
        for (int s = 0; s < SIZES && !code; s++)
            code = measure(&ctx, options, &photo, &scribbles, (const char *const *)file,
                           options->small ? megapixels_small[s] : megapixels[s], &found[s]);
        if (!code && options->figure)
            code = draw(&ctx, options->figure, found);
        for (int f = 0; f < 4; f++) {
            unlink(file[f]);
            free(file[f]);
        }
        rmdir(folder);
    }
    seg_context_end(&ctx);
    return code;
}
