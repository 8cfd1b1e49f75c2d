/* The interactive multi-label benchmark of Graz [santner2010interactive]: NAME_USER.gt contains, as text, the name of
 * its image, the label of every pixel and the seeds that a person drew. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

#define GT_FOLDERS "all,gt,groundtruth,.,GroundTruth"

static int detect(const char *folder) {
    SEG_FREED char *found = seg_folder_first(NULL, folder, GT_FOLDERS, "gt");
    return found != NULL;
}

/* Find the value of a field in the text before LABELS. @return its length, 0 if it is missing */
static size_t find_field(const char *text, const char *name, const char **value) {
    const char *at = strstr(text, name);
    if (!at)
        return 0;
    at += strlen(name);
    at += strspn(at, " \t");
    *value = at;
    return strcspn(at, " \t\r\n");
}

/* The field IMAGE: in the head of a file names its image. A file without it stays in the list, without an image. */
static seg_status fill(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    char head[512] = "";
    const char *value;
    FILE *file = fopen(item->truth, "rb");
    if (!file)
        return SEG_OK; /* the failure is reported when the item is read */
    head[fread(head, 1, sizeof head - 1, file)] = 0;
    fclose(file);
    const size_t length = find_field(head, "IMAGE:", &value);
    if (!length || memchr(value, '/', length))
        return SEG_OK;
    item->photo = seg_format(ctx, "%s/%.*s", place->photos, (int)length, value);
    return item->photo ? SEG_OK : SEG_ERR_MEMORY;
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

/* Read pairs VALUE LENGTH behind a heading; they must fill the mask exactly. The label of a run is VALUE + first, at
 * most `labels`: VALUE + 1 in LABELS, VALUE in SEEDS. */
static seg_status read_runs(seg_context *ctx, const char *path, const char *at, int labels, int first, seg_mask *out) {
    const char *section = first ? "LABELS" : "SEEDS";
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

/* The size is compared with the image's before masks of this size are allocated. */
static seg_status parse(seg_context *ctx, const char *path, char *text, const seg_image *photo, seg_mask *truth,
                        seg_mask *seeds) {
    int width, height, labels;
    /* With the line end, since "#LABELS:" is in the head. */
    char *label_runs = strstr(text, "\nLABELS:"), *seed_runs = strstr(text, "\nSEEDS:");
    if (!label_runs || !seed_runs || seed_runs < label_runs)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not a .gt file: LABELS: or SEEDS: is missing", path);
    *label_runs = *seed_runs = 0;
    SEG_TRY(read_number(ctx, path, text, "WIDTH:", SEG_MAX_SIDE, &width));
    SEG_TRY(read_number(ctx, path, text, "HEIGHT:", SEG_MAX_SIDE, &height));
    SEG_TRY(read_number(ctx, path, text, "#LABELS:", SEG_MAX_LABELS, &labels));
    if (width != photo->width || height != photo->height)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d x %d pixels, but the image has %d x %d", path, width, height,
                        photo->width, photo->height);
    SEG_TRY(seg_mask_create(ctx, width, height, truth));
    SEG_TRY(seg_mask_create(ctx, width, height, seeds));
    SEG_TRY(read_runs(ctx, path, label_runs + strlen("\nLABELS:"), labels, 1, truth));
    return read_runs(ctx, path, seed_runs + strlen("\nSEEDS:"), labels, 0, seeds);
}

static seg_status read_item(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    SEG_FREED unsigned char *text = NULL;
    size_t size;
    SEG_TRY(seg_file_read(ctx, item->truth, &text, &size)); /* ended by 0 */
    return parse(ctx, item->truth, (char *)text, &sample->photo, &sample->truth, &sample->scribbles);
}

const seg_photo_layout seg_photo_set_icgbench = {
    .name = "icgbench",
    .title = "all/NAME_USER.gt and images/NAME.jpg",
    .photos = "images,.,../images",
    .photo_endings = SEG_PHOTO_ENDINGS,
    .truths = GT_FOLDERS,
    .truth_endings = "gt",
    .lists_truths = 1,
    .listed_endings = "gt",
    .detect = detect,
    .fill = fill,
    .read = read_item,
};
