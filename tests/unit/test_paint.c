/* segment paint: strokes as pixels, edits, the journal, and who may ask for what. */
#include "check.h"
#include "paint_edits.h"

#include "paint/document/image_files.h"
#include "paint/document/pyramid.h"
#include "paint/server/guard.h"

#include <sys/stat.h>

/* --- Strokes as pixels. --- */

/* The same in the plainest way: every pixel, in long double, away from ties. @return 1 inside, 0 outside, -1 too close
 */
static int is_inside(const paint_stroke *s, int x, int y) {
    const long double px = 16 * x + 8, py = 16 * y + 8;
    long double best = 1e30L;
    for (int i = s->count > 1 ? 1 : 0; i < s->count; i++) {
        const int j = i ? i - 1 : 0;
        const long double ax = s->xy[2 * j], ay = s->xy[2 * j + 1], dx = s->xy[2 * i] - ax, dy = s->xy[2 * i + 1] - ay;
        const long double length = dx * dx + dy * dy;
        long double t = length > 0 ? ((px - ax) * dx + (py - ay) * dy) / length : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        const long double ex = px - ax - t * dx, ey = py - ay - t * dy, d = ex * ex + ey * ey;
        best = d < best ? d : best;
    }
    const long double r = (long double)s->radius * s->radius;
    return best < r * (1 - 1e-12L) ? 1 : best > r * (1 + 1e-12L) ? 0 : -1;
}

static int holds_point(const paint_stroke *s, int x, int y) {
    for (int i = 0; i < s->count; i++)
        if (s->xy[2 * i] >= 16 * x && s->xy[2 * i] < 16 * x + 16 && s->xy[2 * i + 1] >= 16 * y &&
            s->xy[2 * i + 1] < 16 * y + 16)
            return 1;
    return 0;
}

/* A stroke stays on the slice where it begins. */
TEST(slices_are_apart) {
    int32_t xy[] = {16 * 2, 16 * 5, 16 * 2, 16 * 11};
    uint8_t label[4 * 12] = {0};
    paint_draw(&(paint_stroke){.label = 7, .radius = 32, .count = 2, .xy = xy}, (paint_sheet){4, 12, 3, label});
    for (int i = 0; i < 4 * 12; i++)
        assert_int_equal(label[i] != 0, i / 4 >= 4 && i / 4 < 8 && i % 4 < 4 && label[i] == 7);
}

TEST(strokes_cover_what_they_should) {
    enum { W = 61, H = 47 };
    srand(5);
    for (int t = 0; t < 3000; t++) {
        int32_t xy[8];
        uint8_t label[W * H] = {0};
        paint_stroke s = {.label = 7, .radius = 1 + rand() % (t % 3 ? 60 : 600), .count = 1 + rand() % 4, .xy = xy};
        for (int i = 0; i < 2 * s.count; i++) /* outside too, and horizontal, vertical and repeated points */
            xy[i] = i > 1 && rand() % 5 == 0 ? xy[i - 2] : rand() % (16 * 100) - 16 * 20;
        paint_draw(&s, (paint_sheet){W, H, 1, label});
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                const int inside = is_inside(&s, x, y), marked = label[y * W + x] == 7;
                if (inside < 0)
                    continue;
                assert_int_equal(marked, inside || holds_point(&s, x, y));
            }
    }
}

TEST(large_images_do_not_overflow) {
    enum { W = 65535, H = 3 };
    AUTOFREE uint8_t *label = calloc((size_t)W * H, 1);
    assert_non_null(label);
    int32_t xy[] = {-65535 * 16, -4000 * 16, 2 * 65535 * 16, 4000 * 16, 0, 24, 65534 * 16, 24};
    paint_stroke s = {.label = 1, .radius = 24, .count = 4, .xy = xy};
    paint_draw(&s, (paint_sheet){W, H, 1, label});
    for (int x = 0; x < W - 1; x++)
        assert_int_equal(label[W + x], 1);
}

/* --- Edits. --- */

