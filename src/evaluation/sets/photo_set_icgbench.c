/* The interactive multi-label benchmark of Graz [santner2010interactive]: NAME_USER.gt holds, as text, which image
 * it belongs to, the label of every pixel and the seeds a person drew. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"
#include "image/raster.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GT_FOLDERS    "all,gt,groundtruth,.,GroundTruth"
#define PHOTO_FOLDERS "images,.,../images"

static int detect(const char *folder) {
    char *found = seg_folder_first(NULL, folder, GT_FOLDERS, "gt");
    free(found);
    return found != NULL;
}

/* A field's value in the text before LABELS; its length, 0 where it is not there. */
static size_t find_field(const char *text, const char *name, const char **value) {
    const char *at = strstr(text, name);
    if (!at)
        return 0;
    at += strlen(name);
    at += strspn(at, " \t");
    *value = at;
    return strcspn(at, " \t\r\n");
}

/* Only the head of a file says which image is meant: IMAGE:. A file without it stays in the list, without an
 * image. */
static seg_status find_photo(seg_context *ctx, const char *path, const char *photos, char **out) {
    char head[512] = "";
    const char *value;
    FILE *file = fopen(path, "rb");
    *out = NULL;
    if (!file)
        return SEG_OK; /* the item tells when it is read */
    head[fread(head, 1, sizeof head - 1, file)] = 0;
    fclose(file);
    const size_t length = find_field(head, "IMAGE:", &value);
    if (!length || memchr(value, '/', length))
        return SEG_OK;
    *out = seg_format(ctx, "%s/%.*s", photos, (int)length, value);
    return *out ? SEG_OK : SEG_ERR_MEMORY;
}

static seg_status list(seg_context *ctx, seg_photo_set *set) {
    char *truths = set->truth_folder ? seg_format(ctx, "%s", set->truth_folder)
                                     : seg_folder_first(ctx, set->folder, GT_FOLDERS, "gt");
    char *photos = seg_folder_first(ctx, set->folder, PHOTO_FOLDERS, "jpg,jpeg,png,bmp");
    seg_listing listing = {0};
    seg_status status = SEG_OK;
    if (!truths || !photos)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' has no folder of %s", set->folder,
                          truths ? "images: images/" : ".gt files: all/");
    else
        status = seg_listing_read(ctx, truths, &listing);
    for (int i = 0; i < listing.count && status == SEG_OK; i++) {
        const char *name = listing.entry[i]->d_name;
        const size_t length = seg_stem(name, "gt");
        if (!length)
            continue;
        seg_photo_item item = {.name = seg_format(ctx, "%.*s", (int)length, name),
                               .truth = seg_format(ctx, "%s/%s", truths, name)};
        if (item.truth)
            status = find_photo(ctx, item.truth, photos, &item.photo);
        if (seg_photo_set_add(ctx, set, item) != SEG_OK)
            status = SEG_ERR_MEMORY;
    }
    seg_listing_free(&listing);
    free(truths);
    free(photos);
    return status;
}

static seg_status read_number(seg_context *ctx, const char *path, const char *text, const char *name, long high,
                              int *out) {
    const char *value;
    char *end;
    const size_t length = find_field(text, name, &value);
    errno = 0;
    long number = length ? strtol(value, &end, 10) : 0;
    if (!length || errno || end != value + length || number < 1 || number > high)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s': %s is missing or not a number from 1 to %ld", path, name, high);
    *out = (int)number;
    return SEG_OK;
}

/* Run lengths behind `at`: pairs VALUE LENGTH that fill the mask exactly. Values 0..labels - 1 + zero_means_none become
 * labels: of LABELS value + 1, of SEEDS the value itself. */
static seg_status read_runs(seg_context *ctx, const char *path, const char *section, const char *at, int labels,
                            int first, seg_mask *out) {
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    size_t filled = 0;
    while (filled < pixels) {
        char *end;
        const long value = strtol(at, &end, 10);
        int good = end != at && value >= 0 && value <= labels - first;
        at = end;
        const long run = strtol(at, &end, 10);
        good = good && end != at && run >= 1 && (unsigned long)run <= pixels - filled;
        if (!good)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "'%s': %s is damaged after %zu of %zu pixels: pairs of a value and a run length are "
                            "expected",
                            path, section, filled, pixels);
        at = end;
        memset(out->label + filled, (int)(value + first), (size_t)run);
        filled += (size_t)run;
    }
    at += strspn(at, " \t\r\n");
    if ((*at >= '0' && *at <= '9') || *at == '-')
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s': %s has more runs than the %zu pixels", path, section, pixels);
    out->labels = labels;
    return SEG_OK;
}

/* The size is compared with the image's before there is memory for masks of it. */
static seg_status parse(seg_context *ctx, const char *path, char *text, const seg_image *photo, seg_mask *truth,
                        seg_mask *seeds) {
    int width, height, labels;
    /* "#LABELS:" stands in the head, too. */
    char *label_runs = strstr(text, "\nLABELS:"), *seed_runs = strstr(text, "\nSEEDS:");
    seg_status status;
    if (!label_runs || !seed_runs || seed_runs < label_runs)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not a .gt file: LABELS: or SEEDS: is missing", path);
    *label_runs = *seed_runs = 0;
    if ((status = read_number(ctx, path, text, "WIDTH:", SEG_MAX_SIDE, &width)) != SEG_OK ||
        (status = read_number(ctx, path, text, "HEIGHT:", SEG_MAX_SIDE, &height)) != SEG_OK ||
        (status = read_number(ctx, path, text, "#LABELS:", SEG_MAX_LABELS, &labels)) != SEG_OK)
        return status;
    if (width != photo->width || height != photo->height)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", path, width, height,
                        photo->width, photo->height);
    if ((status = seg_mask_create(ctx, width, height, truth)) != SEG_OK ||
        (status = seg_mask_create(ctx, width, height, seeds)) != SEG_OK ||
        (status = read_runs(ctx, path, "LABELS", label_runs + strlen("\nLABELS:"), labels, 1, truth)) != SEG_OK)
        return status;
    return read_runs(ctx, path, "SEEDS", seed_runs + strlen("\nSEEDS:"), labels, 0, seeds);
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    seg_mask truth = {0};
    unsigned char *text;
    size_t size;
    seg_status status = seg_file_read(ctx, item->truth, &text, &size); /* ended by 0 */
    if (status == SEG_OK)
        status = parse(ctx, item->truth, (char *)text, &sample->photo, &truth, &sample->scribbles);
    free(text);
    if (status == SEG_OK)
        return seg_sample_add_truth(ctx, sample, item->truth, &truth);
    seg_mask_free(&truth);
    return status;
}

const seg_photo_layout seg_photo_set_icgbench = {
    .name = "icgbench",
    .title = "all/NAME_USER.gt and images/NAME.jpg",
    .detect = detect,
    .list = list,
    .read = read_item,
};
