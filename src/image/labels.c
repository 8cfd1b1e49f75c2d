#include "image/labels.h"
#include "base/base.h"
#include "base/bytes.h"
#include "image/mask.h"

#include <segment/names.h>

unsigned seg_raster_least_opacity(const seg_raster *raster) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    unsigned most = 0;
    if (!raster->alpha)
        return 0;
    for (size_t i = 0; i < pixels; i++)
        most = raster->alpha[i] > most ? raster->alpha[i] : most;
    return most / 2 + 1; /* above 0: a fully transparent raster has no visible pixels */
}

seg_status seg_raster_check_labels(seg_context *ctx, const seg_raster *raster, const char *name) {
    if (raster->low == 0 && (raster->high == 0 || raster->high == UINT16_MAX))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT,
                    "%s has numbers from %g to %g, which are not labels: save whole numbers of 8 or 16 bits, or "
                    "probabilities as NPY",
                    name, raster->low, raster->high);
}

void seg_raster_count_values(const seg_raster *raster, unsigned least_opacity, uint32_t *count) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    memset(count, 0, seg_raster_values(raster) * sizeof *count);
    for (size_t i = 0; i < pixels; i++)
        if (seg_raster_visible(raster, i, least_opacity))
            count[seg_raster_value(raster, i)]++;
}

int seg_raster_is_grey(const seg_raster *raster, const uint32_t *count) {
    if (raster->kind != SEG_RASTER_PALETTE)
        return raster->kind == SEG_RASTER_GREY;
    for (int i = 0; i < 256; i++)
        if (count[i] && (raster->palette[i][0] != i || raster->palette[i][1] != i || raster->palette[i][2] != i))
            return 0;
    return 1;
}

void seg_mask_take_palette(seg_mask *mask, const seg_raster *raster, const uint32_t *count) {
    for (int a = 1; a <= SEG_MAX_LABELS; a++) {
        if (!count[a])
            continue;
        if (a >= raster->palette_count || !(raster->palette[a][0] | raster->palette[a][1] | raster->palette[a][2]))
            return;
        for (int b = 1; b < a; b++)
            if (count[b] && memcmp(raster->palette[a], raster->palette[b], 3) == 0)
                return;
    }
    for (int label = 1; label <= SEG_MAX_LABELS && label < raster->palette_count; label++)
        memcpy(mask->colour[label], raster->palette[label], 3);
}

void seg_mask_set_colour(seg_mask *mask, int label, uint32_t colour) {
    for (int c = 0; c < 3; c++)
        mask->colour[label][c] = (uint8_t)seg_colour_channel(colour, c);
}

int seg_mask_describe(const seg_mask *mask, int with_colours, char *text, size_t size) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    size_t count[256] = {0}, used = 0;
    int labels = 0;
    for (size_t i = 0; i < pixels; i++)
        count[mask->label[i]]++;
    text[0] = 0;
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        if (!count[label])
            continue;
        char item[96], colour[32] = "";
        const uint8_t *rgb = mask->colour[label];
        if (with_colours)
            snprintf(colour, sizeof colour, " (%d,%d,%d)", rgb[0], rgb[1], rgb[2]);
        snprintf(item, sizeof item, "%s%d%s: %zu pixel%s", labels ? ", " : "", label, colour, count[label],
                 count[label] == 1 ? "" : "s");
        labels++;
        if (used + strlen(item) + 6 < size)
            used += (size_t)snprintf(text + used, size - used, "%s", item);
        else if (used + 6 < size) { /* later items are left out too, even shorter ones */
            snprintf(text + used, size - used, ", ...");
            size = 0;
        }
    }
    return labels;
}

size_t seg_colour_place(const seg_colour_count *list, size_t size, uint32_t colour) {
    size_t low = 0, high = size;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle].colour < colour)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

seg_status seg_colours_list(seg_context *ctx, const seg_colour_source *from, size_t most, seg_colour_count **list,
                            size_t *colours) {
    const size_t pixels = from->image ? (size_t)from->image->width * (size_t)from->image->height
                                      : (size_t)from->raster->width * (size_t)from->raster->height;
    seg_colour_count *found = *list = seg_alloc(ctx, most + 1, sizeof *found);
    size_t n = 0, place = 0;
    *colours = 0;
    SEG_TRY(seg_allocated(found));
    for (size_t i = 0; i < pixels && n <= most; i++) {
        if ((from->label && !from->label[i]) || !(from->image || seg_raster_visible(from->raster, i, from->least)))
            continue;
        const uint32_t colour = from->image ? seg_image_colour(from->image, i) : seg_raster_colour(from->raster, i);
        if (!n || found[place].colour != colour) /* neighbouring pixels mostly have the same colour */
            place = seg_colour_place(found, n, colour);
        if (place == n || found[place].colour != colour) {
            memmove(found + place + 1, found + place, (n - place) * sizeof *found);
            found[place] = (seg_colour_count){colour, 0};
            n++;
        }
        found[place].count++;
    }
    *colours = n;
    return SEG_OK;
}

/* Label maps, with NAME:R,G,B on each line, and lists of label names. */

