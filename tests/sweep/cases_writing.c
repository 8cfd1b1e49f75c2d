/* Everything that writes files of pictures and masks; overlays. */
#include "sweep.h"

#include "image/mask.h"
#include "masks/exports/export.h"

#include <unistd.h>

enum { W = 24, H = 16 };

/* Two labels, one with a hole, so that outlines have something to join. */
static seg_mask make_mask(void) {
    seg_mask out;
    must(&own, seg_mask_create(&own, W, H, &out));
    out.labels = 3;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            out.label[y * W + x] = (uint8_t)(x < 8 ? 1 : x > 12 && x < 16 && y > 4 && y < 9 ? 3 : 2);
    return out;
}

CASE(write_mask, name) {
    const seg_mask_form form = strstr(name, ".tif") ? SEG_MASK_TIFF : SEG_MASK_PNG;
    SCOPED(seg_mask) mask = make_mask();
    return OVERWRITE(name, CALL(seg_mask_write, ctx, in_folder(name), &mask, form));
}

CASE(write_image, name) {
    SCOPED(seg_image) photo = halves(W, H, NULL);
    if (strcmp(name, "deep.png") == 0) {
        uint16_t *deep = malloc(6 * W * H);
        for (int i = 0; i < 3 * W * H; i++)
            deep[i] = (uint16_t)(((uint8_t *)photo.data)[i] * 250);
        free(photo.data);
        photo.data = deep;
        photo.depth = 16;
    }
    return OVERWRITE(name, CALL(seg_image_write_png, ctx, in_folder(name), &photo, NULL));
}

CASE(write_grey, name) {
    static uint8_t value[W * H];
    for (int i = 0; i < W * H; i++)
        value[i] = (uint8_t)(i * 3);
    const seg_mask mask = {.width = W, .height = H, .label = value};
    return OVERWRITE(name, CALL(seg_mask_write, ctx, in_folder(name), &mask, SEG_MASK_GREY));
}

CASE(write_soft_cutout, name) {
    static const uint8_t labels[32] = {1 << 2}, columns[] = {1, 2, 3};
    static float score[3 * W * H];
    static uint8_t alpha[W * H];
    const seg_region_scores scores = {score, columns, 3};
    SCOPED(seg_image) photo = halves(W, H, NULL);
    SCOPED(seg_mask) mask = make_mask();
    for (int i = 0; i < 3 * W * H; i++)
        score[i] = (float)(i % 7) / 7;
    seg_status status = CALL(seg_cutout_alpha, ctx, &mask, &scores, labels, alpha);
    if (status == SEG_OK)
        status = OVERWRITE(name, CALL(seg_image_write_png, ctx, in_folder(name), &photo, alpha));
    return status;
}

CASE(measure_regions, unused) {
    seg_region *region = calloc(SEG_MAX_LABELS, sizeof *region);
    seg_labelmap *names = calloc(1, sizeof *names);
    SCOPED(seg_image) photo = halves(W, H, NULL);
    SCOPED(seg_mask) mask = make_mask();
    seg_status status = CALL(seg_labelmap_set_names, ctx, "left,,hole", names);
    if (names->count != (status == SEG_OK ? 3 : 0))
        sweep_fault("%d names", names->count);
    if (status == SEG_OK)
        status = CALL(seg_regions_measure, ctx, &mask, &photo, NULL, region);
    free(names);
    free(region);
    return status;
}

CASE(write_bytes, name) {
    seg_status status = OVERWRITE(name, CALL(seg_file_write, ctx, in_folder(name), "new text", 8));
    if (status != SEG_OK)
        return status;
    status = CALL(seg_file_write, ctx, in_folder("new-file"), "new text", 8); /* where nothing was before */
    if (status == SEG_OK)
        check_output("new-file", status);
    else if (access(in_folder("new-file"), F_OK) == 0)
        sweep_fault("a failure, and a new file");
    return status;
}

