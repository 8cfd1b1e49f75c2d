/* Data set readers: each form made small and read back, damaged files refused by name, forms told apart. */
#include "check.h"

#include "image_makers.h"

#include "evaluation/runner/report_folder.h"
#include "evaluation/sets/photo_set.h"

static char root[4096];

BEFORE_ALL {
    snprintf(root, sizeof root, "%s/photo_set.%d", SEGMENT_BINARY_DIR, (int)getpid());
}

AFTER_ALL {
    char command[8192];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}

enum { W = 12, H = 8 };

static char *inside(const char *path) {
    static char text[4][8192];
    static int next;
    next = (next + 1) % 4;
    snprintf(text[next], sizeof text[next], "%s/%s", root, path);
    return text[next];
}

static void folder(const char *path) {
    assert_ok(&ctx, seg_folder_make(&ctx, inside(path)));
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(inside(path), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A 24-bit BMP of colours 0xRRGGBB chosen by column. */
static void write_bmp(const char *path, uint32_t left, uint32_t right) {
    uint32_t pixels[W * H];
    for (int i = 0; i < W * H; i++)
        pixels[i] = i % W < W / 2 ? left : right;
    const bmp_recipe recipe = {.width = W, .height = H, .bits = 24, .header = 40, .pixels = pixels};
    SCOPED(made_file) file = make_bmp(&recipe);
    made_save(&file, inside(path));
}

/* A palette PNG: left label, right label. */
static void write_labels(const char *path, int width, uint16_t left, uint16_t right) {
    uint16_t samples[2 * W * H];
    png_color palette[256] = {{0}};
    for (int i = 0; i < width * H; i++)
        samples[i] = i % width < width / 2 ? left : right;
    for (int c = 0; c < 256; c++)
        palette[c] = (png_color){(png_byte)c, (png_byte)(255 - c), 90};
    const png_recipe recipe =
        PNG_RECIPE(width, H, PNG_COLOR_TYPE_PALETTE, 8, samples, .palette = palette, .palette_count = 256);
    SCOPED(made_file) file = make_png(&recipe);
    made_save(&file, inside(path));
}

static void write_grey(const char *path, uint16_t left, uint16_t right) {
    uint16_t samples[W * H];
    for (int i = 0; i < W * H; i++)
        samples[i] = i % W < W / 2 ? left : right;
    const png_recipe recipe = {.width = W, .height = H, .type = PNG_COLOR_TYPE_GRAY, .bits = 8, .samples = samples};
    SCOPED(made_file) file = make_png(&recipe);
    made_save(&file, inside(path));
}

static seg_photo_set open_set(const char *form, const char *path) {
    seg_photo_set set;
    char name[8192];
    snprintf(name, sizeof name, "%s", inside(path));
    char *kept = strdup(name); /* the set borrows it */
    assert_ok(&ctx, seg_photo_set_open(&ctx, form, kept, NULL, NULL, &set));
    return set;
}

static void close_set(seg_photo_set *set) {
    char *kept = (char *)(uintptr_t)set->folder;
    seg_photo_set_free(set);
    free(kept);
}

static void assert_refused(const seg_photo_set *set, size_t item, const char *says) {
    SCOPED(seg_sample) sample;
    assert_int_not_equal(seg_photo_set_read(&ctx, set, item, &sample), SEG_OK);
    assert_says(&ctx, says);
}

/* Why a set cannot be opened. */
static seg_status refusal(const char *layout, const char *path, const char *truths) {
    SCOPED(seg_photo_set) set;
    return seg_photo_set_open(&ctx, layout, path, truths, NULL, &set);
}

TEST(msrc) {
    folder("msrc/Images");
    folder("msrc/GroundTruth");
    write_bmp("msrc/Images/1_1_s.bmp", 0x203040, 0x99aabb);
    write_bmp("msrc/GroundTruth/1_1_s_GT.bmp", 0x008000, 0x808080); /* grass, sky */
    write_bmp("msrc/Images/1_2_s.bmp", 0x203040, 0x99aabb);
    write_bmp("msrc/GroundTruth/1_2_s_GT.bmp", 0x000080, 0x000000); /* cow, void */
    write_bmp("msrc/Images/1_3_s.bmp", 0x203040, 0x99aabb);
    write_bmp("msrc/GroundTruth/1_3_s_GT.bmp", 0x000080, 0x123456); /* no class */
    write_bmp("msrc/Images/1_4_s.bmp", 0x203040, 0x99aabb);         /* no truth */
    seg_photo_set set = open_set("auto", "msrc");
    SCOPED(seg_sample) sample;
    assert_ptr_equal(set.layout, &seg_photo_layouts[SEG_PHOTO_MSRC]);
    assert_int_equal(set.items, 4);
    assert_string_equal(set.item[0].name, "1_1_s");
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 0, &sample));
    assert_int_equal(sample.truth.label[0], 2); /* numbers are the class's place in MSRC's list, in every image */
    assert_int_equal(sample.truth.label[W - 1], 7);
    assert_int_equal(seg_truth_classes(&sample.truth), 2);
    assert_null(sample.scribbles.label);
    seg_sample_free(&sample);
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 1, &sample));
    assert_int_equal(seg_truth_classes(&sample.truth), 1);
    assert_int_equal(sample.truth.label[W - 1], SEG_VOID);
    assert_refused(&set, 2, "18 52 86");
    assert_refused(&set, 3, "1_4_s");
    close_set(&set);
}

