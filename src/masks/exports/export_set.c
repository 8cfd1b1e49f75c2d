/* Masks of many images in one export. */
#include "masks/exports/export.h"

#include "base/base.h"
#include "image/file.h"

#include <stdlib.h>
#include <string.h>

/* Members of an array as text, with commas between them. */
typedef struct text {
    char *at; /* owned */
    size_t length, room;
} text;

struct seg_export_set {
    char *path;
    int yolo, images, annotations;
    text image, annotation;
    char name[SEG_MAX_LABELS][64]; /* of the labels that have one or occur; else empty */
};

seg_status seg_export_set_open(seg_context *ctx, const char *format, const char *path, seg_export_set **out) {
    const seg_export_format *found = seg_export_format_find(format);
    const int yolo = found && strcmp(found->name, "yolo") == 0;
    *out = NULL;
    if (!yolo && !(found && strcmp(found->name, "coco") == 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "export format %s has a file for each image; coco and yolo are for many",
                        format);
    if (yolo && strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "yolo of many images is a folder of files; name one, not -");
    seg_export_set *set = seg_alloc_zero(ctx, 1, sizeof *set);
    if (!set || !(set->path = seg_alloc(ctx, strlen(path) + 1, 1))) {
        free(set);
        return SEG_ERR_MEMORY;
    }
    strcpy(set->path, path);
    set->yolo = yolo;
    *out = set;
    return SEG_OK;
}

/* --- COCO. --- */

typedef struct adding {
    seg_context *ctx;
    text *to;
    int lost; /* a part had no room; Jansson may go on as if it had */
} adding;

static int put(const char *piece, size_t length, void *user) {
    adding *a = user;
    text *t = a->to;
    if (t->length + length > t->room) {
        const size_t room = 2 * (t->length + length);
        char *grown = seg_realloc(a->ctx, t->at, room, 1);
        if (!grown)
            return -(a->lost = 1);
        t->at = grown;
        t->room = room;
    }
    memcpy(t->at + t->length, piece, length);
    t->length += length;
    return 0;
}

/* NULL is out of memory. */
static seg_status add_text(seg_context *ctx, text *t, json_t *value) {
    adding a = {ctx, t, 0};
    if (value && t->length)
        put(",", 1, &a);
    if (value && !a.lost && json_dump_callback(value, put, &a, JSON_COMPACT) == 0 && !a.lost)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory for the annotations of many images");
}

static seg_status add_coco(seg_context *ctx, seg_export_set *set, const seg_mask *mask, const seg_export_about *about) {
    const size_t before = set->annotation.length, images = set->image.length;
    int id = set->annotations;
    json_t *annotations, *one;
    size_t i;
    seg_status status = seg_coco_annotations(ctx, mask, about, set->images + 1, &id, &annotations);
    if (status == SEG_OK && !annotations)
        status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory for the annotations of many images");
    json_array_foreach(annotations, i, one) {
        if (status == SEG_OK)
            status = add_text(ctx, &set->annotation, one);
    }
    json_decref(annotations);
    json_t *image = status == SEG_OK ? seg_coco_image(mask, about, set->images + 1) : NULL;
    if (status == SEG_OK)
        status = add_text(ctx, &set->image, image);
    json_decref(image);
    if (status == SEG_OK) {
        set->annotations = id;
    } else {
        set->annotation.length = before;
        set->image.length = images;
    }
    return status;
}

static int put_out(const char *piece, size_t length, void *writer) {
    seg_writer_put(writer, piece, length);
    return 0;
}

/* Text as JSON has it, and YAML too. 1 where memory is gone. */
static int put_quoted(seg_writer *writer, const char *name) {
    json_t *string = json_string(name);
    const int lost = !string || json_dump_callback(string, put_out, writer, JSON_ENCODE_ANY) != 0;
    json_decref(string);
    return lost;
}

static int put_coco(seg_writer *writer, const seg_export_set *set) {
    int lost = 0, first = 1;
    fputs("{\"images\":[", writer->file);
    seg_writer_put(writer, set->image.at, set->image.length);
    fputs("],\"annotations\":[", writer->file);
    seg_writer_put(writer, set->annotation.at, set->annotation.length);
    fputs("],\"categories\":[", writer->file);
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (set->name[l - 1][0]) {
            fprintf(writer->file, "%s{\"id\":%d,\"name\":", first ? "" : ",", l);
            lost |= put_quoted(writer, set->name[l - 1]);
            fputc('}', writer->file);
            first = 0;
        }
    fputs("]}\n", writer->file);
    return lost;
}

/* --- YOLO. --- */

/* FOLDER/labels/NAME.txt, or FOLDER/data.yaml without an image. NULL without memory. */
static char *yolo_path(seg_context *ctx, const seg_export_set *set, const char *photo) {
    const char *slash = photo ? strrchr(photo, '/') : NULL, *base = slash ? slash + 1 : photo;
    const char *dot = base ? strrchr(base, '.') : NULL;
    const int length = !base ? 0 : dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    const size_t room = strlen(set->path) + (size_t)length + 16;
    char *path = seg_alloc(ctx, room, 1);
    if (path && base)
        snprintf(path, room, "%s/labels/%.*s.txt", set->path, length, base);
    else if (path)
        snprintf(path, room, "%s/data.yaml", set->path);
    return path;
}

static seg_status make_folders(seg_context *ctx, const seg_export_set *set, char *path) {
    seg_status status = seg_export_make_folder(ctx, set->path);
    char *slash = strrchr(path, '/');
    *slash = 0;
    if (status == SEG_OK)
        status = seg_export_make_folder(ctx, path);
    *slash = '/';
    return status;
}

static seg_status add_yolo(seg_context *ctx, const seg_export_set *set, const seg_mask *mask,
                           const seg_export_about *about) {
    char *path = yolo_path(ctx, set, about->photo);
    seg_status status = path ? make_folders(ctx, set, path) : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = seg_export_yolo(ctx, path, mask, about);
    free(path);
    return status;
}

static int put_yaml(seg_writer *writer, const seg_export_set *set) {
    int last = 0, lost = 0;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        last = set->name[l - 1][0] ? l : last;
    fputs("# The images belong into images/, beside labels/.\ntrain: images\nval: images\nnames:\n", writer->file);
    for (int l = 1; l <= last; l++) { /* classes have no gaps */
        char number[64];
        fprintf(writer->file, "  %d: ", l - 1);
        snprintf(number, sizeof number, "label %d", l);
        lost |= put_quoted(writer, set->name[l - 1][0] ? set->name[l - 1] : number);
        fputc('\n', writer->file);
    }
    return lost;
}

/* --- Both. --- */

static void note_names(seg_export_set *set, const seg_mask *mask, const seg_export_about *about) {
    seg_extent extent[256];
    seg_extents(mask, extent);
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        const int named = about->names && l <= about->names->count && about->names->name[l - 1][0];
        if (!set->name[l - 1][0] && (named || extent[l].pixels))
            seg_export_name(about, l, set->name[l - 1]);
    }
}