#define REFUSE(...) seg_fail(ctx, SEG_ERR_INPUT, "%s:%zu: " __VA_ARGS__)

/* A whole number 0..255. */
static int parse_channel(seg_span field, uint8_t *out) {
    unsigned value = 0;
    for (const char *at = field.at; at < field.end; at++) {
        if (*at < '0' || *at > '9' || value > 255)
            return 0;
        value = 10 * value + (unsigned)(*at - '0');
    }
    *out = (uint8_t)value;
    return field.at < field.end && value <= 255;
}

static seg_status parse_line(seg_context *ctx, seg_span text, const char *name, size_t line, seg_labelmap *out) {
    uint8_t rgb[3];
    seg_span label, colour, field; /* CVAT's further fields (parts, actions) are not needed */
    int good = seg_field_next(&text, ':', &label) && seg_field_next(&text, ':', &colour);
    for (int c = 0; c < 3 && good; c++)
        good = seg_field_next(&colour, ',', &field) && parse_channel(field, &rgb[c]);
    if (!good || colour.at)
        return REFUSE("not of the form NAME:R,G,B with R, G, B in 0..255", name, line);
    if ((rgb[0] | rgb[1] | rgb[2]) == 0)
        return SEG_OK; /* black is the colour of unmarked pixels */
    const size_t length = seg_span_size(label);
    if (length >= sizeof out->name[0] || memchr(label.at, 0, length))
        return REFUSE("the name is longer than %zu bytes or holds a zero byte; shorten it", name, line,
                      sizeof out->name[0] - 1);
    if (out->count == SEG_MAX_LABELS)
        return REFUSE("more than %d labels", name, line, SEG_MAX_LABELS);
    for (int i = 0; i < out->count; i++)
        if (memcmp(out->colour[i], rgb, 3) == 0)
            return REFUSE("the colour %u,%u,%u is that of label %d already; give each label its own", name, line,
                          rgb[0], rgb[1], rgb[2], i + 1);
    memcpy(out->colour[out->count], rgb, 3);
    memcpy(out->name[out->count], label.at, length); /* the rest is zero */
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
            status = parse_line(ctx, line, name, number, out);
    if (status == SEG_OK && out->count == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s: no label is named; write one NAME:R,G,B a line", name);
    SEG_RETURN_OR(status, memset(out, 0, sizeof *out));
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
    char usual[16]; /* of a label without a name */
    for (int i = 0; i < map->count; i++)
        for (int j = 1; j <= SEG_MAX_LABELS && map->name[i][0]; j++) {
            snprintf(usual, sizeof usual, "label %d", j);
            if (j != i + 1 && strcmp(map->name[i], usual) == 0)
                return REFUSE_NAMES("calls label %d '%s', which is another; choose another name", i + 1, usual);
        }
    for (int i = 0; i < map->count; i++)
        for (int j = 0; j < i; j++)
            if (map->name[i][0] && strcmp(map->name[i], map->name[j]) == 0)
                return REFUSE_NAMES("gives labels %d and %d one name, '%s'; each needs its own", j + 1, i + 1,
                                    map->name[i]);
    return SEG_OK;
}

seg_status seg_labelmap_set_names(seg_context *ctx, const char *names, seg_labelmap *map) {
    seg_span rest = {names, names + strlen(names)}, name;
    SEG_LOCAL(seg_labelmap, made, seg_alloc(ctx, 1, sizeof *made));
    *made = *map;
    for (int label = 1; seg_field_next(&rest, ',', &name); label++)
        SEG_TRY(set_name(ctx, name.at, seg_span_size(name), label, made));
    SEG_TRY(look_for_twins(ctx, made));
    *map = *made;
    return SEG_OK;
}

/* Ground truths. Rules (image.h): values of palettes and grey rasters are labels, 255 is void; 0 is void too unless
 * fewer than two labels would be left; if only 0, 255 and possibly 128 occur in a grey raster, they are background,
 * object and undecided; each colour of RGB is a label, black is void. A colour raster with only black, white and
 * possibly middle grey is treated as grey, since some programs store only colours. Transparent pixels are void. */

#define BLACK  0x000000u
#define MIDDLE 0x808080u
#define WHITE  0xffffffu

/* Turn every pixel's value into a label. */
static void apply_values(const seg_raster *raster, unsigned least, const uint8_t *label_of, seg_mask *out) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < pixels; i++)
        out->label[i] = seg_raster_visible(raster, i, least) ? label_of[seg_raster_value(raster, i)] : SEG_VOID;
}

/* 1 where only the values of object, background and undecided occur; *object and *undecided are set to theirs. */
static int is_binary(const seg_raster *raster, const uint32_t *count, unsigned *object, unsigned *undecided) {
    *object = raster->bits > 8 && !count[255] ? (1u << raster->bits) - 1 : 255;
    *undecided = raster->bits > 8 && !count[255] ? *object / 255 * 128 : 128;
    if (!count[*object])
        return 0;
    for (unsigned v = 1; v < seg_raster_values(raster); v++)
        if (count[v] && v != *object && v != *undecided)
            return 0;
    return 1;
}

