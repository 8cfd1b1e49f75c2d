#include "evaluation/sets/photo_set.h"

#include "base/base.h"
#include "evaluation/sets/listing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In the order in which "auto" asks: the plain folder, which any folder resembles, last. */
static const seg_photo_layout *const layouts[] = {&seg_photo_set_msrc, &seg_photo_set_icgbench, &seg_photo_set_grabcut,
                                                  &seg_photo_set_folder};

#define LAYOUTS ((int)(sizeof layouts / sizeof *layouts))

const seg_photo_layout *seg_photo_form_at(int i) {
    return i >= 0 && i < LAYOUTS ? layouts[i] : NULL;
}

/* The folder of the option, else the first of the layout's that is there. NULL without one, or without memory. */
static char *find_folder(seg_context *ctx, const char *folder, const char *given, const char *tried,
                         const char *endings) {
    return given ? seg_format(ctx, "%s", given) : tried ? seg_folder_first(ctx, folder, tried, endings) : NULL;
}

static int has_both(const seg_photo_layout *layout, const char *folder) {
    char *photos = seg_folder_first(NULL, folder, layout->photos, layout->photo_endings);
    char *truths = seg_folder_first(NULL, folder, layout->truths, layout->truth_endings);
    const int both = photos && truths;
    free(photos);
    free(truths);
    return both;
}

static seg_status choose_layout(seg_context *ctx, const char *name, const char *folder, const seg_photo_layout **out) {
    const int any = strcasecmp(name, "auto") == 0;
    for (int i = 0; i < LAYOUTS; i++) {
        errno = 0;
        const int fits = !any                 ? strcasecmp(layouts[i]->name, name) == 0
                         : layouts[i]->detect ? layouts[i]->detect(folder)
                                              : has_both(layouts[i], folder);
        if (errno == ENOMEM) /* a folder that could not be looked at is not one without the files */
            return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while looking at '%s'", folder);
        if (fits) {
            *out = layouts[i];
            return SEG_OK;
        }
    }
    if (any)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "the layout of the data set '%s' is not recognised; name it (--dataset msrc, icgbench, "
                        "grabcut or folder) to see what is missing",
                        folder);
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "there is no layout of data sets '%s'; there are auto, msrc, icgbench, grabcut "
                    "and folder",
                    name);
}

static void free_item(seg_photo_item *item) {
    free(item->name);
    free(item->photo);
    free(item->truth);
    free(item->scribbles);
}

/* Append the item of a listed file. */
static seg_status add_item(seg_context *ctx, const char *listed, const seg_photo_place *place, seg_photo_set *set) {
    seg_photo_item item = {.name = seg_format(ctx, "%.*s", (int)place->length, place->file)};
    char *path = seg_format(ctx, "%s/%s", listed, place->file);
    *(set->layout->lists_truths ? &item.truth : &item.photo) = path;
    seg_status status = item.name && path ? set->layout->fill(ctx, place, &item) : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = seg_grow(ctx, &set->item, set->items, &set->room, sizeof *set->item);
    if (status == SEG_OK)
        set->item[set->items++] = item;
    else
        free_item(&item);
    return status;
}

static seg_status list_folder(seg_context *ctx, seg_photo_place place, seg_photo_set *set) {
    const seg_photo_layout *layout = set->layout;
    const char *listed = layout->lists_truths ? place.truths : place.photos;
    seg_listing listing;
    seg_status status = seg_listing_read(ctx, listed, &listing);
    for (int i = 0; i < listing.count && status == SEG_OK; i++) {
        place.file = listing.entry[i]->d_name;
        place.length = seg_stem(place.file, layout->listed_endings);
        if (place.length && !(layout->skip && layout->skip(place.file, place.length)))
            status = add_item(ctx, listed, &place, set);
    }
    seg_listing_free(&listing);
    return status;
}

static seg_status list_items(seg_context *ctx, seg_photo_set *set) {
    const seg_photo_layout *layout = set->layout;
    const char *asked = set->scribbles_folder;
    char *photos = seg_folder_first(ctx, set->folder, layout->photos, layout->photo_endings);
    char *truths = find_folder(ctx, set->folder, set->truth_folder, layout->truths, layout->truth_endings);
    char *scribbles = asked && layout->names_scribbles && !strchr(asked, '/')
                          ? seg_format(ctx, "%s/%s", set->folder, asked)
                          : find_folder(ctx, set->folder, asked, layout->scribbles, SEG_TRUTH_ENDINGS);
    const seg_photo_place all = {photos, truths, scribbles, NULL, 0};
    seg_status status = SEG_OK;
    if (photos && (truths || layout->truths_beside))
        status = list_folder(ctx, all, set);
    else if (errno != ENOMEM && !layout->truths_beside)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no folder of %s of the layout %s: %s", set->folder,
                          photos ? "ground truths" : "images", layout->name, layout->title);
    free(photos);
    free(truths);
    free(scribbles);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const seg_photo_item *)a)->name, ((const seg_photo_item *)b)->name);
}