seg_status seg_export_set_add(seg_context *ctx, seg_export_set *set, const seg_mask *mask,
                              const seg_export_about *about) {
    if (!about || !about->photo)
        return seg_fail(ctx, SEG_ERR_USAGE, "an export of many images needs the path of each");
    seg_status status = seg_export_check(ctx, about);
    if (status == SEG_OK)
        status = set->yolo ? add_yolo(ctx, set, mask, about) : add_coco(ctx, set, mask, about);
    if (status != SEG_OK)
        return status;
    set->images++;
    note_names(set, mask, about);
    return SEG_OK;
}

static seg_status write_set(seg_context *ctx, const seg_export_set *set, const char *path) {
    seg_writer writer;
    const seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    const int lost = set->yolo ? put_yaml(&writer, set) : put_coco(&writer, set);
    if (!lost)
        return seg_writer_commit(ctx, &writer);
    seg_writer_abandon(&writer);
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'", path);
}

seg_status seg_export_set_close(seg_context *ctx, seg_export_set *set, int keep) {
    seg_status status = SEG_OK;
    if (set && keep) {
        char *yaml = set->yolo ? yolo_path(ctx, set, NULL) : NULL;
        if (set->yolo)
            status = yaml ? seg_export_make_folder(ctx, set->path) : SEG_ERR_MEMORY;
        if (status == SEG_OK)
            status = write_set(ctx, set, set->yolo ? yaml : set->path);
        free(yaml);
    }
    if (set) {
        free(set->path);
        free(set->image.at);
        free(set->annotation.at);
        free(set);
    }
    return status;
}
