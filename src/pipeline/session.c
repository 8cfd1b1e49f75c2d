/* Sessions: an image with a plan and prepared features, segmented any number of times. */

#include "base/base.h"
#include "features/grid.h"
#include "image/mask.h"
#include "image/raster.h"
#include "image/shown.h"
#include "image/shrink.h"
#include "pipeline/box.h"
#include "pipeline/start.h"

/* Where a row of the region begins in the whole image; of a volume, the region is of each slice. */
static size_t place_of(const seg_session *s, int row) {
    const seg_box *b = &s->options.region;
    const int y = row / b->height * (s->whole->height / s->options.slices) + b->y + row % b->height;
    return (size_t)y * (size_t)s->whole->width + (size_t)b->x;
}

static void cut_rows(const seg_session *s, const void *all, size_t pixel, void *to) {
    const size_t row = (size_t)s->options.region.width * pixel;
    for (int y = 0; y < s->options.region.height * s->options.slices; y++)
        memcpy((char *)to + (size_t)y * row, (const char *)all + place_of(s, y) * pixel, row);
}

static seg_status cut_mask(seg_context *ctx, const seg_session *s, const char *what, const seg_mask *all,
                           seg_mask *out) {
    const seg_box *b = &s->options.region;
    SEG_TRY(seg_run_check_size(ctx, what, all, s->whole));
    SEG_TRY(seg_mask_create(ctx, b->width, b->height * s->options.slices, out));
    cut_rows(s, all->label, 1, out->label);
    memcpy(out->colour, all->colour, sizeof out->colour);
    out->labels = all->labels; /* the pixels of a start without a label have the same one in every region */
    return SEG_OK;
}

/* What is seen of the channels in the region. */
static seg_status mix_channels(seg_context *ctx, seg_session *s) {
    seg_channels *c = &s->channels;
    const seg_box *b = &s->options.region;
    *c = (seg_channels){s->photo, s->options.channels, b->x, b->y, b->width, b->height};
    s->shell = *s->photo;
    s->shell.height /= c->count;
    s->whole = b->width ? &s->shell : NULL;
    s->photo = &s->part;
    if (!b->width) {
        c->width = s->shell.width;
        c->height = s->shell.height;
    }
    SEG_TRY(seg_channels_stretch(ctx, SEG_CHANNEL_SHARE, c));
    return seg_channels_guide(ctx, c, &s->part);
}

/* From here on the session is of the region. */
static seg_status cut_photo(seg_context *ctx, seg_session *s) {
    const seg_image *all = s->photo;
    const seg_box *b = &s->options.region;
    const size_t pixel = 3 * (size_t)(all->depth / 8);
    if (s->options.channels > 1) {
        SEG_TRY(mix_channels(ctx, s));
    } else if (b->width && (b->width != all->width || b->height * s->options.slices != all->height)) {
        s->photo = &s->part;
        s->whole = all;
        s->part = *all;
        s->part.width = b->width;
        s->part.height = b->height * s->options.slices;
        SEG_TRY(seg_allocated(s->part.data = seg_alloc(ctx, (size_t)s->part.width * (size_t)s->part.height, pixel)));
        cut_rows(s, all->data, pixel, s->part.data);
        s->part.low = s->part.high = 0;
        uint16_t low = UINT16_MAX, high = 0;
        seg_image_extend_ends(&s->part, &low, &high);
        seg_image_set_ends(ctx, "the region", low, high, &s->part);
    }
    return s->whole && s->options.start ? cut_mask(ctx, s, "start has", s->options.start, &s->part_of_start) : SEG_OK;
}

/* The stages see an image with the usual contrast, light and no noise (tone.c); of a large one, features and the net.
 */
static seg_status see_photo(seg_context *ctx, seg_session *s) {
    SEG_LOCAL(uint32_t, count, seg_alloc_zero(ctx, SEG_SAMPLE_COUNTS, sizeof *count));
    s->seen = *s->photo;
    s->photo = &s->seen;
    seg_image_count(&s->seen, 0, s->seen.height, count);
    seg_image_find_ends(count, &s->seen);
    if (s->layout.reduced == 1)
        return seg_image_see(ctx, s->options.slices, &s->part, &s->seen);
    const seg_stack stack = {s->options.slices, seg_patch_deep(&s->layout.grid)};
    SEG_TRY(seg_image_shrink(ctx, s->photo, stack, s->layout.reduced, &s->reduced));
    s->copy = &s->reduced;
    return seg_image_see(ctx, s->options.slices, &s->reduced, &s->reduced);
}

