/* The random walker favours the label with more strokes, and an object with one stroke in its middle often has several
 * background strokes around it. A shift b of the log odds of label 0 corrects this. Each candidate b gives a mask of
 * patches, in which pieces that no stroke of their label touches join the label around them. Its cost is
 *
 *     b^2 + 0.71 a b (log(c_0 c_1) + 4.3) + 0.95 log(cut + 1/2) + 0.66 a log((s_0 + 0.03) / (s_1 + 0.03))
 *         + (r_0 / 100)^2 + (r_1 / 100)^2,
 *
 * with the bracket clamped to -2.5..2.5; cut: the sum of exp(-2 d^2 / mean d^2) over the pairs of touching patches on
 * either side of the border, d their distance in colour and texture; s: the share of the image that a label has; c: the
 * share of a label's patches that its strokes mark at b = 0; a: 1 (an object) where label 0 has nothing of the image's
 * frame at b = 0, -1 (a background) where it has all; r: the area of a label's region at b = 0 divided by that at b,
 * since the border is shortest where a label has only its strokes. The shift is the mean of the candidates with weights
 * exp(-cost / 0.15), so that it does not jump between candidates of nearly equal cost. Few strokes for the size of the
 * regions favour the object, many disfavour it, and it should not grow without evidence. The constants were learned
 * from whole data sets: docs/results.md, "Balance". */
#include "masks/object.h"
#include "base/base.h"
#include "features/grid.h"
#include "features/spec.h"
#include "masks/distance.h"

#define TRIED       17
#define MIDDLE      8
#define STEP        0.2
#define SHARPNESS   2.0 /* of the weights: how fast they fall with the squared distance, in units of its mean */
#define COVERED     0.71
#define USUAL       4.3 /* minus the logarithm of the usual product c_0 c_1 */
#define MOST_SAID   2.5 /* largest effect of c_0 c_1 either way: it is too strong for single clicks */
#define CUT         0.95
#define GROWN       0.66
#define LEAST_SHARE 0.03 /* added to both labels' shares of the image */
#define LEAST_AREA  1e-4
#define MOST_LOST   100
#define LEAST_SCORE 1e-4
#define WARMTH      0.15

typedef struct trial {
    double cut, area, frame; /* area and frame: the shares of label 0 */
} trial;

typedef struct trying {
    const seg_object_view *view;
    const double *odds; /* log odds of label 0 */
    const double *pair; /* weights of the pairs of each patch with its neighbour in each direction (seg_patch_ahead) */
    uint8_t *label;     /* a map for each worker */
    int32_t *queue;     /* queue of patches for each worker */
    trial *out;
} trying;

/* Labels of patches; OPEN is added where a patch is not yet connected to a stroke of its label. */
enum { FIRST, SECOND, OPEN };

/* Pieces with a stroke of their label stay; of labels without, those at the frame. They fill others, breadth first. */
static void join_islands(const trying *t, uint8_t *label, int32_t *queue) {
    const seg_patch_grid *grid = t->view->grid;
    const size_t n = t->view->score->rows;
    size_t end = 0;
    int32_t near[SEG_TOUCHING];
    for (size_t i = 0; i < n; i++)
        if (t->view->group[i] >= 0 || (t->view->labels == 1 && label[i] == SECOND && seg_patch_to_frame(grid, i) == 0))
            queue[end++] = (int32_t)i;
        else
            label[i] += OPEN;
    for (int islands = 0; islands < 2; islands++) /* along patches of the same label, then into islands */
        for (size_t next = 0; next < end; next++)
            for (int c = seg_patches_touching(grid, (size_t)queue[next], near); c-- > 0;)
                if (islands ? label[near[c]] >= OPEN : label[near[c]] == label[queue[next]] + OPEN) {
                    label[near[c]] = label[queue[next]];
                    queue[end++] = near[c];
                }
}

