/* segment paint: labels that are undone; with a model: its labels, what is refused, and the command line. */
#include "paint_edits.h"
#include "scene.h"

#include "paint/document/image_options.h"
#include "paint/solver/solver.h"

enum { WIDTH = 80, HEIGHT = 60 };

static const char labels_path[] = SEGMENT_BINARY_DIR "/test_paint_model-labels.txt";

/* Labels 2 and 4: what a label map lists without a gap has two more. */
static int region(int x, int y, int width, int height) {
    (void)y, (void)height;
    return 2 * x < width ? 2 : 4;
}

/* Label 2 has the colour that label 1 has by default, and no label map can hold the name of label 4. */
static seg_model *learn(seg_context *ctx, int learned) {
    static const uint8_t colour[][3] = {{0xe6, 0x9f, 0x00}, {10, 20, 30}};
    seg_model *model;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, region);
    for (int x = 4; x < WIDTH; x += 8)
        scene_mark(&s, x, 20, region(x, 20, WIDTH, HEIGHT));
    memcpy(s.scribbles.colour[2], colour[0], 3);
    memcpy(s.scribbles.colour[4], colour[1], 3);
    assert_ok(ctx, seg_model_create(ctx, NULL, &model));
    assert_ok(ctx, seg_model_add(ctx, model, "one", &s.photo, &s.scribbles));
    assert_ok(ctx, seg_model_name_label(ctx, model, 2, "sky"));
    assert_ok(ctx, seg_model_name_label(ctx, model, 4, "a:b"));
    if (learned)
        assert_ok(ctx, seg_model_learn(ctx, model));
    return model;
}

static int has(const paint_labels *labels, int number, int red, int green, int blue) {
    const uint8_t *rgb = labels->map.colour[number - 1];
    return rgb[0] == red && rgb[1] == green && rgb[2] == blue;
}

static int recolours(const paint_labels *labels, const char *text) {
    json_t *label = text ? parse(text) : NULL;
    const int told = paint_labels_refuse(labels, label) != NULL;
    json_decref(label);
    return told;
}

TEST(labels_are_the_models) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    SCOPED_MODEL *model = learn(ctx, 1);
    paint_labels labels;
    unlink(labels_path);
    assert_ok(ctx, paint_labels_open(ctx, labels_path, &labels));
    assert_int_equal(paint_labels_take_model(&labels, model), 0);
    assert_int_equal(labels.map.count, 4);
    assert_true(has(&labels, 2, 0xe6, 0x9f, 0x00) && has(&labels, 4, 10, 20, 30));
    for (int a = 0; a < 4; a++) {
        assert_int_equal(labels.fixed[a], a % 2);
        for (int b = 0; b < a; b++)
            assert_memory_not_equal(labels.map.colour[a], labels.map.colour[b], 3);
    }
    assert_string_equal(labels.map.name[0], "region 1");
    assert_string_equal(labels.map.name[1], "sky");
    assert_string_equal(labels.map.name[3], "region 4");
    assert_int_not_equal(access(labels_path, F_OK), 0); /* nobody has named anything */
    /* scribbles of further labels, in a colour of the model's */
    uint8_t colour[256][3] = {{0}};
    memcpy(colour[5], labels.map.colour[3], 3);
    paint_labels_cover(&labels, 5, colour);
    assert_int_equal(labels.map.count, 5);
    assert_false(has(&labels, 5, 10, 20, 30));
}

TEST(only_names_change) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    SCOPED_MODEL *model = learn(ctx, 1);
    paint_labels labels;
    unlink(labels_path);
    assert_ok(ctx, paint_labels_open(ctx, labels_path, &labels));
    assert_int_equal(paint_labels_take_model(&labels, model), 0);
    assert_true(recolours(&labels, "{'number': 2, 'name': 'sky', 'colour': '#010203'}"));
    assert_false(recolours(&labels, "{'number': 2, 'name': 'air', 'colour': '#e69f00'}"));
    assert_false(recolours(&labels, "{'number': 1, 'name': 'air', 'colour': '#010203'}"));
    assert_false(recolours(&labels, "{'number': 9, 'name': 'air', 'colour': '#010203'}"));
    assert_false(recolours(&labels, "{'number': 2, 'hidden': true}"));
    assert_false(recolours(&labels, "{'number': 2}"));
    assert_false(recolours(&labels, NULL));
    /* a journal of before the model: done again and undone, its colour does not come in */
    json_t *named =
               parse("{'number': 2, 'name': 'air', 'colour': '#010203', 'was': {'name': 'sky', 'colour': '#0a0b0c'}}"),
           *added = parse("{'number': 4, 'name': 'four', 'colour': '#010203'}");
    assert_null(paint_labels_change(ctx, &labels, named, 0));
    assert_string_equal(labels.map.name[1], "air");
    assert_true(has(&labels, 2, 0xe6, 0x9f, 0x00));
    assert_null(paint_labels_change(ctx, &labels, named, 1));
    assert_string_equal(labels.map.name[1], "sky");
    assert_true(has(&labels, 2, 0xe6, 0x9f, 0x00));
    assert_int_equal(paint_labels_removes(&labels, added), 0); /* the model's label stays */
    assert_null(paint_labels_change(ctx, &labels, added, 1));
    assert_int_equal(labels.map.count, 4);
    json_decref(named);
    json_decref(added);
    /* what was named stays named; another label map is told of */
    assert_ok(ctx, seg_file_write(ctx, labels_path, "one:1,1,1\nsky:9,9,9\n", 20));
    assert_ok(ctx, paint_labels_open(ctx, labels_path, &labels));
    assert_int_equal(paint_labels_take_model(&labels, model), 0);
    assert_true(has(&labels, 1, 1, 1, 1) && has(&labels, 2, 0xe6, 0x9f, 0x00));
    assert_ok(ctx, seg_file_write(ctx, labels_path, "sky:1,1,1\none:9,9,9\n", 20));
    assert_ok(ctx, paint_labels_open(ctx, labels_path, &labels));
    assert_int_equal(paint_labels_take_model(&labels, model), 2);
    assert_string_equal(labels.map.name[1], "one");
    unlink(labels_path);
}

