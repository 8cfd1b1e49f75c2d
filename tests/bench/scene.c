#include "scene.h"

#include "base/random.h"
#include "bench.h"
#include "features/grid.h"
#include "features/spec.h"
#include "graph/spectrum/spectrum.h"
#include "pipeline/option_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATCH 5

/* Quarters of the image, with a wavy border. */
static int region_of(double x, double y, int width, int height) {
    const double wave = 0.05 * width * sin(0.05 * (x + y));
    return (x + wave > width / 2.0) + 2 * (y + wave > height / 2.0);
}

static void paint(int width, int height, seg_image *out) {
    static const double colour[SCENE_REGIONS][3] = {{70, 110, 60}, {120, 150, 190}, {150, 120, 80}, {90, 80, 75}};
    uint8_t *sample = bench_alloc((size_t)width * (size_t)height, 3);
    seg_random random = seg_random_seeded(1, 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int region = region_of(x, y, width, height);
            const double wavelength = 4.0 * (region + 1);
            const double stripes = 15 * sin(6.283185307179586 * (region % 2 ? x : y) / wavelength);
            for (int c = 0; c < 3; c++) {
                const double value = colour[region][c] + stripes + 12 * seg_random_normal(&random);
                sample[((size_t)y * (size_t)width + (size_t)x) * 3 + (size_t)c] = (uint8_t)fmin(fmax(value, 0), 255);
            }
        }
    *out = (seg_image){.width = width, .height = height, .depth = 8, .data = sample};
}

/* Patches at the centre of each quarter, row by row from there. */
static seg_status mark(seg_context *ctx, int marked, scene *s) {
    const size_t n = s->features.rows;
    const int side = (int)ceil(sqrt(marked));
    seg_status status = seg_constraints_create(ctx, n, &s->scribbles);
    if (status)
        return status;
    s->scribbles.groups = SCENE_REGIONS;
    for (int g = 0; g < SCENE_REGIONS; g++)
        for (int i = 0; i < marked; i++) {
            const int column = s->grid.columns * (1 + 2 * (g % 2)) / 4 - side / 2 + i % side;
            const int row = s->grid.rows * (1 + 2 * (g / 2)) / 4 - side / 2 + i / side;
            s->scribbles.group[row * s->grid.columns + column] = (int16_t)g;
        }
    return SEG_OK;
}

seg_status scene_make(seg_context *ctx, int width, int height, int marked, scene *out) {
    seg_spectrum spectrum = {0};
    seg_options options = seg_options_default();
    seg_status status;
    memset(out, 0, sizeof *out);
    paint(width, height, &out->photo);
    out->grid = seg_patch_grid_make(width, height, PATCH);
    if ((status = seg_features_compute(ctx, &out->photo, &out->grid, &options.features, &out->features)) == SEG_OK &&
        (status = seg_graph_build(ctx, &out->features, &out->grid, &options.graph, &out->affinity, NULL)) == SEG_OK &&
        (status = seg_spectrum_compute(ctx, &out->affinity, SCENE_VECTORS, &spectrum)) == SEG_OK &&
        (status = seg_matrix_create(ctx, spectrum.n, SCENE_VECTORS, &out->smooth)) == SEG_OK)
        status = mark(ctx, marked, out);
    for (size_t e = 0; !status && e < spectrum.n * SCENE_VECTORS; e++)
        out->smooth.at[e] = spectrum.vector[e] * sqrt((double)spectrum.n);
    seg_spectrum_free(&spectrum);
    if (status)
        scene_free(out);
    return status;
}

void scene_free(scene *s) {
    seg_image_free(&s->photo);
    seg_matrix_free(&s->features);
    seg_csr_free(&s->affinity);
    seg_matrix_free(&s->smooth);
    seg_constraints_free(&s->scribbles);
}
