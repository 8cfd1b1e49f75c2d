/* Scribble files. The content of a file tells its kind:
 *
 * 1. A palette file: the index is the label, 0 and 255 are unmarked (255 with a warning).
 * 2. Lossless grey (also a palette of greys in order) with at most 32 values: the value is the label, 0 is unmarked;
 *    where only 0 and the largest value occur, the latter is label 1. Other files with values above 254 are refused.
 * 3. Anything else: strokes in colours on a ground (ground.h, strokes.h), each colour one label, numbered by the label
 * map or in the order of r*65536+g*256+b. Soft edges and JPEGs are snapped to the strokes' colours, with a warning.
 *
 * Programs also store colour images with palettes, and grey images with few values. Rule 3 reads them where they cannot
 * be meant as 1 or 2: a copy of the image in many colours, soft edges, or index 0 used for a stroke while a black,
 * white or grey ground has another index. Pixels less than half as opaque as the most opaque one are unmarked. */
#include "base/base.h"
#include "image/colour.h"
#include "image/mask.h"
#include "scribbles/strokes.h"

#define MANY_VALUES 8   /* soft edges have more */
#define WHOLE_PART  0.9 /* share of the pixels: scribbles that mark more leave nothing to segment */
#define WHOLE_LEAST 100 /* pixels: in smaller images strokes may cover everything */
#define GROUND_PART (2. / 3)
#define STROKE_PART 0.1
#define FEW_VALUES  32
#define DARK_VALUES 4096 /* of 65536: strokes have lighter greys */

/* The values of a raster of one channel. */
typedef struct values {
    unsigned least; /* least opacity of a visible pixel */
    int distinct;   /* number of distinct values, 0 included */
    unsigned largest;
    int grey;
    uint32_t count[]; /* pixels of each value; seg_raster_values entries */
} values;

static seg_status count_values(seg_context *ctx, const seg_raster *raster, unsigned least, values **out) {
    const unsigned possible = seg_raster_values(raster);
    values *v = *out = seg_alloc_zero(ctx, 1, sizeof *v + possible * sizeof *v->count);
    SEG_TRY(seg_allocated(v));
    v->least = least;
    seg_raster_count_values(raster, least, v->count);
    for (unsigned i = 0; i < possible; i++)
        if (v->count[i]) {
            v->distinct++;
            v->largest = i;
        }
    v->grey = seg_raster_is_grey(raster, v->count);
    return SEG_OK;
}

/* Rules 1 and 2. */
static seg_status from_values(const seg_scribbles_job *job, const seg_raster *raster, const values *v) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    /* The largest value is white and only 0 occurs besides it: white is label 1. */
    const int white = v->grey && raster->bits >= 8 && v->largest == (1u << raster->bits) - 1 && v->largest > 0 &&
                      v->distinct == 1 + (v->count[0] > 0);
    seg_mask *out = job->out;
    job->about->kind = v->grey ? SEG_SCRIBBLES_GREY : SEG_SCRIBBLES_PALETTE;
    if (!white && v->grey && v->largest > SEG_MAX_LABELS)
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "%s is grey with the value %u, but labels end at %d; paint labels in the values 1, 2, 3 ... "
                        "without soft edges, or in colours",
                        job->name, v->largest, SEG_MAX_LABELS);
    for (size_t i = 0; i < pixels; i++) {
        const unsigned value = seg_raster_visible(raster, i, v->least) ? seg_raster_value(raster, i) : 0;
        out->label[i] = (uint8_t)(white ? value > 0 : value == SEG_VOID ? 0 : value);
        out->labels = out->label[i] > out->labels ? out->label[i] : out->labels;
    }
    if (!v->grey && v->count[SEG_VOID])
        seg_log(job->ctx, SEG_LOG_WARNING, "%s: %u pixels of palette index 255 (void) are taken as unmarked", job->name,
                v->count[SEG_VOID]);
    if (out->labels == 0)
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "%s: nothing is marked, every pixel is 0%s; paint a stroke on each region, the first in %s 1",
                        job->name, v->count[SEG_VOID] ? " or 255" : "", v->grey ? "the value" : "palette index");
    if (!v->grey)
        seg_mask_take_palette(out, raster, v->count);
    return SEG_OK;
}

/* Count what is marked, and log it. An image that is marked all over is probably not scribbles but a mask or a ground
 * truth, or its ground was taken for a label. */
