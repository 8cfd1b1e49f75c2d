/* The main job for images that are read tile by tile: a first pass reduces them to what features are computed on, then
 * the stages of photo.c follow, whose refinement reads pixels near borders. */
#include <segment/tiled.h>

#include "base/base.h"
#include "image/formats/tiff_write.h"
#include "image/shrink.h"
#include "pipeline/run.h"
#include "scribbles/scribbles.h"

#define VIEW  ((size_t)4000000) /* pixels */
#define STRIP ((size_t)1 << 23) /* pixels read at a time, approximately; a row of tiles may have more */

/* Data of the job besides the run. */
typedef struct work {
    const seg_tiled_job *job;
    seg_options options; /* of the job, as they are for it */
    seg_tiled_image *image;
    seg_result *result;
    seg_mask header; /* of the scribbles */
    seg_label_rows scribbles, mask;
    seg_image shell; /* of the image: its size, without pixels */
    seg_image copy;  /* that features are computed on */
    seg_image view;
    int factor; /* by which the view is reduced */
    seg_session *session;
    seg_run run;
} work;

static seg_status check_options(seg_context *ctx, const seg_options *o) {
    const struct {
        int set;
        const char *name;
    } others[] = {{o->patch != 0, "patch"},
                  {o->reduce != 0, "reduce"},
                  {o->probability != 0, "probability"},
                  {o->uncertainty != 0, "uncertainty"},
                  {o->model != NULL, "model"},
                  {o->start != NULL, "start"},
                  {o->box.width != 0, "box"},
                  {o->region.width != 0, "region"},
                  {o->slices > 1, "slices"},
                  {o->channels > 1, "channels"},
                  {o->graph.kind == SEG_GRAPH_FULL, "graph full"}};
    SEG_TRY(seg_options_check(ctx, o));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].set)
            return seg_fail(
                ctx, SEG_ERR_USAGE,
                "%s cannot be used for an image that is read tile by tile; leave it out, or segment a smaller image",
                others[i].name);
    return SEG_OK;
}

/* The first pass: the copy that features are computed on and the view; black and white of 16-bit samples. */
static seg_status reduce(seg_context *ctx, work *w, int factor) {
    const seg_image_header *a = seg_tiled_about(w->image);
    const size_t tiles = STRIP / (size_t)a->width / (size_t)a->tile_height; /* whole rows of tiles, as many as fit */
    const int64_t rows = (int64_t)(tiles ? tiles : 1) * a->tile_height;
    const int step = rows < a->height ? (int)rows : a->height;
    SEG_RELEASED(seg_shrinker_free) seg_shrinker copy = {0}, view = {0};
    uint16_t low = UINT16_MAX, high = 0;
    SEG_LOCAL(uint32_t, count, seg_alloc_zero(ctx, SEG_SAMPLE_COUNTS, sizeof *count));
    SEG_TRY(seg_shrinker_create(ctx, a->width, a->height, a->depth, factor, &copy));
    SEG_TRY(seg_shrinker_create(ctx, a->width, a->height, a->depth, w->factor, &view));
    for (int top = 0; top < a->height; top += step) {
        const int bottom = top + step < a->height ? top + step : a->height;
        SEG_RELEASED(seg_image_free) seg_image strip = {0};
        SEG_TRY(seg_progress(ctx, (double)top / a->height, "features"));
        SEG_TRY(seg_tiled_read(ctx, w->image, &(seg_area){0, top, a->width, bottom}, NULL, NULL, &strip));
        seg_image_extend_ends(&strip, &low, &high);
        seg_image_count(&strip, top, a->height, count);
        seg_shrinker_add(ctx, &strip, &copy);
        seg_shrinker_add(ctx, &strip, &view);
    }
    if (a->depth == 16)
        seg_image_set_ends(ctx, w->job->image, low, high, &w->shell);
    seg_image_find_ends(count, &w->shell);
    w->copy = copy.out;
    w->view = view.out;
    copy.out.data = view.out.data = NULL;
    w->copy.low = w->view.low = w->shell.low;
    w->copy.high = w->view.high = w->shell.high;
    return seg_image_see(ctx, 1, &w->copy, &w->copy);
}