CASE(export, format) {
    const seg_export_format *found = seg_export_format_find(format);
    seg_labelmap *names = calloc(1, sizeof *names);
    seg_status status;
    SCOPED(seg_mask) mask = make_mask();
    names->count = 2;
    strcpy(names->name[0], "left");
    const seg_export_about about = {"folder/photo \xff\".jpg", names};
    if (found->folder) {
        static const char *const files[] = {"label-1.png", "label-2.png", "label-3.png"};
        status = CALL(seg_export_write, ctx, format, in_folder("masks"), &mask, &about);
        int whole = 0;
        for (int i = 0; i < 3; i++) {
            char name[64];
            snprintf(name, sizeof name, "masks/%s", files[i]);
            whole += access(in_folder(name), F_OK) == 0;
            unlink(in_folder(name));
        }
        if (status == SEG_OK && whole != 3)
            sweep_fault("success, and %d of 3 files", whole);
        if (rmdir(in_folder("masks")) != 0 && access(in_folder("masks"), F_OK) == 0)
            sweep_fault("something is left in the folder of masks");
    } else {
        status = OVERWRITE("export", CALL(seg_export_write, ctx, format, in_folder("export"), &mask, &about));
    }
    free(names);
    return status;
}

CASE(export_simply, format) {
    SCOPED(seg_mask) mask = make_mask();
    for (int i = 0; i < W; i++) /* something that is slanted */
        memset(mask.label + i % H * W, 1, (size_t)(i % H));
    const seg_export_about about = {.photo = "photo.jpg", .simplify = 0.5};
    return OVERWRITE("export", CALL(seg_export_write, ctx, format, in_folder("export"), &mask, &about));
}

CASE(export_set, format) {
    const seg_export_about about = {.photo = "folder/photo.jpg"};
    const int yolo = strcmp(format, "yolo") == 0;
    seg_export_set *set = (seg_export_set *)ctx; /* to be overwritten */
    SCOPED(seg_mask) mask = make_mask();
    if (!yolo)
        old_output("set");
    seg_status status = CALL(seg_export_set_open, ctx, format, in_folder("set"), &set);
    if (status != SEG_OK && set)
        sweep_fault("a failure, and a set");
    if (status == SEG_OK) {
        status = CALL(seg_export_set_add, ctx, set, &mask, &about);
        const int keep = status == SEG_OK;
        const seg_status closed = CALL(seg_export_set_close, ctx, set, keep);
        status = keep ? closed : status;
    }
    if (yolo) {
        if (status == SEG_OK && access(in_folder("set/data.yaml"), F_OK) != 0)
            sweep_fault("success, and no data.yaml");
        unlink(in_folder("set/data.yaml"));
        unlink(in_folder("set/labels/photo.txt"));
        rmdir(in_folder("set/labels"));
        if (rmdir(in_folder("set")) != 0 && access(in_folder("set"), F_OK) == 0)
            sweep_fault("something is left in the folder");
    } else {
        check_output("set", status);
        unlink(in_folder("set"));
    }
    return status;
}

CASE(draw_overlay, unused) {
    seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    SCOPED(seg_image) photo = halves(W, H, NULL), out = DIRTY(seg_image);
    SCOPED(seg_mask) mask = make_mask();
    return TELL(CALL(seg_overlay_draw, ctx, &photo, &mask, &style, &out), told_image, out);
}

CASE(draw_over, unused) {
    seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    SCOPED(seg_image) photo = halves(W, H, NULL);
    SCOPED(seg_mask) mask = make_mask();
    const seg_status status = CALL(seg_overlay_draw, ctx, &photo, &mask, &style, &photo);
    if (status == SEG_OK)
        told_image(&photo);
    return status;
}

static const sweep_case cases[] = {
    {"mask", write_mask, "mask.png", 1},
    {"tiff", write_mask, "mask.tif", 1},
    {"image", write_image, "photo.png", 1},
    {"deep", write_image, "deep.png", 1},
    {"grey", write_grey, "grey.png", 1},
    {"soft-cutout", write_soft_cutout, "soft.png", 1},
    {"regions", measure_regions, NULL, 1},
    {"bytes", write_bytes, "bytes", 1},
    {"coco", export, "coco", 1},
    {"yolo", export, "yolo", 1},
    {"geojson", export, "geojson", 1},
    {"svg", export, "svg", 1},
    {"npy", export, "npy", 1},
    {"labelme", export, "labelme", 1},
    {"masks", export, "masks", 1},
    {"voc", export, "voc", 1},
    {"simple-geojson", export_simply, "geojson", 1},
    {"simple-coco", export_simply, "coco", 1},
    {"coco-set", export_set, "coco", 1},
    {"yolo-set", export_set, "yolo", 1},
    {"overlay", draw_overlay, NULL, 2},
    {"overlay-over", draw_over, NULL, 2},
};
TOPIC(sweep_writing, "writing");
