#include "paint/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_defaults(paint_labels *labels, int from, int count) {
    uint8_t colour[256][3];
    seg_mask_default_colours(colour);
    for (int i = from; i < count; i++) {
        memcpy(labels->map.colour[i], colour[i + 1], 3);
        snprintf(labels->map.name[i], sizeof labels->map.name[i], "region %d", i + 1);
    }
    labels->map.count = count > labels->map.count ? count : labels->map.count;
}

seg_status paint_labels_open(seg_context *ctx, const char *path, paint_labels *out) {
    memset(out, 0, sizeof *out);
    out->path = path;
    if (access(path, F_OK) == 0) {
        const seg_status status = seg_labelmap_read(ctx, path, &out->map);
        out->chosen = status == SEG_OK;
        if (status != SEG_OK)
            return status;
    }
    take_defaults(out, out->map.count, out->map.count > 2 ? out->map.count : 2);
    return SEG_OK;
}

/* What a line of a label map can hold: no colon, no control character, and nothing that reads as a comment. */
static int is_name(const char *name, size_t length) {
    if (length < 1 || length >= sizeof((seg_labelmap *)0)->name[0] || name[0] == '#' || name[0] == ' ' ||
        name[length - 1] == ' ')
        return 0;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 127 || name[i] == ':')
            return 0;
    return 1;
}

static int read_colour(const char *text, uint8_t rgb[3]) {
    char *end = NULL;
    if (!text || strlen(text) != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return 0;
    const unsigned long value = strtoul(text + 1, &end, 16);
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(value >> (16 - 8 * c));
    return value != 0; /* black names what is unmarked */
}

static const char *read_list(const json_t *list, seg_labelmap *out) {
    const size_t count = json_array_size(list);
    memset(out, 0, sizeof *out);
    if (count < 1 || count > SEG_MAX_LABELS)
        return "there are 1 to 254 labels";
    for (size_t i = 0; i < count; i++) {
        const json_t *name = json_object_get(json_array_get(list, i), "name");
        if (!json_is_string(name) || !is_name(json_string_value(name), json_string_length(name)))
            return "a label's name is a text of 1 to 63 bytes without a colon, and does not begin with #";
        if (!read_colour(json_string_value(json_object_get(json_array_get(list, i), "colour")), out->colour[i]))
            return "a label's colour is #rrggbb, and not black";
        for (size_t j = 0; j < i; j++)
            if (memcmp(out->colour[i], out->colour[j], 3) == 0)
                return "two labels cannot have one colour";
        memcpy(out->name[i], json_string_value(name), json_string_length(name));
    }
    out->count = (int)count;
    return NULL;
}

const char *paint_labels_change(seg_context *ctx, paint_labels *labels, const json_t *list) {
    seg_labelmap map;
    char *text = NULL;
    size_t size = 0;
    const char *refusal = read_list(list, &map);
    FILE *file = refusal ? NULL : open_memstream(&text, &size);
    if (!refusal && map.count < labels->map.count)
        refusal = "a label that is there stays";
    if (!refusal && !file)
        refusal = "out of memory";
    for (int i = 0; i < map.count && !refusal; i++)
        fprintf(file, "%s:%d,%d,%d\n", map.name[i], map.colour[i][0], map.colour[i][1], map.colour[i][2]);
    if (file && fclose(file) != 0)
        refusal = "out of memory";
    if (!refusal && seg_file_write(ctx, labels->path, text, size) != SEG_OK)
        refusal = seg_context_message(ctx);
    if (!refusal) {
        labels->map = map;
        labels->chosen = 1;
    }
    free(text);
    return refusal;
}

json_t *paint_labels_json(const paint_labels *labels) {
    json_t *list = json_array();
    for (int i = 0; i < labels->map.count; i++) {
        const uint8_t *rgb = labels->map.colour[i];
        char colour[8];
        snprintf(colour, sizeof colour, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", labels->map.name[i], "colour", colour));
    }
    return list;
}

void paint_labels_cover(paint_labels *labels, int count, const uint8_t colour[256][3]) {
    take_defaults(labels, labels->map.count, count > labels->map.count ? count : labels->map.count);
    for (int i = 0; i < count && !labels->chosen; i++)
        memcpy(labels->map.colour[i], colour[i + 1], 3);
    labels->chosen |= count > 0;
}

void paint_labels_colours(const paint_labels *labels, uint8_t colour[256][3]) {
    for (int i = 0; i < labels->map.count; i++)
        memcpy(colour[i + 1], labels->map.colour[i], 3);
}