TEST(edits_undo_and_redo) {
    SCOPED(paint_drawing) d;
    assert_null(paint_drawing_create(10, 8, &d));
    good(&d, STROKE(1, 24, 24));
    good(&d, STROKE(2, 104, 88));
    assert_int_equal(at(&d, 1, 1), 1);
    assert_int_equal(at(&d, 6, 5), 2);
    good(&d, STROKE(0, 24, 24)); /* the eraser */
    assert_int_equal(at(&d, 1, 1), 0);
    good(&d, "{'delete': 2}"); /* and away with it */
    assert_int_equal(at(&d, 1, 1), 1);
    good(&d, "{'undo': true}");
    assert_int_equal(at(&d, 1, 1), 0);
    good(&d, "{'undo': true}");
    good(&d, "{'clear': true}");
    assert_int_equal(at(&d, 6, 5), 0);
    good(&d, "{'base': [3, 0, 10, 4, 79, 1]}");
    assert_int_equal(at(&d, 9, 0), 3);
    assert_int_equal(at(&d, 9, 7), 4);
    good(&d, "{'set': {'name': 'refine', 'value': null}}");
    for (int i = 0; i < 5; i++)
        good(&d, "{'undo': true}");
    assert_non_null(try_edit(&d, "{'undo': true}"));
    for (size_t i = 0; i < 80; i++)
        assert_int_equal(d.marks[i], 0);
    for (int i = 0; i < 5; i++)
        good(&d, "{'redo': true}");
    assert_non_null(try_edit(&d, "{'redo': true}"));
    assert_int_equal(at(&d, 9, 7), 4);
    assert_int_equal(d.revision, 19);
}

TEST(finished_objects_are_not_overwritten) {
    uint8_t finished[80];
    SCOPED(paint_drawing) d;
    assert_null(paint_drawing_create(10, 8, &d));
    assert_int_equal(paint_object(&d), 1);
    good(&d, STROKE(1, 24, 24));
    good(&d, "{'finish': [1, 11, 3, 1, 21, 3]}");
    assert_int_equal(paint_object(&d), 2);
    good(&d, STROKE(2, 24, 24)); /* within it */
    good(&d, STROKE(3, 104, 88));
    good(&d, STROKE(1, 152, 8)); /* added to it */
    assert_null(paint_draw_acts(&d, 2, finished));
    for (int i = 0; i < 80; i++)
        assert_int_equal(finished[i], (i >= 11 && i < 14) || (i >= 21 && i < 24) || i == 8 || i == 9 || i == 19);
    assert_int_equal(at(&d, 1, 1), 2); /* the scribbles have all strokes */
    for (int i = 0; i < 4; i++)
        good(&d, "{'undo': true}");
    assert_int_equal(paint_object(&d), 1);
    assert_int_equal(at(&d, 1, 1), 1);
    assert_int_equal(at(&d, 3, 1), 0);
    good(&d, "{'redo': true}");
    good(&d, "{'clear': true}");
    assert_int_equal(paint_object(&d), 1);
}

/* Take the next step, of `at` acts, after `count` ones of the list that still count. */
static void check_step(const paint_drawing *d, paint_step *done, int *known, size_t at, int count) {
    const paint_step step = paint_next_step(d, done, known);
    assert_int_equal(step.at, at);
    assert_int_equal(*known, count);
    if (!*known || done[*known - 1].at < at)
        done[(*known)++] = step;
}

TEST(steps_follow_the_strokes_one_by_one) {
    SCOPED(paint_drawing) d;
    paint_step done[16];
    int known = 0;
    assert_null(paint_drawing_create(10, 8, &d));
    for (int i = 0; i < 4; i++)
        good(&d, STROKE(1, 24, 24));
    for (int i = 0; i < 4; i++)
        check_step(&d, done, &known, (size_t)i + 1, i);
    check_step(&d, done, &known, 4, 4); /* again */
    good(&d, "{'undo': true}");
    good(&d, "{'undo': true}");
    check_step(&d, done, &known, 2, 2); /* known */
    good(&d, STROKE(2, 104, 88));
    check_step(&d, done, &known, 3, 2);
    good(&d, "{'undo': true}");
    good(&d, STROKE(2, 104, 72)); /* another one in its place */
    good(&d, "{'label': {'number': 1, 'hidden': true}}");
    check_step(&d, done, &known, 3, 2);
    check_step(&d, done, &known, 4, 3);
    good(&d, STROKE(0, 104, 88)); /* the eraser: the masks before are not used */
    good(&d, STROKE(1, 24, 24));
    check_step(&d, done, &known, 5, 0);
    check_step(&d, done, &known, 6, 1);
    for (int i = 0; i < 6; i++)
        good(&d, "{'undo': true}");
    check_step(&d, done, &known, 0, 0);
}

