/* Any text as what segment paint is asked: the first byte chooses a request's head, an edit of an image, or a journal.
 */
#include "fuzz.h"

#include "features/grid.h"
#include "paint/document/image_files.h"
#include "paint/queue.h"
#include "paint/server/guard.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

enum { WIDTH = 40, HEIGHT = 30 };

/* Lines: method, path behind the token, host, origin, fetch site, content type, content length. */
static void ask(char *text) {
    const paint_guard guard = {TOKEN, 4711};
    char *line[7] = {0}, *rest = text, *path = NULL;
    for (int i = 0; i < 7 && rest; i++)
        line[i] = strsep(&rest, "\n");
    CHECK(asprintf(&path, "/%s%s", line[1] && line[1][0] == '/' ? TOKEN : "", line[1] ? line[1] : "") > 0);
    const paint_request request = {line[0], path, line[2], line[3], line[4], line[5], line[6]};
    paint_route route;
    const int status = paint_guard_check(&guard, &request, &route);
    CHECK(status == 200 || (status >= 400 && status <= 415));
    if (status == 200) { /* only who is here, with the token, for what exists */
        CHECK(strncmp(path + 1, TOKEN "/", PAINT_TOKEN + 1) == 0);
        CHECK(strcmp(line[2], "127.0.0.1:4711") == 0 || strcmp(line[2], "localhost:4711") == 0);
        CHECK(!line[3] || strcmp(line[3] + 7, line[2]) == 0);
        CHECK(route.item >= 0 && route.item <= 999999 && route.tile.level >= 0 && route.tile.column >= 0 &&
              route.tile.row >= 0);
        CHECK(route.kind >= 0 && route.kind <= PAINT_UNCERTAINTY);
        CHECK(route.target != PAINT_TO_FILE || (route.file && !strchr(route.file, '/')));
    }
    free(path);
}

/* They are constraints of an image of this size, or refused with a sentence; their file is read back. */
static void use_answers(const paint_pairs *pairs) {
    const seg_patch_grid grid = seg_patch_grid_make(WIDTH, HEIGHT, 5);
    seg_context *ctx = seg_context_create();
    seg_constraints made = {0}, unknown = {0};
    char message[SEG_MESSAGE_SIZE] = "";
    json_t *json = NULL;
    size_t size = 0;
    CHECK(seg_constraints_create(ctx, (size_t)grid.columns * (size_t)grid.rows, &made) == SEG_OK);
    CHECK(seg_constraints_create(ctx, made.n, &unknown) == SEG_OK);
    const seg_status status = paint_pairs_constrain(ctx, pairs, &grid, &made, &unknown, message);
    CHECK(status == SEG_OK || (status == SEG_ERR_INPUT && message[0]));
    CHECK(made.pairs + unknown.pairs <= pairs->count);
    const int regions = paint_least_regions(ctx, &made, SEG_CONTRADICTIONS_REFUSE);
    CHECK(regions >= 0 && regions <= SEG_MAX_LABELS);
    char *text = paint_pairs_text(pairs, &size);
    const seg_status read = paint_pairs_from_file(ctx, fuzz_file(0, (const uint8_t *)text, size), &grid, &json);
    CHECK(read == status);
    CHECK(read != SEG_OK || !paint_pairs_check(json_object_get(json, "answers"), WIDTH, HEIGHT));
    json_decref(json);
    free(text);
    seg_constraints_free(&made);
    seg_constraints_free(&unknown);
    seg_context_free(ctx);
}

static void same_answers(const paint_drawing *a, const paint_drawing *b) {
    paint_pairs left, right;
    CHECK(paint_drawing_pairs(a, &left) && paint_drawing_pairs(b, &right));
    CHECK(left.count == right.count);
    for (size_t p = 0; p < left.count; p++)
        CHECK(paint_pair_is(&left.at[p], &right.at[p]));
    CHECK(paint_is_drawn(a) == paint_is_drawn(b) && (left.count == 0 || paint_is_drawn(a)));
    use_answers(&left);
    paint_pairs_free(&left);
    paint_pairs_free(&right);
}

/* An edit a line, each checked first; in the end the marks are those of a fresh replay. */
static void edit(char *text) {
    paint_drawing drawing, again;
    CHECK(!paint_drawing_create(WIDTH, HEIGHT, &drawing) && !paint_drawing_create(WIDTH, HEIGHT, &again));
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        json_t *json = json_loads(line, 0, NULL);
        const int64_t revision = drawing.revision;
        const char *checked = paint_check(&drawing, json), *refusal = paint_apply(&drawing, json);
        CHECK(!checked == !refusal);
        CHECK(drawing.revision == revision + !refusal && drawing.at <= drawing.count);
        if (!refusal)
            CHECK(!paint_apply(&again, json));
        json_decref(json);
    }
    json_t *back = json_pack("{s:b}", "undo", 1), *forth = json_pack("{s:b}", "redo", 1);
    size_t steps = again.at;
    for (size_t i = 0; i < steps; i++)
        CHECK(!paint_apply(&again, back));
    for (size_t i = 0; i < steps; i++)
        CHECK(!paint_apply(&again, forth));
    CHECK(memcmp(drawing.marks, again.marks, WIDTH * HEIGHT) == 0);
    same_answers(&drawing, &again);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        CHECK(drawing.marks[i] <= SEG_MAX_LABELS);
    json_decref(back);
    json_decref(forth);
    paint_drawing_free(&drawing);
    paint_drawing_free(&again);
}

static void replay(const uint8_t *bytes, size_t size) {
    paint_drawing drawing;
    paint_journal journal;
    char message[PAINT_MESSAGE] = "";
    CHECK(!paint_drawing_create(WIDTH, HEIGHT, &drawing));
    if (paint_journal_open(fuzz_file(0, bytes, size), &drawing, &journal, message))
        paint_journal_close(&journal);
    else
        CHECK(message[0]);
    paint_drawing_free(&drawing);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const unsigned what = fuzz_take(&bytes, &size) % 3;
    if (what == 2) {
        replay(bytes, size);
        return 0;
    }
    char *text = fuzz_text(bytes, size);
    if (what == 0)
        ask(text);
    else
        edit(text);
    free(text);
    return 0;
}
