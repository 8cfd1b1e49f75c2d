/* The edge-aware smoother against a direct solve, and the refinement on a picture whose edge is known to the pixel. */
#include "toy.h"

#include "masks/edge_smoother.h"
#include "masks/refine.h"
#include "masks/specks.h"

#include <stdlib.h>
#include <string.h>

/* One turn on one row is the exact solution of (I + s L) u = f: checked by Gaussian elimination. */
static void a_row_is_solved_exactly(void **state) {
    (void)state;
    enum { WIDTH = 9, PLANES = 4 };
    seg_context ctx;
    seg_edge_weights weights;
    float L[WIDTH] = {0, 1, 2, 30, 31, 33, 32, 90, 90}, zero[WIDTH] = {0}, U[WIDTH * PLANES];
    double M[WIDTH][WIDTH] = {{0}}, f[WIDTH];
    seg_context_init(&ctx);
    assert_ok(&ctx, seg_edge_weights_create(&ctx, WIDTH, 1, L, zero, zero, 4, &weights));
    assert_true(weights.right[0] > 0.8f && weights.right[2] < 0.01f && weights.right[7] == 1);
    for (int i = 0; i < WIDTH; i++)
        for (int c = 0; c < PLANES; c++)
            U[i * PLANES + c] = (float)((i * 7 + c * 3) % 5);
    for (int i = 0; i < WIDTH; i++)
        f[i] = U[i * PLANES + 2];
    const double s = 0.5 * 8; /* 1.5 * 4^0 / (4^1 - 1) * strength */
    for (int i = 0; i < WIDTH; i++) {
        M[i][i] += 1;
        if (i + 1 < WIDTH) {
            double w = s * weights.right[i];
            M[i][i] += w;
            M[i + 1][i + 1] += w;
            M[i][i + 1] -= w;
            M[i + 1][i] -= w;
        }
    }
    for (int p = 0; p < WIDTH; p++)
        for (int i = 0; i < WIDTH; i++)
            if (i != p) {
                double factor = M[i][p] / M[p][p];
                for (int j = 0; j < WIDTH; j++)
                    M[i][j] -= factor * M[p][j];
                f[i] -= factor * f[p];
            }
    assert_ok(&ctx, seg_edge_smooth(&ctx, &weights, PLANES, 8, 1, U));
    for (int i = 0; i < WIDTH; i++)
        assert_near(U[i * PLANES + 2], f[i] / M[i][i], 1e-5);
    seg_edge_weights_free(&weights);
}

static void constants_stay_and_threads_do_not_matter(void **state) {
    (void)state;
    enum { WIDTH = 150, HEIGHT = 70, PIXELS = WIDTH * HEIGHT };
    for (int planes = 4; planes <= 12; planes += 4) {
        seg_context ctx;
        seg_edge_weights weights;
        seg_random random;
        float *L = malloc(PIXELS * sizeof *L), *U = malloc((size_t)PIXELS * (size_t)planes * sizeof *U),
              *V = malloc((size_t)PIXELS * (size_t)planes * sizeof *V);
        seg_context_init(&ctx);
        seg_random_seed(&random, 4, 4);
        for (int p = 0; p < PIXELS; p++)
            L[p] = (float)(100 * seg_random_uniform(&random));
        for (int e = 0; e < PIXELS * planes; e++)
            U[e] = e % planes == 1 ? 3 : (float)seg_random_uniform(&random);
        memcpy(V, U, (size_t)PIXELS * (size_t)planes * sizeof *U);
        ctx.threads = 1;
        assert_ok(&ctx, seg_edge_weights_create(&ctx, WIDTH, HEIGHT, L, L, L, 4, &weights));
        assert_ok(&ctx, seg_edge_smooth(&ctx, &weights, planes, 100, 3, U));
        ctx.threads = 3;
        assert_ok(&ctx, seg_edge_smooth(&ctx, &weights, planes, 100, 3, V));
        assert_memory_equal(U, V, (size_t)PIXELS * (size_t)planes * sizeof *U);
        for (int p = 0; p < PIXELS; p++) {
            assert_near(U[p * planes + 1], 3, 1e-4);
            assert_true(U[p * planes] >= 0 && U[p * planes] <= 1); /* an average of what was there */
        }
        seg_edge_weights_free(&weights);
        free(L);
        free(U);
        free(V);
    }
}