TEST(icgbench) {
    static const char head[] = "ICGBENCH GROUNDTRUTH FILE\nUSER: 1\nIMAGE: p.bmp\n#LABELS: 2\nWIDTH: 12\nHEIGHT: 8\n";
    char text[1024];
    folder("icg/images");
    folder("icg/all");
    write_bmp("icg/images/p.bmp", 0x203040, 0x99aabb);
    snprintf(text, sizeof text, "%sLABELS: 0 50 1 46\nSEEDS: 0 3 1 2 0 90 2 1\n", head);
    write_text("icg/all/p_1.gt", text);
    snprintf(text, sizeof text, "%sLABELS: 0 50 1 47\nSEEDS: 0 96\n", head); /* a pixel too many */
    write_text("icg/all/p_2.gt", text);
    snprintf(text, sizeof text, "%sLABELS: 0 50 1 46\nSEEDS: 0 90\n", head); /* cut off */
    write_text("icg/all/p_3.gt", text);
    snprintf(text, sizeof text, "%sLABELS: 0 50 2 46\nSEEDS: 0 96\n", head); /* a label too many */
    write_text("icg/all/p_4.gt", text);
    snprintf(text, sizeof text, "%sLABELS: 0 50 1 46 1 4\nSEEDS: 0 96\n", head);
    write_text("icg/all/p_5.gt", text);
    snprintf(text, sizeof text, "%sLABELS: 0 50 9223372036854775807 46\nSEEDS: 0 96\n", head);
    write_text("icg/all/p_8.gt", text);
    write_text("icg/all/p_9.gt", "IMAGE: p.bmp\n#LABELS: 2\nWIDTH: 65535\nHEIGHT: 65535\nLABELS: 0 9\nSEEDS: 0 9\n");
    write_text("icg/all/p_6.gt", "IMAGE: none.bmp\n");
    write_text("icg/all/p_7.gt", "nothing at all\n");
    seg_photo_set set = open_set("auto", "icg");
    SCOPED(seg_sample) sample;
    assert_ptr_equal(set.layout, &seg_photo_layouts[SEG_PHOTO_ICGBENCH]);
    assert_int_equal(set.items, 9);
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 0, &sample));
    assert_int_equal(sample.truth.label[49], 1);
    assert_int_equal(sample.truth.label[50], 2);
    assert_int_equal(sample.scribbles.label[2], 0);
    assert_int_equal(sample.scribbles.label[3], 1);
    assert_int_equal(sample.scribbles.label[95], 2);
    assert_int_equal(sample.scribbles.labels, 2);
    assert_refused(&set, 1, "LABELS");
    assert_refused(&set, 2, "SEEDS");
    assert_refused(&set, 3, "LABELS");
    assert_refused(&set, 4, "more runs");
    assert_refused(&set, 7, "LABELS is damaged after 50");
    assert_refused(&set, 8, "65535 x 65535"); /* before memory is asked for */
    assert_refused(&set, 5, "none.bmp");
    assert_refused(&set, 6, "no image");
    close_set(&set);
}

