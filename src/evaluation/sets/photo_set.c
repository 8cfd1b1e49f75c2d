#include "evaluation/sets/photo_set.h"
#include "base/base.h"
#include "evaluation/sets/listing.h"

/* The folder of the option, else the first of the layout's that exists. NULL if none does or if out of memory. */
static char *find_folder(seg_context *ctx, const char *folder, const char *given, const char *tried,
                         const char *endings) {
    return given ? seg_format(ctx, "%s", given) : tried ? seg_folder_first(ctx, folder, tried, endings) : NULL;
}

static int has_folders(const seg_photo_layout *layout, const char *folder) {
    SEG_FREED char *photos = seg_folder_first(NULL, folder, layout->photos, layout->photo_endings);
    SEG_FREED char *truths = seg_folder_first(NULL, folder, layout->truths, layout->truth_endings);
    return photos && (truths || layout->truths_beside);
}

static seg_status choose_layout(seg_context *ctx, const char *name, const char *folder, const seg_photo_layout **out) {
    const int any = strcasecmp(name, "auto") == 0;
    for (int i = 0; i < SEG_PHOTO_LAYOUTS; i++) {
        const seg_photo_layout *layout = &seg_photo_layouts[i];
        errno = 0;
        const int fits = !any             ? strcasecmp(layout->name, name) == 0
                         : layout->detect ? layout->detect(folder)
                                          : has_folders(layout, folder);
        if (errno == ENOMEM) /* a folder that could not be listed may still have the files */
            return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while looking at '%s'", folder);
        if (fits) {
            *out = layout;
            return SEG_OK;
        }
    }
    if (any)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the layout of the data set '%s' is not recognised; name it (--dataset msrc, icgbench, "
                        "grabcut or folder) to see what is missing",
                        folder);
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "there is no layout of data sets '%s'; there are auto, msrc, icgbench, grabcut and folder", name);
}

static void free_item(seg_photo_item *item) {
    SEG_CLEAR(item, item->name, item->photo, item->truth, item->scribbles);
}

/* Append the item of a listed file. */
static seg_status add_item(seg_context *ctx, const char *listed, const seg_photo_place *place, seg_photo_set *set) {
    SEG_RELEASED(free_item) seg_photo_item item = {.name = seg_format(ctx, "%.*s", (int)place->length, place->file)};
    char *path = seg_format(ctx, "%s/%s", listed, place->file);
    *(set->layout->lists_truths ? &item.truth : &item.photo) = path;
    SEG_TRY(item.name && path ? set->layout->fill(ctx, place, &item) : SEG_ERR_MEMORY);
    SEG_TRY(seg_extend(ctx, &set->item, set->items, sizeof *set->item));
    return SEG_HANDED_OVER(&set->item[set->items++], item);
}

static seg_status list_folder(seg_context *ctx, seg_photo_place place, seg_photo_set *set) {
    const seg_photo_layout *layout = set->layout;
    const char *listed = layout->lists_truths ? place.truths : place.photos;
    const char *endings = layout->lists_truths ? layout->truth_endings : layout->photo_endings;
    SEG_RELEASED(seg_listing_free) seg_listing listing = {0};
    SEG_TRY(seg_listing_read(ctx, listed, &listing));
    for (int i = 0; i < listing.count; i++) {
        place.file = listing.entry[i]->d_name;
        place.length = seg_stem(place.file, endings);
        if (place.length && !(layout->skip && layout->skip(place.file, place.length)))
            SEG_TRY(add_item(ctx, listed, &place, set));
    }
    return SEG_OK;
}

static seg_status list_items(seg_context *ctx, seg_photo_set *set) {
    const seg_photo_layout *layout = set->layout;
    const char *asked = set->scribbles_folder;
    SEG_FREED char *photos = seg_folder_first(ctx, set->folder, layout->photos, layout->photo_endings);
    SEG_FREED char *truths = find_folder(ctx, set->folder, set->truth_folder, layout->truths, layout->truth_endings);
    SEG_FREED char *scribbles = asked && layout->names_scribbles && !strchr(asked, '/')
                                    ? seg_format(ctx, "%s/%s", set->folder, asked)
                                    : find_folder(ctx, set->folder, asked, layout->scribbles, SEG_STROKE_ENDINGS);
    if (photos && (truths || layout->truths_beside))
        return list_folder(ctx, (seg_photo_place){photos, truths, scribbles, NULL, 0}, set);
    if (errno == ENOMEM || layout->truths_beside)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no folder of %s of the layout %s: %s", set->folder,
                    photos ? "ground truths" : "images", layout->name, layout->title);
}

seg_status seg_photo_set_open(seg_context *ctx, const char *layout, const char *folder, const char *truths,
                              const char *scribbles, seg_photo_set *set) {
    SEG_RELEASED(seg_listing_free) seg_listing listing = {0};
    *set = (seg_photo_set){.folder = folder, .truth_folder = truths, .scribbles_folder = scribbles};
    SEG_TRY(seg_listing_read(ctx, folder, &listing)); /* reports a missing folder */
    SEG_TRY(choose_layout(ctx, layout, folder, &set->layout));
    errno = 0;
    SEG_TRY(list_items(ctx, set));
    if (set->items == 0 && errno == ENOMEM)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while listing '%s'", folder);
    if (set->items == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' contains no files of the layout %s: %s", folder, set->layout->name,
                        set->layout->title);
    qsort(set->item, set->items, sizeof *set->item, seg_by_name);
    for (size_t i = 1; i < set->items; i++)
        if (strcmp(set->item[i - 1].name, set->item[i].name) == 0)
            return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has two items called '%s'; rename one", folder,
                            set->item[i].name);
    for (size_t i = 0; i < set->items; i++)
        if (set->item[i].truth)
            return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT,
                    "none of the %zu images of '%s' has a ground truth%s%s%s (%s); name the folder of the truths",
                    set->items, folder, truths ? " in '" : "", truths ? truths : "", truths ? "'" : "",
                    set->layout->title);
}

void seg_photo_set_free(seg_photo_set *set) {
    for (size_t i = 0; i < set->items; i++)
        free_item(&set->item[i]);
    SEG_CLEAR(set, set->item);
}

static seg_status check_size(seg_context *ctx, const seg_sample *sample, const char *path, const seg_mask *mask) {
    const seg_image *photo = &sample->photo;
    if (mask->width == photo->width && mask->height == photo->height)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", path, mask->width,
                    mask->height, photo->width, photo->height);
}

seg_status seg_photo_set_read(seg_context *ctx, const seg_photo_set *set, size_t number, seg_sample *out) {
    const seg_photo_item *item = &set->item[number];
    memset(out, 0, sizeof *out);
    if (!item->photo)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s: there is no image of that name", item->name);
    if (!item->truth)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s: there is no ground truth beside '%s'", item->name, item->photo);
    SEG_TRY(seg_image_read(ctx, item->photo, &out->photo));
    SEG_TRY(set->layout->read(ctx, item, out));
    SEG_TRY(check_size(ctx, out, item->truth, &out->truth));
    return out->scribbles.label ? check_size(ctx, out, item->scribbles, &out->scribbles) : SEG_OK;
}

void seg_sample_free(seg_sample *sample) {
    seg_mask_free(&sample->truth);
    seg_image_free(&sample->photo);
    seg_mask_free(&sample->scribbles);
    memset(sample, 0, sizeof *sample);
}

int seg_truth_classes(const seg_mask *truth) {
    int present[256] = {0}, classes = 0;
    for (size_t p = 0; p < (size_t)truth->width * (size_t)truth->height; p++)
        present[truth->label[p]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        classes += present[l];
    return classes;
}