/* Open a session whose options are those of the plan for the job. */
static seg_status open_planned(seg_context *ctx, const seg_image *photo, const seg_options *options,
                               const seg_plan_job *job, seg_session **out) {
    seg_photo_plan plan;
    seg_options adapted;
    *out = NULL;
    SEG_TRY(seg_plan_make(ctx, job, options, &plan, &adapted));
    seg_session *made = *out = seg_alloc_zero(ctx, 1, sizeof *made);
    SEG_TRY(seg_allocated(made));
    made->photo = photo;
    made->plan = plan;
    made->options = adapted;
    seg_status status = cut_photo(ctx, made);
    made->layout = seg_patch_layout_of(&adapted, made->photo->width, made->photo->height);
    if (!status && adapted.channels == 1 && !adapted.model)
        status = see_photo(ctx, made);
    SEG_RETURN_OR(status, seg_session_close(seg_taken(out)));
}

seg_status seg_session_open(seg_context *ctx, const seg_image *photo, const seg_options *options, seg_session **out) {
    const seg_plan_job job = {.width = photo->width, .height = photo->height, .depth = photo->depth};
    SEG_TRY(open_planned(ctx, photo, options, &job, out));
    seg_plan_say(ctx, &(*out)->plan);
    return SEG_OK;
}

seg_status seg_session_prepare(seg_context *ctx, seg_session *session) {
    const seg_options *o = &session->options;
    const seg_method *method = seg_method_find(o->method);
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    const seg_circumstances strokes = seg_circumstances_of_strokes(o, method);
    seg_decision decided[SEG_DECISIONS];
    seg_decide(o, &strokes, decided);
    return seg_session_make(ctx, session, method->needs, decided[SEG_DECIDED_CHROMATICITY].on);
}

void seg_run_free(seg_run *r) {
    seg_constraints_free(&r->given);
    seg_constraints_free(&r->sampled);
    seg_matrix_free(&r->prior);
    seg_matrix_free(&r->fine);
    seg_clustering_free(&r->clustering);
    seg_label_rows_free(&r->scan.own);
    seg_label_rows_free(r->rows);
}

/* What masks were made with. */
static void free_made(seg_session *s) {
    seg_session_free_graph(s);
    seg_object_net_free(s->net);
    for (int i = 0; s->edges && i < s->options.slices; i++)
        seg_edges_free(&s->edges[i]);
    free(s->edges);
}

/* After an error, too, the caller frees the result. */
static seg_status segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                          const seg_constraints *pairs, seg_result **out) {
    seg_label_rows rows = {0};
    seg_result *made = *out = seg_result_create(ctx, &session->options);
    SEG_TRY(seg_allocated(made));
    SEG_RELEASED(seg_run_free)
    seg_run r = {.session = session,
                 .photo = session->photo,
                 .scribbles = scribbles,
                 .pairs = pairs,
                 .options = &session->options,
                 .plan = session->plan,
                 .rows = &rows,
                 .out = made};
    seg_status status = seg_run_stages(ctx, &r);
    if (!status)
        status = seg_run_remember(ctx, &r);
    made->plan = r.plan;
    return status;
}

static seg_status segment_box(seg_context *ctx, seg_session *s, const seg_mask *scribbles, const seg_constraints *pairs,
                              seg_result **out) {
    SEG_RELEASED(seg_mask_free) seg_mask marks = {0};
    if (pairs && pairs->pairs)
        return seg_fail(ctx, SEG_ERR_USAGE, "a box is for strokes, not for listed pairs; leave one of them out");
    if (s->options.k && s->options.k != 2)
        return seg_fail(ctx, SEG_ERR_USAGE, "a box is for 2 regions, not for %d; leave k out", s->options.k);
    seg_progress_share(ctx, 0, 0.3);
    SEG_TRY(seg_session_prepare(ctx, s));
    seg_progress_share(ctx, 0.3, 0.8);
    SEG_TRY(seg_box_mark(ctx, s, scribbles, &marks));
    seg_progress_share(ctx, 0.8, 1);
    return segment(ctx, s, &marks, NULL, out);
}