TEST(what_is_no_edit_changes_nothing) {
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "{'stroke': 1}",
                                        "{'stroke': {'label': 255, 'radius': 16, 'points': [1, 1]}}",
                                        "{'stroke': {'label': -1, 'radius': 16, 'points': [1, 1]}}",
                                        "{'stroke': {'label': 1.5, 'radius': 16, 'points': [1, 1]}}",
                                        "{'stroke': {'label': 1, 'radius': 0, 'points': [1, 1]}}",
                                        "{'stroke': {'label': 1, 'radius': 65537, 'points': [1, 1]}}",
                                        "{'stroke': {'label': 1, 'radius': 16, 'points': []}}",
                                        "{'stroke': {'label': 1, 'radius': 16, 'points': [1]}}",
                                        "{'stroke': {'label': 1, 'radius': 16, 'points': [1, 1e30]}}",
                                        "{'stroke': {'label': 1, 'radius': 16, 'points': [1, 99999999999]}}",
                                        "{'stroke': {'label': 1, 'radius': 16, 'points': [1, 'x']}}",
                                        "{'stroke': {'label': 1, 'radius': 16, 'points': [1, 1]}, 'undo': true}",
                                        "{'delete': 1}",
                                        "{'delete': -1}",
                                        "{'delete': 0.0}",
                                        "{'clear': false}",
                                        "{'undo': 1}",
                                        "{'redo': true}",
                                        "{'base': [1, 0, 81]}",
                                        "{'base': [1, 80, 1]}",
                                        "{'base': [1, 5, 2, 1, 6, 2]}",
                                        "{'base': [0, 0, 1]}",
                                        "{'base': [255, 0, 1]}",
                                        "{'base': [1, 0]}",
                                        "{'base': [1, 0, 9223372036854775807]}",
                                        "{'base': {}}",
                                        "{'finish': [1, 80, 1]}",
                                        "{'finish': true}",
                                        "{'set': {'name': 'refine'}}",
                                        "{'set': {'name': 3, 'value': 'x'}}",
                                        "{'set': {'name': 'refine', 'value': 3}}",
                                        "{'answer': {'a': [1, 2], 'b': [1, 7], 'sign': 1}}",
                                        "{'label': 1}",
                                        "{'label': {'number': 0, 'hidden': true}}",
                                        "{'label': {'number': 255, 'hidden': true}}",
                                        "{'label': {'number': 1, 'hidden': 1}}",
                                        "{'label': {'number': 1, 'name': 'a'}}",
                                        "{'label': {'number': 1, 'name': 'a:', 'colour': '#123456'}}",
                                        "{'paint': true}"};
    SCOPED(paint_drawing) d;
    assert_null(paint_drawing_create(10, 8, &d));
    good(&d, STROKE(1, 24, 24));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!try_edit(&d, texts[i]))
            fail_msg("taken: %s", texts[i]);
        assert_int_equal(d.revision, 1);
        assert_int_equal(d.count, 1);
        assert_int_equal(at(&d, 1, 1), 1);
    }
}

TEST(marks_come_back_from_runs) {
    uint8_t label[12 * 9];
    srand(3);
    for (size_t i = 0; i < sizeof label; i++)
        label[i] = (uint8_t)(rand() % 4);
    SCOPED(paint_drawing) d;
    assert_null(paint_drawing_create(12, 9, &d));
    json_t *base = paint_base_json(label, 12, 9);
    assert_null(paint_apply(&d, base));
    assert_memory_equal(d.marks, label, sizeof label);
    json_decref(base);
}

/* --- The journal. --- */

static const char journal_path[] = SEGMENT_BINARY_DIR "/test_paint.jsonl";

