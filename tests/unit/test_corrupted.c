/* 500 damaged variants of a real file of each format through its reader: each gives a result or is refused with a
 * sentence, and none takes more than five seconds of processor time. Of images: test_image_hostile.c and
 * test_image_tiff.c. */
#include "check.h"
#include "damage.h"
#include "image_makers.h"

#include "evaluation/sets/photo_set.h"
#include "features/grid.h"
#include "vectors/vectors_write.h"

#include <sys/stat.h>
#include <sys/time.h>
#include <zlib.h>

enum { VARIANTS = 500, SECONDS = 5, W = 96, H = 64 };

static const char path[] = SEGMENT_BINARY_DIR "/corrupted.dat";

/* A reader of the file at `path`; what it gave is released. */
typedef seg_status (*reader)(seg_context *ctx, const char *file);

static void start_clock(int seconds) { /* SIGPROF ends the process where it runs out */
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static made_file load(const char *name) {
    made_file file = {0};
    unsigned char block[4096];
    size_t got;
    FILE *from = fopen(name, "rb");
    assert_non_null(from);
    while ((got = fread(block, 1, sizeof block, from)) > 0)
        made_append(&file, block, got);
    fclose(from);
    return file;
}

static void attack(made_file file, reader read, int most_accepted) {
    AUTOFREE unsigned char *copy = malloc(2 * file.size + 64);
    int accepted = 0;
    made_save(&file, path);
    seg_context ctx = seg_context_default();
    ctx.threads = 1;
    assert_ok(&ctx, read(&ctx, path)); /* undamaged */
    for (unsigned number = 0; number < VARIANTS; number++) {
        const made_file variant = {copy, damage(file.bytes, file.size, number, copy)};
        made_save(&variant, path);
        ctx = seg_context_default();
        ctx.threads = 1;
        start_clock(SECONDS);
        const seg_status status = read(&ctx, path);
        start_clock(0);
        accepted += status == SEG_OK;
        if (status != SEG_OK && status != SEG_ERR_INPUT)
            fail_msg("variant %u: status %d: %s", number, (int)status, ctx.message);
        if (status != SEG_OK && (!ctx.message[0] || strchr(ctx.message, '\n')))
            fail_msg("variant %u: no sentence: '%s'", number, ctx.message);
    }
    print_message("%d of %d variants accepted\n", accepted, VARIANTS);
    assert_in_range(accepted, 0, most_accepted);
    unlink(path);
    made_file_free(&file);
    seg_context_end(&ctx);
}

static seg_status read_scribbles(seg_context *ctx, const char *file) {
    SCOPED(seg_mask) scribbles;
    return seg_scribbles_read(ctx, file, NULL, NULL, &scribbles, NULL);
}

static seg_status read_truth(seg_context *ctx, const char *file) {
    SCOPED(seg_mask) truth;
    return seg_truth_read(ctx, file, &truth);
}

static seg_status read_labelmap(seg_context *ctx, const char *file) {
    seg_labelmap map;
    return seg_labelmap_read(ctx, file, &map);
}

static seg_status read_table(seg_context *ctx, const char *file) {
    SCOPED(seg_matrix) X;
    SCOPED(seg_labels) labels;
    return seg_vectors_read(ctx, file, SEG_LABELS_LAST, &X, &labels);
}

static seg_status read_edges(seg_context *ctx, const char *file) {
    SCOPED(seg_csr) W_of_edges;
    return seg_edges_read(ctx, file, &(int){SEG_BASE_DETECT}, 0, &W_of_edges);
}

static seg_status read_kernel(seg_context *ctx, const char *file) {
    SCOPED(seg_matrix) K;
    return seg_kernel_read(ctx, file, &K);
}

static seg_status read_labels(seg_context *ctx, const char *file) {
    SCOPED(seg_labels) labels;
    return seg_labels_read(ctx, file, 50, &labels);
}

static seg_status read_pairs(seg_context *ctx, const char *file) {
    const seg_patch_grid grid = seg_patch_grid_make(W, H, 4);
    SCOPED(seg_constraints) pairs;
    seg_status status = seg_constraints_create(ctx, (size_t)grid.columns * (size_t)grid.rows, &pairs);
    if (status == SEG_OK)
        status = seg_constraints_read(ctx, file, &grid, 0, &pairs, NULL);
    return status;
}

/* ---- marks ---- */

TEST(corrupted_scribbles) {
    attack(load(SEGMENT_SOURCE_DIR "/images/chelsea-scribbles.png"), read_scribbles, VARIANTS / 4);
    attack(load(SEGMENT_SOURCE_DIR "/groundtruth/chelsea.png"), read_truth, VARIANTS / 4);
}

TEST(corrupted_labelmap) {
    static const char text[] =
        "# label:color_rgb:parts:actions\nbackground:0,0,0::\ncat:255,0,0::\nfloor:0,128,255:a,b:c\n"
        "wall:12,250,7::\n";
    made_file file = {0};
    made_append(&file, text, sizeof text - 1);
    attack(file, read_labelmap, VARIANTS);
}

/* ---- numbers ---- */

static made_file make_table(void) {
    made_file file = {0};
    char line[64];
    made_append(&file, "width,height,\"kind\"\n", 20);
    for (int i = 0; i < 60; i++)
        made_append(&file, line, (size_t)snprintf(line, sizeof line, "%g,%d,%c\n", i * 0.37, i * i, 'a' + i % 3));
    return file;
}

static made_file packed(made_file plain) {
    gzFile to = gzopen(path, "wb");
    assert_int_equal(gzwrite(to, plain.bytes, (unsigned)plain.size), (int)plain.size);
    gzclose(to);
    made_file_free(&plain);
    return load(path);
}

TEST(corrupted_table) {
    attack(make_table(), read_table, VARIANTS);
    attack(packed(make_table()), read_table, VARIANTS / 4);
}

TEST(corrupted_npy) {
    int32_t label[50];
    SCOPED(seg_matrix) K = new_matrix(&ctx, 20, 20);
    for (size_t i = 0; i < 20; i++)
        for (size_t j = 0; j < 20; j++)
            K.at[i * 20 + j] = 1.0 / (1 + (i > j ? i - j : j - i));
    assert_ok(&ctx, seg_matrix_write(&ctx, SEGMENT_BINARY_DIR "/corrupted.npy", &K, 0));
    attack(load(SEGMENT_BINARY_DIR "/corrupted.npy"), read_kernel, VARIANTS);
    for (int i = 0; i < 50; i++)
        label[i] = i % 5;
    assert_ok(&ctx, seg_labels_write(&ctx, SEGMENT_BINARY_DIR "/corrupted.npy", label, 50));
    attack(load(SEGMENT_BINARY_DIR "/corrupted.npy"), read_labels, VARIANTS);
    unlink(SEGMENT_BINARY_DIR "/corrupted.npy");
}

TEST(corrupted_edges) {
    made_file file = {0};
    char line[64];
    for (int i = 0; i < 60; i++)
        made_append(&file, line, (size_t)snprintf(line, sizeof line, "%d %d %g\n", i, (i * 7 + 1) % 60, 0.5 + i % 3));
    attack(file, read_edges, VARIANTS);
}

TEST(corrupted_pairs) {
    made_file file = {0};
    char line[64];
    made_append(&file, "x1,y1,x2,y2,sign,weight\n", 24);
    for (int i = 0; i < 40; i++)
        made_append(
            &file, line,
            (size_t)snprintf(line, sizeof line, "%d,%d,%d,%d,%d,0.5\n", i, i % 50, 90 - i, 60 - i, i % 2 ? 1 : -1));
    attack(file, read_pairs, VARIANTS);
}

/* ---- a data set ---- */

static const char set_folder[] = SEGMENT_BINARY_DIR "/corrupted-set";

/* The file stands at all/NAME_1.gt of a set in the form of the benchmark. */
static seg_status read_gt(seg_context *ctx, const char *file) {
    char gt[512];
    SCOPED(seg_photo_set) set;
    seg_sample sample;
    snprintf(gt, sizeof gt, "%s/all/cat_1.gt", set_folder);
    assert_int_equal(rename(file, gt), 0);
    seg_status status = seg_photo_set_open(ctx, "icgbench", set_folder, NULL, NULL, &set);
    if (status == SEG_OK) {
        status = seg_photo_set_read(ctx, &set, 0, &sample);
        seg_sample_free(&sample);
    }
    /* A name of an image that is not there is not a fault of the reader. */
    return status == SEG_ERR_IO ? SEG_ERR_INPUT : status;
}

TEST(corrupted_gt) {
    static uint8_t pixels[3 * W * H];
    const seg_image photo = {W, H, 8, 0, pixels, 0, 0};
    made_file file = {0};
    char line[128], name[512];
    mkdir(set_folder, 0777);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s/%s", set_folder, i ? "images" : "all");
        mkdir(name, 0777);
    }
    snprintf(name, sizeof name, "%s/images/cat.png", set_folder);
    assert_ok(&ctx, seg_image_write_png(&ctx, name, &photo, NULL));
    made_append(&file, line,
                (size_t)snprintf(line, sizeof line, "IMAGE: cat.png\nWIDTH: %d\nHEIGHT: %d\n#LABELS: 2\n", W, H));
    made_append(&file, line, (size_t)snprintf(line, sizeof line, "LABELS:\n"));
    for (int y = 0; y < H; y++)
        made_append(&file, line, (size_t)snprintf(line, sizeof line, "0 %d 1 %d\n", W / 2, W / 2));
    made_append(&file, line, (size_t)snprintf(line, sizeof line, "SEEDS:\n0 10 1 5 0 10 2 5 0 %d\n", W * H - 30));
    attack(file, read_gt, VARIANTS);
}
