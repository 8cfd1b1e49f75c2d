/* From the scores of the patches to the mask at full resolution. */
#include "pipeline/run.h"

#include "base/base.h"
#include "base/bytes.h"
#include "base/parallel.h"
#include "masks/islands.h"
#include "masks/keep.h"
#include "masks/padding.h"
#include "masks/smooth_borders.h"
#include "masks/specks.h"
#include "masks/thin.h"
#include "pipeline/ambiguous.h"
#include "pipeline/finer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Islands of fewer pixels than this many patches, and without a mark, join what surrounds them. */
#define SPECK_PATCHES ((size_t)4)

#define MUCH_UNKNOWN 0.5 /* of the image, from which on it is warned of */

#define MOST_ISLANDS 100 /* as many as can have SEG_AMBIGUOUS_SHARE of an image each */

int seg_run_is_tidied(const seg_run *r, seg_refine refine) {
    return refine != SEG_REFINE_NONE || r->options->min_region || r->options->smooth;
}

/* Smoothing may cut off what hung on a thread: specks go after it, and before it so that they have no say. */
seg_status seg_run_tidy(seg_context *ctx, seg_run *r) {
    const seg_options *o = r->options;
    const int side = r->session->grid.side, width = r->photo->width, height = r->photo->height;
    const size_t least = o->min_region ? (size_t)o->min_region : SPECK_PATCHES * (size_t)side * (size_t)side;
    uint8_t *label = r->out->mask.label;
    if (r->rows)
        return seg_specks_remove_rows(ctx, &r->scan.marks, least, r->rows);
    seg_status status = seg_specks_remove(ctx, width, height, &r->scan.marks, least, label);
    if (!status && o->smooth) {
        status = seg_borders_smooth(ctx, width, height, &r->scan.marks, o->smooth, label);
        if (!status)
            status = seg_specks_remove(ctx, width, height, &r->scan.marks, least, label);
    }
    return status;
}

static seg_status refine(seg_context *ctx, seg_run *r) {
    const seg_options *o = r->options;
    seg_session *s = r->session;
    seg_result *out = r->out;
    const seg_matrix *score = &r->clustering.score;
    const seg_pixel_scores pixels = {out->mask.label, out->probability, out->uncertainty};
    seg_status status = SEG_OK;
    if (o->refine == SEG_REFINE_NONE) {
        seg_refine_none(ctx, &s->grid, score, &pixels);
        if (seg_run_is_tidied(r, SEG_REFINE_NONE) && (status = seg_run_tidy(ctx, r)) == SEG_OK)
            status = seg_regions_keep(ctx, &s->grid, score, &r->scan.marks, &pixels);
        return status;
    }
    if (o->refine == SEG_REFINE_FAST && seg_finer_side(o, &s->grid))
        status = seg_finer_scores_of(ctx, r->photo, r);
    if (!status && !s->edges.tile)
        status = seg_edges_create(ctx, seg_run_cells(r), &s->edges);
    if (!status)
        status = o->refine == SEG_REFINE_BEST
                     ? seg_refine_best(ctx, r->photo, &s->edges, score, &r->scan.marks, &pixels)
                     : seg_run_refine_near(ctx, r, &pixels);
    if (!status && seg_run_is_tidied(r, r->plan.options.refine))
        status = seg_run_tidy(ctx, r);
    if (!status && (status = seg_poll(ctx)) == SEG_OK)
        status = seg_regions_keep(ctx, &s->grid, score, &r->scan.marks, &pixels);
    return status;
}

/* Where a pixel's label is no longer the likeliest, the two columns' probabilities change places. */
static void follow_labels(const seg_run *r) {
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    float *probability = r->out->probability;
    for (size_t p = 0; probability && p < pixels; p++) {
        float *own = probability + 2 * p;
        const int label = r->out->mask.label[p];
        if (own[label] < own[!label]) {
            const float less = own[label];
            own[label] = own[!label];
            own[!label] = less;
        }
    }
}

/* A structure of a few pixels that strokes of a few more were drawn along. */
static seg_status thin(seg_context *ctx, seg_run *r) {
    const seg_options *o = r->options;
    seg_result *out = r->out;
    const int asked = o->thin == SEG_THIN_ON || (o->thin == SEG_THIN_AUTO && out->method == seg_method_default(1));
    seg_thin_evidence evidence;
    if (!asked || o->refine == SEG_REFINE_NONE || !r->scribbles || r->scan.labels != 2 || out->k != 2 || o->model ||
        r->rows)
        return SEG_OK;
    const seg_status status =
        seg_thin_settle(ctx, r->photo, &r->scan.marks, o->thin == SEG_THIN_ON, out->mask.label, &evidence, &r->thin);
    if (!status && r->thin) {
        follow_labels(r);
        seg_log(ctx, SEG_LOG_WARNING,
                "the strokes of label %d are wider than the thin structure they mark: %.0f %% of their pixels are %s "
                "than what is beside them, the others look like label %d and get its label",
                r->scan.label[evidence.column], 100 * evidence.share, evidence.bright ? "brighter" : "darker",
                r->scan.label[!evidence.column]);
    }
    return status;
}

