/* The passes from the scores of the patches to the columns of the pixels. Behind the refinement the pixels' columns are
 * runs of equal ones in the rows, of images that are in memory and of those that are not. */

#include "base/base.h"
#include "features/grid.h"
#include "features/spec.h"
#include "masks/object.h"
#include "masks/photo_passes.h"
#include "masks/pieces.h"
#include "pipeline/start.h"

/* Pieces of fewer pixels than this many patches, and without a mark, join what surrounds them. */
#define SPECK_PATCHES ((size_t)4)

#define MOST_ISLANDS 100 /* as many as can have SEG_AMBIGUOUS_SHARE of an image each */

uint8_t *seg_session_appearance(seg_context *ctx, const seg_session *s) {
    uint8_t *uses = seg_alloc(ctx, s->features.cols, 1);
    if (!uses)
        return NULL;
    memset(uses, 1, s->features.cols);
    for (size_t kind = 0, column = 0; kind < SEG_FEATURE_KINDS; kind++)
        for (size_t c = 0; s->options.features.weight[kind] > 0 && c < seg_feature_columns((seg_feature_kind)kind); c++)
            uses[column++] = kind != SEG_FEATURE_POSITION;
    return uses;
}

/* The odds of an object against its background's. */
static seg_status balance(seg_context *ctx, seg_run *r) {
    const seg_session *s = r->session;
    SEG_LOCAL(uint8_t, uses, seg_session_appearance(ctx, s));
    const seg_object_view view = {&s->layout.grid, &s->features,   uses,
                                  r->given.group,  r->scan.labels, &r->clustering.score};
    SEG_TRY(seg_balance_find(ctx, &view, &r->shift, &r->object));
    if (r->shift != 0) {
        seg_balance_apply(r->given.group, r->shift, &r->clustering.score, r->clustering.label);
        seg_log(ctx, SEG_LOG_INFO, "balance: the odds of label %d are multiplied by %.2f", r->scan.label[r->shift < 0],
                exp(fabs(r->shift)));
    }
    return SEG_OK;
}

static seg_status extent(seg_context *ctx, seg_run *r) {
    size_t lowered = 0;
    const seg_extent e = {&r->session->layout.grid, r->given.group, r->object};
    SEG_TRY(seg_extent_apply(ctx, &e, &r->clustering.score, r->clustering.label, &lowered));
    if (lowered)
        seg_log(ctx, SEG_LOG_INFO,
                "%zu patches lie much farther from the strokes of label %d than those of the other label do: its odds "
                "are lower there",
                lowered, r->scan.label[r->object < 0]);
    return SEG_OK;
}

static seg_status specks(seg_context *ctx, seg_run *r) {
    const size_t side = (size_t)r->session->layout.grid.side, asked = (size_t)r->options->min_region;
    return seg_specks_remove(ctx, &r->scan.marks, asked ? asked : SPECK_PATCHES * side * side, r->rows);
}

/* What a pass does to labels as an array, which become rows again. */
typedef seg_status pixel_pass(seg_context *ctx, seg_run *r, const seg_image *photo,
                              const seg_pixel_scribbles *scribbles, uint8_t *label, size_t *changed);

/* Where a pixel's label is no longer the likeliest, its probability and the largest change places. */
static void follow_labels(const seg_run *r) {
    const size_t width = (size_t)r->photo->width, k = (size_t)r->out->k;
    for (int y = 0; r->out->probability && y < r->rows->height; y++)
        for (size_t i = r->rows->first[y]; i < r->rows->first[y + 1]; i++)
            for (int x = r->rows->run[i].from; x < r->rows->run[i].to; x++) {
                float *own = r->out->probability + k * ((size_t)y * width + (size_t)x), *most = own;
                for (size_t c = 1; c < k; c++)
                    most = own[c] > *most ? own + c : most;
                if (own[r->rows->run[i].label] < *most)
                    SEG_SWAP(float, own[r->rows->run[i].label], *most);
            }
}

/* Labels, and scribbles where they are runs, are arrays for one pass. */
static seg_status with_pixels(seg_context *ctx, seg_run *r, pixel_pass *pass) {
    const seg_image *photo = r->session->file ? r->session->copy : r->photo;
    const int width = r->rows->width, height = r->rows->height;
    const size_t n = (size_t)width * (size_t)height;
    seg_pixel_scribbles scribbles = r->scan.marks;
    SEG_LOCAL(uint8_t, label, seg_alloc(ctx, n, r->session->file ? 2 : 1));
    size_t changed = 0;
    seg_label_rows_paint(r->rows, label);
    if (scribbles.rows && !scribbles.label) {
        seg_label_rows_paint(scribbles.rows, label + n);
        scribbles.label = label + n;
    }
    SEG_TRY(pass(ctx, r, photo, &scribbles, label, &changed));
    if (changed) {
        const int slice = r->rows->slice;
        seg_label_rows_free(r->rows);
        r->rows->slice = slice;
        SEG_TRY(seg_label_rows_append(ctx, width, height, label, r->rows));
        follow_labels(r);
    }
    return SEG_OK;
}

