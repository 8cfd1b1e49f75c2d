/* The edge-aware smoother against a direct solve, and the refinement on an image whose edge is known to the pixel. */
#include "label_arrays.h"
#include "toy.h"

#include "masks/edges.h"
#include "masks/pieces.h"
#include "masks/refine.h"

/* An image of one row of tiles or more, every tile chosen or the ones asked for, its edges set by hand. */
typedef struct canvas {
    seg_edges edges;
    seg_tile_values values;
    uint8_t *data;
    seg_image image;
} canvas;

static void make_canvas(seg_context *ctx, int width, int height, int planes, uint64_t seed, canvas *out) {
    seg_patch_grid grid = seg_patch_grid_make(width, height, 5);
    seg_random random = seg_random_seeded(seed, 4);
    out->data = malloc(3 * (size_t)width * (size_t)height);
    for (int e = 0; e < 3 * width * height; e++)
        out->data[e] = (uint8_t)(255 * seg_random_uniform(&random));
    out->image = (seg_image){width, height, 8, 0, out->data};
    assert_ok(ctx, seg_edges_create(ctx, &grid, &out->edges));
    const size_t tiles = (size_t)(out->edges.columns * out->edges.rows);
    AUTOFREE uint8_t *chosen = malloc(tiles);
    memset(chosen, 1, tiles);
    assert_ok(ctx, seg_tile_values_create(ctx, &out->edges, chosen, planes, &out->values));
    assert_ok(ctx, seg_edges_prepare(ctx, &(seg_image_part){&out->image, 0, 0}, out->values.list, tiles, &out->edges));
}

static void free_canvas(canvas *c) {
    seg_tile_values_free(&c->values);
    seg_edges_free(&c->edges);
    free(c->data);
}

static float *pixel_at(const canvas *c, int x, int y) {
    const seg_edges *e = &c->edges;
    const int tile = y / e->side * e->columns + x / e->side;
    return seg_tile_at(&c->values, (size_t)c->values.slot[tile]) +
           ((size_t)(y % e->side) * (size_t)e->side + (size_t)(x % e->side)) * (size_t)c->values.planes;
}

static float right_of(const canvas *c, int x, int y) {
    const seg_edges *e = &c->edges;
    return e->tile[y / e->side * e->columns + x / e->side][(y % e->side) * e->side + x % e->side];
}

/* One turn on one row is the exact solution of (I + s L) u = f, across the borders of tiles: checked by Gaussian
 * elimination. */