static seg_status segment_start(seg_context *ctx, seg_session *s, const seg_mask *scribbles,
                                const seg_constraints *pairs, seg_result **out) {
    SEG_RELEASED(seg_start_free) seg_start start = {0};
    if ((pairs && pairs->pairs) || s->file)
        return seg_fail(ctx, SEG_ERR_USAGE, "a start is corrected by strokes alone; leave pairs and tiles out");
    SEG_TRY(seg_start_begin(ctx, s, scribbles, &start));
    s->start = &start;
    const seg_status status = segment(ctx, s, &start.marks, NULL, out);
    s->start = NULL;
    if (!status)
        (*out)->marked_pixels = start.strokes;
    return status;
}

/* An array of the region, unless it is NULL, becomes one of the whole image with zeros outside. */
static seg_status paste(seg_context *ctx, const seg_session *s, size_t pixel, void *address) {
    const size_t row = (size_t)s->photo->width * pixel;
    SEG_FREED void *own = seg_taken(address);
    if (!own)
        return SEG_OK;
    void *all = seg_alloc_zero(ctx, (size_t)s->whole->width * (size_t)s->whole->height, pixel);
    for (int y = 0; all && y < s->photo->height; y++)
        memcpy((char *)all + place_of(s, y) * pixel, (char *)own + (size_t)y * row, row);
    memcpy(address, &all, sizeof all);
    return seg_allocated(all);
}

static seg_status paste_result(seg_context *ctx, const seg_session *s, seg_result *r) {
    const seg_box *b = &s->options.region;
    r->mask.width = s->whole->width;
    r->mask.height = s->whole->height;
    for (int i = 0; i < r->ambiguous_count; i++) {
        seg_ambiguous_region *area = &r->ambiguous[i];
        area->left += b->x;
        area->right += b->x;
        area->top += b->y;
        area->bottom += b->y;
        area->share *= (double)s->photo->width * s->photo->height / ((double)r->mask.width * r->mask.height);
    }
    SEG_TRY(paste(ctx, s, 1, &r->mask.label));
    SEG_TRY(paste(ctx, s, (size_t)r->k * sizeof *r->probability, &r->probability));
    return paste(ctx, s, 1, &r->uncertainty);
}

static seg_status attempt(seg_context *ctx, seg_session *s, const seg_mask *scribbles, const seg_constraints *pairs,
                          seg_result **out) {
    *out = NULL;
    s->too_coarse = 0;
    seg_status status = s->options.start       ? segment_start(ctx, s, scribbles, pairs, out)
                        : s->options.box.width ? segment_box(ctx, s, scribbles, pairs, out)
                                               : segment(ctx, s, scribbles, pairs, out);
    if (!status && s->whole)
        status = paste_result(ctx, s, *out);
    SEG_RETURN_OR(status, seg_result_free(seg_taken(out)));
}

/* By patches of another side; without pairs by the largest, up to that, with which every label has patches. */
static seg_status segment_anew(seg_context *ctx, const seg_session *from, int side, const seg_mask *scribbles,
                               const seg_constraints *pairs, seg_result **out) {
    SEG_RELEASED(free_made)
    seg_session made = {.photo = from->photo, .options = from->options, .plan = from->plan, .once = 1};
    made.whole = from->whole;
    made.channels = from->channels;
    made.part_of_start = from->part_of_start;
    seg_status status;
    do {
        seg_session_free_graph(&made); /* a box makes features before it is known that they do not suffice */
        made.options.patch = side;
        made.layout = seg_patch_layout_of(&made.options, from->photo->width, from->photo->height);
        status = attempt(ctx, &made, scribbles, pairs, out);
    } while (made.too_coarse && !pairs && --side >= 1);
    if (!status && side < from->layout.grid.side)
        seg_log(ctx, SEG_LOG_INFO, "patches of %d pixels instead of %d, so that every label has patches of its own",
                side, from->layout.grid.side);
    return status;
}

