/* Videos of more frames than are held at once: windows of frames, each a volume of its own, that overlap.
 *
 * A window sees its own strokes, and the masks of the frames that it shares with neighbours which have masks: these
 * count as strokes. For labels that both lack, the nearest frames with strokes come behind (docs/history/video.md). */
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

#define MOST   40        /* frames of a window: of more, positions drift and patches are large; */
#define PIXELS (1 << 26) /* in all frames at most so many, */
#define LEAST  4         /* but at least so many frames */
#define ENOUGH 3000      /* patches of a frame, or as small ones as there are */
#define SHARED 8         /* frames that windows have in common, */
#define SHARE  3         /* at most one of so many */
#define FORGET 8         /* a mask counts less than so much of the shorter side away from strokes that contradict it */

typedef struct video {
    const cli_photo_options *options;
    const cli_volume *files;
    int frames, width, height;  /* and the size of each */
    int window, step, windows;  /* frames of a window, and from one to the next; how many there are */
    const seg_mask *marks;      /* of all frames with strokes, one below the other */
    const uint8_t **stroke;     /* of each frame, or NULL */
    uint8_t (*there)[256];      /* of each frame: 1 for the labels of its strokes */
    int *labels, most;          /* of each window, how many its strokes have; the most of these */
    int *turn;                  /* likewise: 1 where that are most, 2 beside these ...; 0: it has no masks */
    int *by;                    /* of each frame, the window that made its mask, from 1; 0: none */
    uint8_t known[256];         /* 1 for the labels that the window at work has of strokes and masks */
    char **path, **stroke_path; /* room for names of frames */
} video;