/* A slanted edge between two colours; the scores know only which colour fills most of a patch. */
static void blocks_become_the_edge(void **state) {
    (void)state;
    enum { WIDTH = 101, HEIGHT = 64, PIXELS = WIDTH * HEIGHT };
    seg_context ctx;
    seg_image image = {WIDTH, HEIGHT, 8, 0, NULL};
    seg_patch_grid grid = seg_patch_grid_make(WIDTH, HEIGHT, 5);
    seg_matrix score;
    uint8_t *truth = malloc(PIXELS), *blocks = malloc(PIXELS), *refined = malloc(PIXELS), *data = malloc(3 * PIXELS);
    int16_t *mark = malloc(PIXELS * sizeof *mark);
    int wrong_blocks = 0, wrong = 0;
    seg_context_init(&ctx);
    image.data = data;
    assert_ok(&ctx, seg_matrix_create(&ctx, (size_t)(grid.columns * grid.rows), 3, &score));
    for (int p = 0; p < PIXELS; p++) {
        int right = p % WIDTH > 30 + p / WIDTH * 0.6;
        truth[p] = right ? 2 : 0;
        data[3 * p] = right ? 200 : 60;
        data[3 * p + 1] = (uint8_t)(90 + p % 7);
        data[3 * p + 2] = right ? 40 : 120;
        mark[p] = -1;
        score.at[seg_patch_of_pixel(&grid, p % WIDTH, p / WIDTH) * 3 + truth[p]] += 1;
    }
    for (size_t i = 0; i < score.rows; i++) {
        double *s = score.at + 3 * i, left = s[0] >= s[2];
        s[0] = left ? 0.8 : 0.1;
        s[1] = 0.1;
        s[2] = left ? 0.1 : 0.8;
    }
    mark[5] = 1;
    seg_refine_none(&ctx, &grid, &score, blocks);
    assert_ok(&ctx, seg_refine_fast(&ctx, &image, &grid, &score, mark, refined));
    assert_int_equal(refined[5], 1); /* a marked pixel keeps its mark */
    for (int p = 0; p < PIXELS; p++) {
        wrong_blocks += blocks[p] != truth[p];
        wrong += refined[p] != truth[p];
    }
    assert_true(wrong_blocks > 50);
    if (wrong > 5)
        print_error("%d pixels off the edge (%d before)\n", wrong, wrong_blocks);
    assert_true(wrong <= 5);
    seg_matrix_free(&score);
    free(truth);
    free(blocks);
    free(refined);
    free(data);
    free(mark);
}

/* A speck joins its surroundings; marked specks, pieces large enough and specks at the border of two labels behave as
 * said. */
static void specks_join_their_surroundings(void **state) {
    (void)state;
    enum { WIDTH = 12, HEIGHT = 8 };
    seg_context ctx;
    int16_t mark[WIDTH * HEIGHT];
    uint8_t label[WIDTH * HEIGHT], expected[WIDTH * HEIGHT];
    seg_context_init(&ctx);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        label[p] = p % WIDTH < 6 ? 1 : 2;
        mark[p] = -1;
    }
    memcpy(expected, label, sizeof label);
    label[2 * WIDTH + 2] = label[2 * WIDTH + 3] = 2;    /* goes: two pixels in label 1 */
    label[4 * WIDTH + 9] = expected[4 * WIDTH + 9] = 1; /* stays: marked */
    mark[4 * WIDTH + 9] = 1;
    label[6 * WIDTH + 5] = 3; /* goes to 1, which touches it three times */
    for (int x = 1; x < 5; x++)
        label[5 * WIDTH + x] = expected[5 * WIDTH + x] = 2; /* stays: large enough */
    label[0] = 7;                                           /* a corner */
    assert_ok(&ctx, seg_specks_remove(&ctx, WIDTH, HEIGHT, mark, 4, label));
    assert_memory_equal(label, expected, sizeof label);
    memset(label, 5, sizeof label); /* all one label, below the limit: nothing around to join */
    memset(expected, 5, sizeof label);
    assert_ok(&ctx, seg_specks_remove(&ctx, WIDTH, HEIGHT, NULL, 1000, label));
    assert_memory_equal(label, expected, sizeof label);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_solved_exactly),
        cmocka_unit_test(constants_stay_and_threads_do_not_matter),
        cmocka_unit_test(blocks_become_the_edge),
        cmocka_unit_test(specks_join_their_surroundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
