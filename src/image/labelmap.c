/* Label maps, with NAME:R,G,B on each line, and lists of label names. */
#include "base/base.h"
#include "base/lines.h"
#include "image/file.h"
#include "image/labels.h"

#include <segment/names.h>

#include <stdlib.h>
#include <string.h>

#define REFUSE(...) seg_fail(ctx, SEG_ERR_INPUT, "%s:%zu: " __VA_ARGS__)

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && seg_is_blank(*at))
        at++;
    return at;
}

/* Parse a whole number 0..255; *at moves past it and the blanks around it. */
static int parse_channel(const char **at, const char *end, unsigned *value) {
    const char *digit = *at = skip_blanks(*at, end);
    *value = 0;
    while (*at < end && **at >= '0' && **at <= '9' && *value <= 255)
        *value = 10 * *value + (unsigned)(*(*at)++ - '0');
    int good = *at > digit && *value <= 255;
    *at = skip_blanks(*at, end);
    return good;
}

static int parse_colour(const char *at, const char *end, unsigned rgb[3]) {
    for (int c = 0; c < 3; c++) {
        if (c > 0 && (at == end || *at++ != ','))
            return 0;
        if (!parse_channel(&at, end, &rgb[c]))
            return 0;
    }
    return at == end || *at == ':'; /* CVAT's further fields (parts, actions) are not needed */
}

static seg_status parse_line(seg_context *ctx, const char *at, const char *end, const char *name, size_t line,
                             seg_labelmap *out) {
    unsigned rgb[3];
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (!colon || !parse_colour(colon + 1, end, rgb))
        return REFUSE("not of the form NAME:R,G,B with R, G, B in 0..255", name, line);
    if ((rgb[0] | rgb[1] | rgb[2]) == 0)
        return SEG_OK; /* black is the colour of unmarked pixels */
    while (colon > at && seg_is_blank(colon[-1]))
        colon--;
    size_t length = (size_t)(colon - at);
    if (length >= sizeof out->name[0] || memchr(at, 0, length))
        return REFUSE("the name is longer than %zu bytes or holds a zero byte; shorten it", name, line,
                      sizeof out->name[0] - 1);
    if (out->count == SEG_MAX_LABELS)
        return REFUSE("more than %d labels", name, line, SEG_MAX_LABELS);
    for (int i = 0; i < out->count; i++)
        if (out->colour[i][0] == rgb[0] && out->colour[i][1] == rgb[1] && out->colour[i][2] == rgb[2])
            return REFUSE("the colour %u,%u,%u is that of label %d already; give each label its own", name, line,
                          rgb[0], rgb[1], rgb[2], i + 1);
    for (int c = 0; c < 3; c++)
        out->colour[out->count][c] = (uint8_t)rgb[c];
    memcpy(out->name[out->count], at, length); /* the rest is zero */
    out->count++;
    return SEG_OK;
}

seg_status seg_labelmap_parse(seg_context *ctx, const char *text, size_t size, const char *name, seg_labelmap *out) {
    seg_status status = SEG_OK;
    seg_span left = {text, text + size}, line;
    memset(out, 0, sizeof *out);
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        left.at += 3;
    for (size_t number = 1; status == SEG_OK && seg_line_next(&left, &line); number++)
        if (line.at < line.end && *line.at != '#')
            status = parse_line(ctx, line.at, line.end, name, number, out);
    if (status == SEG_OK && out->count == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s: no label is named; write one NAME:R,G,B a line", name);
    if (status != SEG_OK)
        memset(out, 0, sizeof *out);
    return status;
}

seg_status seg_labelmap_read(seg_context *ctx, const char *path, seg_labelmap *out) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    return seg_labelmap_parse(ctx, (const char *)bytes, size, seg_file_label(path, "standard input"), out);
}

/* ---- names ---- */

#define REFUSE_NAMES(...) seg_fail(ctx, SEG_ERR_USAGE, "names " __VA_ARGS__)

static seg_status set_name(seg_context *ctx, const char *at, size_t length, int label, seg_labelmap *map) {
    char *name = map->name[label - 1];
    if (label > SEG_MAX_LABELS)
        return REFUSE_NAMES("has more than %d names", SEG_MAX_LABELS);
    if (length >= sizeof map->name[0])
        return REFUSE_NAMES("has a name of %zu bytes for label %d; the longest has %zu", length, label,
                            sizeof map->name[0] - 1);
    map->count = label > map->count ? label : map->count;
    if (!length)
        return SEG_OK;
    memset(name, 0, sizeof map->name[0]);
    memcpy(name, at, length);
    SEG_FREED char *plain = seg_name_encode(name, SEG_NAME_LINE);
    if (!plain)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    if (strcmp(plain, name) != 0) /* it needs escapes */
        return REFUSE_NAMES("has a name for label %d that is not UTF-8, or holds a control character", label);
    return SEG_OK;
}

static seg_status look_for_twins(seg_context *ctx, const seg_labelmap *map) {
    for (int i = 0; i < map->count; i++)
        for (int j = 0; j < i; j++)
            if (map->name[i][0] && strcmp(map->name[i], map->name[j]) == 0)
                return REFUSE_NAMES("gives labels %d and %d one name, '%s'; each needs its own", j + 1, i + 1,
                                    map->name[i]);
    return SEG_OK;
}

seg_status seg_labelmap_set_names(seg_context *ctx, const char *names, seg_labelmap *map) {
    SEG_FREED seg_labelmap *made = seg_alloc(ctx, 1, sizeof *made);
    seg_span rest = {names, names + strlen(names)}, name;
    if (!made)
        return SEG_ERR_MEMORY;
    *made = *map;
    for (int label = 1; seg_field_next(&rest, ',', &name); label++)
        SEG_TRY(set_name(ctx, name.at, seg_span_size(name), label, made));
    SEG_TRY(look_for_twins(ctx, made));
    *map = *made;
    return SEG_OK;
}
