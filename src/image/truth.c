/* Ground truths. Rules (image.h): values of palettes and grey rasters are labels, 255 is void; 0 is void too unless
 * fewer than two labels would be left; if only 0, 255 and possibly 128 occur in a grey raster, they are background,
 * object and undecided; each colour of RGB is a label, black is void. A colour raster with only black, white and
 * possibly middle grey is treated as grey, since some programs store only colours. Transparent pixels are void. */
#include "base/base.h"
#include "image/file.h"
#include "image/labels.h"
#include "image/mask.h"

#include <string.h>

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
    SEG_FREED uint8_t *label_of = seg_alloc(ctx, possible, 1);
    if (!label_of)
        return SEG_ERR_MEMORY;
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
        label_of[0] = (uint8_t)++largest;
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
    SEG_TRY(seg_mask_create(ctx, raster->width, raster->height, out));
    if (raster->channels == 1) {
        SEG_FREED uint32_t *count = seg_alloc(ctx, seg_raster_values(raster), sizeof *count);
        if (!count)
            return SEG_ERR_MEMORY;
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
    const seg_status status = read_raster(ctx, raster, name, out);
    if (status != SEG_OK)
        seg_mask_free(out);
    return status;
}

seg_status seg_truth_read(seg_context *ctx, const char *path, seg_mask *out) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_raster_read(ctx, path, &raster));
    return seg_truth_from_raster(ctx, &raster, seg_file_label(path, "standard input"), out);
}
