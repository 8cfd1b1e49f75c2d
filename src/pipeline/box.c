#include "pipeline/box.h"
#include "base/base.h"
#include "features/grid.h"
#include "features/spec.h"
#include "image/mask.h"
#include "masks/distance.h"

/* Measured on whole data sets: docs/history/first-clicks.md. */
#define FIRST   0.4  /* of the patches in the box that are marked first */
#define LATER   0.5  /* of those that are the object's by the scores */
#define LEAST   0.02 /* of the patches in the box */
#define MIDDLE  1.0  /* log odds of the middle of the box, which fall to 0 at its sides */
#define SLIGHT  0.05 /* of the median unlikeness: differences below it say little */
#define NEAREST 10   /* patches outside to which the unlikeness is the mean distance */
#define OUTSIDE 512  /* as many patches outside stand for all of them */
#define DEPTH   1e-3 /* of the deepest patch, in units of a probability */

static seg_status check_box(seg_context *ctx, const seg_box *b, int width, int height) {
    if (!seg_box_is_in(b, &(seg_box){0, 0, width, height}))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the box %d,%d,%d,%d (left, top, width, height) is not inside the image of %d x %d pixels",
                        b->x, b->y, b->width, b->height, width, height);
    if (b->width == width && b->height == height)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the box covers the whole image; make it only a little larger than the object");
    return SEG_OK;
}

/* The object is label 1 and its background 2, unless strokes have others: then the smaller is the object's. */
static seg_status name_labels(seg_context *ctx, const seg_mask *scribbles, seg_box_marks *out) {
    size_t pixels[256] = {0};
    int labels = 0, label[3];
    for (size_t p = 0; scribbles && p < (size_t)scribbles->width * (size_t)scribbles->height; p++)
        pixels[scribbles->label[p]]++;
    for (int l = 1; l <= SEG_MAX_LABELS && labels < 3; l++)
        if (pixels[l])
            label[labels++] = l;
    if (labels > 2 || (labels == 1 && label[0] == SEG_MAX_LABELS))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "a box is for strokes of an object and its background, the labels 1 and 2; draw other regions "
                        "without a box");
    const int usual = !labels || label[labels - 1] <= 2;
    out->object = (uint8_t)(usual ? 1 : label[0]);
    out->ground = (uint8_t)(usual ? 2 : labels == 2 ? label[1] : label[0] + 1);
    return SEG_OK;
}

/* Distance of a patch from the middle of the box, 1 at its sides. */
static double off_middle(const seg_box *b, const seg_patch_grid *grid, size_t i) {
    const double x = ((double)(i % (size_t)grid->columns) + 0.5) * grid->side,
                 y = ((double)(i / (size_t)grid->columns) + 0.5) * grid->side;
    return hypot((x - b->x) / b->width * 2 - 1, (y - b->y) / b->height * 2 - 1);
}

/* Patches that the box touches have rank 0, others none. */
static void find_inside(const seg_session *s, seg_box_marks *m) {
    const seg_box *b = &m->box;
    const seg_patch_grid *grid = &s->layout.grid;
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->columns; c++) {
            const int touched = c * grid->side < b->x + b->width && (c + 1) * grid->side > b->x &&
                                r * grid->side < b->y + b->height && (r + 1) * grid->side > b->y;
            m->rank[(size_t)r * (size_t)grid->columns + (size_t)c] = touched ? 0 : -INFINITY;
            m->inside += (size_t)touched;
        }
}

/* The value that a share of the patches in the box do not reach. */
static seg_status quantile(seg_context *ctx, const seg_box_marks *m, size_t n, double share, double *out) {
    size_t count = 0;
    SEG_LOCAL(double, sorted, seg_alloc(ctx, m->inside, sizeof *sorted));
    for (size_t i = 0; i < n; i++)
        if (m->rank[i] > -INFINITY)
            sorted[count++] = m->rank[i];
    qsort(sorted, count, sizeof *sorted, seg_by_value);
    *out = sorted[(size_t)(share * (double)(count - 1))];
    return SEG_OK;
}

typedef struct unlikeness {
    const seg_matrix *features;
    const uint8_t *uses; /* columns of colours and textures */
    size_t outside[OUTSIDE], count;
    double *rank;
} unlikeness;

/* The mean distance of a patch from the nearest of those outside. */
static double distance(const unlikeness *u, size_t i) {
    double least[NEAREST + 1], sum = 0;
    size_t found = 0;
    for (size_t j = 0; j < u->count; j++) {
        const double square = seg_appearance_distance2(u->features, u->uses, i, u->outside[j]);
        size_t at = found < NEAREST ? found++ : NEAREST;
        for (; at > 0 && least[at - 1] > square; at--)
            least[at] = least[at - 1];
        least[at] = square;
    }
    for (size_t k = 0; k < found; k++)
        sum += sqrt(least[k]) / (double)found;
    return sum;
}