static long size_of(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

static int open_journal(paint_drawing *d, paint_journal *journal, char message[PAINT_MESSAGE]) {
    assert_null(paint_drawing_create(10, 8, d));
    return paint_journal_open(journal_path, d, journal, message);
}

static void write_journal(int edits) {
    SCOPED(paint_drawing) d;
    paint_journal journal;
    char message[PAINT_MESSAGE];
    unlink(journal_path);
    assert_true(open_journal(&d, &journal, message));
    for (int i = 0; i < edits; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"stroke\": {\"label\": %d, \"radius\": 16, \"points\": [%d, %d]}}", 1 + i % 3,
                 16 * i, 8);
        json_t *edit = parse(text);
        assert_true(paint_journal_append(&journal, edit));
        assert_null(paint_apply(&d, edit));
        json_decref(edit);
    }
    assert_true(paint_journal_saving(&journal, 77));
    paint_journal_close(&journal);
}

/* Killed at any byte: what was whole comes back, and the journal goes on from there. */
TEST(a_journal_cut_anywhere_goes_on) {
    write_journal(5);
    const long whole = size_of(journal_path);
    char text[2000];
    FILE *file = fopen(journal_path, "rb");
    assert_int_equal(fread(text, 1, (size_t)whole, file), whole);
    fclose(file);
    for (long cut = 0; cut <= whole; cut++) {
        SCOPED(paint_drawing) d;
        paint_journal journal;
        char message[PAINT_MESSAGE];
        long lines = -1; /* the head is one */
        file = fopen(journal_path, "wb");
        assert_int_equal(fwrite(text, 1, (size_t)cut, file), cut);
        fclose(file);
        for (long i = 0; i < cut; i++)
            lines += text[i] == '\n';
        if (!open_journal(&d, &journal, message))
            fail_msg("cut at %ld: %s", cut, message);
        assert_int_equal(d.revision, lines < 0 ? 0 : lines > 5 ? 5 : lines);
        assert_int_equal(journal.last, lines > 5 ? 77 : 0);
        json_t *edit = parse("{\"clear\": true}");
        assert_true(paint_journal_append(&journal, edit));
        json_decref(edit);
        paint_journal_close(&journal);
        paint_drawing_free(&d);
        assert_true(open_journal(&d, &journal, message));
        assert_int_equal(d.revision, (lines < 0 ? 0 : lines > 5 ? 5 : lines) + 1);
        paint_journal_close(&journal);
    }
    unlink(journal_path);
}

static void a_journal_is_refused(const char *text, const char *words) {
    SCOPED(paint_drawing) d;
    paint_journal journal;
    char message[PAINT_MESSAGE];
    FILE *file = fopen(journal_path, "wb");
    fputs(text, file);
    fclose(file);
    assert_false(open_journal(&d, &journal, message));
    if (!strstr(message, words))
        fail_msg("'%s' does not say '%s'", message, words);
    assert_int_equal(size_of(journal_path), strlen(text)); /* and left as it is */
}

TEST(other_journals_are_refused) {
    static const char head[] = "{\"journal\":\"segment paint\",\"version\":1,\"width\":10,\"height\":8}\n";
    char text[300];
    a_journal_is_refused("my notes\n", "line 1: it is not JSON");
    a_journal_is_refused("{}\n", "not a journal");
    a_journal_is_refused("{\"journal\":\"segment paint\",\"version\":2,\"width\":10,\"height\":8}\n", "later version");
    a_journal_is_refused("{\"journal\":\"segment paint\",\"version\":1,\"width\":8,\"height\":10}\n", "another size");
    snprintf(text, sizeof text, "%s{\"undo\":true}\n", head);
    a_journal_is_refused(text, "line 2: there is nothing to undo");
    snprintf(text, sizeof text, "%s{\"clear\":true}\nxx\n{\"clear\":true}\n", head);
    a_journal_is_refused(text, "line 3");
    unlink(journal_path);
}

