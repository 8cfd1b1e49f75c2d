/* Limits on memory: plans, refusals, adapted plans that give the same bytes anywhere, files that claim far more than
 * they hold; and requests to cancel during eigenvectors. */
#include "check.h"
#include "image_makers.h"
#include "scene.h"

#include "base/base.h"
#include "image_in_memory.h"
#include "pipeline/run.h"

#include <malloc.h>
#include <zlib.h>

#define MEGA ((size_t)1000000)

#ifdef SEG_SANITIZED
#define MEASURED 0 /* the sanitizer keeps what is freed: what the process holds says little */
#else
#define MEASURED 1
#endif

TEST(limit_is_kept_by_allocations) {
    AUTOFREE void *free_of_limits = seg_alloc(&ctx, 64, MEGA);
    assert_non_null(free_of_limits);
    ctx.max_memory = seg_memory_held() + 8 * MEGA;
    AUTOFREE void *small = seg_alloc(&ctx, 1, MEGA);
    assert_non_null(small);
    assert_int_equal(ctx.over_limit, 0);
    assert_null(seg_alloc(&ctx, 32, MEGA));
    assert_int_equal(ctx.over_limit, 1);
    assert_says(&ctx, "the limit is");
    assert_null(seg_alloc_zero(&ctx, 32, MEGA));
    assert_null(seg_realloc(&ctx, small, 32, MEGA));
    memset(small, 1, MEGA); /* the old block is still there */
    assert_int_equal(seg_reserve(&ctx, 32 * MEGA, "a test"), SEG_ERR_LIMIT);
    assert_int_equal(seg_reserve(&ctx, SIZE_MAX, "a test"), SEG_ERR_LIMIT);
    ctx.max_memory = 0;
    assert_int_equal(seg_reserve(&ctx, SIZE_MAX, "a test"), SEG_OK);
}

static seg_plan_job job_of(int width, int height) {
    return (seg_plan_job){.width = width,
                          .height = height,
                          .depth = 8,
                          .k = 4,
                          .inputs = 4 * (size_t)width * (size_t)height,
                          .reading = 5 * (size_t)width * (size_t)height};
}

TEST(patches_are_enlarged_or_the_figure_is_said) {
    seg_options options, larger;
    seg_photo_plan plan, smaller;
    const seg_plan_job job = job_of(1600, 1200), large = job_of(8000, 6000);
    double least = 0;
    ctx.threads = 2;
    options = seg_options_default();
    options.method = "ccskl";
    assert_ok(&ctx, seg_plan_photo(&ctx, &job, &options, &plan));
    assert_string_equal(plan.adapted, "");
    assert_true(plan.predicted == plan.asked);
    /* The least larger patches that keep the limit, and these keep five pixels on the copy. */
    ctx.max_memory = plan.asked - 1;
    assert_ok(&ctx, seg_plan_make(&ctx, &job, &options, &smaller, &larger));
    assert_int_equal(larger.patch, 15);
    assert_int_equal(larger.reduce, 3);
    assert_true(smaller.predicted <= ctx.max_memory && smaller.asked >= plan.asked && smaller.threads == 2);
    assert_string_equal(smaller.adapted, "patches of 15 pixels instead of 10");
    ctx.max_memory = smaller.predicted - MEGA;
    assert_ok(&ctx, seg_plan_make(&ctx, &job, &options, &smaller, &larger));
    assert_true(larger.patch > 15 && larger.patch == 5 * larger.reduce);
    assert_true(smaller.predicted <= ctx.max_memory);
    /* What larger patches do not help is refused with what it takes. */
    options.probability = 1;
    assert_int_equal(seg_plan_photo(&ctx, &job, &options, &plan), SEG_ERR_LIMIT);
    assert_true(plan.predicted > 4 * sizeof(float) * 1600 * 1200);
    options.probability = 0;
    /* Nothing that makes the result: refused, and the least that would do is said and does. */
    options.fixed = 1;
    assert_int_equal(seg_plan_photo(&ctx, &job, &options, &plan), SEG_ERR_LIMIT);
    options.fixed = 0;
    ctx.max_memory = 1;
    assert_int_equal(seg_plan_photo(&ctx, &large, &options, &plan), SEG_ERR_LIMIT);
    assert_int_equal(sscanf(strstr(ctx.message, "at least") + 9, "%lf", &least), 1);
    assert_true(least > 48 * 4);
    ctx.max_memory = (size_t)((least + 2) * 1e6);
    assert_ok(&ctx, seg_plan_photo(&ctx, &large, &options, &plan));
    /* The largest picture there may be overflows nothing. */
    ctx.max_memory = 0;
    const seg_plan_job largest = job_of(65535, 4096);
    options.patch = 1;
    assert_ok(&ctx, seg_plan_photo(&ctx, &largest, &options, &plan));
    assert_true(plan.predicted > largest.inputs && plan.predicted < SIZE_MAX / 4);
    options.reduce = 2;
    assert_int_equal(seg_plan_photo(&ctx, &largest, &options, &plan), SEG_ERR_USAGE);
}