/* Why options are refused; NULL: they are not. */
static const char *refusal(seg_context *ctx, const seg_options *options) {
    return seg_options_check(ctx, options) == SEG_OK ? NULL : seg_context_message(ctx);
}

TEST(options_are_checked) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    SCOPED_MODEL *model = learn(ctx, 1), *empty = learn(ctx, 0);
    seg_options options = seg_options_default();
    options.model = model;
    assert_ok(ctx, seg_options_check(ctx, &options));
    seg_options other = options;
    other.k = 2;
    assert_non_null(strstr(refusal(ctx, &other), "labels of its own"));
    other = options;
    other.model = empty;
    assert_non_null(strstr(refusal(ctx, &other), "has not learned"));
    other = options;
    other.graph.kind = SEG_GRAPH_FULL;
    assert_non_null(strstr(refusal(ctx, &other), "complete"));
    assert_true(paint_model_takes(ctx, &options, "auto"));
    assert_false(paint_model_takes(ctx, &options, "ncut"));
    options.model = NULL;
    options.k = 2;
    assert_ok(ctx, seg_options_check(ctx, &options));
}

TEST(options_are_reset) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    seg_options given = seg_options_default(), out;
    SEG_RELEASED(paint_drawing_free) paint_drawing d;
    given.box = (seg_box){1, 2, 3, 4};
    assert_null(paint_drawing_create(WIDTH, HEIGHT, &d));
    good(&d, "{'set': {'name': 'no-unknown', 'value': '1'}}");
    good(&d, "{'set': {'name': 'regions', 'value': '3'}}");
    good(&d, "{'set': {'name': 'box', 'value': '5,6,7,8'}}");
    assert_int_equal(paint_drawing_options(ctx, &d, &given, &out), SEG_OK);
    assert_true(out.no_unknown && out.k == 3 && out.box.x == 5);
    good(&d, "{'set': {'name': 'no-unknown', 'value': ''}}"); /* as it was given */
    good(&d, "{'set': {'name': 'regions', 'value': null}}");  /* its default */
    good(&d, "{'set': {'name': 'box', 'value': ''}}");
    assert_int_equal(paint_drawing_options(ctx, &d, &given, &out), SEG_OK);
    assert_true(!out.no_unknown && out.k == 0 && out.box.x == 1);
}

TEST(the_command_names_the_model) {
    static char photo[] = "new.png", scribbles[] = "new-scribbles.png", mask[] = "new-mask.png";
    const paint_paths paths = {.photo = photo, .scribbles = scribbles, .mask = mask};
    SCOPED_CONTEXT *ctx = seg_context_create();
    seg_options options = seg_options_default();
    for (int drawn = 0; drawn < 2; drawn++) {
        AUTOFREE char *text = paint_command(ctx, &paths, &options, 1, drawn, "it's a.model");
        assert_string_equal(text, drawn ? "segment new.png --scribbles new-scribbles.png --model 'it'\\''s a.model'"
                                        : "segment new.png --model 'it'\\''s a.model'");
    }
}

TEST(labels_change_and_change_back) {
    static const char path[] = SEGMENT_BINARY_DIR "/test_paint-labels.txt";
    SCOPED_CONTEXT *ctx = seg_context_create();
    paint_labels labels;
    unlink(path);
    assert_int_equal(paint_labels_open(ctx, path, &labels), SEG_OK);
    json_t *name = parse("{'number': 1, 'name': 'cup', 'colour': '#010203', "
                         "'was': {'name': 'region 1', 'colour': '#e69f00'}}"),
           *add = parse("{'number': 3, 'name': 'new', 'colour': '#040506'}"),
           *taken = parse("{'number': 2, 'name': 'other', 'colour': '#010203'}"),
           *far = parse("{'number': 5, 'name': 'other', 'colour': '#070809'}"),
           *hide = parse("{'number': 200, 'hidden': true}");
    assert_null(paint_labels_change(ctx, &labels, hide, 0));
    assert_int_not_equal(access(path, F_OK), 0); /* no file before anything is named */
    assert_null(paint_labels_change(ctx, &labels, name, 0));
    assert_null(paint_labels_change(ctx, &labels, add, 0));
    assert_non_null(paint_labels_change(ctx, &labels, taken, 0));
    assert_non_null(paint_labels_change(ctx, &labels, far, 0));
    assert_int_equal(labels.map.count, 3);
    assert_string_equal(labels.map.name[0], "cup");
    paint_labels again;
    assert_int_equal(paint_labels_open(ctx, path, &again), SEG_OK);
    assert_int_equal(again.map.count, 3);
    assert_int_equal(paint_labels_removes(&labels, add), 3);
    assert_int_equal(paint_labels_removes(&labels, name), 0);
    assert_null(paint_labels_change(ctx, &labels, add, 1));
    assert_null(paint_labels_change(ctx, &labels, add, 1)); /* it is gone already */
    assert_int_equal(labels.map.count, 2);
    assert_null(paint_labels_change(ctx, &labels, name, 1));
    assert_string_equal(labels.map.name[0], "region 1");
    assert_int_equal(labels.map.colour[0][0], 0xe6);
    json_t *const all[] = {name, add, taken, far, hide};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_decref(all[i]);
    unlink(path);
}
