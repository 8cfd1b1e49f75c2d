#include "masks/exports/export.h"
#include "base/base.h"
#include "base/name_text.h"
#include "vectors/vectors_write.h"

#include <sys/stat.h>

#define ROW(name, ending, folder) {{#name, ending, folder}, seg_export_##name},

static const struct {
    seg_export_format format;
    seg_export_fn write;
} formats[] = {SEG_EXPORT_FORMATS(ROW, ROW)};
enum { COUNT = sizeof formats / sizeof *formats };

const seg_export_format *seg_export_format_at(int position) {
    return position >= 0 && position < COUNT ? &formats[position].format : NULL;
}

static int find(const char *name) {
    int i = 0;
    while (i < COUNT && strcasecmp(formats[i].format.name, name) != 0)
        i++;
    return i;
}

const seg_export_format *seg_export_format_find(const char *name) {
    return seg_export_format_at(find(name));
}

seg_status seg_export_write(seg_context *ctx, const char *format, const char *path, const seg_mask *mask,
                            const seg_export_about *about) {
    static const seg_export_about nothing = {.photo = NULL};
    const int position = find(format);
    if (position == COUNT)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no export format '%s'; give one of " SEG_EXPORT_FORMAT_NAMES,
                        format);
    if (formats[position].format.folder && strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "export format %s is a folder of files; name one, not -", format);
    about = about ? about : &nothing;
    SEG_TRY(seg_export_check(ctx, about));
    return formats[position].write(ctx, path, mask, about);
}

seg_status seg_export_make_folder(seg_context *ctx, const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_IO, "cannot make the folder '%s': %s; check the folder that it is in", path,
                    SEG_ERROR_TEXT(errno));
}

seg_status seg_export_check(seg_context *ctx, const seg_export_about *about) {
    if (about->simplify >= 0 && about->simplify <= SEG_MAX_SIMPLIFY)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE, "simplify is %g pixels; it must be in 0..%d", about->simplify,
                    SEG_MAX_SIMPLIFY);
}

void seg_label_boxes(const seg_mask *mask, seg_label_box box[256]) {
    const uint8_t *label = mask->label;
    for (int l = 0; l < 256; l++)
        box[l] = (seg_label_box){0, mask->width, mask->height, 0, 0};
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++) {
            seg_label_box *e = &box[*label++];
            e->pixels++;
            e->left = x < e->left ? x : e->left;
            e->top = y < e->top ? y : e->top;
            e->right = x >= e->right ? x + 1 : e->right;
            e->bottom = y + 1;
        }
}

void seg_export_name(const seg_export_about *about, int label, char name[64]) {
    const seg_labelmap *names = about->names;
    uint32_t code;
    if (!names || label > names->count || !names->name[label - 1][0]) {
        snprintf(name, 64, "label %d", label);
        return;
    }
    memcpy(name, names->name[label - 1], 64);
    /* Where a byte is not UTF-8, every byte outside ASCII becomes '?'. */
    size_t size, at = 0;
    while (name[at] && (size = seg_utf8(name + at, 64 - at, &code)))
        at += size;
    const int is_text = !name[at];
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127 || (!is_text && (unsigned char)*c > 127))
            *c = '?';
}

void seg_export_put_quoted(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            fprintf(to, "\\u%04X", *text);
        else
            fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', to);
}

/* The formats with the labels of the pixels: npy, nrrd, masks and voc. */

/* The labels as they are, height x width bytes, of a volume slices x height x width. */
seg_status seg_export_npy(seg_context *ctx, const char *path, const seg_mask *mask,
                          const seg_export_about *about SEG_UNUSED) {
    const int volume = mask->slices > 1, slices = volume ? mask->slices : 1;
    const size_t shape[] = {(size_t)slices, (size_t)(mask->height / slices), (size_t)mask->width};
    seg_writer writer;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    seg_npy_put_header(&writer, 'u', 1, 2 + volume, shape + !volume);
    seg_writer_put(&writer, mask->label, (size_t)mask->height * shape[2]);
    return seg_writer_commit(ctx, &writer);
}

seg_status seg_export_nrrd(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    const int slices = mask->slices > 1 ? mask->slices : 1;
    char header[256];
    seg_writer writer;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    const int length = snprintf(header, sizeof header,
                                "NRRD0004\ntype: uint8\ndimension: 3\nsizes: %d %d %d\nspacings: 1 1 %.17g\n"
                                "kinds: domain domain domain\nencoding: raw\n\n",
                                mask->width, mask->height / slices, slices, about->spacing ? about->spacing : 1);
    seg_writer_put(&writer, header, (size_t)length);
    seg_writer_put(&writer, mask->label, (size_t)mask->width * (size_t)mask->height);
    return seg_writer_commit(ctx, &writer);
}

/* A folder of grey images, one per label; names of labels may be no file names. */
seg_status seg_export_masks(seg_context *ctx, const char *path, const seg_mask *mask,
                            const seg_export_about *about SEG_UNUSED) {
    const size_t pixels = (size_t)mask->width * (size_t)mask->height, room = strlen(path) + 32;
    seg_label_box box[256];
    SEG_LOCAL(uint8_t, value, seg_alloc(ctx, pixels, 1));
    SEG_LOCAL(char, name, seg_alloc(ctx, room, 1));
    SEG_TRY(seg_export_make_folder(ctx, path));
    seg_label_boxes(mask, box);
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        if (!box[label].pixels)
            continue;
        for (size_t i = 0; i < pixels; i++)
            value[i] = mask->label[i] == label ? 255 : 0;
        snprintf(name, room, "%s/label-%d.png", path, label);
        SEG_TRY(seg_mask_write(ctx, name, &(seg_mask){.width = mask->width, .height = mask->height, .label = value},
                               SEG_MASK_GREY));
    }
    return SEG_OK;
}

/* A palette PNG in the colours of PASCAL VOC: the bits of a number, three by three from the lowest, are the highest
 * bits of red, green and blue. */
seg_status seg_export_voc(seg_context *ctx, const char *path, const seg_mask *mask,
                          const seg_export_about *about SEG_UNUSED) {
    seg_mask coloured = *mask;
    memset(coloured.colour, 0, sizeof coloured.colour);
    for (int label = 0; label < 256; label++)
        for (int bit = 0; bit < 8; bit++)
            coloured.colour[label][bit % 3] |= (uint8_t)((label >> bit & 1) << (7 - bit / 3));
    return seg_mask_write(ctx, path, &coloured, SEG_MASK_PNG);
}