void seg_scribbles_tell(const seg_scribbles_job *job) {
    static const char *const kinds[] = {
        [SEG_SCRIBBLES_PALETTE] = "a palette image, the index is the label",
        [SEG_SCRIBBLES_GREY] = "a grey image, the value is the label",
        [SEG_SCRIBBLES_SHAPES] = "shapes with labels",
        [SEG_SCRIBBLES_ARRAY] = "an array of labels",
        [SEG_SCRIBBLES_COLOURS] = "strokes in flat colours",
        [SEG_SCRIBBLES_PAINTED] = "flat colours painted on a copy of the image",
        [SEG_SCRIBBLES_SNAPPED] = "strokes in smoothed colours",
    };
    const seg_mask *mask = job->out;
    seg_scribbles_about *about = job->about;
    const size_t pixels = (size_t)mask->width * (size_t)mask->height;
    const int colours = about->kind >= SEG_SCRIBBLES_COLOURS && about->kind <= SEG_SCRIBBLES_SNAPPED;
    const int snapped = about->kind == SEG_SCRIBBLES_SNAPPED;
    char labels[800];
    size_t count[256] = {0}, most = 0;
    int largest = 0;
    for (size_t i = 0; i < pixels; i++)
        count[mask->label[i]]++;
    about->labels_found = 0;
    about->marked = pixels - count[0];
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        about->labels_found += count[label] > 0;
        if (count[label] > most)
            most = count[largest = label];
    }
    if ((double)about->marked >= WHOLE_PART * (double)pixels && pixels >= WHOLE_LEAST)
        seg_log(job->ctx, SEG_LOG_WARNING,
                "%s marks %.1f %% of the pixels, and nearly nothing is left to be found: scribbles are a few strokes; "
                "was a mask or a ground truth given in their place?",
                job->name, 100. * (double)about->marked / (double)pixels);
    else if (colours && 2 * most > pixels)
        seg_log(job->ctx, SEG_LOG_WARNING,
                "%s: the colour (%d,%d,%d) covers most of the image and counts as label %d; the ground between "
                "strokes should be black, white or transparent",
                job->name, mask->colour[largest][0], mask->colour[largest][1], mask->colour[largest][2], largest);
    if (!job->ctx || !job->ctx->log)
        return;
    const int described = seg_mask_describe(mask, colours, labels, sizeof labels);
    seg_log(job->ctx, SEG_LOG_INFO, "%s is %s%s%s; %d label%s: %s", job->name, kinds[about->kind],
            snapped ? " on " : "", snapped ? about->ground : "", described, described == 1 ? "" : "s", labels);
}

static seg_status check_size(const seg_scribbles_job *job, const seg_raster *raster) {
    const seg_image *photo = job->photo;
    if (!photo || (photo->width == raster->width && photo->height == raster->height))
        return SEG_OK;
    const int aside = photo->width == raster->height && photo->height == raster->width;
    return seg_fail(job->ctx, SEG_ERR_INPUT, "%s has %d x %d pixels, the image %d x %d%s", job->name, raster->width,
                    raster->height, photo->width, photo->height,
                    aside ? ": one of them lies on its side; paint the strokes on the image as it is shown upright"
                          : "; paint the strokes on an image of the image's size");
}

/* 1 where index 0 is a stroke's colour and the ground has another index: an image that a program saved with a
 * palette of its own, not a file of labels. */
static int ground_has_another_index(const seg_raster *raster, const values *v) {
    uint64_t visible = 0;
    unsigned most = 0;
    if (raster->kind != SEG_RASTER_PALETTE || v->grey || v->count[0] == 0)
        return 0;
    for (unsigned i = 0; i < 256; i++) {
        visible += v->count[i];
        most = v->count[i] > v->count[most] ? i : most;
    }
    const uint8_t *first = raster->palette[0], *ground = raster->palette[most];
    const int ground_is_grey = ground[0] == ground[1] && ground[1] == ground[2];
    const int first_is_grey = first[0] == first[1] && first[1] == first[2];
    if (most == 0 || !ground_is_grey || memcmp(first, ground, 3) == 0 || 2 * (uint64_t)v->count[most] < visible)
        return 0;
    return !first_is_grey || ((double)v->count[most] >= GROUND_PART * (double)visible &&
                              (double)v->count[0] <= STROKE_PART * (double)visible);
}

/* 1 where grey values cannot be labels: on white ground all others are strokes, on grey ground black and white are. */
static int grey_is_ground(const seg_raster *raster, const values *v, const seg_ground *ground) {
    const unsigned colour = (unsigned)seg_colour_channel(ground->colour, 0);
    if (!v->grey || raster->bits > 8 || v->largest != (1u << raster->bits) - 1 || v->distinct < 3 ||
        ground->kind != SEG_GROUND_COLOUR || colour == 0)
        return 0;
    for (unsigned value = 1; value < v->largest && colour != 255; value++)
        if (v->count[value] && seg_sample_to_8(value, raster->bits) != colour)
            return 0;
    return 1;
}