static int halves(int x, int y, int width, int height) {
    return 1 + (x + y / 3 > width / 2) + (y > 2 * height / 3);
}

/* A limit changes the plan, and the plan's options give the same bytes without it. */
TEST(adapted_plans_give_the_same_bytes_anywhere) {
    seg_options options = seg_options_default();
    seg_result *again = NULL;
    SCOPED_RESULT *adapted = NULL, *free_of_limits = NULL;
    if (!MEASURED)
        skip();
    SCOPED(scene) s = scene_make(400, 300, 0, halves);
    for (int y = 20; y < 280; y++)
        for (int x = 20; x < 380; x += 40)
            s.scribbles.label[y * 400 + x] = s.truth.label[y * 400 + x];
    s.scribbles.labels = 3;
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &free_of_limits));
    assert_string_equal(free_of_limits->plan.adapted, "");
    s.ctx.max_memory = free_of_limits->plan.asked - MEGA;
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &adapted));
    assert_true(adapted->plan.adapted[0] != 0);
    assert_true(adapted->options->patch > 5);
    assert_true(adapted->plan.predicted <= s.ctx.max_memory);
    s.ctx.max_memory = 0;
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, adapted->options, &again));
    assert_memory_equal(adapted->mask.label, again->mask.label, 400 * 300);
    /* Refused, and nothing of it is left. */
    s.ctx.max_memory = seg_memory_held() + MEGA;
    options.fixed = 1;
    seg_result_free(again);
    assert_int_equal(seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &again), SEG_ERR_LIMIT);
    assert_null(again);
}

/* The peak of earlier runs, which is forgotten where the system can do that. */
static size_t earlier_peak(void) {
    FILE *file = fopen("/proc/self/clear_refs", "we");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return seg_peak_memory();
}

/* Whatever the estimates say of a method: under ever larger limits a run keeps the limit or is refused, and a plan that
 * was adapted gives the same bytes as its options do without a limit. One method of each kind. */
TEST(every_kind_of_method_keeps_the_limit) {
    enum { WIDTH = 500, HEIGHT = 400, LIMITS = 3, METHODS = 6 };
    static const size_t more[LIMITS] = {5, 11, 30}; /* megabytes */
    static const char *const method[METHODS] = {"auto", "enpakl", "ccskl", "spectral-learning", "sskk", "kmeans"};
    int done = 0, refused = 0, adapted = 0;
    if (!MEASURED)
        skip();
    mallopt(M_MMAP_THRESHOLD, 1 << 18);
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, halves);
    for (int y = 20; y < HEIGHT - 20; y++)
        for (int x = 20; x < WIDTH - 20; x += 60)
            s.scribbles.label[y * WIDTH + x] = s.truth.label[y * WIDTH + x];
    s.scribbles.labels = 3;
    for (int l = 0; l < LIMITS; l++)
        for (int m = 0; m < METHODS; m++) {
            seg_options options = seg_options_default();
            seg_result *result, *again;
            options.method = method[m];
            options.restarts = 1;
            malloc_trim(0);
            const size_t earlier = earlier_peak();
            s.ctx.over_limit = 0;
            s.ctx.max_memory = seg_memory_held() + more[l] * MEGA;
            const seg_status status = seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, &options, &result);
            if (seg_peak_memory() > earlier && seg_peak_memory() > s.ctx.max_memory)
                fail_msg("%s held %.1f MB, the limit is %.1f MB", method[m], 1e-6 * (double)seg_peak_memory(),
                         1e-6 * (double)s.ctx.max_memory);
            assert_true(status == SEG_OK || s.ctx.over_limit);
            refused += status != SEG_OK;
            done += status == SEG_OK;
            if (status == SEG_OK && result->plan.adapted[0]) {
                adapted++; /* the plan's options hold no more than they did */
                s.ctx.max_memory = 0;
                assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, &s.scribbles, NULL, result->options, &again));
                assert_memory_equal(result->mask.label, again->mask.label, WIDTH * HEIGHT);
                seg_result_free(again);
            }
            seg_result_free(result);
        }
    assert_true(refused > 0 && adapted > 0 && done > adapted);
}

