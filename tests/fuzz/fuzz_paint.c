/* Any text as what segment paint is asked: the first byte chooses a request's head, an edit of an image, or a journal.
 */
#include "fuzz.h"

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

/* An edit a line, each checked first; in the end the marks are those of a fresh replay. */
static void edit(char *text) {
    SCOPED(paint_drawing) drawing, again;
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
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        CHECK(drawing.marks[i] <= SEG_MAX_LABELS);
    json_decref(back);
    json_decref(forth);
}

static void replay(const uint8_t *bytes, size_t size) {
    SCOPED(paint_drawing) drawing;
    paint_journal journal;
    char message[PAINT_MESSAGE] = "";
    CHECK(!paint_drawing_create(WIDTH, HEIGHT, &drawing));
    if (paint_journal_open(fuzz_file(0, bytes, size), &drawing, &journal, message))
        paint_journal_close(&journal);
    else
        CHECK(message[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const unsigned what = fuzz_take(&bytes, &size) % 3;
    if (what == 2) {
        replay(bytes, size);
        return 0;
    }
    AUTOFREE char *text = fuzz_text(bytes, size);
    if (what == 0)
        ask(text);
    else
        edit(text);
    return 0;
}