static seg_status keep(seg_context *ctx, seg_run *r) {
    const seg_pixel_scores pixels = seg_run_pixels(r);
    SEG_TRY(seg_poll(ctx));
    return seg_regions_keep(ctx, &r->session->layout.grid, &r->clustering.score, &r->scan.marks, &pixels, r->rows);
}

/* A structure a few pixels wide that was marked with wider strokes. */
static seg_status thin(seg_context *ctx, seg_run *r) {
    const seg_session *s = r->session;
    const int is_whole = !s->file && (size_t)r->photo->width * (size_t)r->photo->height <= SEG_THIN_MOST_PIXELS;
    seg_thin_evidence e;
    const seg_photo_copy seen = {is_whole ? r->photo : s->copy, is_whole ? 1 : s->layout.reduced};
    SEG_TRY(seg_thin_settle(ctx, seen, &r->scan.marks, r->options->thin == SEG_THIN_ON, r->rows, &e));
    r->thin = e.found;
    if (e.found) {
        follow_labels(r);
        seg_log(ctx, SEG_LOG_WARNING,
                "the strokes of label %d are wider than the thin structure they mark: %.0f %% of their pixels are %s "
                "than the pixels beside it, the others resemble label %d and get its label",
                r->scan.label[e.column], 100 * e.share, e.bright ? "brighter" : "darker", r->scan.label[!e.column]);
    }
    return SEG_OK;
}

static seg_status start(seg_context *ctx, seg_run *r) {
    return r->session->start ? with_pixels(ctx, r, seg_start_settle) : SEG_OK;
}

static seg_status padding_pixels(seg_context *ctx, SEG_UNUSED seg_run *r, const seg_image *photo,
                                 const seg_pixel_scribbles *scribbles, uint8_t *label, size_t *changed) {
    SEG_TRY(seg_padding_settle(ctx, photo, scribbles, label, changed));
    if (*changed)
        seg_log(ctx, SEG_LOG_INFO,
                "each single-coloured area at the frame that no stroke touches got one label: %zu pixels changed",
                *changed);
    return SEG_OK;
}

static seg_status outline_pixels(seg_context *ctx, seg_run *r, const seg_image *photo,
                                 const seg_pixel_scribbles *scribbles, uint8_t *label, size_t *changed) {
    const seg_photo_slices slices = {photo, r->options->slices, r->options->spacing};
    return seg_outline_settle(ctx, &slices, scribbles, label, changed);
}

/* Of volumes, and where patches are finer than usual because one object is sought (layout.c). */
static seg_status outline(seg_context *ctx, seg_run *r) {
    const int is_fine = r->options->object && !r->options->patch && r->session->layout.grid.side < SEG_PATCH_SIDE;
    const int wanted =
        r->options->refine != SEG_REFINE_NONE && (is_fine || (r->options->slices > 1 && !r->session->start));
    return wanted ? with_pixels(ctx, r, outline_pixels) : SEG_OK;
}

/* The padding around an image that was cut out or masked. With tiles the pixels may not be available. */
static seg_status padding(seg_context *ctx, seg_run *r) {
    const int wanted = !r->thin && !(r->session->file && r->session->layout.reduced > 1);
    return wanted ? with_pixels(ctx, r, padding_pixels) : SEG_OK;
}

/* A label that is named without strokes is a mistake, or belongs to another image of a batch. */
static void warn_of_missing(seg_context *ctx, const seg_run *r) {
    const uint8_t *bits = r->options->islands.remove;
    uint8_t there[256] = {0};
    if (bits[0] & 1) /* all */
        return;
    for (int g = 0; r->scribbles && g < r->scan.labels; g++)
        there[r->scan.label[g]] = 1;
    for (int l = 1; l < 256; l++)
        if (bits[l / 8] >> l % 8 & 1 && !there[l])
            seg_log(ctx, SEG_LOG_WARNING, "islands: no stroke has label %d", l);
}

/* A patch of a listed pair counts as marked, so its piece is kept. */
static seg_status name_patches(seg_context *ctx, const seg_run *r, int16_t **named) {
    if (!r->given.pairs)
        return SEG_OK;
    SEG_TRY(seg_allocated(*named = seg_alloc(ctx, r->clustering.n, sizeof **named)));
    memset(*named, 0xff, r->clustering.n * sizeof **named);
    for (size_t p = 0; p < r->given.pairs; p++) {
        const seg_pair *pair = &r->given.pair[p];
        (*named)[pair->i] = (int16_t)r->clustering.label[pair->i];
        (*named)[pair->j] = (int16_t)r->clustering.label[pair->j];
    }
    return SEG_OK;
}

