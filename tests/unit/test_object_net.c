/* The net that tells a marked object from its background: its layers against slow twins, what it says of a disc. */
#include "masks/object_net.h"

#include "linalg/planes.h"
#include "scene.h"

static float *numbers(uint32_t *seed, size_t count) {
    float *x = malloc(count * sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (float)((*seed = *seed * 1664525 + 1013904223) >> 8) / (1 << 23) - 1;
    return x;
}

/* All sizes of the tail of a row, and of the last four channels. */
TEST(a_layer_is_the_sum_of_its_products) {
    uint32_t seed = 7;
    for (int width = 1; width <= 35; width += width < 4 ? 1 : 13)
        for (int outs = 1; outs <= 6; outs++)
            for (int side = 1; side <= 3; side += 2)
                for (int how = 0; how < 4; how++) {
                    const int height = 5, ins = 3;
                    const size_t packed = ((size_t)outs + 3) / 4 * 4;
                    SEG_RELEASED(seg_arena_free) seg_arena arena = {0};
                    seg_planes in, out, before;
                    AUTOFREE float *w = numbers(&seed, packed * 27), *bias = numbers(&seed, packed);
                    const seg_layer layer = {ins, outs, side, w, bias};
                    assert_ok(&ctx, seg_planes_create(&ctx, &arena, ins, width, height, &in));
                    assert_ok(&ctx, seg_planes_create(&ctx, &arena, outs, width, height, &out));
                    assert_ok(&ctx, seg_planes_create(&ctx, &arena, outs, width, height, &before));
                    for (int c = 0; c < ins + outs; c++)
                        for (int y = 0; y < height; y++) {
                            AUTOFREE float *row = numbers(&seed, (size_t)width);
                            memcpy(seg_plane_row(c < ins ? &in : &out, c < ins ? c : c - ins, y), row,
                                   (size_t)width * sizeof *row);
                        }
                    memcpy(before.at, out.at, (size_t)outs * out.plane * sizeof *out.at);
                    seg_planes_convolve(&ctx, &layer, &in, how, &out);
                    for (int o = 0; o < outs; o++)
                        for (int y = -1; y <= height; y++)
                            for (int x = -1; x <= width; x++) {
                                double sum = bias[o] + (how & SEG_LAYER_ADDS ? seg_plane_row(&before, o, y)[x] : 0);
                                for (int c = 0; c < ins; c++)
                                    for (int t = 0; t < side * side; t++) {
                                        const int v = y + t / side - side / 2, u = x + t % side - side / 2;
                                        if (v >= 0 && v < height && u >= 0 && u < width)
                                            sum += (double)seg_plane_row(&in, c, v)[u] *
                                                   w[(((size_t)(o / 4) * ins + (size_t)c) * (size_t)(side * side) +
                                                      (size_t)t) *
                                                         4 +
                                                     (size_t)(o % 4)];
                                    }
                                if (x < 0 || y < 0 || x == width || y == height)
                                    sum = 0; /* the border stays */
                                else if (how & SEG_LAYER_CUTS && sum < 0)
                                    sum = 0;
                                assert_near(seg_plane_row(&out, o, y)[x], sum, 1e-5);
                            }
                }
}

static int disc(int x, int y, int width, int height) {
    return hypot(x - 0.4 * width, y - 0.5 * height) < 0.25 * height ? 1 : 2;
}

/* Within the disc and in a corner, where the image's middle is marked as the object, `ground` of its corners as the
 * background. */
static void look_at(const seg_image *photo, int ground, double *inside, double *corner) {
    const seg_patch_grid grid = seg_patch_grid_make(photo->width, photo->height, 5);
    const size_t n = (size_t)grid.columns * (size_t)grid.rows;
    AUTOFREE int16_t *group = malloc(n * sizeof *group);
    double *odds[2] = {malloc(n * sizeof **odds), malloc(n * sizeof **odds)};
    for (size_t i = 0; i < n; i++)
        group[i] = -1;
    group[(size_t)(grid.rows / 2 * grid.columns) + (size_t)(0.4 * grid.columns)] = 0;
    if (ground)
        group[0] = group[n - 1] = 1;
    for (int run = 0; run < 2; run++) { /* with one thread and three; asked a second time */
        seg_object_net *net;
        ctx.threads = 1 + 2 * run;
        assert_ok(&ctx, seg_object_net_look(&ctx, photo, &net));
        for (int ask = 0; ask <= run; ask++) {
            for (int label = 0; label < 2; label++)
                assert_ok(&ctx, seg_object_net_mark(&ctx, net, &grid, group, label));
            assert_ok(&ctx, seg_object_net_odds(&ctx, net, &grid, odds[run]));
        }
        seg_object_net_free(net);
    }
    assert_memory_equal(odds[0], odds[1], n * sizeof **odds);
    *inside = odds[0][(size_t)(0.55 * grid.rows) * (size_t)grid.columns + (size_t)(0.42 * grid.columns)];
    *corner = odds[0][(size_t)(0.1 * grid.rows) * (size_t)grid.columns + (size_t)(0.9 * grid.columns)];
    free(odds[0]);
    free(odds[1]);
}

TEST(a_disc_is_the_object_in_any_size_and_depth) {
    static const int size[][2] = {{150, 110}, {40, 30}, {320, 480}, {1200, 40}, {3, 2}};
    for (int s = 0; s < 5; s++) {
        SCOPED(scene) scene = scene_make(size[s][0], size[s][1], 0, disc);
        double inside, corner, again;
        look_at(&scene.photo, s % 2, &inside, &corner);
        if (s < 3) {
            assert_true(inside > 1);
            assert_true(corner < -2);
        }
        if (s == 0) {
            static uint16_t deep[3 * 150 * 110];
            for (size_t i = 0; i < sizeof deep / sizeof *deep; i++)
                deep[i] = (uint16_t)(257 * ((const uint8_t *)scene.photo.data)[i]);
            const seg_image sixteen = {size[s][0], size[s][1], 16, 0, deep, 0, 65535};
            look_at(&sixteen, 0, &again, &corner);
            assert_near(again, inside, 1e-6);
        }
    }
}