/* A label that was to be contiguous and has no stroke is a slip of the pen, or one image of many. */
static void warn_of_missing(seg_context *ctx, const seg_run *r) {
    const uint8_t *bits = r->options->contiguous;
    uint8_t there[256] = {0};
    if (bits[0] & 1) /* all */
        return;
    for (int g = 0; r->scribbles && g < r->scan.labels; g++)
        there[r->scan.label[g]] = 1;
    for (int l = 1; l < 256; l++)
        if (bits[l / 8] >> l % 8 & 1 && !there[l])
            seg_log(ctx, SEG_LOG_WARNING, "label %d was to be contiguous, but no stroke has it", l);
}

/* Labels and strokes that are kept as runs, settled as arrays. */
static seg_status settle_padding_rows(seg_context *ctx, const seg_run *r, size_t *changed) {
    const seg_image *whole = r->whole;
    const size_t width = (size_t)whole->width, n = width * (size_t)whole->height;
    uint8_t *label = seg_alloc(ctx, n, 2), *mark = label ? label + n : NULL;
    seg_pixel_scribbles scribbles = r->scan.marks;
    seg_status status = label ? SEG_OK : SEG_ERR_MEMORY;
    for (int y = 0; !status && y < whole->height; y++) {
        seg_label_rows_read(r->rows, y, 0, whole->width, label + (size_t)y * width);
        seg_label_rows_read(r->scan.marks.rows, y, 0, whole->width, mark + (size_t)y * width);
    }
    scribbles.label = mark;
    scribbles.rows = NULL;
    if (!status)
        status = seg_padding_settle(ctx, whole, &scribbles, label, changed);
    if (!status && *changed) {
        seg_label_rows_free(r->rows);
        *r->rows = (seg_label_rows){0};
        status = seg_label_rows_append(ctx, whole->width, whole->height, label, r->rows);
    }
    free(label);
    return status;
}

/* What surrounds an image that was cut out or masked, in default masks of two labels. */
static seg_status settle_padding(seg_context *ctx, const seg_run *r) {
    const int width = r->photo->width, height = r->photo->height;
    size_t changed = 0;
    seg_status status = SEG_OK;
    if (seg_patch_side_auto(width, height) > seg_patch_side_auto(1, 1))
        return SEG_OK; /* tiles of such an image are not kept */
    if (!r->rows)
        status = seg_padding_settle(ctx, r->photo, &r->scan.marks, r->out->mask.label, &changed);
    else if (r->whole)
        status = settle_padding_rows(ctx, r, &changed);
    if (!status && changed) {
        follow_labels(r);
        seg_log(ctx, SEG_LOG_INFO,
                "areas of one colour at the frame that no stroke touches have one label each: %zu pixels changed",
                changed);
    }
    return status;
}

/* Islands are judged for the default method only, a paper's keeps its word; and for two labels, an object and its
 * background: of several labels most are materials, whose regions come in pieces (docs/results.md, "Islands"). */
static seg_status settle_islands(seg_context *ctx, seg_run *r, const int16_t *named) {
    const seg_options *o = r->options;
    seg_result *out = r->out;
    const seg_island_scores scores = {&r->session->grid, &r->clustering.score, named, r->shift};
    const int judged = !r->thin && out->method == seg_method_default(1) && r->scribbles && out->k == 2 && !o->model;
    uint8_t rule[256];
    size_t changed = 0;
    int wanted = 0;
    seg_status status;
    const seg_island_rule by_evidence = judged ? SEG_ISLAND_IS_JUDGED : SEG_ISLAND_STAYS;
    memset(rule,
           o->islands == SEG_ISLANDS_REMOVE ? SEG_ISLAND_GOES
           : o->islands == SEG_ISLANDS_KEEP ? SEG_ISLAND_STAYS
                                            : by_evidence,
           sizeof rule);
    for (int c = 0; c < out->k; c++) {
        const int l = r->scan.label[c];
        if (o->contiguous[l / 8] >> l % 8 & 1 || (o->object && c == 0)) /* columns are in the order of labels */
            rule[c] = SEG_ISLAND_GOES;
        wanted |= rule[c] != SEG_ISLAND_STAYS;
    }
    warn_of_missing(ctx, r);
    if (!wanted)
        return SEG_OK;
    if (judged && !named && o->islands == SEG_ISLANDS_AUTO && o->refine != SEG_REFINE_NONE)
        if ((status = settle_padding(ctx, r)) != SEG_OK)
            return status;
    status = r->rows ? seg_islands_settle_rows(ctx, &r->scan.marks, rule, &scores, r->rows, &changed)
                     : seg_islands_settle(ctx, r->photo->width, r->photo->height, &r->scan.marks, rule, &scores,
                                          out->mask.label, &changed);
    if (!status && changed)
        seg_log(ctx, SEG_LOG_INFO,
                "pieces that no stroke of their label touches, %zu pixels in all, joined the regions around them",
                changed);
    return status;
}