TEST(a_row_is_solved_exactly) {
    enum { WIDTH = 83, PLANES = 4 };
    static double M[WIDTH][WIDTH];
    double f[WIDTH];
    canvas c;
    make_canvas(&ctx, WIDTH, 1, PLANES, 1, &c);
    assert_true(c.edges.columns > 2);
    for (int i = 0; i < WIDTH; i++) {
        for (int p = 0; p < PLANES; p++)
            pixel_at(&c, i, 0)[p] = (float)((i * 7 + p * 3) % 5);
        f[i] = pixel_at(&c, i, 0)[2];
    }
    assert_near(right_of(&c, WIDTH - 1, 0), 0, 0);
    const double s = 0.5 * 800; /* 1.5 * 4^0 / (4^1 - 1) * strength */
    memset(M, 0, sizeof M);
    for (int i = 0; i < WIDTH; i++) {
        M[i][i] += 1;
        if (i + 1 < WIDTH) {
            double w = s * (double)right_of(&c, i, 0);
            assert_true(w > 0 && w <= s);
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
    assert_ok(&ctx, seg_edge_smooth(&ctx, 800, 1, &c.values));
    for (int i = 0; i < WIDTH; i++)
        assert_near(pixel_at(&c, i, 0)[2], f[i] / M[i][i], 1e-4);
    free_canvas(&c);
}

/* The same image turned by a quarter: a column is solved as a row is. */
TEST(columns_are_as_rows) {
    enum { LENGTH = 97 };
    canvas row, column;
    make_canvas(&ctx, LENGTH, 1, 4, 5, &row);
    make_canvas(&ctx, 1, LENGTH, 4, 5, &column);
    for (int i = 0; i < LENGTH; i++)
        for (int p = 0; p < 4; p++)
            pixel_at(&row, i, 0)[p] = pixel_at(&column, 0, i)[p] = (float)((i * 5 + p) % 7);
    assert_ok(&ctx, seg_edge_smooth(&ctx, 100, 3, &row.values));
    assert_ok(&ctx, seg_edge_smooth(&ctx, 100, 3, &column.values));
    for (int i = 0; i < LENGTH; i++)
        for (int p = 0; p < 4; p++)
            assert_near(pixel_at(&row, i, 0)[p], pixel_at(&column, 0, i)[p], 1e-5);
    free_canvas(&row);
    free_canvas(&column);
}

TEST(constants_stay_and_threads_do_not_matter) {
    enum { WIDTH = 150, HEIGHT = 71 };
    for (int planes = 4; planes <= 12; planes += 4) {
        canvas one, three;
        ctx.threads = 1;
        make_canvas(&ctx, WIDTH, HEIGHT, planes, 9, &one);
        ctx.threads = 3;
        make_canvas(&ctx, WIDTH, HEIGHT, planes, 9, &three);
        seg_random random = seg_random_seeded(4, 4);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                for (int p = 0; p < planes; p++)
                    pixel_at(&one, x, y)[p] = pixel_at(&three, x, y)[p] =
                        p == 1 ? 3 : (float)seg_random_uniform(&random);
        assert_ok(&ctx, seg_edge_smooth(&ctx, 100, 3, &three.values));
        ctx.threads = 1;
        assert_ok(&ctx, seg_edge_smooth(&ctx, 100, 3, &one.values));
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const float *u = pixel_at(&one, x, y);
                assert_memory_equal(u, pixel_at(&three, x, y), (size_t)planes * sizeof *u);
                assert_near(u[1], 3, 1e-4);
                assert_true(u[0] >= 0 && u[0] <= 1); /* an average of what was there */
            }
        free_canvas(&one);
        free_canvas(&three);
    }
}

/* The labels after a refinement. */
static void refine(const seg_refining *of, uint8_t *label) {
    SCOPED(seg_label_rows) rows = {0};
    size_t bytes;
    assert_ok(&ctx, seg_refine_pixels(&ctx, of, &bytes, &rows));
    seg_label_rows_paint(&rows, label);
}

/* A slanted edge between two colours; the scores know only which colour fills most of a patch. The image is wide
 * enough to have parts far from the edge. */
TEST(blocks_become_the_edge) {
    enum { WIDTH = 401, HEIGHT = 64, PIXELS = WIDTH * HEIGHT, K = 3 };
    seg_image image = {WIDTH, HEIGHT, 8, 0, NULL};
    seg_patch_grid grid = seg_patch_grid_make(WIDTH, HEIGHT, 5);
    SCOPED(seg_edges) edges;
    AUTOFREE uint8_t *truth = malloc(PIXELS), *blocks = malloc(PIXELS), *refined = malloc(PIXELS),
                     *data = malloc(3 * PIXELS);
    AUTOFREE uint8_t *mark = calloc(PIXELS, 1), *plain = malloc(PIXELS);
    AUTOFREE float *probability = malloc(PIXELS * K * sizeof *probability);
    AUTOFREE uint8_t *uncertainty = malloc(PIXELS);
    int wrong_blocks = 0, wrong = 0, prepared = 0;
    image.data = data;
    assert_ok(&ctx, seg_edges_create(&ctx, &grid, &edges));
    SCOPED(seg_matrix) score = new_matrix(&ctx, (size_t)(grid.columns * grid.rows), K);
    for (int p = 0; p < PIXELS; p++) {
        int right = p % WIDTH > 30 + p / WIDTH * 0.6;
        truth[p] = right ? 2 : 0;
        data[3 * p] = right ? 200 : 60;
        data[3 * p + 1] = (uint8_t)(90 + p % 7);
        data[3 * p + 2] = right ? 40 : 120;
        score.at[seg_patch_of_pixel(&grid, p % WIDTH, p / WIDTH) * K + truth[p]] += 1;
    }
    for (size_t i = 0; i < score.rows; i++) {
        double *s = score.at + K * i, left = s[0] >= s[2];
        s[0] = left ? 0.8 : 0.1;
        s[1] = 0.1;
        s[2] = left ? 0.1 : 0.8;
    }
    mark[5] = 2; /* column 1 */
    SCOPED(seg_label_rows) mark_rows;
    const seg_pixel_scribbles scribbles = marks_of(&ctx, WIDTH, HEIGHT, mark, &mark_rows), none = {0};
    seg_refining of = {&image, NULL, &edges, &score, &none, 0, {NULL, uncertainty}};
    refine(&of, blocks);
    assert_true(uncertainty[0] == 76 || uncertainty[0] == 77); /* 255 (1 - (0.8 - 0.1)) = 76.5 */
    of = (seg_refining){&image, NULL, &edges, &score, &scribbles, SEG_REFINE_REACH, {NULL, NULL}};
    refine(&of, plain);
    of.out = (seg_pixel_scores){probability, uncertainty};
    refine(&of, refined);
    assert_memory_equal(plain, refined, PIXELS); /* what else is asked for changes nothing */
    assert_int_equal(refined[5], 1);             /* a marked pixel keeps its mark */
    for (int p = 0; p < PIXELS; p++) {
        const float *own = probability + p * K;
        wrong_blocks += blocks[p] != truth[p];
        wrong += refined[p] != truth[p];
        assert_near(own[0] + own[1] + own[2], 1, 1e-5);
        for (int l = 0; l < K; l++)
            assert_true(own[l] >= 0 && own[l] <= own[refined[p]]);
    }
    assert_true(wrong_blocks > 50);
    if (wrong > 5)
        fail_msg("%d pixels off the edge (%d before)", wrong, wrong_blocks);
    for (int t = 0; t < edges.columns * edges.rows; t++)
        prepared += edges.tile[t] != NULL;
    assert_true(prepared > 0 && prepared < edges.columns * edges.rows); /* not the parts far away */
    /* Every score says the same: nothing to smooth. */
    for (size_t i = 0; i < score.rows; i++)
        score.at[K * i] = 0.8, score.at[K * i + 2] = 0.1;
    of.scribbles = &none;
    refine(&of, refined);
    for (int p = 0; p < PIXELS; p++)
        assert_int_equal(refined[p], 0);
}

/* The size of the 4-connected piece of pixel `from`, all of the image for one that is marked. */
static size_t size_of_piece(int width, int height, const uint8_t *mark, const uint8_t *label, size_t from) {
    const size_t pixels = (size_t)width * (size_t)height;
    AUTOFREE uint8_t *seen = calloc(pixels, 1);
    size_t *piece = malloc(pixels * sizeof *piece), count = 1;
    int marked = 0;
    seen[piece[0] = from] = 1;
    for (size_t next = 0; next < count; next++) {
        const size_t at = piece[next], x = at % (size_t)width;
        const size_t side[4] = {at - 1, at + 1, at - (size_t)width, at + (size_t)width};
        const int inside[4] = {x > 0, x + 1 < (size_t)width, at >= (size_t)width, at + (size_t)width < pixels};
        marked |= mark[at] > 0;
        for (int s = 0; s < 4; s++)
            if (inside[s] && !seen[side[s]] && label[side[s]] == label[from]) {
                seen[side[s]] = 1;
                piece[count++] = side[s];
            }
    }
    free(piece);
    return marked ? pixels : count;
}

/* Twin of seg_specks_remove: pieces by flooding, pixel by pixel. again: what stays alone is asked.
 * @return whether a label changed */
static int specks_slowly(int width, int height, const uint8_t *mark, size_t least, int again, uint8_t *label) {
    const size_t pixels = (size_t)width * (size_t)height;
    AUTOFREE uint8_t *before = malloc(pixels), *seen = calloc(pixels, 1);
    AUTOFREE size_t *piece = malloc(pixels * sizeof *piece);
    memcpy(before, label, pixels);
    for (size_t from = 0; from < pixels; from++) {
        size_t count = 0, touch[256] = {0}, most = 0;
        int marked = 0;
        if (seen[from])
            continue;
        piece[count++] = from;
        seen[from] = 1;
        for (size_t next = 0; next < count; next++) {
            const size_t at = piece[next], x = at % (size_t)width;
            const size_t side[4] = {at - 1, at + 1, at - (size_t)width, at + (size_t)width};
            const int inside[4] = {x > 0, x + 1 < (size_t)width, at >= (size_t)width, at + (size_t)width < pixels};
            marked |= mark[at] > 0;
            for (int s = 0; s < 4; s++) {
                if (!inside[s])
                    continue;
                if (before[side[s]] != before[from])
                    touch[before[side[s]]] += !again || size_of_piece(width, height, mark, before, side[s]) >= least;
                else if (!seen[side[s]]) {
                    seen[side[s]] = 1;
                    piece[count++] = side[s];
                }
            }
        }
        for (size_t l = 0; count < least && !marked && l < 256; l++)
            if (touch[l] > most) {
                most = touch[l];
                for (size_t i = 0; i < count; i++)
                    label[piece[i]] = (uint8_t)l;
            }
    }
    return memcmp(before, label, pixels) != 0;
}

TEST(specks_are_those_of_the_slow_twin) {
    enum { WIDTH = 60, HEIGHT = 37, PIXELS = WIDTH * HEIGHT };
    int repeated = 0;
    seg_random random = seg_random_seeded(77, 1);
    for (int round = 0; round < 40; round++) {
        uint8_t label[PIXELS], expected[PIXELS], mark[PIXELS];
        const double keep = 0.55 + 0.01 * round;
        for (int p = 0; p < PIXELS; p++) {
            label[p] = (uint8_t)(p && seg_random_uniform(&random) < keep ? label[p % WIDTH ? p - 1 : p - WIDTH]
                                                                         : 4 * seg_random_uniform(&random));
            mark[p] = seg_random_uniform(&random) < 0.01;
        }
        memcpy(expected, label, sizeof label);
        specks_slowly(WIDTH, HEIGHT, mark, 12, 0, expected);
        while (specks_slowly(WIDTH, HEIGHT, mark, 12, 1, expected))
            repeated++;
        SCOPED(seg_label_rows) mark_rows;
        const seg_pixel_scribbles scribbles = marks_of(&ctx, WIDTH, HEIGHT, mark, &mark_rows);
        seg_label_rows rows = rows_of(&ctx, WIDTH, HEIGHT, label);
        assert_ok(&ctx, seg_specks_remove(&ctx, &scribbles, 12, &rows));
        read_back(&rows, label);
        assert_memory_equal(label, expected, sizeof label);
        for (size_t p = 0; p < PIXELS; p++) /* every round has pieces that are large enough or marked */
            assert_true(size_of_piece(WIDTH, HEIGHT, mark, label, p) >= 12);
    }
    assert_true(repeated > 0);
}

/* A speck joins the region around it; marked specks, pieces large enough and specks at the border of two labels behave
 * as said. */
TEST(specks_join_the_region_around_them) {
    enum { WIDTH = 12, HEIGHT = 8 };
    uint8_t mark[WIDTH * HEIGHT];
    uint8_t label[WIDTH * HEIGHT], expected[WIDTH * HEIGHT];
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        label[p] = p % WIDTH < 6 ? 1 : 2;
        mark[p] = 0;
    }
    memcpy(expected, label, sizeof label);
    label[2 * WIDTH + 2] = label[2 * WIDTH + 3] = 2;    /* goes: two pixels in label 1 */
    label[4 * WIDTH + 9] = expected[4 * WIDTH + 9] = 1; /* stays: marked */
    mark[4 * WIDTH + 9] = 2;
    label[6 * WIDTH + 5] = 3; /* goes to 1, which touches it three times */
    for (int x = 1; x < 5; x++)
        label[5 * WIDTH + x] = expected[5 * WIDTH + x] = 2; /* stays: large enough */
    label[0] = 7;                                           /* a corner */
    SCOPED(seg_label_rows) mark_rows;
    const seg_pixel_scribbles scribbles = marks_of(&ctx, WIDTH, HEIGHT, mark, &mark_rows), none = {0};
    seg_label_rows rows = rows_of(&ctx, WIDTH, HEIGHT, label);
    assert_ok(&ctx, seg_specks_remove(&ctx, &scribbles, 4, &rows));
    read_back(&rows, label);
    assert_memory_equal(label, expected, sizeof label);
    memset(label, 5, sizeof label); /* all one label, below the limit: nothing around to join */
    memset(expected, 5, sizeof label);
    rows = rows_of(&ctx, WIDTH, HEIGHT, label);
    assert_ok(&ctx, seg_specks_remove(&ctx, &none, 1000, &rows));
    read_back(&rows, label);
    assert_memory_equal(label, expected, sizeof label);
}
