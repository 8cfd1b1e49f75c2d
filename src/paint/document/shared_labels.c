#include "paint/document/shared_labels.h"
#include "cli/common/report_parts.h"

/* Make sure that there are `count` labels. */
static void take_defaults(paint_labels *labels, int count) {
    uint8_t colour[256][3];
    seg_mask_default_colours(colour);
    for (int i = labels->map.count; i < count; i++) {
        memcpy(labels->map.colour[i], colour[i + 1], 3);
        snprintf(labels->map.name[i], sizeof labels->map.name[i], "region %d", i + 1);
    }
    labels->map.count = count > labels->map.count ? count : labels->map.count;
}

seg_status paint_labels_open(seg_context *ctx, const char *path, paint_labels *out) {
    memset(out, 0, sizeof *out);
    out->path = path;
    if (access(path, F_OK) == 0) {
        SEG_TRY(seg_labelmap_read(ctx, path, &out->map));
        out->chosen = 1;
    }
    take_defaults(out, 2);
    return SEG_OK;
}

/* Whether a label map can contain the name: no colon, no control character, no comment. */
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
    if (!text || strlen(text) != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return 0;
    const unsigned long value = strtoul(text + 1, NULL, 16);
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(value >> (16 - 8 * c));
    return value != 0; /* black means unmarked */
}

/* One label's name and colour. */
typedef struct look {
    char name[sizeof((seg_labelmap *)0)->name[0]];
    uint8_t rgb[3];
} look;

static paint_refusal read_look(const json_t *json, look *out) {
    const json_t *name = json_object_get(json, "name");
    memset(out, 0, sizeof *out);
    if (!json_is_string(name) || !is_name(json_string_value(name), json_string_length(name)))
        return "a label's name is a text of 1 to 63 bytes without a colon, and does not begin with #";
    if (!read_colour(json_string_value(json_object_get(json, "colour")), out->rgb))
        return "a label's colour is #rrggbb, and not black";
    memcpy(out->name, json_string_value(name), json_string_length(name));
    return NULL;
}

static int number_of(const json_t *label) {
    const json_t *number = json_object_get(label, "number");
    const json_int_t value = json_is_integer(number) ? json_integer_value(number) : 0;
    return value >= 1 && value <= SEG_MAX_LABELS ? (int)value : 0;
}

paint_refusal paint_label_check(const json_t *label) {
    const json_t *hidden = json_object_get(label, "hidden"), *was = json_object_get(label, "was");
    look one;
    if (!number_of(label))
        return "labels are numbered from 1 to 254";
    if (hidden)
        return json_is_boolean(hidden) && json_object_size(label) == 2 ? NULL : "hidden must be true or false";
    if (json_object_size(label) != (was ? 4 : 3))
        return "a label edit needs number, name and colour, and their previous values";
    const paint_refusal refusal = read_look(label, &one);
    return refusal || !was ? refusal : read_look(was, &one);
}

/* Another label with this colour; 0: none. */
static int has_colour(const seg_labelmap *map, const uint8_t rgb[3], int but) {
    for (int i = 0; i < map->count; i++)
        if (i != but - 1 && memcmp(map->colour[i], rgb, 3) == 0)
            return i + 1;
    return 0;
}

/* If a label without a colour from the model has the same colour as another label, give it a free one. */
static void part(paint_labels *labels) {
    uint8_t colour[256][3];
    const int count = memchr(labels->fixed, 1, sizeof labels->fixed) ? labels->map.count : 0;
    seg_mask_default_colours(colour);
    for (int i = 0; i < count; i++)
        for (int other = i + 1;
             !labels->fixed[i] && has_colour(&labels->map, labels->map.colour[i], i + 1) && other <= i + SEG_MAX_LABELS;
             other++)
            memcpy(labels->map.colour[i], colour[(other - 1) % SEG_MAX_LABELS + 1], 3);
}