static int any_truth(const seg_photo_set *set) {
    for (size_t i = 0; i < set->items; i++)
        if (set->item[i].truth)
            return 1;
    return 0;
}

seg_status seg_photo_set_open(seg_context *ctx, const char *layout, const char *folder, const char *truth_folder,
                              const char *scribbles_folder, seg_photo_set *out) {
    seg_listing listing;
    memset(out, 0, sizeof *out);
    seg_status status = seg_listing_read(ctx, folder, &listing); /* a folder that is not there is said so */
    seg_listing_free(&listing);
    if (status || (status = choose_layout(ctx, layout, folder, &out->layout)) != SEG_OK)
        return status;
    out->folder = folder;
    out->truth_folder = truth_folder;
    out->scribbles_folder = scribbles_folder;
    errno = 0;
    status = list_items(ctx, out);
    if (status == SEG_OK && out->items == 0 && errno == ENOMEM)
        status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while listing '%s'", folder);
    if (status == SEG_OK && out->items == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' contains no files of the layout %s: %s", folder, out->layout->name,
                          out->layout->title);
    if (status == SEG_OK)
        qsort(out->item, out->items, sizeof *out->item, by_name);
    for (size_t i = 1; i < out->items && status == SEG_OK; i++)
        if (strcmp(out->item[i - 1].name, out->item[i].name) == 0)
            status =
                seg_fail(ctx, SEG_ERR_INPUT, "'%s' has two items called '%s'; rename one", folder, out->item[i].name);
    if (status == SEG_OK && !any_truth(out))
        status = seg_fail(ctx, SEG_ERR_INPUT,
                          "none of the %zu images of '%s' has a ground truth%s%s%s (%s); name the folder of the "
                          "truths",
                          out->items, folder, truth_folder ? " in '" : "", truth_folder ? truth_folder : "",
                          truth_folder ? "'" : "", out->layout->title);
    if (status)
        seg_photo_set_free(out);
    return status;
}

void seg_photo_set_free(seg_photo_set *set) {
    for (size_t i = 0; i < set->items; i++)
        free_item(&set->item[i]);
    free(set->item);
    memset(set, 0, sizeof *set);
}

seg_status seg_photo_set_read(seg_context *ctx, const seg_photo_set *set, size_t number, seg_sample *out) {
    const seg_photo_item *item = &set->item[number];
    seg_status status;
    memset(out, 0, sizeof *out);
    if (!item->photo)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s: there is no image of that name", item->name);
    else if (!item->truth)
        status = seg_fail(ctx, SEG_ERR_INPUT, "%s: there is no ground truth beside '%s'", item->name, item->photo);
    else if ((status = seg_image_read(ctx, item->photo, &out->photo)) == SEG_OK)
        status = set->layout->read(ctx, item, out);
    if (status == SEG_OK && out->scribbles.label &&
        (out->scribbles.width != out->photo.width || out->scribbles.height != out->photo.height))
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", item->scribbles,
                          out->scribbles.width, out->scribbles.height, out->photo.width, out->photo.height);
    if (status)
        seg_sample_free(out);
    return status;
}

void seg_sample_free(seg_sample *sample) {
    seg_mask_free(&sample->truth);
    seg_image_free(&sample->photo);
    seg_mask_free(&sample->scribbles);
    memset(sample, 0, sizeof *sample);
}

seg_status seg_sample_set_truth(seg_context *ctx, seg_sample *sample, const char *path, seg_mask *truth) {
    sample->truth = *truth;
    memset(truth, 0, sizeof *truth);
    if (sample->truth.width == sample->photo.width && sample->truth.height == sample->photo.height)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", path, sample->truth.width,
                    sample->truth.height, sample->photo.width, sample->photo.height);
}

seg_status seg_sample_read_scribbles(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    return item->scribbles ? seg_scribbles_read(ctx, item->scribbles, &sample->photo, NULL, &sample->scribbles, NULL)
                           : SEG_OK;
}

seg_status seg_sample_read_plain(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    seg_mask truth;
    seg_status status = seg_truth_read(ctx, item->truth, &truth);
    if (status == SEG_OK)
        status = seg_sample_set_truth(ctx, sample, item->truth, &truth);
    return status == SEG_OK ? seg_sample_read_scribbles(ctx, item, sample) : status;
}

int seg_truth_classes(const seg_mask *truth) {
    int present[256] = {0}, classes = 0;
    for (size_t p = 0; p < (size_t)truth->width * (size_t)truth->height; p++)
        present[truth->label[p]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        classes += present[l];
    return classes;
}