static seg_status cut_strokes(seg_context *ctx, const seg_session *s, const seg_mask *all, seg_mask *out) {
    const seg_box *b = &s->options.region;
    size_t inside = 0, strokes = 0;
    int largest = 0;
    SEG_TRY(cut_mask(ctx, s, "scribbles have", all, out));
    for (size_t p = 0; p < (size_t)out->width * (size_t)out->height; p++)
        inside += out->label[p] != 0 && out->label[p] != SEG_VOID;
    for (size_t p = 0; p < (size_t)all->width * (size_t)all->height; p++)
        if (all->label[p] != 0 && all->label[p] != SEG_VOID) {
            strokes++;
            largest = all->label[p] > largest ? all->label[p] : largest;
        }
    out->labels = largest;
    if (!inside && !s->options.start && !s->options.box.width && !s->options.model)
        return seg_fail(ctx, SEG_ERR_INPUT, "no stroke lies in the region %d,%d,%d,%d; draw strokes in it", b->x, b->y,
                        b->width, b->height);
    if (inside < strokes)
        seg_log(ctx, SEG_LOG_WARNING, "%zu pixels of strokes lie outside of the region %d,%d,%d,%d and are ignored",
                strokes - inside, b->x, b->y, b->width, b->height);
    return SEG_OK;
}

seg_status seg_session_segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                               const seg_constraints *pairs, seg_result **out) {
    const int threads = ctx->threads, side = session->layout.grid.side;
    SEG_RELEASED(seg_mask_free) seg_mask part = {0};
    *out = NULL;
    pairs = pairs && pairs->pairs ? pairs : NULL; /* none name no patches */
    if (session->options.region.width && pairs)
        return seg_fail(ctx, SEG_ERR_USAGE, "a region is for strokes, not for listed pairs; leave one of them out");
    if (session->whole && scribbles)
        SEG_TRY(cut_strokes(ctx, session, scribbles, &part));
    const seg_mask *strokes = part.label ? &part : scribbles;
    ctx->threads = session->plan.threads;
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    seg_options named = session->options; /* whose patches pairs name */
    named.free_patches &= !pairs && (strokes || named.start || named.box.width);
    const int asked = seg_patch_layout_of(&named, session->photo->width, session->photo->height).grid.side;
    seg_status status = asked == side ? attempt(ctx, session, strokes, pairs, out)
                                      : segment_anew(ctx, session, asked, strokes, pairs, out);
    /* Small images may have strokes of two labels in one patch, or fewer patches than regions. */
    if (asked == side && session->too_coarse && !session->options.patch && !pairs && side <= SEG_PATCH_SIDE)
        status = segment_anew(ctx, session, side - 1, strokes, NULL, out);
    ctx->threads = threads;
    return status;
}

void seg_session_close(seg_session *session) {
    if (!session)
        return;
    free_made(session);
    seg_last_mask_free(&session->last);
    seg_image_free(&session->part);
    seg_image_free(&session->reduced);
    seg_mask_free(&session->part_of_start);
    free(session);
}

seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles,
                             const seg_constraints *pairs, const seg_options *options, seg_result **out) {
    const int with_pairs = pairs && pairs->pairs;
    const seg_plan_job job = {.width = photo->width,
                              .height = photo->height,
                              .depth = photo->depth,
                              .k = options->k || !scribbles ? options->k : scribbles->labels,
                              .constraints = scribbles || options->start || options->box.width ? SEG_PLAN_SCRIBBLES
                                             : with_pairs                                      ? SEG_PLAN_PAIRS
                                                                                               : SEG_PLAN_NONE,
                              .fixed_patches = with_pairs};
    seg_session *session;
    *out = NULL;
    SEG_TRY(open_planned(ctx, photo, options, &job, &session));
    session->once = 1;
    const seg_status status = seg_session_segment(ctx, session, scribbles, pairs, out);
    seg_session_close(session);
    if (!status)
        seg_plan_say(ctx, &(*out)->plan);
    return status;
}