cli_end cli_windows_find(seg_context *ctx, const cli_photo_options *options, const cli_volume *files, int *window) {
    static const char *const others[] = {"regions", "start", "model",       "region",  "truth",  "prob",
                                         "table",   "json",  "uncertainty", "overlay", "export", "save-run"};
    const int frames = options->segment.video && files->image.path ? files->image.count : 0;
    const char *refused = !cli_masks_in_folder(options) ? "output to one file"
                          : !files->scribbles.path      ? "scribbles in one file"
                                                        : NULL;
    seg_image_header about;
    int at_once = options->window;
    if (options->window && !frames)
        return cli_refuse(CLI_USAGE, "--window is for frames whose masks go to a folder, and '%s' is a file",
                          options->photo);
    if (!at_once && frames && seg_image_header_read(ctx, files->image.path[0], 0, &about) == SEG_OK) {
        at_once = PIXELS / about.width / about.height;
        at_once = at_once < LEAST ? LEAST : at_once < MOST ? at_once : MOST;
        for (seg_options part = options->segment; part.slices = at_once, !part.patch && at_once > LEAST; at_once--) {
            const seg_patch_layout of = seg_patch_layout_of(&part, about.width, about.height * at_once);
            if (of.reduced == 1 || of.grid.columns * of.grid.rows >= ENOUGH * at_once)
                break;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        refused = cli_given(&cli_photo_table, options, others[i]) ? others[i] : refused;
    *window = at_once && frames > at_once ? at_once : 0;
    return !*window || !refused ? CLI_GO_ON
                                : cli_refuse(CLI_USAGE,
                                             "--%s needs all frames at once, but the %d of '%s' are segmented %d at a "
                                             "time; leave it out, name a folder, or give --window %d",
                                             refused, frames, options->photo, at_once, frames);
}

/* That all frames have one size is seen before any work. */
static seg_status check_frames(seg_context *ctx, video *v) {
    char *const *path = v->files->image.path;
    seg_image_header about;
    for (int t = 0; t < v->frames; t++) {
        SEG_TRY(seg_image_header_read(ctx, path[t], 0, &about));
        v->width = t ? v->width : about.width;
        v->height = t ? v->height : about.height;
        if (about.width != v->width || about.height != v->height)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "'%s' has %d x %d pixels, but the frames before have %d x %d; frames must be alike",
                            path[t], about.width, about.height, v->width, v->height);
    }
    return SEG_OK;
}

/* Whether a page is black everywhere: without strokes. What cannot be read here fails later. */
static int is_blank(seg_context *ctx, const char *page) {
    SEG_RELEASED(seg_image_free) seg_image read = {0};
    if (seg_image_read(ctx, page, &read) != SEG_OK)
        return 0;
    const char *first = read.data;
    return !*first &&
           memcmp(first, first + 1, 3 * (size_t)(read.depth / 8 * read.width) * (size_t)read.height - 1) == 0;
}

/* All strokes at once: the numbers of labels may depend on what colours there are. */
static seg_status read_marks(seg_context *ctx, video *v, const seg_labelmap *map, cli_photo_run *run) {
    const seg_slice_files *strokes = &v->files->scribbles, *image = &v->files->image;
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    SEG_RELEASED(seg_image_free) seg_image photo = {0};
    int count = 0;
    for (int t = 0; t < v->frames; t++) {
        const int more = count || t + 1 < v->frames;
        if (more && strokes->path[t] && seg_ends_in(strokes->path[t], "]") && is_blank(ctx, strokes->path[t]))
            free(seg_taken(&strokes->path[t]));
        if (strokes->path[t]) {
            v->path[count] = image->path[t];
            v->stroke_path[count++] = strokes->path[t];
        }
    }
    SEG_TRY(seg_slices_read_image(ctx, &(seg_slice_files){image->name, v->path, count}, &photo));
    SEG_TRY(seg_slices_read_labels(ctx, &(seg_slice_files){strokes->name, v->stroke_path, count}, &photo, map,
                                   &run->scribbles_about, &run->scribbles));
    v->marks = &run->scribbles;
    for (int t = v->frames - 1; t >= 0; t--)
        if (strokes->path[t]) {
            v->stroke[t] = v->marks->label + (size_t)--count * pixels;
            for (size_t p = 0; p < pixels; p++)
                v->there[t][v->stroke[t][p]] = 1;
        }
    return SEG_OK;
}

static int first_of(const video *v, int window) {
    const int at = window * v->step, last = v->frames - v->window;
    return at < last ? at : last;
}

/* How many frames away from a window one is; 0: it belongs to it. */
static int away_from(const video *v, int window, int frame) {
    const int first = first_of(v, window), last = first + v->window - 1;
    return frame < first ? first - frame : frame > last ? frame - last : 0;
}

/* Of the frames with strokes of a label the nearest one; -1: there is none. */
static int nearest_frame(const video *v, int window, int label) {
    int best = -1;
    for (int t = 0; t < v->frames; t++)
        if (v->there[t][label] && (best < 0 || away_from(v, window, t) < away_from(v, window, best)))
            best = t;
    return best;
}

/* Whether a window has strokes that correct what its neighbours made: of fewer labels than others. */
static int corrects(const video *v, int window) {
    return v->labels[window] && v->labels[window] < v->most;
}

/* Whether another window has made the mask of a frame, one on this side (-1, 1) or any (0). One that corrects makes
 * half of the frames that it shares again, so that its neighbours may hear of it. */
static int is_known(const video *v, int window, int side, int frame) {
    const int by = v->by[frame] - 1, left = frame - first_of(v, window), right = v->window - 1 - left;
    return by >= 0 && by != window && (!side || (by > window) == (side > 0)) &&
           (!corrects(v, window) || (left < right ? left : right) < (v->window - v->step + 1) / 2);
}

/* Forget a label around pixel p, where a stroke of the window contradicts it. */
static void forget(const video *v, size_t p, uint8_t wrong, const uint8_t *stroke, uint8_t *label) {
    const int reach = (v->width < v->height ? v->width : v->height) / FORGET;
    const int x = (int)(p % (size_t)v->width), y = (int)(p / (size_t)v->width);
    for (int r = y < reach ? 0 : y - reach; r <= y + reach && r < v->height; r++)
        for (int c = x < reach ? 0 : x - reach; c <= x + reach && c < v->width; c++) {
            const size_t q = (size_t)r * (size_t)v->width + (size_t)c;
            label[q] = label[q] == wrong && !(stroke && stroke[q]) ? 0 : label[q];
        }
}

/* A mask that was made, where there are no strokes. Patches with two labels do not count as marked. */
static seg_status pass_on(seg_context *ctx, const video *v, int window, int frame, uint8_t *label) {
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    SEG_RELEASED(seg_mask_free) seg_mask mask = {0};
    SEG_LOCAL(char, path, cli_slice_path(ctx, v->options, v->files->image.path[frame]));
    SEG_TRY(seg_truth_read(ctx, path, &mask));
    if (mask.width != v->width || mask.height != v->height)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' was changed meanwhile; start again", path);
    for (size_t p = 0; p < pixels; p++)
        label[p] = label[p] ? label[p] : mask.label[p];
    for (int t = first_of(v, window); t < first_of(v, window) + v->window; t++)
        for (size_t p = 0; v->stroke[t] && corrects(v, window) && p < pixels; p++)
            if (v->stroke[t][p] && v->stroke[t][p] != SEG_VOID && v->stroke[t][p] != mask.label[p])
                forget(v, p, mask.label[p], v->stroke[frame], label);
    return SEG_OK;
}

/* The next frame of a window, and what is known of it: strokes, and the mask of a neighbour unless window < 0. */
static seg_status add_frame(seg_context *ctx, video *v, int frame, int window, seg_mask *out) {
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    uint8_t *to = out->label + (size_t)out->slices * pixels;
    v->path[out->slices++] = v->files->image.path[frame];
    if (v->stroke[frame])
        memcpy(to, v->stroke[frame], pixels);
    if (window >= 0)
        SEG_TRY(pass_on(ctx, v, window, frame, to));
    for (size_t p = 0; p < pixels; p++) {
        v->known[to[p]] = 1;
        out->labels = to[p] > out->labels && to[p] != SEG_VOID ? to[p] : out->labels;
    }
    return SEG_OK;
}

static seg_status gather(seg_context *ctx, video *v, int window, int side, seg_mask *out) {
    const int first = first_of(v, window);
    const size_t most = (size_t)v->window + (size_t)v->marks->labels;
    *out = (seg_mask){.width = v->width, .label = seg_alloc_zero(ctx, (size_t)v->width * (size_t)v->height, most)};
    SEG_TRY(seg_allocated(out->label));
    memcpy(out->colour, v->marks->colour, sizeof out->colour);
    memset(v->known, 0, sizeof v->known);
    for (int t = first; t < first + v->window; t++)
        SEG_TRY(add_frame(ctx, v, t, is_known(v, window, side, t) ? window : -1, out));
    for (int l = 1; l <= v->marks->labels; l++)
        if (!v->known[l] && nearest_frame(v, window, l) >= 0)
            SEG_TRY(add_frame(ctx, v, nearest_frame(v, window, l), -1, out));
    out->height = v->height * out->slices;
    return SEG_OK;
}

static seg_status segment_window(seg_context *ctx, video *v, int window, int side) {
    const int first = first_of(v, window);
    SEG_RELEASED(seg_mask_free) seg_mask strokes = {0};
    SEG_RELEASED(seg_image_free) seg_image photo = {0};
    seg_options options = v->options->segment;
    seg_result *result = NULL;
    if (v->options->common.progress == CLI_PROGRESS_AUTO && !v->options->common.quiet)
        cli_say("frames %d to %d of %d", first + 1, first + v->window, v->frames);
    SEG_TRY(gather(ctx, v, window, side, &strokes));
    options.slices = strokes.slices;
    SEG_TRY(seg_slices_read_image(ctx, &(seg_slice_files){v->files->image.name, v->path, strokes.slices}, &photo));
    seg_status status = seg_segment_photo(ctx, &photo, &strokes, NULL, &options, &result);
    for (int i = 0; !status && i < v->window; i++)
        if (!is_known(v, window, side, first + i)) {
            status = cli_slice_write(ctx, v->options, v->path[i], &result->mask, i);
            v->by[first + i] = window + 1;
        }
    seg_result_free(result);
    return status;
}

/* First outwards from the windows with strokes of the most labels; then from those with fewer, half the way back. */
static seg_status segment_windows(seg_context *ctx, video *v) {
    int left = v->windows;
    for (int w = 0; w < v->windows; w++) {
        for (int l = 1; l <= v->marks->labels; l++)
            v->labels[w] += nearest_frame(v, w, l) >= 0 && !away_from(v, w, nearest_frame(v, w, l));
        v->most = v->labels[w] > v->most ? v->labels[w] : v->most;
    }
    for (int turn = 1; left; turn++)
        for (int w = 0; w < v->windows; w++) {
            const int before = w > 0 ? v->turn[w - 1] : 0, behind = w + 1 < v->windows ? v->turn[w + 1] : 0;
            const int is_next = v->labels[w] == v->most || (before && before < turn) || (behind && behind < turn);
            if (v->turn[w] || !is_next)
                continue;
            SEG_TRY(segment_window(ctx, v, w, 0));
            v->turn[w] = turn;
            left--;
        }
    for (int from = 0; from < v->windows; from++)
        for (int side = -1; corrects(v, from) && side <= 1; side += 2)
            for (int w = from + side; w >= 0 && w < v->windows && !v->labels[w] && v->turn[w] < v->turn[from] &&
                                      v->turn[w] > abs(w - from) + 1;
                 w += side)
                SEG_TRY(segment_window(ctx, v, w, -side));
    return SEG_OK;
}

cli_end cli_windows_job(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run, int window) {
    video v = {options, &run->volume, run->volume.image.count, .window = window};
    SEG_FREED int *by = NULL; /* the block of all arrays */
    v.step = window - (window / SHARE < SHARED ? window / SHARE : SHARED);
    v.windows = 1 + (v.frames - window + v.step - 1) / v.step;
    const size_t n = (size_t)v.windows, all = (size_t)v.frames;
    CLI_TRY(cli_went(ctx,
                     SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(by, all), SEG_ARRAY(v.stroke, all), SEG_ARRAY(v.there, all),
                                      SEG_ARRAY(v.labels, n), SEG_ARRAY(v.turn, n),
                                      SEG_ARRAY(v.path, all + SEG_MAX_LABELS), SEG_ARRAY(v.stroke_path, all)),
                     CLI_COMPUTING));
    v.by = by;
    if (options->labelmap)
        CLI_TRY(cli_went(ctx, seg_labelmap_read(ctx, options->labelmap, &run->labelmap), CLI_READING));
    CLI_TRY(cli_went(ctx, check_frames(ctx, &v), CLI_READING));
    CLI_TRY(cli_went(ctx, read_marks(ctx, &v, options->labelmap ? &run->labelmap : NULL, run), CLI_READING));
    CLI_TRY(cli_make_folder(options->mask, NULL));
    cli_catch_signals();
    CLI_TRY(cli_went(ctx, segment_windows(ctx, &v), CLI_COMPUTING));
    return CLI_OK;
}