static seg_status settle_islands(seg_context *ctx, seg_run *r, const seg_island_scores *scores) {
    const seg_options *o = r->options;
    const int judged = r->out->decided[SEG_DECIDED_ISLANDS].on && !r->thin;
    uint8_t rule[256];
    size_t changed = 0;
    int wanted = 0;
    const seg_island_rule usual = o->islands.usual == SEG_ISLANDS_REMOVE ? SEG_ISLAND_GOES
                                  : judged                               ? SEG_ISLAND_IS_JUDGED
                                                                         : SEG_ISLAND_STAYS;
    memset(rule, usual, sizeof rule);
    for (int c = 0; c < r->out->k; c++) {
        const int l = r->scan.label[c];
        const int is_object = o->object && c == 0 && !r->session->start; /* columns are in the order of labels */
        if (o->islands.remove[l / 8] >> l % 8 & 1 || is_object)
            rule[c] = SEG_ISLAND_GOES;
        wanted |= rule[c] != SEG_ISLAND_STAYS;
    }
    warn_of_missing(ctx, r);
    if (wanted)
        SEG_TRY(seg_islands_settle(ctx, &r->scan.marks, rule, scores, r->rows, &changed));
    if (changed)
        seg_log(ctx, SEG_LOG_INFO,
                "pieces that no stroke of their label touches, %zu pixels in all, joined the regions around them",
                changed);
    return SEG_OK;
}

/* Report islands that are kept though their scores are low as ambiguous regions: of two labels those that auto would
 * remove, of more labels those for which the label around fits nearly as well. */
static seg_status list_islands(seg_context *ctx, seg_run *r, const seg_island_scores *scores) {
    const double pixels = (double)r->photo->width * r->photo->height;
    seg_island found[MOST_ISLANDS];
    if (!r->scribbles || r->options->model || r->thin || r->options->slices > 1)
        return SEG_OK;
    seg_island_list list = {.support_below = r->out->k == 2
                                                 ? SEG_ISLAND_SUPPORT
                                                 : log((1 + SEG_AMBIGUOUS_MARGIN) / (1 - SEG_AMBIGUOUS_MARGIN)),
                            .least = (size_t)ceil(SEG_AMBIGUOUS_SHARE * pixels),
                            .found = found,
                            .room = MOST_ISLANDS,
                            .covered = r->covered};
    SEG_TRY(seg_islands_list(ctx, &r->scan.marks, scores, r->rows, &list));
    for (int i = 0; i < list.count; i++) {
        const seg_ambiguous_region region = {.label = r->scan.label[found[i].label],
                                             .runner_up = r->scan.label[found[i].around],
                                             .left = found[i].left,
                                             .top = found[i].top,
                                             .right = found[i].right,
                                             .bottom = found[i].bottom,
                                             .share = (double)found[i].pixels / pixels};
        seg_ambiguous_enter(&region, 1, r->out);
    }
    return SEG_OK;
}

static seg_status islands(seg_context *ctx, seg_run *r) {
    SEG_FREED int16_t *named = NULL;
    SEG_TRY(name_patches(ctx, r, &named));
    const seg_island_scores scores = {&r->session->layout.grid, &r->clustering.score, named, r->shift,
                                      r->scan.labels == 2 && r->out->decided[SEG_DECIDED_FRAME].on};
    SEG_TRY(settle_islands(ctx, r, &scores));
    SEG_TRY(seg_poll(ctx));
    return list_islands(ctx, r, &scores);
}

enum { ALWAYS = -1 };

/* In this order; each runs if it was decided on (decide.c). */
static const struct pass {
    int decision; /* seg_decision_kind */
    seg_status (*run)(seg_context *ctx, seg_run *r);
} passes[] = {
    {SEG_DECIDED_BALANCE, balance}, /* scores of patches */
    {SEG_DECIDED_EXTENT, extent},   /* likewise */
    {ALWAYS, seg_run_steady},       /* likewise */
    {ALWAYS, seg_run_trust_start},  /* likewise: where a start is corrected */
    {ALWAYS, seg_run_refine},       /* patches become pixels */
    {ALWAYS, outline},              /* of objects and of volumes, by the colours beside it */
    {SEG_DECIDED_SPECKS, specks},   /* remove small pieces */
    {SEG_DECIDED_SPECKS, keep},     /* give back pixels to regions that lost all */
    {SEG_DECIDED_THIN, thin},       /* lines of a few pixels */
    {SEG_DECIDED_PADDING, padding}, /* padding around the image */
    {ALWAYS, start},                /* what nothing contradicts */
    {ALWAYS, islands},              /* pieces that no stroke touches */
};

seg_status seg_run_passes(seg_context *ctx, seg_run *r) {
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        if (passes[i].decision == ALWAYS || r->out->decided[passes[i].decision].on)
            SEG_TRY(passes[i].run(ctx, r));
    return SEG_OK;
}
