/* segment paint: answers beside the strokes, and labels that are undone. */
#include "check.h"
#include "paint_edits.h"

#include "features/grid.h"
#include "paint/document/shared_labels.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Answers. --- */

static void check_pairs(const paint_drawing *d, const char *wanted) {
    SCOPED(paint_pairs) pairs;
    size_t size;
    assert_true(paint_drawing_pairs(d, &pairs));
    AUTOFREE char *text = paint_pairs_text(&pairs, &size);
    assert_non_null(text);
    const char *lines = strstr(text, "not known\n");
    assert_non_null(lines);
    assert_string_equal(lines + strlen("not known\n"), wanted);
    assert_int_equal(size, strlen(text));
}

TEST(answers_undo_and_delete) {
    SCOPED(paint_drawing) d;
    assert_null(paint_drawing_create(10, 8, &d));
    assert_false(paint_is_drawn(&d));
    good(&d, "{'set': {'name': 'refine', 'value': 'best'}}");
    assert_false(paint_is_drawn(&d));
    good(&d, "{'answer': {'a': [1, 2], 'b': [9, 7], 'sign': 1}}");
    assert_true(paint_is_drawn(&d));
    assert_int_equal(d.marked, 0); /* no mark is another */
    good(&d, "{'answer': {'a': [1, 2], 'b': [5, 5], 'sign': -1}}");
    good(&d, "{'answer': {'a': [0, 0], 'b': [0, 1], 'sign': 0}}");
    check_pairs(&d, "1,2,9,7,1\n1,2,5,5,-1\n0,0,0,1,0\n");
    good(&d, STROKE(1, 24, 24));
    assert_int_equal(d.marked, d.revision);
    good(&d, "{'delete': 2}");
    check_pairs(&d, "1,2,9,7,1\n0,0,0,1,0\n");
    assert_int_equal(at(&d, 1, 1), 1);
    good(&d, "{'answers': [[3, 3, 4, 4, -1], [5, 5, 6, 6, 1, 0.25]]}"); /* the strokes stay */
    check_pairs(&d, "3,3,4,4,-1\n5,5,6,6,1,0.25\n");
    assert_int_equal(at(&d, 1, 1), 1);
    good(&d, "{'base': [2, 79, 1]}"); /* and these stay with other marks */
    check_pairs(&d, "3,3,4,4,-1\n5,5,6,6,1,0.25\n");
    good(&d, "{'clear': true}");
    check_pairs(&d, "");
    assert_false(paint_is_drawn(&d));
    for (int i = 0; i < 4; i++)
        good(&d, "{'undo': true}");
    check_pairs(&d, "1,2,9,7,1\n1,2,5,5,-1\n0,0,0,1,0\n");
    good(&d, "{'redo': true}");
    check_pairs(&d, "1,2,9,7,1\n0,0,0,1,0\n");
}

static paint_pairs pairs_of(const paint_pair *pair, size_t count) {
    paint_pairs made = {0};
    for (size_t p = 0; p < count; p++)
        assert_true(paint_pairs_add(&made, &pair[p], p));
    return made;
}

static void assert_same_pair(const seg_pair *a, const seg_pair *b) {
    assert_int_equal(a->i, b->i);
    assert_int_equal(a->j, b->j);
    assert_int_equal(a->sign, b->sign);
    assert_true(a->weight == b->weight);
}

/* What is written is what the library reads, and regions are as many as cannot link to each other. */
TEST(answers_are_constraints) {
    static const char path[] = SEGMENT_BINARY_DIR "/test_paint-pairs.csv";
    const paint_pair list[] = {{{1, 12}, {1, 1}, 1, 1, 0},   {{1, 2}, {1, 2}, 1, 1, 0}, /* the latter within a patch */
                               {{1, 22}, {1, 2}, -1, 1, 0},  {{12, 33}, {1, 3}, -1, 0.5, 0},
                               {{22, 33}, {1, 3}, -1, 1, 0}, {{1, 38}, {1, 18}, 0, 1, 0},
                               {{2, 33}, {18, 19}, 1, 1, 0}};
    const seg_patch_grid grid = seg_patch_grid_make(40, 20, 5);
    seg_context *ctx = seg_context_create();
    SCOPED(seg_constraints) made, unknown, read, read_unknown;
    char message[SEG_MESSAGE_SIZE] = "";
    size_t size;
    json_t *json;
    SCOPED(paint_pairs) pairs = pairs_of(list, sizeof list / sizeof *list);
    const size_t n = (size_t)grid.columns * (size_t)grid.rows;
    assert_false(seg_constraints_create(ctx, n, &made) || seg_constraints_create(ctx, n, &unknown) ||
                 seg_constraints_create(ctx, n, &read) || seg_constraints_create(ctx, n, &read_unknown));
    AUTOFREE char *text = paint_pairs_text(&pairs, &size);
    assert_int_equal(seg_file_write(ctx, path, text, size), SEG_OK);
    assert_int_equal(seg_constraints_read(ctx, path, &grid, 0, &read, &read_unknown), SEG_OK);
    assert_int_equal(paint_pairs_constrain(ctx, &pairs, &grid, &made, &unknown, message), SEG_OK);
    assert_int_equal(made.pairs, 5);
    assert_int_equal(read.pairs, 5);
    for (int p = 0; p < 5; p++)
        assert_same_pair(&made.pair[p], &read.pair[p]);
    assert_int_equal(unknown.pairs, 1);
    assert_same_pair(&unknown.pair[0], &read_unknown.pair[0]);
    assert_int_equal(paint_least_regions(ctx, &made, SEG_CONTRADICTIONS_REFUSE), 3);
    assert_int_equal(paint_pairs_from_file(ctx, path, &grid, &json), SEG_OK);
    assert_null(paint_pairs_check(json_object_get(json, "answers"), 40, 20));
    assert_int_equal(json_array_size(json_object_get(json, "answers")), 6);
    json_decref(json);
    /* a cannot-link along a chain of must-links */
    const seg_pair against = {0, 2, -1, 1};
    assert_int_equal(seg_constraints_add(ctx, &made, against), SEG_OK);
    assert_int_equal(paint_least_regions(ctx, &made, SEG_CONTRADICTIONS_REFUSE), 0);
    assert_int_equal(paint_least_regions(ctx, &made, SEG_CONTRADICTIONS_DROP), 3);
    /* two places of a patch cannot be told apart */
    const paint_pair inside = {{1, 2}, {1, 2}, -1, 1, 0};
    assert_true(paint_pairs_add(&pairs, &inside, 0));
    assert_int_equal(paint_pairs_constrain(ctx, &pairs, &grid, &made, NULL, message), SEG_ERR_INPUT);
    assert_non_null(strstr(message, "one patch of 5 x 5"));
    unlink(path);
    seg_context_free(ctx);
}

/* --- Labels. --- */

TEST(labels_change_and_change_back) {
    static const char path[] = SEGMENT_BINARY_DIR "/test_paint-labels.txt";
    seg_context *ctx = seg_context_create();
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
    seg_context_free(ctx);
}