/* The file that lies there after a kill is the last one or, until that is known to be written, the one before. */
TEST(a_journal_knows_its_files) {
    paint_drawing d;
    paint_journal journal;
    char message[PAINT_MESSAGE];
    unlink(journal_path);
    for (int written = 0; written < 2; written++) {
        assert_true(open_journal(&d, &journal, message));
        assert_true(paint_journal_saving(&journal, 5));
        paint_journal_saved(&journal);
        assert_true(paint_journal_saving(&journal, 6));
        if (written)
            paint_journal_saved(&journal);
        for (int again = 0; again < 2; again++) {
            assert_true(journal.last);
            assert_int_equal(paint_journal_found(&journal, again ? 6 : 5), again || !written);
            assert_int_equal(journal.last, again || written ? 6 : 5);
            paint_journal_close(&journal);
            paint_drawing_free(&d);
            assert_true(open_journal(&d, &journal, message));
        }
        paint_journal_close(&journal);
        paint_drawing_free(&d);
    }
    unlink(journal_path);
}

TEST(one_process_has_a_journal) {
    SCOPED(paint_drawing) d, e;
    paint_journal journal, other;
    char message[PAINT_MESSAGE];
    unlink(journal_path);
    assert_true(open_journal(&d, &journal, message));
    assert_false(open_journal(&e, &other, message));
    assert_non_null(strstr(message, "in use"));
    paint_journal_close(&journal);
    unlink(journal_path);
}

/* --- Tiles. --- */

TEST(tiles_cover_every_level) {
    const int sizes[][2] = {{1, 1}, {512, 512}, {513, 1}, {1300, 700}, {1025, 2049}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int width = sizes[s][0], height = sizes[s][1];
        const size_t pixels = (size_t)width * (size_t)height;
        AUTOFREE uint8_t *rgb = malloc(3 * pixels), *value = malloc(pixels);
        assert_true(rgb && value);
        for (size_t i = 0; i < pixels; i++) {
            value[i] = (uint8_t)(i % 251);
            memset(rgb + 3 * i, (int)(i % 251), 3);
        }
        const seg_image image = {width, height, 8, 0, rgb, 0, 0};
        const seg_mask layer = {width, height, value, 0, {{0}}};
        SCOPED(paint_pyramid) pyramid;
        assert_true(paint_pyramid_make(&image, &pyramid));
        const paint_level *last = &pyramid.level[pyramid.levels - 1];
        assert_true(last->width <= PAINT_TILE && last->height <= PAINT_TILE);
        for (int l = 0; l < pyramid.levels; l++) {
            size_t covered = 0, size;
            uint8_t *tile, *values;
            for (int r = 0; r * PAINT_TILE < pyramid.level[l].height; r++)
                for (int c = 0; c * PAINT_TILE < pyramid.level[l].width; c++) {
                    tile = paint_tile_rgba(&pyramid, &(paint_tile){l, c, r}, &size);
                    values = paint_tile_values(&layer, &(paint_tile){l, c, r}, &covered);
                    assert_true(tile && values);
                    assert_int_equal(size, 4 * covered);
                    assert_int_equal(
                        values[0],
                        value[((size_t)(r * PAINT_TILE) << l) * (size_t)width + ((size_t)(c * PAINT_TILE) << l)]);
                    if (l == 0)
                        assert_int_equal(tile[0], values[0]);
                    free(tile);
                    free(values);
                }
        }
        size_t size;
        assert_null(paint_tile_rgba(&pyramid, &(paint_tile){pyramid.levels, 0, 0}, &size));
        assert_null(paint_tile_rgba(&pyramid, &(paint_tile){0, 99, 0}, &size));
        assert_null(paint_tile_values(&layer, &(paint_tile){pyramid.levels, 0, 0}, &size));
    }
}

/* --- Who may ask. --- */

#define TOKEN "0123456789abcdef0123456789abcdef"

static int ask(const char *method, const char *path, const char *host, const char *origin, const char *site,
               const char *type, const char *length) {
    const paint_guard guard = {TOKEN, 4711};
    const paint_request request = {method, path, host, origin, site, type, length};
    paint_route route;
    return paint_guard_check(&guard, &request, &route);
}