/* Those that are left though their scores do not speak for them are under-scribbled: of two labels those that would go
 * where they are judged, of more those that could nearly as well be of the label around. covered: of each patch. */
static seg_status name_islands(seg_context *ctx, const seg_run *r, const int16_t *named, uint8_t *covered) {
    const seg_island_scores scores = {&r->session->grid, &r->clustering.score, named, r->shift};
    const double pixels = (double)r->photo->width * r->photo->height;
    seg_island found[MOST_ISLANDS];
    int count = 0;
    if (!r->scribbles || r->options->model || r->thin)
        return SEG_OK;
    const double support =
        r->out->k == 2 ? SEG_ISLAND_SUPPORT : log((1 + SEG_AMBIGUOUS_MARGIN) / (1 - SEG_AMBIGUOUS_MARGIN));
    const size_t least = (size_t)ceil(SEG_AMBIGUOUS_SHARE * pixels);
    const seg_status status =
        r->rows ? seg_islands_list_rows(ctx, &r->scan.marks, &scores, support, least, r->rows, MOST_ISLANDS, found,
                                        &count, covered)
                : seg_islands_list(ctx, r->photo->width, r->photo->height, &r->scan.marks, &scores, r->out->mask.label,
                                   support, least, MOST_ISLANDS, found, &count, covered);
    for (int i = 0; i < count; i++) {
        const seg_ambiguous_region region = {.label = r->scan.label[found[i].label],
                                             .runner_up = r->scan.label[found[i].around],
                                             .left = found[i].left,
                                             .top = found[i].top,
                                             .right = found[i].right,
                                             .bottom = found[i].bottom,
                                             .share = (double)found[i].pixels / pixels};
        seg_ambiguous_enter(&region, 1, r->out);
    }
    return status;
}

/* The user has said something of a patch that a listed pair names: it holds its piece as a stroke does. */
static seg_status islands(seg_context *ctx, seg_run *r, uint8_t *covered) {
    const size_t n = r->clustering.n;
    int16_t *named = NULL;
    if (r->given.pairs > 0) {
        named = seg_alloc(ctx, n, sizeof *named);
        if (!named)
            return SEG_ERR_MEMORY;
        for (size_t i = 0; i < n; i++)
            named[i] = -1;
        for (size_t p = 0; p < r->given.pairs; p++) {
            const seg_pair *pair = &r->given.pair[p];
            named[pair->i] = (int16_t)r->clustering.label[pair->i];
            named[pair->j] = (int16_t)r->clustering.label[pair->j];
        }
    }
    seg_status status = settle_islands(ctx, r, named);
    if (!status)
        status = seg_poll(ctx);
    if (!status)
        status = name_islands(ctx, r, named, covered);
    free(named);
    return status;
}

/* Columns become labels. */
static void name_rows(void *arg, size_t first, size_t last, int worker) {
    const seg_run *r = arg;
    const size_t width = (size_t)r->photo->width;
    (void)worker;
    for (size_t p = first * width, end; p < last * width; p = end) {
        uint8_t *label = r->out->mask.label;
        end = seg_run_end(label, p, last * width);
        memset(label + p, r->scan.label[label[p]], end - p);
    }
}

static void name_runs(const seg_run *r) {
    for (size_t i = 0; i < r->rows->first[r->rows->height]; i++)
        r->rows->run[i].label = r->scan.label[r->rows->run[i].label];
    seg_label_rows_merge(r->rows);
}

static int has_label(const seg_run *r, uint8_t label) {
    if (!r->rows)
        return memchr(r->out->mask.label, label, (size_t)r->photo->width * (size_t)r->photo->height) != NULL;
    for (size_t i = 0; i < r->rows->first[r->rows->height]; i++)
        if (r->rows->run[i].label == label)
            return 1;
    return 0;
}