static seg_status from_values(seg_context *ctx, const seg_raster *raster, const char *name, unsigned least,
                              const uint32_t *count, seg_mask *out) {
    unsigned object, undecided;
    int labels = 0, largest = 0;
    const unsigned possible = seg_raster_values(raster);
    SEG_LOCAL(uint8_t, label_of, seg_alloc(ctx, possible, 1));
    memset(label_of, SEG_VOID, possible);
    if (seg_raster_is_grey(raster, count) && is_binary(raster, count, &object, &undecided)) {
        label_of[object] = 1;
        label_of[0] = 2;
        out->labels = count[0] ? 2 : 1;
        apply_values(raster, least, label_of, out);
        return SEG_OK;
    }
    for (unsigned v = SEG_VOID + 1; v < possible; v++)
        if (count[v])
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "%s has the value %u; a truth has labels up to %d and 255 for void: renumber its labels",
                            name, v, SEG_MAX_LABELS);
    for (int v = 1; v <= SEG_MAX_LABELS; v++)
        if (count[v]) {
            label_of[v] = (uint8_t)v;
            largest = v;
            labels++;
        }
    if (labels < 2 && count[0]) {
        if (largest == SEG_MAX_LABELS)
            return seg_fail(ctx, SEG_ERR_INPUT, "%s has the values 0 and %d only; renumber them 1 and 2", name,
                            SEG_MAX_LABELS);
        label_of[0] = (uint8_t)(largest = labels ? largest + 1 : 2); /* 2: none of the object is in the image */
    }
    out->labels = largest;
    if (raster->kind == SEG_RASTER_PALETTE)
        seg_mask_take_palette(out, raster, count);
    apply_values(raster, least, label_of, out);
    return SEG_OK;
}

/* Assign a label to each colour of the ascending list. */
static seg_status number_colours(seg_context *ctx, const char *name, const seg_colour_count *list, size_t colours,
                                 uint8_t *label_of, seg_mask *out) {
    int binary = colours >= 2 && list[0].colour == BLACK && list[colours - 1].colour == WHITE &&
                 (colours == 2 || (colours == 3 && list[1].colour == MIDDLE));
    for (size_t c = 0; c < colours; c++) {
        if (binary) {
            label_of[c] = list[c].colour == WHITE ? 1 : list[c].colour == BLACK ? 2 : SEG_VOID;
            out->labels = 2;
        } else if (list[c].colour == BLACK) {
            label_of[c] = SEG_VOID;
        } else {
            if (out->labels == SEG_MAX_LABELS)
                return seg_fail(ctx, SEG_ERR_INPUT, "%s has more than %d colours; a truth has one flat colour a region",
                                name, SEG_MAX_LABELS);
            label_of[c] = (uint8_t)++out->labels;
            seg_mask_set_colour(out, out->labels, list[c].colour);
        }
    }
    return SEG_OK;
}

static seg_status from_colours(seg_context *ctx, const seg_raster *raster, const char *name, unsigned least,
                               seg_mask *out) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    const seg_colour_source source = {.raster = raster, .least = least};
    SEG_FREED seg_colour_count *list = NULL;
    size_t colours = 0, place = 0;
    uint8_t label_of[SEG_MAX_LABELS + 2];
    SEG_TRY(seg_colours_list(ctx, &source, SEG_MAX_LABELS + 2, &list, &colours));
    if (colours > SEG_MAX_LABELS + 2)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s has more than %d colours; a truth has one flat colour a region: is it an image?", name,
                        SEG_MAX_LABELS);
    SEG_TRY(number_colours(ctx, name, list, colours, label_of, out));
    for (size_t i = 0; i < pixels; i++) {
        const uint32_t colour = seg_raster_colour(raster, i);
        const int visible = seg_raster_visible(raster, i, least);
        if (visible && list[place].colour != colour) /* neighbouring pixels mostly have the same colour */
            place = seg_colour_place(list, colours, colour);
        out->label[i] = visible ? label_of[place] : SEG_VOID;
    }
    return SEG_OK;
}

static seg_status read_raster(seg_context *ctx, const seg_raster *raster, const char *name, seg_mask *out) {
    const unsigned least = seg_raster_least_opacity(raster);
    if (raster->lossy)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s is a JPEG or another format that keeps values only nearly; a truth must be a PNG or BMP",
                        name);
    SEG_TRY(seg_raster_check_labels(ctx, raster, name));
    SEG_TRY(seg_mask_create(ctx, raster->width, raster->height, out));
    if (raster->channels == 1) {
        SEG_LOCAL(uint32_t, count, seg_alloc(ctx, seg_raster_values(raster), sizeof *count));
        seg_raster_count_values(raster, least, count);
        SEG_TRY(from_values(ctx, raster, name, least, count, out));
    } else {
        SEG_TRY(from_colours(ctx, raster, name, least, out));
    }
    if (out->labels == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s is void everywhere; a truth needs at least one label", name);
    return SEG_OK;
}

seg_status seg_truth_from_raster(seg_context *ctx, const seg_raster *raster, const char *name, seg_mask *out) {
    memset(out, 0, sizeof *out);
    SEG_RETURN_OR(read_raster(ctx, raster, name, out), seg_mask_free(out));
}
