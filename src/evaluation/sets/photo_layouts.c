/* The layouts of data sets, and how their files are found and read. */
#include "base/base.h"
#include "evaluation/sets/listing.h"
#include "evaluation/sets/photo_set.h"
#include "image/mask.h"

/* Read the strokes of the item, if it has any, by the rules of segment itself. */
static seg_status read_scribbles(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    return item->scribbles ? seg_scribbles_read(ctx, item->scribbles, &sample->photo, NULL, &sample->scribbles, NULL)
                           : SEG_OK;
}

static seg_status read_plain(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    SEG_TRY(seg_truth_read(ctx, item->truth, &sample->truth));
    return read_scribbles(ctx, item, sample);
}

/* Microsoft Research Cambridge Object Category Image Database, version 2: Images/X_Y_s.bmp, GroundTruth/X_Y_s_GT.bmp,
 * one colour per class, black for void. The colours are of the classes building, grass, tree, cow, horse, sheep, sky,
 * mountain, aeroplane, water, face, car, bicycle, flower, sign, bird, book, chair, road, cat, dog, body and boat, in
 * the order of the database's own documentation. The label is the position in this list, from 1, so that a class has
 * one label in the whole set. */
static const uint8_t classes[][3] = {{128, 0, 0},     {0, 128, 0},     {128, 128, 0}, {0, 0, 128},    {128, 0, 128},
                                     {0, 128, 128},   {128, 128, 128}, {64, 0, 0},    {192, 0, 0},    {64, 128, 0},
                                     {192, 128, 0},   {64, 0, 128},    {192, 0, 128}, {64, 128, 128}, {192, 128, 128},
                                     {0, 64, 0},      {128, 64, 0},    {0, 192, 0},   {128, 64, 128}, {0, 192, 128},
                                     {128, 192, 128}, {64, 64, 0},     {192, 64, 0}};
#define CLASSES ((int)(sizeof classes / sizeof *classes))

static seg_status fill_msrc(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->truth = seg_find_beside(ctx, place->truths, place->file, place->length, "_GT", "bmp");
    item->scribbles = seg_find_beside(ctx, place->scribbles, place->file, place->length, "", SEG_STROKE_ENDINGS);
    return SEG_OK;
}

static int class_of(const uint8_t *rgb) {
    for (int c = 0; c < CLASSES; c++)
        if (memcmp(rgb, classes[c], 3) == 0)
            return c + 1;
    return rgb[0] || rgb[1] || rgb[2] ? 0 : SEG_VOID;
}

static seg_status read_msrc(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    SEG_RELEASED(seg_image_free) seg_image colours = {0};
    seg_mask *truth = &sample->truth;
    SEG_TRY(seg_image_read(ctx, item->truth, &colours));
    SEG_TRY(seg_mask_create(ctx, colours.width, colours.height, truth));
    if (colours.depth != 8)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has 16 bits per sample; ground truths of MSRC have 8", item->truth);
    for (size_t p = 0; p < (size_t)colours.width * (size_t)colours.height; p++) {
        const uint8_t *rgb = (const uint8_t *)colours.data + 3 * p;
        truth->label[p] = (uint8_t)class_of(rgb);
        if (!truth->label[p])
            return seg_fail(ctx, SEG_ERR_INPUT, "'%s': the colour %d %d %d is not one of the %d classes of MSRC",
                            item->truth, rgb[0], rgb[1], rgb[2], CLASSES);
    }
    truth->labels = CLASSES;
    memcpy(truth->colour[1], classes, sizeof classes);
    return read_scribbles(ctx, item, sample);
}

/* The interactive multi-label benchmark of Graz [santner2010interactive]: NAME_USER.gt contains, as text, the name of
 * its image, the label of every pixel and the seeds that a person drew. */
#define GT_FOLDERS "all,gt,groundtruth,.,GroundTruth"

