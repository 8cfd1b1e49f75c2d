#include "masks/exports/json.h"

#include "base/base.h"
#include "base/name_text.h"
#include "image/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void seg_json_make_text(char *text) {
    json_t *json = json_string(text); /* NULL where it is not UTF-8 */
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127 || (!json && (unsigned char)*c > 127))
            *c = '?';
    json_decref(json);
}

json_t *seg_json_base_name(const char *path) {
    if (!path)
        return json_null();
    const char *slash = strrchr(path, '/');
    char *name = seg_name_encode(slash ? slash + 1 : path, SEG_NAME_JSON);
    json_t *json = name ? json_string(name) : NULL;
    free(name);
    return json;
}

json_t *seg_json_number(double value) {
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

json_t *seg_json_unless(json_t *value, int failed) {
    if (!failed)
        return value;
    json_decref(value);
    return NULL;
}

json_t *seg_json_pair(double x, double y) {
    json_t *pair = json_array();
    /* json_array_append_new takes a NULL array or value as a failure and frees the other. */
    return seg_json_unless(pair, json_array_append_new(pair, seg_json_number(x)) ||
                                     json_array_append_new(pair, seg_json_number(y)));
}

static int put(const char *text, size_t size, void *writer) {
    seg_writer_put(writer, text, size);
    return 0;
}

seg_status seg_json_write(seg_context *ctx, const char *path, json_t *value) {
    seg_writer writer;
    if (!value)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'; use a smaller picture", path);
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status == SEG_OK) {
        const int failed = json_dump_callback(value, put, &writer, JSON_COMPACT);
        seg_writer_put(&writer, "\n", 1);
        if (failed) {
            seg_writer_abandon(&writer);
            status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'; use a smaller picture", path);
        } else {
            status = seg_writer_commit(ctx, &writer);
        }
    }
    json_decref(value);
    return status;
}