/* A mask that says little is an answer, too, but not one to take for a finding. */
static void warn_of_unknown(seg_context *ctx, const seg_run *r) {
    const double pixels = (double)r->photo->width * r->photo->height;
    size_t unknown = 0;
    for (size_t p = 0; p < (size_t)r->photo->width * (size_t)r->photo->height; p++)
        unknown += r->out->mask.label[p] == SEG_VOID;
    if ((double)unknown >= MUCH_UNKNOWN * pixels)
        seg_log(ctx, SEG_LOG_WARNING,
                "%.0f %% of the image is like nothing that the model has learned, and 255 in the mask; draw strokes "
                "there, learn from images like this one, too, or set no_unknown",
                100 * (double)unknown / pixels);
}

/* A label with strokes and hardly a pixel besides, though there were pixels to be had. */
static void warn_of_lost(seg_context *ctx, const seg_run *r) {
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    const size_t side = (size_t)r->session->grid.side, least = side * side + pixels / 1000;
    size_t region[256] = {0}, marked[256] = {0}, marks = 0;
    for (size_t p = 0; p < pixels; p++) {
        const int c = seg_mark_at(&r->scan.marks, p);
        region[r->out->mask.label[p]]++;
        marked[c < 0 ? SEG_VOID : r->scan.label[c]]++;
        marks += c >= 0;
    }
    for (int g = 0; g < r->scan.labels && pixels - marks > 2 * least; g++) {
        const int l = r->scan.label[g];
        if (region[l] && marked[l] && region[l] < marked[l] + least)
            seg_log(ctx, SEG_LOG_WARNING,
                    "label %d has %zu pixels of the mask, hardly more than the %zu of its strokes; if it should have "
                    "more, draw more strokes of it",
                    l, region[l], marked[l]);
    }
}

/* Labels of the mask; fewer than were asked for are a warning. */
static void count_regions(seg_context *ctx, const seg_run *r) {
    seg_result *out = r->out;
    int first = -1;
    for (int c = 0; c < out->k; c++) {
        const int is_there = has_label(r, r->scan.label[c]);
        out->regions += is_there;
        first = first < 0 && !is_there ? r->scan.label[c] : first;
    }
    if (out->regions < out->k && !r->options->model)
        seg_log(ctx, SEG_LOG_WARNING,
                "the mask has %d regions of the %d that were asked for: label %d%s has no pixel; ask for fewer, or for "
                "smaller patches",
                out->regions, out->k, first, out->k - out->regions > 1 ? " and others" : "");
    if (r->options->model && !r->rows)
        warn_of_unknown(ctx, r);
    if (r->scribbles && !r->options->model && !r->rows && !r->thin)
        warn_of_lost(ctx, r);
}

static int largest_label(const seg_run *r) {
    int largest = 0;
    for (int c = 0; c < r->out->k; c++)
        if (r->scan.label[c] != SEG_VOID && r->scan.label[c] > largest)
            largest = r->scan.label[c];
    return largest;
}

seg_status seg_run_mask(seg_context *ctx, seg_run *r) {
    const seg_options *o = r->options;
    seg_result *out = r->out;
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    if (r->session->once)
        seg_session_free_graph(r->session);
    seg_status status = seg_mask_create(ctx, r->photo->width, r->photo->height, &out->mask);
    if (!status && o->probability &&
        !(out->probability = seg_alloc(ctx, pixels, (size_t)out->k * sizeof *out->probability)))
        status = SEG_ERR_MEMORY;
    if (!status && o->uncertainty && !(out->uncertainty = seg_alloc(ctx, pixels, 1)))
        status = SEG_ERR_MEMORY;
    if (!status)
        status = refine(ctx, r);
    if (!status)
        status = thin(ctx, r);
    return status ? status : seg_run_label(ctx, r);
}

seg_status seg_run_label(seg_context *ctx, seg_run *r) {
    const seg_options *o = r->options;
    seg_result *out = r->out;
    uint8_t *covered = seg_alloc_zero(ctx, r->clustering.n, 1);
    seg_status status = covered ? islands(ctx, r, covered) : SEG_ERR_MEMORY;
    if (status)
        goto done;
    if (r->rows)
        name_runs(r);
    else
        seg_parallel(ctx, (size_t)r->photo->height, 0, name_rows, r);
    count_regions(ctx, r);
    memcpy(out->column_label, r->scan.label, sizeof out->column_label);
    out->mask.labels = largest_label(r);
    if (r->scribbles)
        for (int g = 0; g < r->scan.labels; g++)
            memcpy(out->mask.colour[r->scan.label[g]], r->scribbles->colour[r->scan.label[g]], 3);
    if (o->model)
        seg_run_model_colours(r);
    seg_constraints known = r->given; /* a model knows what strokes would tell */
    known.groups += o->model && known.groups == 0;
    status = seg_ambiguous_find(ctx, &out->grid, &r->clustering.score, &known, covered, out);
    if (o->model)
        seg_run_model_columns(ctx, r);
done:
    free(covered);
    return status;
}