static int has_gt(const char *folder) {
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
static seg_status fill_icgbench(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
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
        char *between, *end;
        const long value = strtol(at, &between, 10), run = strtol(between, &end, 10);
        if (between == at || end == between || value < 0 || value > labels - first || run < 1 ||
            (unsigned long)run > pixels - filled)
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

static seg_status read_icgbench(seg_context *ctx, const seg_photo_item *item, seg_sample *sample) {
    SEG_FREED unsigned char *text = NULL;
    size_t size;
    SEG_TRY(seg_file_read(ctx, item->truth, &text, &size)); /* ended by 0 */
    return parse(ctx, item->truth, (char *)text, &sample->photo, &sample->truth, &sample->scribbles);
}

/* Microsoft's GrabCut images with truths of object, background and undecided: the original download's folders, or those
 * of the sets with human strokes [andrade2015supervised]. */
static seg_status fill_grabcut(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->photo = seg_find_beside(ctx, place->photos, place->file, place->length, "", SEG_PHOTO_ENDINGS);
    for (int plain = 0; plain < 2 && !item->scribbles; plain++)
        item->scribbles = seg_find_beside(ctx, place->scribbles, place->file, place->length, plain ? "" : "-anno",
                                          SEG_STROKE_ENDINGS);
    return SEG_OK;
}

/* A plain folder: images NAME.jpg; strokes NAME-scribbles.png beside them or NAME.png in scribbles/; truths
 * NAME-truth.png beside them or NAME.png in a folder of truths. */

/* Skip scribbles and truths beside the images. */
static int is_beside(const char *name, size_t length) {
    static const char *const suffix[] = {"scribbles", "truth"};
    for (size_t s = 0; s < sizeof suffix / sizeof *suffix; s++) {
        const size_t size = strlen(suffix[s]);
        if (length > size + 1 && strncmp(name + length - size, suffix[s], size) == 0 &&
            strchr("-_", name[length - size - 1]))
            return 1;
    }
    return 0;
}

/* `found`, or NULL if it is the item's own image, perhaps through a link: that is neither its truth nor its strokes. */
static char *other_than(const char *photo, char *found) {
    if (found && photo && seg_same_file(photo, found)) {
        free(found);
        return NULL;
    }
    return found;
}

/* NAME.png in the folder (unless it is that of the images), else NAME-what.png or NAME_what.png there or beside it. */
static char *find(seg_context *ctx, const seg_photo_place *place, const char *folder, const char *photo,
                  const char *what, const char *endings) {
    const char *const from[] = {folder, place->photos};
    char *found = NULL;
    if (folder && !seg_same_file(folder, place->photos))
        found = other_than(photo, seg_find_beside(ctx, folder, place->file, place->length, "", endings));
    for (int p = 0; p < 2; p++)
        for (const char *dash = "-_"; *dash && from[p] && !found; dash++) {
            char infix[32];
            snprintf(infix, sizeof infix, "%c%s", *dash, what);
            found = other_than(photo, seg_find_beside(ctx, from[p], place->file, place->length, infix, endings));
        }
    return found;
}

static seg_status fill_folder(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item) {
    item->truth = find(ctx, place, place->truths, item->photo, "truth", SEG_TRUTH_ENDINGS);
    item->scribbles = find(ctx, place, place->scribbles, item->photo, "scribbles", SEG_STROKE_ENDINGS);
    return SEG_OK;
}

const seg_photo_layout seg_photo_layouts[SEG_PHOTO_LAYOUTS] = {
    {
        .name = "msrc",
        .title = "Images/NAME.bmp and GroundTruth/NAME_GT.bmp in the colours of MSRC's classes, black void",
        .photos = "Images",
        .photo_endings = "bmp",
        .truths = "GroundTruth",
        .truth_endings = "bmp",
        .fill = fill_msrc,
        .read = read_msrc,
    },
    {
        .name = "icgbench",
        .title = "all/NAME_USER.gt and images/NAME.jpg",
        .photos = "images,.,../images",
        .photo_endings = SEG_PHOTO_ENDINGS,
        .truths = GT_FOLDERS,
        .truth_endings = "gt",
        .lists_truths = 1,
        .detect = has_gt,
        .fill = fill_icgbench,
        .read = read_icgbench,
    },
    {
        .name = "grabcut",
        .title = "images/NAME.jpg, ground-truth/NAME.png and scribbles-set-1/NAME-anno.png (or data_GT, boundary_GT)",
        .photos = "images,data_GT",
        .photo_endings = SEG_PHOTO_ENDINGS,
        .truths = "ground-truth,boundary_GT",
        .truth_endings = SEG_TRUTH_ENDINGS,
        .scribbles = "scribbles-set-1,scribbles-set-2",
        .lists_truths = 1,
        .names_scribbles = 1,
        .fill = fill_grabcut,
        .read = read_plain,
    },
    {
        .name = "folder",
        .title = "NAME.jpg with NAME-scribbles.png, and NAME.png in groundtruth/ or the folder of --truth",
        .photos = "images,photos,.",
        .photo_endings = SEG_PHOTO_ENDINGS,
        .truths = "groundtruth,ground-truth,truth,truths,masks,../groundtruth",
        .truth_endings = SEG_TRUTH_ENDINGS,
        .scribbles = "scribbles,strokes",
        .truths_beside = 1,
        .skip = is_beside,
        .fill = fill_folder,
        .read = read_plain,
    },
};