static void measure(const trying *t, const uint8_t *label, trial *out) {
    const seg_patch_grid *grid = t->view->grid;
    const size_t columns = (size_t)grid->columns, rows = (size_t)(grid->rows / seg_patch_layers(grid));
    const size_t n = t->view->score->rows;
    size_t area = 0, frame = 0, sides = 0;
    double cut = 0;
    for (size_t p = 0; p < n; p++) {
        const size_t x = p % columns, y = p / columns % rows;
        double border = 0;
        /* The frame of a single row or column is its two ends, since all of its patches touch the border. */
        const size_t at_frame =
            (size_t)(columns > 1 && (x == 0 || x + 1 == columns)) + (rows > 1 && (y == 0 || y + 1 == rows));
        for (int d = 0; d < SEG_AHEAD; d++)
            border += label[p] != label[seg_patch_ahead(grid, p, d)] ? t->pair[(size_t)d * n + p] : 0;
        cut += border;
        area += label[p] == FIRST;
        frame += label[p] == FIRST ? at_frame : 0;
        sides += at_frame;
    }
    *out = (trial){cut, (double)area / (double)n, (double)frame / (double)sides};
}

static void try_shifts(void *arg, size_t first, size_t last, int worker) {
    const trying *t = arg;
    const size_t n = t->view->score->rows;
    uint8_t *label = t->label + (size_t)worker * n;
    for (size_t b = first; b < last; b++) {
        const double shift = STEP * ((double)b - MIDDLE);
        for (size_t i = 0; i < n; i++) {
            const int g = t->view->group[i];
            label[i] = (uint8_t)(g >= 0 ? g : t->odds[i] + shift < 0 ? SECOND : FIRST);
        }
        join_islands(t, label, t->queue + (size_t)worker * n);
        measure(t, label, &t->out[b]);
    }
}

/* The weights of pairs of neighbouring patches: first their squared distances, then exp. */
static void weigh(const seg_object_view *v, double *pair) {
    const size_t n = v->score->rows;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double own = 0;
        for (int d = 0; d < SEG_AHEAD; d++) {
            const size_t next = seg_patch_ahead(v->grid, i, d);
            double *distance2 = &pair[(size_t)d * n + i];
            *distance2 = next != i ? seg_appearance_distance2(v->features, v->uses, i, next) : 0;
            own += *distance2;
            count += next != i;
        }
        sum += own;
    }
    const double scale = sum > 0 ? SHARPNESS * (double)count / sum : 0;
    for (size_t i = 0; i < SEG_AHEAD * n; i++)
        pair[i] = exp(-scale * pair[i]);
}

/* The logarithm of the share of a label's patches that are marked. */
static double covered(const seg_object_view *v, int label, double area) {
    const size_t n = v->score->rows;
    size_t marked = 0;
    for (size_t i = 0; i < n; i++)
        marked += v->group[i] == label;
    return log((double)marked / (double)n) - log(area + LEAST_AREA);
}

/* (r / 100)^2 of a label with the share `area` of the image, `before` at b = 0. */
static double lost(double area, double before) {
    const double times = before / area / MOST_LOST;
    return times * times;
}

static double choose(const seg_object_view *v, const trial *tried, double object) {
    const trial *as_it_is = &tried[MIDDLE];
    const double both =
        v->labels == 2 ? covered(v, FIRST, as_it_is->area) + covered(v, SECOND, 1 - as_it_is->area) : -USUAL;
    const double few = fmax(-MOST_SAID, fmin(MOST_SAID, both + USUAL));
    double cost[TRIED], least = INFINITY, sum = 0, all = 0;
    for (int t = 0; t < TRIED; t++) {
        const double b = STEP * (t - MIDDLE);
        const trial *one = &tried[t];
        cost[t] = b * b + COVERED * object * few * b + CUT * log(one->cut + 0.5) +
                  GROWN * object * log((one->area + LEAST_SHARE) / (1 - one->area + LEAST_SHARE)) +
                  lost(one->area, as_it_is->area) + lost(1 - one->area, 1 - as_it_is->area);
        least = fmin(least, cost[t]);
    }
    for (int away = 0; away <= MIDDLE; away++) { /* in pairs, so that exchanging the labels only changes the sign */
        const double less = exp((least - cost[MIDDLE - away]) / WARMTH);
        const double more = away ? exp((least - cost[MIDDLE + away]) / WARMTH) : 0;
        sum += STEP * away * (more - less);
        all += less + more;
    }
    return sum / all;
}