TEST(grabcut) {
    folder("grab/images");
    folder("grab/ground-truth");
    folder("grab/scribbles-set-1");
    folder("grab/others");
    write_bmp("grab/images/a.bmp", 0x203040, 0x99aabb);
    write_grey("grab/ground-truth/a.png", 0, 255);
    write_labels("grab/scribbles-set-1/a-anno.png", W, 0, 1);
    write_labels("grab/scribbles-set-1/a-anno.png", W, 2, 1);
    write_labels("grab/others/a.png", W, 2, 1);
    write_grey("grab/ground-truth/b.png", 0, 255); /* no image */
    SCOPED(seg_photo_set) set = open_set("auto", "grab");
    SCOPED(seg_sample) sample;
    assert_ptr_equal(set.layout, &seg_photo_layouts[SEG_PHOTO_GRABCUT]);
    assert_int_equal(set.items, 2);
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 0, &sample));
    assert_int_equal(sample.truth.label[0], 2); /* background */
    assert_int_equal(sample.truth.label[W - 1], 1);
    assert_int_equal(sample.scribbles.label[0], 2);
    assert_int_equal(sample.scribbles.label[W - 1], 1);
    seg_sample_free(&sample);
    assert_refused(&set, 1, "b");
    close_set(&set);
    AUTOFREE char *path = strdup(inside("grab"));
    assert_ok(&ctx,
              seg_photo_set_open(&ctx, "grabcut", path, NULL, "others", &set)); /* the strokes of another folder */
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 0, &sample));
    assert_int_equal(sample.scribbles.label[0], 2);
    assert_int_equal(sample.scribbles.label[W - 1], 1);
}

TEST(plain_folder) {
    folder("plain/groundtruth");
    write_bmp("plain/a.bmp", 0x203040, 0x99aabb);
    write_labels("plain/a-scribbles.png", W, 1, 2);
    write_labels("plain/groundtruth/a.png", W, 1, 2);
    write_bmp("plain/b.bmp", 0x203040, 0x99aabb);
    write_labels("plain/b_truth.png", W, 2, 1);
    write_bmp("plain/c.bmp", 0x203040, 0x99aabb);
    write_labels("plain/groundtruth/c.png", 2 * W, 1, 2); /* another size */
    write_text("plain/notes.txt", "no image");
    seg_photo_set set = open_set("auto", "plain");
    SCOPED(seg_sample) sample;
    assert_ptr_equal(set.layout, &seg_photo_layouts[SEG_PHOTO_FOLDER]);
    assert_int_equal(set.items, 3);
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 0, &sample));
    assert_int_equal(sample.scribbles.label[W - 1], 2);
    seg_sample_free(&sample);
    assert_ok(&ctx, seg_photo_set_read(&ctx, &set, 1, &sample));
    assert_int_equal(sample.truth.label[0], 2);
    assert_null(sample.scribbles.label);
    assert_refused(&set, 2, "24 x 8");
    close_set(&set);
}

/* An image is never its own truth or its own strokes, whatever names lead to it. */
TEST(own_image) {
    seg_photo_set set = {0};
    folder("own/linked");
    write_labels("own/a.png", W, 1, 2);
    assert_int_equal(refusal("auto", inside("own"), inside("own")), SEG_ERR_INPUT);
    assert_int_equal(refusal("auto", inside("own"), inside("own/.")), SEG_ERR_INPUT);
    assert_int_equal(symlink("../a.png", inside("own/linked/a.png")), 0);
    assert_int_equal(refusal("auto", inside("own"), inside("own/linked")), SEG_ERR_INPUT);
    write_labels("own/a-truth.png", W, 2, 1);
    write_bmp("own/b.bmp", 0x203040, 0x99aabb);
    write_labels("own/b_truth.png", W, 2, 1);
    const char *const truths[] = {"own", "own/linked"};
    for (int t = 0; t < 2; t++) {
        assert_ok(&ctx, seg_photo_set_open(&ctx, "folder", inside("own"), inside(truths[t]), inside("own"), &set));
        assert_int_equal(set.items, 2);
        assert_string_equal(strrchr(set.item[0].truth, '/'), "/a-truth.png");
        assert_string_equal(strrchr(set.item[1].truth, '/'), "/b_truth.png");
        assert_null(set.item[0].scribbles);
        seg_photo_set_free(&set);
    }
}

TEST(refusals) {
    folder("empty");
    assert_int_equal(refusal("auto", inside("empty"), NULL), SEG_ERR_INPUT);
    assert_int_equal(refusal("nowhere", inside("empty"), NULL), SEG_ERR_USAGE);
    assert_int_equal(refusal("auto", inside("absent"), NULL), SEG_ERR_IO);
    assert_int_equal(refusal("icgbench", inside("empty"), NULL), SEG_ERR_INPUT);
    assert_int_equal(refusal("msrc", inside("empty"), NULL), SEG_ERR_INPUT);
    assert_int_equal(refusal("grabcut", inside("empty"), NULL), SEG_ERR_INPUT);
    folder("twice");
    write_bmp("twice/a.bmp", 0x203040, 0x99aabb);
    write_labels("twice/a.png", W, 1, 2);
    assert_fails(&ctx, refusal("folder", inside("twice"), NULL), SEG_ERR_INPUT, "'a'");
}
