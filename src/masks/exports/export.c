/* The registry of the export formats. */
#include "masks/exports/export.h"

#include "base/base.h"
#include "base/name_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
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
    char why[128];
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_IO, "cannot make the folder '%s': %s; check the folder that it is in", path,
                    strerror_r(errno, why, sizeof why));
}

seg_status seg_export_check(seg_context *ctx, const seg_export_about *about) {
    if (about->simplify >= 0 && about->simplify <= SEG_MAX_SIMPLIFY)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_USAGE, "simplify is %g pixels; it must be in 0..%d", about->simplify,
                    SEG_MAX_SIMPLIFY);
}

void seg_extents(const seg_mask *mask, seg_extent extent[256]) {
    const uint8_t *label = mask->label;
    for (int l = 0; l < 256; l++)
        extent[l] = (seg_extent){0, mask->width, mask->height, 0, 0};
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++) {
            seg_extent *e = &extent[*label++];
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