/* Rows of one colour, again and again: a few kilobytes for any number of them. */
static made_file make_png_bomb(int side, int type, int bits) {
    made_file file = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &file, made_png_write, made_png_flush);
    png_set_IHDR(png, info, (png_uint_32)side, (png_uint_32)side, bits, type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, 4);
    png_write_info(png, info);
    AUTOFREE uint8_t *row = calloc((size_t)side, (size_t)png_channels(type));
    for (int y = 0; y < side; y++)
        png_write_row(png, row);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return file;
}

/* The header of a TIFF of grey bytes in one strip, which is not there. */
static made_file make_tiff_bomb(uint32_t side) {
    made_file file = {0};
    const uint32_t entry[8][3] = {{256 | 4u << 16, 1, side}, {257 | 4u << 16, 1, side}, {258 | 3u << 16, 1, 8},
                                  {259 | 3u << 16, 1, 8},    {262 | 3u << 16, 1, 1},    {273 | 4u << 16, 1, 8},
                                  {277 | 3u << 16, 1, 1},    {279 | 4u << 16, 1, 64}};
    const uint16_t count = 8;
    const uint32_t end = 0;
    made_append(&file, "II*\0\10\0\0\0", 8);
    made_append(&file, &count, sizeof count);
    made_append(&file, entry, sizeof entry);
    made_append(&file, &end, sizeof end);
    for (int i = 0; i < 64; i++)
        made_append(&file, "\0\1\2\3", 4);
    return file;
}

/* As an image, scribbles and a truth. */
static void check_bomb(made_file *file, const char *path, int side) {
    seg_image image, photo = {.width = 60, .height = 40, .depth = 8};
    seg_image_header header;
    seg_mask mask;
    seg_context ctx = seg_context_default();
    made_save(file, path);
    made_file_free(file);
    assert_ok(&ctx, seg_image_header_read(&ctx, path, 0, &header));
    assert_int_equal(header.width, side);
    assert_true(header.reading_image >= header.image_bytes && header.image_bytes == 3 * (size_t)side * (size_t)side);
    ctx.max_memory = seg_memory_held() + 50 * MEGA;
    assert_int_equal(seg_image_read(&ctx, path, &image), SEG_ERR_LIMIT);
    assert_null(image.data);
    assert_int_equal(seg_truth_read(&ctx, path, &mask), SEG_ERR_LIMIT);
    assert_null(mask.label);
    assert_int_equal(seg_scribbles_read(&ctx, path, NULL, NULL, &mask, NULL), SEG_ERR_LIMIT);
    ctx.max_memory = 0; /* nobody asked for a limit: scribbles of another size are refused undecoded all the same */
    assert_int_equal(seg_scribbles_read(&ctx, path, &photo, NULL, &mask, NULL), SEG_ERR_INPUT);
    remove(path);
    seg_context_end(&ctx);
}

TEST(bombs_are_refused_before_they_are_decoded) {
    seg_image image;
    SCOPED(made_file) file = make_png_bomb(12000, PNG_COLOR_TYPE_GRAY, 1);
    assert_true(file.size < 60000);
    check_bomb(&file, "limits-bomb.png", 12000);
    file = make_png_bomb(5000, PNG_COLOR_TYPE_RGB_ALPHA, 8);
    check_bomb(&file, "limits-bomb.png", 5000);
    file = make_tiff_bomb(12000);
    check_bomb(&file, "limits-bomb.tif", 12000);
    /* Beyond the largest picture: refused whatever the limit. */
    file = make_png_bomb(30000, PNG_COLOR_TYPE_GRAY, 1);
    assert_true(file.size < 200000);
    assert_fails(&ctx, image_read_memory(&ctx, file.bytes, file.size, "bomb.png", &image), SEG_ERR_INPUT, "too large");
}

