#include "pipeline/run.h"

#include "base/base.h"
#include "features/grid.h"

/* What an area is walked on. */
typedef struct ground {
    const seg_patch_grid *grid;
    const seg_matrix *score;
    const uint8_t *covered;
    const seg_result *out; /* whose mask may say otherwise: passes behind the scores change it */
    uint8_t *deep;         /* 1: ambiguous, and so are all around; cleared for what has been walked */
    uint32_t *stack;       /* room for every patch */
} ground;

/* What is known of the area that is being walked. */
typedef struct area {
    double chosen[SEG_MAX_LABELS], likely[SEG_MAX_LABELS]; /* patches where a column is best; best or second */
    int left, top, right, bottom;                          /* patches, the last included */
    size_t patches, covered;                               /* covered: an island has pixels in them */
} area;

/* The mask's label in the middle of a patch. */
static uint8_t seen_at(const ground *g, int x, int y) {
    const seg_mask *mask = &g->out->mask;
    const int side = g->grid->side, width = g->grid->width, height = g->grid->height; /* of tiles it is reduced */
    const size_t left = (size_t)seg_smaller(x * side + side / 2, width - 1) * (size_t)mask->width / (size_t)width;
    const size_t top = (size_t)seg_smaller(y * side + side / 2, height - 1) * (size_t)mask->height / (size_t)height;
    return mask->label[top * (size_t)mask->width + left];
}

/* Walk the area of patch `from`. */
static void walk(const ground *g, size_t from, area *a) {
    const seg_matrix *score = g->score;
    const size_t columns = (size_t)g->grid->columns;
    int32_t near[SEG_TOUCHING];
    uint8_t *deep = g->deep;
    uint32_t *stack = g->stack;
    size_t waiting = 0;
    memset(a, 0, sizeof *a);
    a->left = g->grid->columns;
    a->top = g->grid->rows;
    stack[waiting++] = (uint32_t)from;
    deep[from] = 0;
    while (waiting) {
        const size_t at = stack[--waiting];
        const int x = (int)(at % columns), y = (int)(at / columns);
        size_t first, second;
        seg_two_largest_of(score->cols, score->at + at * score->cols, &first, &second);
        if (seen_at(g, x, y) == g->out->column_label[second])
            SEG_SWAP(size_t, first, second);
        a->patches++;
        a->covered += g->covered[at];
        a->chosen[first]++;
        a->likely[first]++;
        a->likely[second]++;
        a->left = x < a->left ? x : a->left;
        a->right = x > a->right ? x : a->right;
        a->top = y < a->top ? y : a->top;
        a->bottom = y > a->bottom ? y : a->bottom;
        for (int c = seg_patches_touching(g->grid, at, near); c-- > 0;)
            if (deep[near[c]]) {
                deep[near[c]] = 0;
                stack[waiting++] = (uint32_t)near[c];
            }
    }
}

void seg_ambiguous_enter(const seg_ambiguous_region *region, int is_island, seg_result *out) {
    int at = out->ambiguous_count;
    if (at < SEG_MAX_AMBIGUOUS)
        out->ambiguous_count++;
    else if (out->ambiguous[--at].share >= region->share)
        return;
    for (; at > 0 && out->ambiguous[at - 1].share < region->share; at--) {
        out->ambiguous[at] = out->ambiguous[at - 1];
        out->ambiguous_island[at] = out->ambiguous_island[at - 1];
    }
    out->ambiguous[at] = *region;
    out->ambiguous_island[at] = (uint8_t)is_island;
}

static void enter(const seg_patch_grid *grid, size_t k, area *a, seg_result *out) {
    const size_t best = seg_largest_of(k, a->chosen);
    a->likely[best] = 0;
    const seg_ambiguous_region region = {
        .label = out->column_label[best],
        .runner_up = out->column_label[seg_largest_of(k, a->likely)],
        .left = a->left * grid->side,
        .top = a->top * grid->side,
        .right = a->right + 1 < grid->columns ? (a->right + 1) * grid->side : grid->width,
        .bottom = a->bottom + 1 < grid->rows ? (a->bottom + 1) * grid->side : grid->height,
        .share = (double)a->patches / ((double)grid->columns * (double)grid->rows)};
    seg_ambiguous_enter(&region, 0, out);
}

seg_status seg_ambiguous_find(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                              const seg_constraints *constraints, const uint8_t *covered, seg_result *out) {
    const size_t patches = score->rows, k = score->cols;
    double *ambiguous, *deepest;
    uint8_t *deep;
    uint32_t *stack;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(ambiguous, patches), SEG_ARRAY(deepest, patches), SEG_ARRAY(deep, patches),
                     SEG_ARRAY(stack, patches));
    for (size_t i = 0; i < patches; i++) {
        size_t first, second;
        const int marked = constraints->groups > 0 && constraints->group[i] >= 0;
        ambiguous[i] = !marked && seg_two_largest_of(k, score->at + i * k, &first, &second) < SEG_AMBIGUOUS_MARGIN;
    }
    seg_patches_around(grid, 1, ambiguous, deepest); /* where two regions meet it is natural */
    for (size_t i = 0; i < patches; i++)
        deep[i] = deepest[i] > 0;
    for (size_t i = 0; constraints->groups > 0 && i < patches; i++) {
        area a;
        if (!deep[i])
            continue;
        walk(&(ground){grid, score, covered, out, deep, stack}, i, &a);
        if ((double)a.patches >= SEG_AMBIGUOUS_SHARE * (double)patches && 2 * a.covered <= a.patches)
            enter(grid, k, &a, out);
    }
    return SEG_OK;
}
