/* Names of labels as a list. */
#include "base/base.h"
#include "base/lines.h"

#include <segment/image.h>
#include <segment/names.h>

#include <stdlib.h>
#include <string.h>

#define REFUSE(...) seg_fail(ctx, SEG_ERR_USAGE, "names " __VA_ARGS__)

/* 1 where it is UTF-8 without control characters, which is what a line needs no escapes for; -1 without memory. */
static int is_plain(const char *name) {
    char *text = seg_name_encode(name, SEG_NAME_LINE);
    const int plain = text ? strcmp(text, name) == 0 : -1;
    free(text);
    return plain;
}

static seg_status set_name(seg_context *ctx, const char *at, size_t length, int label, seg_labelmap *map) {
    char *name = map->name[label - 1];
    if (label > SEG_MAX_LABELS)
        return REFUSE("has more than %d names", SEG_MAX_LABELS);
    if (length >= sizeof map->name[0])
        return REFUSE("has a name of %zu bytes for label %d; the longest has %zu", length, label,
                      sizeof map->name[0] - 1);
    map->count = label > map->count ? label : map->count;
    if (!length)
        return SEG_OK;
    memset(name, 0, sizeof map->name[0]);
    memcpy(name, at, length);
    const int plain = is_plain(name);
    if (plain < 0)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    if (!plain)
        return REFUSE("has a name for label %d that is not UTF-8, or holds a control character", label);
    return SEG_OK;
}

static seg_status look_for_twins(seg_context *ctx, const seg_labelmap *map) {
    for (int i = 0; i < map->count; i++)
        for (int j = 0; j < i; j++)
            if (map->name[i][0] && strcmp(map->name[i], map->name[j]) == 0)
                return REFUSE("gives labels %d and %d one name, '%s'; each needs its own", j + 1, i + 1, map->name[i]);
    return SEG_OK;
}

seg_status seg_labelmap_set_names(seg_context *ctx, const char *names, seg_labelmap *map) {
    seg_labelmap *made = seg_alloc(ctx, 1, sizeof *made);
    seg_status status = made ? SEG_OK : SEG_ERR_MEMORY;
    int label = 1;
    if (made)
        *made = *map;
    for (const char *at = names; status == SEG_OK; at++, label++) {
        const char *comma = at + strcspn(at, ","), *end = comma;
        while (at < end && seg_is_blank(*at))
            at++;
        while (end > at && seg_is_blank(end[-1]))
            end--;
        status = set_name(ctx, at, (size_t)(end - at), label, made);
        at = comma;
        if (!*at)
            break;
    }
    if (status == SEG_OK)
        status = look_for_twins(ctx, made);
    if (status == SEG_OK)
        *map = *made;
    free(made);
    return status;
}