TEST(tables_that_unpack_or_claim_much_are_refused) {
    static const char header[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }";
    seg_matrix table;
    seg_labels classes;
    char zeros[4096];
    made_file file = {0};
    gzFile packed = gzopen("limits-bomb.csv.gz", "wb1");
    memset(zeros, '0', sizeof zeros);
    for (int i = 0; i < 20000; i++) /* 80 MB of digits in some 400 kB */
        gzwrite(packed, zeros, sizeof zeros);
    gzclose(packed);
    ctx.max_memory = seg_memory_held() + 40 * MEGA;
    assert_int_not_equal(seg_vectors_read(&ctx, "limits-bomb.csv.gz", SEG_LABELS_NONE, &table, &classes), SEG_OK);
    assert_int_equal(ctx.over_limit, 1);
    remove("limits-bomb.csv.gz");
    made_append(&file, "\x93NUMPY\1\0\x76\0", 10);
    made_append(&file, header, sizeof header - 1);
    while (file.size < 128)
        made_append(&file, file.size == 127 ? "\n" : " ", 1);
    made_save(&file, "limits-bomb.npy");
    made_file_free(&file);
    ctx.over_limit = 0;
    assert_int_equal(seg_vectors_read(&ctx, "limits-bomb.npy", SEG_LABELS_NONE, &table, &classes), SEG_ERR_INPUT);
    assert_int_equal(ctx.over_limit, 0); /* the file is too short for its claim: no memory was asked for */
    remove("limits-bomb.npy");
}

/* Cancels at the given call during the clustering. */
typedef struct stopper {
    int calls, stop_at;
} stopper;

static int stop(void *user, double done, const char *stage) {
    stopper *s = user;
    (void)done;
    return strcmp(stage, "clustering") == 0 && ++s->calls == s->stop_at;
}

TEST(eigenvectors_hear_a_wish_to_stop) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *plain = NULL, *after = NULL;
    stopper asked = {0, -1};
    SCOPED(scene) s = scene_make(240, 180, 0, halves);
    options.method = "ncut";
    options.k = 3;
    s.ctx.progress = stop;
    s.ctx.progress_user = &asked;
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, NULL, NULL, &options, &plain));
    assert_true(asked.calls >= 3); /* at the stage's begin, and during the iteration */
    for (int at = 2; at <= asked.calls && at < 6; at++) {
        stopper one = {0, at};
        s.ctx.progress_user = &one;
        assert_int_equal(seg_segment_photo(&s.ctx, &s.photo, NULL, NULL, &options, &after), SEG_ERR_CANCELLED);
    }
    s.ctx.progress = NULL; /* what was left undone leaves no trace */
    assert_ok(&s.ctx, seg_segment_photo(&s.ctx, &s.photo, NULL, NULL, &options, &after));
    assert_memory_equal(plain->mask.label, after->mask.label, 240 * 180);
}

TEST(clusterings_are_planned) {
    seg_options defaults = seg_options_default();
    size_t bytes = 0, more = 0;
    SCOPED(seg_matrix) X = new_matrix(&ctx, 20000, 8);
    seg_problem problem = {.n = 20000, .k = 5, .features = &X, .restarts = 1};
    defaults.graph.kind = SEG_GRAPH_KNN;
    for (int m = 0; seg_method_at(m); m++) {
        const seg_method *method = seg_method_at(m);
        const seg_graph_spec *spec = method->needs & SEG_NEEDS_GRAPH ? &defaults.graph : NULL;
        assert_ok(&ctx, seg_cluster_plan(&ctx, method, NULL, &problem, spec, &bytes));
        assert_true(bytes >= 20000 * 5 * sizeof(double));
        problem.k = 20;
        assert_ok(&ctx, seg_cluster_plan(&ctx, method, NULL, &problem, spec, &more));
        assert_true(more >= bytes); /* the graph may be the most of it */
        problem.k = 5;
        ctx.max_memory = 1;
        assert_int_equal(seg_cluster_plan(&ctx, method, NULL, &problem, spec, NULL), SEG_ERR_LIMIT);
        ctx.max_memory = 0;
    }
}
