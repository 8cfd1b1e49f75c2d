/* COCO, and the masks of many images in one export. */
#include "base/base.h"
#include "masks/exports/export.h"

/* Members of an array as text, with commas between them. */
typedef struct text {
    FILE *to;
    char *at; /* owned */
    size_t length;
} text;

struct seg_export_set {
    char *path;
    int yolo, images, annotations;
    text image, annotation;
    seg_export_names name; /* of the labels that have one or occur; else empty */
};

static int open_set(seg_export_set *set, const char *path) {
    set->path = strdup(path);
    set->image.to = open_memstream(&set->image.at, &set->image.length);
    set->annotation.to = open_memstream(&set->annotation.at, &set->annotation.length);
    return set->path && set->image.to && set->annotation.to;
}

static void end_set(seg_export_set *set) {
    if (set->image.to)
        fclose(set->image.to);
    if (set->annotation.to)
        fclose(set->annotation.to);
    SEG_CLEAR(set, set->image.at, set->annotation.at, set->path);
}

static seg_status no_room(seg_context *ctx) {
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory for an export; use smaller images");
}

seg_status seg_export_set_open(seg_context *ctx, const char *format, const char *path, seg_export_set **out) {
    const seg_export_format *found = seg_export_format_find(format);
    const int yolo = found && strcmp(found->name, "yolo") == 0;
    *out = NULL;
    if (!yolo && !(found && strcmp(found->name, "coco") == 0))
        return seg_fail(ctx, SEG_ERR_USAGE, "export format %s has a file for each image; coco and yolo are for many",
                        format);
    if (yolo && strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "yolo of many images is a folder of files; name one, not -");
    SEG_LOCAL(seg_export_set, set, seg_alloc_zero(ctx, 1, sizeof *set));
    if (!open_set(set, path)) {
        end_set(set);
        return no_room(ctx);
    }
    set->yolo = yolo;
    *out = seg_taken(&set);
    return SEG_OK;
}

/* The names of labels that occur; with `all` of those too that have one. */
static void note_names(seg_export_names names, const seg_mask *mask, const seg_export_about *about, int all) {
    seg_label_box box[256];
    seg_label_boxes(mask, box);
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        const int named = all && about->names && l <= about->names->count && about->names->name[l - 1][0];
        if (!names[l - 1][0] && (named || box[l].pixels))
            seg_export_name(about, l, names[l - 1]);
    }
}

static seg_status add_coco(seg_context *ctx, seg_export_set *set, const seg_mask *mask, const seg_export_about *about) {
    const long images = ftell(set->image.to), annotations = ftell(set->annotation.to);
    seg_coco_arrays to = {set->image.to, set->annotation.to, set->images, set->annotations};
    if (images > 0)
        fputc(',', set->image.to);
    if (annotations > 0)
        fputc(',', set->annotation.to);
    seg_status status = seg_coco_put(ctx, mask, about, &to);
    if (status == SEG_OK &&
        (fflush(set->image.to) || fflush(set->annotation.to) || ferror(set->image.to) || ferror(set->annotation.to)))
        status = no_room(ctx);
    if (status == SEG_OK && to.annotation > set->annotations) {
        set->annotations = to.annotation;
        return SEG_OK;
    }
    fseek(set->annotation.to, annotations, SEEK_SET); /* without the comma of a mask that has no labels */
    SEG_RETURN_OR(status, fseek(set->image.to, images, SEEK_SET));
}

static seg_status put_coco(seg_context *ctx, seg_writer *writer, seg_export_set *set) {
    if (fflush(set->image.to) || fflush(set->annotation.to))
        return no_room(ctx);
    fputs("{\"images\":[", writer->file);
    seg_writer_put(writer, set->image.at, set->image.length);
    fputs("],\"annotations\":[", writer->file);
    seg_writer_put(writer, set->annotation.at, set->annotation.length);
    fputs("],\"categories\":[", writer->file);
    seg_coco_put_categories(writer->file, set->name);
    fputs("]}\n", writer->file);
    return SEG_OK;
}

static void put_yaml(FILE *to, seg_export_names names) {
    int last = 0;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        last = names[l - 1][0] ? l : last;
    fputs("# The images belong into images/, beside labels/.\ntrain: images\nval: images\nnames:\n", to);
    for (int l = 1; l <= last; l++) { /* classes have no gaps */
        char number[64];
        fprintf(to, "  %d: ", l - 1);
        snprintf(number, sizeof number, "label %d", l);
        seg_export_put_quoted(to, names[l - 1][0] ? names[l - 1] : number);
        fputc('\n', to);
    }
}

static seg_status write_set(seg_context *ctx, seg_export_set *set, const char *path) {
    SEG_RELEASED(seg_writer_abandon) seg_writer writer = {0};
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    if (set->yolo)
        put_yaml(writer.file, set->name);
    else
        SEG_TRY(put_coco(ctx, &writer, set));
    return seg_writer_commit(ctx, &writer);
}

seg_status seg_export_coco(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    SEG_RELEASED(end_set) seg_export_set set = {0};
    if (!open_set(&set, path))
        return no_room(ctx);
    SEG_TRY(add_coco(ctx, &set, mask, about));
    note_names(set.name, mask, about, 0);
    return write_set(ctx, &set, path);
}

/* Make a folder, or FOLDER/labels, and a path in it: *path is to be freed. */
static seg_status yolo_path(seg_context *ctx, const char *folder, const char *photo, char **path) {
    const char *slash = photo ? strrchr(photo, '/') : NULL, *base = slash ? slash + 1 : photo;
    const char *dot = base ? strrchr(base, '.') : NULL;
    const int length = !base ? 0 : dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    const size_t room = strlen(folder) + (size_t)length + 16;
    SEG_TRY(seg_export_make_folder(ctx, folder));
    SEG_TRY(seg_allocated(*path = seg_alloc(ctx, room, 1)));
    snprintf(*path, room, base ? "%s/labels" : "%s/data.yaml", folder);
    if (!base)
        return SEG_OK;
    SEG_TRY(seg_export_make_folder(ctx, *path));
    snprintf(*path, room, "%s/labels/%.*s.txt", folder, length, base);
    return SEG_OK;
}

static seg_status add_yolo(seg_context *ctx, const seg_export_set *set, const seg_mask *mask,
                           const seg_export_about *about) {
    SEG_FREED char *path = NULL;
    SEG_TRY(yolo_path(ctx, set->path, about->photo, &path));
    return seg_export_yolo(ctx, path, mask, about);
}

seg_status seg_export_set_add(seg_context *ctx, seg_export_set *set, const seg_mask *mask,
                              const seg_export_about *about) {
    if (!about || !about->photo)
        return seg_fail(ctx, SEG_ERR_USAGE, "an export of many images needs the path of each");
    SEG_TRY(seg_export_check(ctx, about));
    SEG_TRY(set->yolo ? add_yolo(ctx, set, mask, about) : add_coco(ctx, set, mask, about));
    set->images++;
    note_names(set->name, mask, about, 1);
    return SEG_OK;
}

seg_status seg_export_set_close(seg_context *ctx, seg_export_set *set, int keep) {
    seg_status status = SEG_OK;
    if (!set)
        return SEG_OK;
    if (keep) {
        SEG_FREED char *yaml = NULL;
        if (set->yolo)
            status = yolo_path(ctx, set->path, NULL, &yaml);
        if (status == SEG_OK)
            status = write_set(ctx, set, set->yolo ? yaml : set->path);
    }
    end_set(set);
    free(set);
    return status;
}