/* Try to read a file of values as an image of strokes. *fits: 1 if it is one. */
static seg_status try_colours(const seg_scribbles_job *job, const seg_raster *raster, const seg_ground *ground,
                              const values *v, int *fits) {
    const size_t pixels = (size_t)raster->width * (size_t)raster->height;
    const int another = ground_has_another_index(raster, v);
    const int cannot_be_labels = seg_ground_is_copy(ground) || another || grey_is_ground(raster, v, ground);
    seg_context *ctx = job->ctx;
    const seg_log_fn log = ctx ? ctx->log : NULL;
    if (ctx && !cannot_be_labels)
        ctx->log = NULL; /* the file may not be strokes */
    const seg_status status = seg_scribbles_from_colours(job, raster, ground, v->least);
    if (ctx)
        ctx->log = log;
    *fits = status == SEG_OK && (cannot_be_labels || (job->about->kind == SEG_SCRIBBLES_SNAPPED &&
                                                      2 * job->about->labels_found <= v->distinct));
    if (*fits || (status != SEG_OK && status != SEG_ERR_INPUT) || seg_ground_is_copy(ground) ||
        (status == SEG_ERR_INPUT && another))
        return status;
    memset(job->out->label, 0, pixels);
    job->out->labels = 0;
    seg_mask_default_colours(job->out->colour);
    memset(job->about, 0, sizeof *job->about);
    return SEG_OK;
}

/* A raster of one channel: values or colours. */
static seg_status from_one_channel(const seg_scribbles_job *job, const seg_raster *raster, unsigned least) {
    SEG_FREED values *v = NULL;
    seg_ground ground;
    int colours = 0;
    SEG_TRY(count_values(job->ctx, raster, least, &v));
    const int few = !v->grey || v->distinct <= FEW_VALUES;
    const int surely = !v->grey && v->distinct <= MANY_VALUES && !ground_has_another_index(raster, v);
    if (!surely)
        SEG_TRY(seg_ground_find(job->ctx, raster, job->photo, least, &ground));
    if (few && !surely &&
        (seg_ground_is_copy(&ground) || grey_is_ground(raster, v, &ground) || v->distinct > MANY_VALUES ||
         ground_has_another_index(raster, v)))
        SEG_TRY(try_colours(job, raster, &ground, v, &colours));
    if (few)
        return colours ? SEG_OK : from_values(job, raster, v);
    SEG_TRY(seg_scribbles_from_colours(job, raster, &ground, least));
    /* Many greys are neither strokes nor labels, so their labels would be a guess. Small 16-bit values are numbers, not
     * shades: scaled to 8 bits many of them would be equal. */
    if (job->out->labels > FEW_VALUES || (raster->bits > 8 && v->largest < DARK_VALUES))
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "%s is grey with %d values; more than %d labels are read from palette PNG only, smooth "
                        "strokes only in a few clear greys",
                        job->name, v->distinct, FEW_VALUES - 1);
    return SEG_OK;
}

static seg_status read_raster(const seg_scribbles_job *job, const seg_raster *raster) {
    const unsigned least = seg_raster_least_opacity(raster);
    seg_ground ground;
    SEG_TRY(check_size(job, raster));
    SEG_TRY(seg_raster_check_labels(job->ctx, raster, job->name));
    SEG_TRY(seg_mask_create(job->ctx, raster->width, raster->height, job->out));
    if (raster->channels == 1 && !raster->lossy)
        return from_one_channel(job, raster, least);
    SEG_TRY(seg_ground_find(job->ctx, raster, job->photo, least, &ground));
    return seg_scribbles_from_colours(job, raster, &ground, least);
}

seg_status seg_scribbles_from_raster(const seg_scribbles_job *job, const seg_raster *raster) {
    memset(job->out, 0, sizeof *job->out);
    memset(job->about, 0, sizeof *job->about);
    const seg_status status = read_raster(job, raster);
    if (!status)
        seg_scribbles_tell(job);
    SEG_RETURN_OR(status, seg_mask_free(job->out));
}

seg_status seg_scribbles_from_image(const seg_scribbles_job *job, const unsigned char *bytes, size_t size) {
    SEG_RELEASED(seg_raster_free) seg_raster raster = {0};
    seg_scribbles_job own = *job;
    SEG_TRY(seg_raster_probe(job->ctx, bytes, size, job->name, &raster));
    if (own.photo && seg_sizes_in_proportion(raster.width, raster.height, own.photo->width, own.photo->height))
        own.photo = NULL;
    SEG_TRY(check_size(&own, &raster)); /* before decoding, as the file may be another image */
    SEG_TRY(seg_raster_decode(job->ctx, bytes, size, job->name, &raster));
    SEG_TRY(seg_raster_to_srgb(job->ctx, job->name, &raster)); /* like the image, of which it may be a copy */
    return seg_scribbles_from_raster(&own, &raster);
}