int paint_labels_take_model(paint_labels *labels, const seg_model *model) {
    const int named = labels->chosen ? labels->map.count : 0;
    int other = 0;
    seg_model_info about;
    seg_model_about(model, 0, &about);
    for (int i = 0; i < about.labels; i++) {
        seg_model_about(model, i, &about);
        const seg_model_label_info info = about.label;
        const int at = info.number - 1;
        char *name = labels->map.name[at];
        take_defaults(labels, info.number);
        memcpy(labels->map.colour[at], info.colour, 3);
        labels->fixed[at] = 1;
        if (!is_name(info.name, strlen(info.name))) /* no name, or one that a label map cannot contain */
            continue;
        if (at >= named)
            snprintf(name, sizeof labels->map.name[0], "%s", info.name);
        else if (!other && strcmp(name, info.name) != 0)
            other = info.number;
    }
    labels->chosen = 1;
    part(labels);
    return other;
}

/* Write the label map, and use it. */
static const char *change(seg_context *ctx, paint_labels *labels, const seg_labelmap *map) {
    SEG_FREED char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    for (int i = 0; i < map->count && file; i++)
        fprintf(file, "%s:%d,%d,%d\n", map->name[i], map->colour[i][0], map->colour[i][1], map->colour[i][2]);
    if (!file || fclose(file) != 0)
        return "out of memory";
    if (seg_file_write(ctx, labels->path, text, size) != SEG_OK)
        return seg_context_message(ctx);
    labels->map = *map;
    labels->chosen = 1;
    return NULL;
}

paint_refusal paint_labels_refuse(const paint_labels *labels, const json_t *label) {
    const int number = number_of(label);
    look one;
    const int recolours = number && number <= labels->map.count && labels->fixed[number - 1] &&
                          !json_object_get(label, "hidden") && !read_look(label, &one) &&
                          memcmp(one.rgb, labels->map.colour[number - 1], 3) != 0;
    return recolours ? "the model determines the colours of its labels; only their names can be changed" : NULL;
}

int paint_labels_removes(const paint_labels *labels, const json_t *label) {
    const int number = number_of(label);
    const int adds = !json_object_get(label, "hidden") && !json_object_get(label, "was");
    return adds && number == labels->map.count && !labels->fixed[number - 1] ? number : 0;
}

const char *paint_labels_change(seg_context *ctx, paint_labels *labels, const json_t *label, int back) {
    const int number = number_of(label);
    seg_labelmap map = labels->map;
    look one;
    if (json_object_get(label, "hidden"))
        return NULL;
    if (back && paint_labels_removes(labels, label)) {
        map.count--;
        return change(ctx, labels, &map);
    }
    const char *refusal = read_look(back ? json_object_get(label, "was") : label, &one);
    if (!refusal && (number < 1 || number > map.count + !back))
        refusal = "there is no such label";
    const int taken = !refusal && has_colour(&map, one.rgb, number);
    if (!refusal && !back && taken && !labels->fixed[number - 1])
        refusal = "two labels cannot have the same colour";
    if (refusal) /* what cannot be undone stays */
        return back ? NULL : refusal;
    if (labels->fixed[number - 1] || taken) /* another label got this colour meanwhile, from another image */
        memcpy(one.rgb, map.colour[number - 1], 3);
    map.count = number > map.count ? number : map.count;
    memcpy(map.name[number - 1], one.name, sizeof one.name);
    memcpy(map.colour[number - 1], one.rgb, 3);
    return change(ctx, labels, &map);
}

json_t *paint_labels_json(const paint_labels *labels) {
    json_t *list = json_array();
    for (int i = 0; i < labels->map.count; i++) {
        json_t *one = json_pack("{s:o, s:o}", "name", cli_json_text(labels->map.name[i]), "colour",
                                cli_json_colour(labels->map.colour[i]));
        if (labels->fixed[i])
            json_object_set_new(one, "fixed", json_true());
        json_array_append_new(list, one);
    }
    return list;
}

void paint_labels_cover(paint_labels *labels, int count, const uint8_t colour[256][3]) {
    take_defaults(labels, count);
    for (int i = 0; i < count && !labels->chosen; i++)
        memcpy(labels->map.colour[i], colour[i + 1], 3);
    labels->chosen |= count > 0;
    part(labels);
}

void paint_labels_colours(const paint_labels *labels, uint8_t colour[256][3]) {
    for (int i = 0; i < labels->map.count; i++)
        memcpy(colour[i + 1], labels->map.colour[i], 3);
}
