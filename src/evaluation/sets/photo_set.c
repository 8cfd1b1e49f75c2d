#include "evaluation/sets/photo_set.h"

#include "base/base.h"
#include "evaluation/sets/listing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In the order in which "auto" asks: the plain folder, which any folder resembles, last. */
static const seg_photo_layout *const layouts[] = {&seg_photo_set_msrc, &seg_photo_set_icgbench, &seg_photo_set_grabcut,
                                                  &seg_photo_set_bsds, &seg_photo_set_folder};

#define LAYOUTS ((int)(sizeof layouts / sizeof *layouts))

const seg_photo_layout *seg_photo_form_at(int i) {
    return i >= 0 && i < LAYOUTS ? layouts[i] : NULL;
}

static seg_status choose_layout(seg_context *ctx, const char *name, const char *folder, const seg_photo_layout **out) {
    const int any = strcasecmp(name, "auto") == 0;
    for (int i = 0; i < LAYOUTS; i++) {
        errno = 0;
        const int fits = any ? layouts[i]->detect(folder) : strcasecmp(layouts[i]->name, name) == 0;
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
                        "grabcut, bsds or folder) to see what is missing",
                        folder);
    return seg_fail(ctx, SEG_ERR_USAGE,
                    "there is no layout of data sets '%s'; there are auto, msrc, icgbench, grabcut, "
                    "bsds and folder",
                    name);
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
    status = out->layout->list(ctx, out);
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
    for (size_t i = 0; i < set->items; i++) {
        free(set->item[i].name);
        free(set->item[i].photo);
        free(set->item[i].truth);
        free(set->item[i].scribbles);
    }
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
    if (status == SEG_OK && out->truths == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' contains no ground truth", item->truth);
    if (status == SEG_OK && out->scribbles.label &&
        (out->scribbles.width != out->photo.width || out->scribbles.height != out->photo.height))
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", item->scribbles,
                          out->scribbles.width, out->scribbles.height, out->photo.width, out->photo.height);
    if (status)
        seg_sample_free(out);
    return status;
}

void seg_sample_free(seg_sample *sample) {
    for (int t = 0; t < sample->truths; t++)
        seg_mask_free(&sample->truth[t]);
    free(sample->truth);
    seg_image_free(&sample->photo);
    seg_mask_free(&sample->scribbles);
    memset(sample, 0, sizeof *sample);
}

seg_status seg_sample_add_truth(seg_context *ctx, seg_sample *sample, const char *path, seg_mask *truth) {
    seg_mask *grown;
    if (truth->width != sample->photo.width || truth->height != sample->photo.height) {
        seg_status status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", path,
                                     truth->width, truth->height, sample->photo.width, sample->photo.height);
        seg_mask_free(truth);
        return status;
    }
    grown = seg_realloc(ctx, sample->truth, (size_t)sample->truths + 1, sizeof *grown);
    if (!grown) {
        seg_mask_free(truth);
        return SEG_ERR_MEMORY;
    }
    sample->truth = grown;
    sample->truth[sample->truths++] = *truth;
    memset(truth, 0, sizeof *truth);
    return SEG_OK;
}

seg_status seg_sample_read_plain(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    seg_mask truth;
    seg_status status = seg_truth_read(ctx, item->truth, &truth);
    if (status == SEG_OK)
        status = seg_sample_add_truth(ctx, sample, item->truth, &truth);
    if (status == SEG_OK && item->scribbles)
        status = seg_scribbles_read(ctx, item->scribbles, &sample->photo, NULL, &sample->scribbles, NULL);
    return status;
}

seg_status seg_sample_void_as_class(seg_context *ctx, seg_sample *sample) {
    for (int t = 0; t < sample->truths; t++) {
        seg_mask *truth = &sample->truth[t];
        const size_t pixels = (size_t)truth->width * (size_t)truth->height;
        if (!memchr(truth->label, SEG_VOID, pixels))
            continue;
        if (truth->labels == SEG_MAX_LABELS)
            return seg_fail(ctx, SEG_ERR_INPUT, "a ground truth with the label %d leaves no number for void",
                            SEG_MAX_LABELS);
        truth->labels++;
        for (size_t p = 0; p < pixels; p++)
            if (truth->label[p] == SEG_VOID)
                truth->label[p] = (uint8_t)truth->labels;
    }
    return SEG_OK;
}

int seg_truth_classes(const seg_mask *truth) {
    int present[256] = {0}, classes = 0;
    for (size_t p = 0; p < (size_t)truth->width * (size_t)truth->height; p++)
        present[truth->label[p]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        classes += present[l];
    return classes;
}

seg_status seg_photo_set_add(seg_context *ctx, seg_photo_set *set, seg_photo_item item) {
    if (item.name && seg_grow(ctx, &set->item, set->items, &set->room, sizeof *set->item) == SEG_OK) {
        set->item[set->items++] = item;
        return SEG_OK;
    }
    free(item.name);
    free(item.photo);
    free(item.truth);
    free(item.scribbles);
    return SEG_ERR_MEMORY;
}