/* The stages of every image (photo.c), of which the refinement reads the tiles near borders. */
static seg_status segment(seg_context *ctx, work *w) {
    const seg_options *o = &w->options;
    seg_session *s = w->session = seg_alloc_zero(ctx, 1, sizeof *s);
    SEG_TRY(seg_allocated(s));
    *s = (seg_session){.photo = &w->shell,
                       .file = w->image,
                       .copy = &w->copy,
                       .view = w->factor,
                       .options = *o,
                       .layout = seg_patch_layout_of(o, w->shell.width, w->shell.height),
                       .plan = {.threads = ctx->threads},
                       .once = 1};
    w->run = (seg_run){.session = s,
                       .photo = &w->shell,
                       .scribbles = w->job->scribbles ? &w->header : NULL,
                       .marks = &w->scribbles,
                       .options = &s->options,
                       .plan = s->plan,
                       .rows = &w->mask,
                       .out = w->result};
    w->result->plan = s->plan;
    seg_progress_share(ctx, 0.35, 0.85);
    SEG_TRY(seg_run_stages(ctx, &w->run));
    seg_progress_share(ctx, 0, 1);
    return SEG_OK;
}

static void read_labels(const void *user, int y, int left, int right, uint8_t *label) {
    seg_label_rows_read(user, y, left, right, label);
}

static seg_status write_mask(seg_context *ctx, work *w) {
    const double started = seg_now();
    if (!w->job->mask)
        return SEG_OK;
    seg_mask form = {.width = w->shell.width, .height = w->shell.height, .slices = 1};
    memcpy(form.colour, w->result->mask.colour, sizeof form.colour);
    seg_progress_share(ctx, 0.85, 1);
    const seg_status status = seg_tiff_write_labels(ctx, w->job->mask, &form, read_labels, &w->mask);
    seg_progress_share(ctx, 0, 1);
    seg_stage_end(ctx, "writing", started); /* also where it failed: callers tell reading from writing by it */
    return status;
}

static seg_status run(seg_context *ctx, work *w) {
    const seg_tiled_job *job = w->job;
    seg_scribbles_about about;
    SEG_TRY(check_options(ctx, job->options));
    SEG_TRY(seg_tiled_open(ctx, job->image, &w->image));
    const seg_image_header *a = seg_tiled_about(w->image);
    const seg_plan_job about_job = {
        .width = a->width, .height = a->height, .constraints = job->scribbles ? SEG_PLAN_SCRIBBLES : SEG_PLAN_NONE};
    w->options = seg_options_for(&about_job, job->options);
    w->shell = (seg_image){.width = a->width, .height = a->height, .depth = a->depth};
    w->header = (seg_mask){.width = a->width, .height = a->height};
    w->factor = 1;
    while ((size_t)((a->width + w->factor - 1) / w->factor) * (size_t)((a->height + w->factor - 1) / w->factor) > VIEW)
        w->factor++;
    if (job->scribbles)
        SEG_TRY(seg_scribble_rows_read(ctx, job->scribbles, job->map, &w->header, &w->scribbles, &about));
    const double started = seg_now();
    seg_progress_share(ctx, 0, 0.35);
    SEG_TRY(reduce(ctx, w, seg_patch_layout_of(&w->options, a->width, a->height).reduced));
    seg_progress_share(ctx, 0, 1);
    seg_stage_end(ctx, "reading", started);
    SEG_TRY(segment(ctx, w));
    return write_mask(ctx, w);
}

seg_status seg_segment_tiled(seg_context *ctx, const seg_tiled_job *job, seg_image *view, seg_result **out) {
    work w = {.job = job};
    SEG_TRY(seg_allocated(w.result = *out = seg_result_create(ctx, job->options)));
    ctx->stage_count = 0;
    seg_progress_share(ctx, 0, 1);
    const seg_status status = run(ctx, &w);
    if (w.run.rows)
        seg_run_free(&w.run);
    seg_session_close(w.session);
    seg_label_rows_free(&w.scribbles);
    seg_tiled_close(w.image);
    seg_image_free(&w.copy);
    if (status || !view)
        seg_image_free(&w.view);
    if (view)
        *view = w.view;
    SEG_RETURN_OR(status, seg_result_free(seg_taken(out)));
}