seg_status seg_balance_find(seg_context *ctx, const seg_object_view *view, double *shift, double *object) {
    const size_t n = view->score->rows, workers = (size_t)seg_threads(ctx);
    trial trials[TRIED];
    *shift = *object = 0;
    SEG_LOCAL(double, odds, seg_alloc(ctx, n, (1 + SEG_AHEAD) * sizeof *odds));
    SEG_LOCAL(uint8_t, label, seg_alloc(ctx, n, workers));
    SEG_LOCAL(int32_t, queue, seg_alloc(ctx, n, workers * sizeof *queue));
    for (size_t i = 0; i < n; i++)
        odds[i] = log(fmax(view->score->at[2 * i], LEAST_SCORE)) - log(fmax(view->score->at[2 * i + 1], LEAST_SCORE));
    weigh(view, odds + n);
    trying t = {view, odds, odds + n, label, queue, trials};
    SEG_TRY(seg_parallel_polled(ctx, TRIED, 1, try_shifts, &t));
    *object = view->labels == 2 ? 1 - 2 * trials[MIDDLE].frame : 1;
    *shift = choose(view, trials, *object);
    return SEG_OK;
}

/* Multiply the score in one column of a patch, and give the patch the label that then has the larger one. */
static void scale_score(seg_matrix *score, size_t patch, int column, double factor, int32_t *label) {
    double *s = score->at + 2 * patch;
    s[column] *= factor;
    const double sum = s[0] + s[1];
    s[0] /= sum;
    s[1] /= sum;
    label[patch] = s[1] > s[0];
}

void seg_balance_apply(const int16_t *group, double shift, seg_matrix *score, int32_t *label) {
    const double factor = exp(shift);
    for (size_t i = 0; i < score->rows; i++)
        if (group[i] < 0)
            scale_score(score, i, 0, factor, label);
}

/* The frame of an image mostly shows background. A walk that reaches an unmarked patch of the frame may therefore end
 * there, with the probability
 *
 *     0.1 exp(-m / 30) r(d) r(e) min(1, 2 a / (a + b)),
 *
 * as a share of the patch's degree. m is the number of marked patches of the background and r(x) = min(1, max(0, 2 x /
 * 0.15 - 1)) a ramp; d is the distance from the patch to the nearest stroke and e that from the frame to the object's
 * marked patch farthest inside, in units of the image's shorter side; a and b are the squared distances of the patch's
 * features to the nearest marked patch of the object and of the background. Thus this evidence fades as strokes are
 * added, and an object with strokes near the frame, or with its colours there, may reach the frame. Without background
 * strokes the last two factors are 1. Measured on whole data sets: docs/results.md, "First clicks". */
#define STRENGTH 0.1
#define FADES    30.0 /* marked patches in which the evidence falls to 1 / e */
#define NEAR     0.15
#define FAINT    1e-3 /* share of the evidence below which it counts as 0 */

static double ramp(double away) {
    return fmin(1, fmax(0, 2 * away / NEAR - 1));
}

/* min(1, 2 a / (a + b)) */
static double unlike_object(const seg_object_view *v, size_t i) {
    double nearest2[2] = {INFINITY, INFINITY};
    for (size_t j = 0; j < v->features->rows; j++)
        if (v->group[j] >= 0)
            nearest2[v->group[j]] = fmin(nearest2[v->group[j]], seg_appearance_distance2(v->features, v->uses, i, j));
    const double both = nearest2[0] + nearest2[1];
    return both > 0 ? fmin(1, 2 * nearest2[0] / both) : 1;
}

