#include "pipeline/box.h"
#include "base/base.h"
#include "features/grid.h"
#include "image/mask.h"
#include "masks/distance.h"

#include <float.h>

/* Measured on whole data sets: docs/history/first-clicks.md. */
#define DOTS   2    /* of the object */
#define ACROSS 3    /* places for a dot along either side of the box */
#define AROUND 8    /* dots of the background along each side, outside */
#define AWAY   73.0 /* from the box to these; this part of the image's side */
#define FILLS  16.0 /* log odds of an answer by how far it fills the box and by how sure it is, */
#define UNLIKE 0.1  /* by the cube of its contrast, which is small but where an answer is clearly wrong, */
#define MIDDLE 1.5  /* and by its last dot: in the middle of the box; 0 at the corners */
#define ROUGH  2e-3 /* of two squared distances: differences below it say little */
#define SLIGHT 1e-3 /* likewise of shares */
#define SURE   0.7  /* of the patches that are the object's by the answers are marked */
#define LEAST  0.02 /* of the patches in the box */
#define NEARBY 0.1  /* how far a stroke is heard, in parts of the square root of what is inside */

typedef struct box_marks {
    seg_mask *mask;        /* strokes, the outside, and the patches of the object */
    seg_box box;           /* in the session's photo */
    const uint8_t *stroke; /* labels of the strokes; NULL: none. Borrowed */
    uint8_t object, ground;
    double *rank; /* of each patch: the probability of the object; -INFINITY outside of the box */
    double least; /* rank of those that are marked */
    size_t inside;
} box_marks;

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
static seg_status name_labels(seg_context *ctx, const seg_mask *scribbles, box_marks *out) {
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

/* Patches that the box touches have rank 0, others none. */
static void find_inside(const seg_session *s, box_marks *m) {
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

/* What is asked of the net. */
typedef struct asking {
    seg_context *ctx;
    const seg_session *session;
    box_marks *m;
    int16_t *group;        /* of the patches: what is marked in them */
    double *odds, *across; /* of the patches; of the columns and rows of patches */
    double *outside;       /* mean features there, and room for as many numbers */
    const uint8_t *uses;   /* columns of colours and textures */
} asking;

/* A dot of the background, unless it would lie outside of the image or in a patch that the box touches. */
static void dot_outside(const asking *a, double x, double y) {
    const seg_patch_grid *grid = &a->session->layout.grid;
    if (x < 0 || y < 0 || x >= grid->width || y >= grid->height)
        return;
    const size_t i = seg_patch_of_pixel(grid, (int)x, (int)y);
    if (a->m->rank[i] == -INFINITY && a->group[i] < 0)
        a->group[i] = 1;
}

static void mark_outside(const asking *a) {
    const seg_box *b = &a->m->box;
    const seg_patch_grid *grid = &a->session->layout.grid;
    const double away = sqrt((double)grid->width * grid->height) / AWAY;
    for (int k = 0; k <= AROUND; k++) {
        const double x = b->x + (double)k * b->width / AROUND, y = b->y + (double)k * b->height / AROUND;
        dot_outside(a, x, b->y - away);
        dot_outside(a, x, b->y + b->height + away);
        dot_outside(a, b->x - away, y);
        dot_outside(a, b->x + b->width + away, y);
    }
}

/* The strokes' patches, in `near` too. @return whether there are any */
static int mark_strokes(const asking *a, uint8_t *near) {
    const box_marks *m = a->m;
    int any = 0;
    for (int object = 0; object < 2; object++)
        for (size_t p = 0; p < (size_t)m->mask->width * (size_t)m->mask->height; p++)
            if (m->stroke[p] == (object ? m->object : m->ground)) {
                const int x = (int)(p % (size_t)m->mask->width), y = (int)(p / (size_t)m->mask->width);
                const size_t i = seg_patch_of_pixel(&a->session->layout.grid, x, y);
                a->group[i] = (int16_t)!object;
                any = near[i] = 1;
            }
    return any;
}

/* Sums of the features of the patches inside (or outside) of the box, times their shares. @return that of the shares */
static double add_features(const asking *a, int inside, int rest, double *sum) {
    const seg_matrix *f = &a->session->features;
    double shares = 0;
    memset(sum, 0, f->cols * sizeof *sum);
    for (size_t i = 0; i < f->rows; i++) {
        const double share = !inside ? 1 : rest ? 1 - a->odds[i] : a->odds[i];
        if ((a->m->rank[i] > -INFINITY) != inside)
            continue;
        shares += share;
        for (size_t j = 0; j < f->cols; j++)
            sum[j] += share * f->at[i * f->cols + j];
    }
    return shares;
}

/* How much more the answer's patches differ from what lies outside of the box than the others in it: the logarithm of
 * the quotient of the squared distances between their means. */
static double contrast(const asking *a) {
    const size_t columns = a->session->features.cols;
    double *sum = a->outside + columns, square[2] = {0};
    if (a->m->inside == a->session->features.rows)
        return 0;
    for (int rest = 0; rest < 2; rest++) {
        const double shares = fmax(add_features(a, 1, rest, sum), SLIGHT);
        for (size_t j = 0; j < columns; j++)
            square[rest] += a->uses[j] ? pow(sum[j] / shares - a->outside[j], 2) : 0;
    }
    const double slight = ROUGH * (square[0] + square[1]) + DBL_MIN;
    return log((square[0] + slight) / (square[1] + slight));
}

/* The log odds of an answer, whose odds become probabilities: how far the object's rows and columns fill the box, and
 * how far from 1/2 its probabilities are. */
static double weigh(const asking *a) {
    const size_t n = a->session->features.rows, columns = (size_t)a->session->layout.grid.columns;
    double *column = a->across, *row = a->across + columns, filled[2] = {0}, sure = 0;
    size_t count[2] = {0};
    for (size_t i = 0; i < columns + n / columns; i++)
        a->across[i] = -1;
    for (size_t i = 0; i < n; i++)
        if (a->m->rank[i] > -INFINITY) {
            const double p = a->odds[i] = 1 / (1 + exp(-a->odds[i]));
            sure += fabs(2 * p - 1) / (double)a->m->inside;
            column[i % columns] = fmax(column[i % columns], p);
            row[i / columns] = fmax(row[i / columns], p);
        }
    for (size_t i = 0; i < columns + n / columns; i++)
        if (a->across[i] >= 0) {
            filled[i < columns] += a->across[i];
            count[i < columns]++;
        }
    return FILLS * (log(filled[0] / (double)count[0] * filled[1] / (double)count[1] + SLIGHT) + log(sure + SLIGHT)) +
           UNLIKE * pow(contrast(a), 3);
}

/* One more dot of the object, at all places in turn: the mean of the answers by their weights becomes the ranks, and
 * the place of the best one gets the dot. */
static seg_status add_dot(const asking *a, int dot) {
    const seg_patch_grid *grid = &a->session->layout.grid;
    const seg_box *b = &a->m->box;
    double *rank = a->m->rank, top = -INFINITY, total = 0; /* log odds of the best, and all odds as parts of its */
    size_t best = 0;
    for (int place = 0; place < ACROSS * ACROSS; place++) {
        const double u = (place % ACROSS + 0.5) / ACROSS, v = (place / ACROSS + 0.5) / ACROSS, old = top;
        const size_t at = seg_patch_of_pixel(grid, (int)(b->x + u * b->width), (int)(b->y + v * b->height));
        const int16_t before = a->group[at];
        if (before == 1)
            continue;
        a->group[at] = 0;
        SEG_TRY(seg_progress(a->ctx, (dot + (double)place / (ACROSS * ACROSS)) / (DOTS + 1), "box"));
        SEG_TRY(seg_object_net_mark(a->ctx, a->session->net, grid, a->group, 0));
        SEG_TRY(seg_object_net_odds(a->ctx, a->session->net, grid, a->odds));
        a->group[at] = before;
        const double weight = weigh(a) + MIDDLE * (1 - hypot(2 * u - 1, 2 * v - 1) / 2);
        if (weight > top) {
            top = weight;
            best = at;
        }
        const double keep = exp(old - top), share = exp(weight - top);
        total = keep * total + share;
        for (size_t i = 0; i < a->session->features.rows; i++)
            if (rank[i] > -INFINITY)
                rank[i] += share / total * (a->odds[i] - rank[i]);
    }
    if (total > 0)
        a->group[best] = 0;
    return SEG_OK;
}

/* One more dot where strokes are known, which counts near them alone: else a stroke could change what it does not
 * touch. */
static seg_status hear_strokes(const asking *a) {
    const size_t n = a->session->features.rows;
    SEG_LOCAL(uint8_t, near, seg_alloc_zero(a->ctx, n, sizeof *near));
    SEG_LOCAL(double, before, seg_alloc(a->ctx, 2 * n, sizeof *before));
    double *square = before + n, *rank = a->m->rank;
    if (!a->m->stroke || !mark_strokes(a, near))
        return SEG_OK;
    memcpy(before, rank, n * sizeof *rank);
    SEG_TRY(seg_object_net_mark(a->ctx, a->session->net, &a->session->layout.grid, a->group, 1));
    SEG_TRY(add_dot(a, DOTS));
    SEG_TRY(seg_patch_distances(a->ctx, near, &a->session->layout.grid, square));
    for (size_t i = 0; i < n; i++)
        if (rank[i] > -INFINITY)
            rank[i] += (1 - exp(-square[i] / (2 * NEARBY * NEARBY * (double)a->m->inside))) * (before[i] - rank[i]);
    return SEG_OK;
}

static seg_status rank(seg_context *ctx, seg_session *s, box_marks *m) {
    const size_t n = s->features.rows, sides = (size_t)s->layout.grid.columns + (size_t)s->layout.grid.rows;
    const size_t columns = s->features.cols;
    size_t likely = 0, inside = 0;
    SEG_LOCAL(int16_t, group, seg_alloc(ctx, n, sizeof *group));
    SEG_LOCAL(double, odds, seg_alloc(ctx, n + sides + 2 * columns, sizeof *odds));
    SEG_LOCAL(uint8_t, uses, seg_session_appearance(ctx, s));
    const asking a = {ctx, s, m, group, odds, odds + n, odds + n + sides, uses};
    const double outside = add_features(&a, 0, 0, a.outside);
    for (size_t j = 0; j < columns; j++)
        a.outside[j] /= fmax(outside, 1);
    if (!s->net)
        SEG_TRY(seg_object_net_look(ctx, s->copy ? s->copy : s->photo, &s->net));
    memset(group, 0xff, n * sizeof *group);
    mark_outside(&a);
    SEG_TRY(seg_object_net_mark(ctx, s->net, &s->layout.grid, group, 1));
    for (int dot = 0; dot < DOTS; dot++)
        SEG_TRY(add_dot(&a, dot));
    SEG_TRY(hear_strokes(&a));
    for (size_t i = 0; i < n; i++) {
        likely += m->rank[i] > 0.5;
        if (m->rank[i] > -INFINITY)
            odds[inside++] = m->rank[i];
    }
    qsort(odds, inside, sizeof *odds, seg_by_value);
    const double share = fmax(LEAST, SURE * (double)likely / (double)inside); /* that is marked */
    m->least = odds[(size_t)((1 - share) * (double)(inside - 1))];
    return SEG_OK;
}

/* Strokes stay; other pixels are background outside of the box, and the object's in its first patches. */
static seg_status mark(seg_context *ctx, const seg_session *s, box_marks *m) {
    size_t object = 0;
    for (int y = 0; y < m->mask->height; y++)
        for (int x = 0; x < m->mask->width; x++) {
            const size_t p = (size_t)y * (size_t)m->mask->width + (size_t)x;
            const size_t i = seg_patch_of_pixel(&s->layout.grid, x, y);
            const uint8_t stroke = m->stroke ? m->stroke[p] : 0;
            m->mask->label[p] = stroke && stroke != SEG_VOID                      ? stroke
                                : !seg_box_is_in(&(seg_box){x, y, 1, 1}, &m->box) ? m->ground
                                : m->rank[i] >= m->least                          ? m->object
                                                                                  : 0;
            object += m->mask->label[p] == m->object;
        }
    return object ? SEG_OK
                  : seg_fail(ctx, SEG_ERR_INPUT,
                             "the strokes of label %d leave nothing of the object in its box; remove some of them",
                             m->ground);
}

seg_status seg_box_mark(seg_context *ctx, seg_session *session, const seg_mask *scribbles, seg_mask *out) {
    const seg_image *photo = session->photo;
    box_marks m = {.mask = out, .box = session->options.box, .stroke = scribbles ? scribbles->label : NULL};
    m.box.x -= session->options.region.x;
    m.box.y -= session->options.region.y;
    SEG_TRY(check_box(ctx, &m.box, photo->width, photo->height));
    SEG_TRY(seg_run_check_size(ctx, "scribbles have", scribbles, photo));
    SEG_TRY(name_labels(ctx, scribbles, &m));
    SEG_TRY(seg_mask_create(ctx, photo->width, photo->height, out));
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(m.rank, session->features.rows));
    if (scribbles)
        memcpy(out->colour, scribbles->colour, sizeof out->colour);
    out->labels = m.ground;
    find_inside(session, &m);
    SEG_TRY(rank(ctx, session, &m));
    return mark(ctx, session, &m);
}