static void measure(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const unlikeness *u = arg;
    for (size_t i = first; i < last; i++)
        if (u->rank[i] > -INFINITY)
            u->rank[i] = distance(u, i);
}

static seg_status rank_first(seg_context *ctx, const seg_session *s, seg_box_marks *m) {
    const size_t n = s->features.rows, step = (n - m->inside) / OUTSIDE + 1;
    SEG_LOCAL(uint8_t, uses, seg_session_appearance(ctx, s));
    unlikeness u = {.features = &s->features, .uses = uses, .rank = m->rank};
    double median = 0;
    size_t met = 0;
    for (size_t i = 0; i < n; i++)
        if (m->rank[i] == -INFINITY && met++ % step == 0)
            u.outside[u.count++] = i;
    seg_parallel(ctx, n, 0, measure, &u);
    SEG_TRY(quantile(ctx, m, n, 0.5, &median));
    for (size_t i = 0; i < n; i++)
        if (m->rank[i] > -INFINITY)
            m->rank[i] = (median > 0 ? log(m->rank[i] / median + SLIGHT) : 0) +
                         MIDDLE * fmax(-1, 1 - off_middle(&m->box, &s->layout.grid, i));
    m->share = FIRST;
    return SEG_OK;
}

/* Strokes stay; other pixels are background outside of the box, and the object's in its first patches. */
static seg_status mark(seg_context *ctx, const seg_session *s, seg_box_marks *m) {
    const seg_patch_grid *grid = &s->layout.grid;
    size_t object = 0;
    double least;
    SEG_TRY(quantile(ctx, m, s->features.rows, 1 - m->share, &least));
    for (int y = 0; y < m->mask.height; y++)
        for (int x = 0; x < m->mask.width; x++) {
            const size_t p = (size_t)y * (size_t)m->mask.width + (size_t)x;
            const size_t i = seg_patch_of_pixel(grid, x, y);
            const uint8_t stroke = m->stroke ? m->stroke[p] : 0;
            m->mask.label[p] = stroke && stroke != SEG_VOID                      ? stroke
                               : !seg_box_is_in(&(seg_box){x, y, 1, 1}, &m->box) ? m->ground
                               : m->rank[i] >= least                             ? m->object
                                                                                 : 0;
            object += m->mask.label[p] == m->object;
        }
    return object ? SEG_OK
                  : seg_fail(ctx, SEG_ERR_INPUT,
                             "the strokes of label %d leave nothing of the object in its box; remove some of them",
                             m->ground);
}

seg_status seg_box_begin(seg_context *ctx, const seg_session *session, const seg_mask *scribbles, seg_box_marks *out) {
    const seg_image *photo = session->photo;
    *out = (seg_box_marks){.box = session->options.box};
    out->box.x -= session->options.region.x;
    out->box.y -= session->options.region.y;
    SEG_TRY(check_box(ctx, &out->box, photo->width, photo->height));
    SEG_TRY(seg_run_check_size(ctx, "scribbles have", scribbles, photo));
    SEG_TRY(name_labels(ctx, scribbles, out));
    SEG_TRY(seg_mask_create(ctx, photo->width, photo->height, &out->mask));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->rank, session->features.rows)));
    if (scribbles)
        memcpy(out->mask.colour, scribbles->colour, sizeof out->mask.colour);
    out->mask.labels = out->ground;
    out->stroke = scribbles ? scribbles->label : NULL;
    find_inside(session, out);
    SEG_TRY(rank_first(ctx, session, out));
    return mark(ctx, session, out);
}

seg_status seg_box_go_on(seg_context *ctx, const seg_session *session, const seg_matrix *score, seg_box_marks *marks) {
    const seg_patch_grid *grid = &session->layout.grid;
    const size_t n = score->rows;
    double deepest = 0;
    size_t count = 0;
    SEG_LOCAL(uint8_t, is_object, seg_alloc(ctx, n, 1));
    SEG_LOCAL(double, depth2, seg_alloc(ctx, n, sizeof *depth2));
    for (size_t i = 0; i < n; i++) {
        is_object[i] = marks->rank[i] > -INFINITY && score->at[2 * i] > score->at[2 * i + 1];
        count += is_object[i];
    }
    SEG_TRY(seg_distance_inside(ctx, is_object, grid->columns, grid->rows, depth2));
    for (size_t i = 0; i < n; i++)
        deepest = fmax(deepest, sqrt(depth2[i]));
    for (size_t i = 0; i < n; i++)
        if (marks->rank[i] > -INFINITY)
            marks->rank[i] = score->at[2 * i] + (deepest > 0 ? DEPTH * sqrt(depth2[i]) / deepest : 0);
    marks->share = fmax(LEAST, LATER * (double)count / (double)marks->inside);
    return mark(ctx, session, marks);
}

void seg_box_free(seg_box_marks *marks) {
    seg_mask_free(&marks->mask);
    free(marks->rank);
}