TEST(requests_are_judged) {
    static const char here[] = "127.0.0.1:4711", json[] = "application/json";
    static const struct {
        int status;
        const char *method, *path, *host, *origin, *site, *type, *length;
    } cases[] = {
        {200, "GET", "/" TOKEN "/", here, NULL, NULL, NULL, NULL},
        {200, "GET", "/" TOKEN "/main.js", "localhost:4711", "http://localhost:4711", "same-origin", NULL, NULL},
        {200, "GET", "/" TOKEN "/api/item/3/mask/0/1/2", here, NULL, "none", NULL, "0"},
        {200, "POST", "/" TOKEN "/api/item/0/edit", here, "http://127.0.0.1:4711", "same-origin", json, "20"},
        {200, "POST", "/" TOKEN "/api/uncertainty", here, NULL, NULL, "application/json; charset=utf-8", "4194304"},
        /* another name of this machine, as after DNS rebinding, another port, none */
        {403, "GET", "/" TOKEN "/", "evil.example:4711", NULL, NULL, NULL, NULL},
        {403, "GET", "/" TOKEN "/", "127.0.0.1:4712", NULL, NULL, NULL, NULL},
        {403, "GET", "/" TOKEN "/", "127.0.0.1", NULL, NULL, NULL, NULL},
        {403, "GET", "/" TOKEN "/", "127.0.0.1:4711.evil.example", NULL, NULL, NULL, NULL},
        {403, "GET", "/" TOKEN "/", NULL, NULL, NULL, NULL, NULL},
        /* another page */
        {403, "POST", "/" TOKEN "/api/item/0/edit", here, "http://evil.example", NULL, json, "20"},
        {403, "POST", "/" TOKEN "/api/item/0/edit", here, "null", NULL, json, "20"},
        {403, "POST", "/" TOKEN "/api/item/0/edit", here, "https://127.0.0.1:4711", NULL, json, "20"},
        {403, "POST", "/" TOKEN "/api/item/0/edit", here, "http://localhost:4711", NULL, json, "20"},
        {403, "GET", "/" TOKEN "/", here, NULL, "cross-site", NULL, NULL},
        {403, "GET", "/" TOKEN "/", here, NULL, "same-site", NULL, NULL},
        /* no token, part of it, another */
        {403, "GET", "/", here, NULL, NULL, NULL, NULL},
        {403, "GET", "", here, NULL, NULL, NULL, NULL},
        {403, "GET", "/api/state", here, NULL, NULL, NULL, NULL},
        {403, "GET", "/0123456789abcdef", here, NULL, NULL, NULL, NULL},
        {403, "GET", "/0123456789abcdef0123456789abcdee/", here, NULL, NULL, NULL, NULL},
        {403, "GET", "/" TOKEN, here, NULL, NULL, NULL, NULL},
        {403, "GET", "/" TOKEN "0/", here, NULL, NULL, NULL, NULL},
        /* paths that lead elsewhere */
        {404, "GET", "/" TOKEN "/../../etc/passwd", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "//etc/passwd", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "/api/item/../../x", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "/api/item/-1", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "/api/item/0000001", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "/api/item/1/mask/0/0/0/", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "/api/item/1/mask/0/0/-1", here, NULL, NULL, NULL, NULL},
        {404, "GET", "/" TOKEN "/api/", here, NULL, NULL, NULL, NULL},
        /* other methods and bodies */
        {405, "POST", "/" TOKEN "/api/state", here, NULL, NULL, json, "2"},
        {405, "GET", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, NULL, NULL},
        {405, "DELETE", "/" TOKEN "/", here, NULL, NULL, NULL, NULL},
        {415, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, "text/plain", "20"},
        {415, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, "application/jsonp", "20"},
        {415, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, NULL, "20"},
        {411, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, json, NULL},
        {413, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, json, "4194305"},
        {413, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, json, "99999999999999999999"},
        {400, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, json, "-1"},
        {400, "POST", "/" TOKEN "/api/item/0/edit", here, NULL, NULL, json, "20, 20"},
        {400, "GET", "/" TOKEN "/", here, NULL, NULL, NULL, "5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int status = ask(cases[i].method, cases[i].path, cases[i].host, cases[i].origin, cases[i].site,
                               cases[i].type, cases[i].length);
        if (status != cases[i].status)
            fail_msg("case %zu, %s %s: %d in place of %d", i, cases[i].method, cases[i].path, status, cases[i].status);
    }
}

TEST(tokens_differ) {
    paint_guard a, b;
    assert_true(paint_guard_start(&a) && paint_guard_start(&b));
    assert_int_equal(strspn(a.token, "0123456789abcdef"), PAINT_TOKEN);
    assert_string_not_equal(a.token, b.token);
}