/* strength: squared distances to the nearest stroke, which become the strengths. */
static void fill(const seg_object_view *v, double *strength) {
    const int columns = v->grid->columns, rows = v->grid->rows / seg_patch_layers(v->grid);
    const double shorter = rows == 1 || (columns < rows && columns > 1) ? columns : rows;
    const size_t n = v->features->rows;
    size_t ground = 0;
    int deepest = 0;
    for (size_t i = 0; i < n; i++) {
        const int deep = v->group[i] == 0 ? seg_patch_to_frame(v->grid, i) : 0;
        deepest = deep > deepest ? deep : deepest;
        ground += v->group[i] == 1;
    }
    const double depth = ground ? ramp(deepest / shorter) : 1, most = depth * exp(-(double)ground / FADES);
    for (size_t i = 0; i < n; i++)
        strength[i] = seg_patch_to_frame(v->grid, i) || v->group[i] >= 0 || most < FAINT
                          ? 0
                          : STRENGTH * most * ramp(sqrt(strength[i]) / shorter) * (ground ? unlike_object(v, i) : 1);
}

seg_status seg_frame_strength(seg_context *ctx, const seg_object_view *view, double **strength) {
    const size_t n = view->features->rows;
    *strength = NULL;
    SEG_LOCAL(uint8_t, marked, seg_alloc(ctx, n, 1));
    SEG_LOCAL(double, made, seg_alloc(ctx, n, sizeof *made));
    for (size_t i = 0; i < n; i++)
        marked[i] = view->group[i] >= 0;
    SEG_TRY(seg_patch_distances(ctx, marked, view->grid, made));
    fill(view, made);
    *strength = seg_taken(&made);
    return SEG_OK;
}

/* Background strokes are mostly drawn around the object, so their distance limits how far the object extends: a patch
 * much farther from the object's strokes than nearly all of the background's strokes is unlikely to belong to the
 * object, even if it resembles no marked patch or the walk leads to it. With d the distance of a patch from the
 * object's nearest marked patch and R the 0.9 quantile of this distance over the background's marked patches, the log
 * odds of the object fall by
 *
 *     a (1 - 1/m) min(1.5, 2 max(0, d / R - 1.25)),
 *
 * where a is how clearly the label is an object (seg_balance_find), and m the number of the background's marked
 * patches, a single one of which does not tell the object's extent. The bound 1.5 is there for single clicks: patches
 * that resemble the object stay with it. Evidence: docs/results.md, "Extent". */
#define MARKED_WITHIN 0.9
#define FREE          1.25
#define FALL          2.0
#define MOST          1.5

/* R squared: the 0.9 quantile of distance2 over the `count` patches of `ground`; sorted: room for all patches. */
static double reach2(const int16_t *group, size_t n, int ground, const double *distance2, double *sorted,
                     size_t *count) {
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (group[i] == ground)
            sorted[(*count)++] = distance2[i];
    qsort(sorted, *count, sizeof *sorted, seg_by_value);
    return sorted[(size_t)(MARKED_WITHIN * (double)(*count - 1))];
}

seg_status seg_extent_apply(seg_context *ctx, const seg_extent *e, seg_matrix *score, int32_t *label, size_t *lowered) {
    const int16_t *group = e->group;
    const double object = e->object;
    const size_t n = score->rows;
    const int own = object < 0; /* column of the object */
    size_t count;
    SEG_FREED double *distance2 = seg_alloc(ctx, n, sizeof *distance2), *sorted = seg_alloc(ctx, n, sizeof *sorted);
    SEG_FREED uint8_t *marked = seg_alloc(ctx, n, 1);
    *lowered = 0;
    SEG_TRY(seg_allocated(distance2 && sorted && marked));
    for (size_t i = 0; i < n; i++)
        marked[i] = group[i] == own;
    SEG_TRY(seg_patch_distances(ctx, marked, e->grid, distance2));
    const double reach = sqrt(reach2(group, n, 1 - own, distance2, sorted, &count));
    const double strength = fabs(object) * (1 - 1 / (double)count);
    for (size_t i = 0; i < n; i++) {
        const double beyond = sqrt(distance2[i]) / reach - FREE;
        if (group[i] >= 0 || beyond <= 0 || strength <= 0)
            continue;
        scale_score(score, i, own, exp(-strength * fmin(MOST, FALL * beyond)), label);
        ++*lowered;
    }
    return SEG_OK;
}
