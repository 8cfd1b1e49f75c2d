#include "graph/hierarchy.h"

#define COMFORTABLE    60    /* a largest weight of 2^-60 .. 2^60 leaves room for others in single precision */
#define WEAK           0.25f /* fraction of a node's strongest edge below which an edge is not used for pairing */
#define LEAST_PROGRESS 0.9   /* a coarser graph with more than this fraction of the nodes is discarded */

static void level_free(seg_graph_level *l) {
    SEG_CLEAR(l, l->start, l->parent, l->child); /* start: and all up to the degrees */
}

static seg_status level_create(seg_context *ctx, size_t n, size_t entries, seg_graph_level *l) {
    *l = (seg_graph_level){.n = n};
    return SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(l->start, n + 1), SEG_ARRAY(l->lower, n), SEG_ARRAY(l->own, n),
                            SEG_ARRAY(l->column, entries), SEG_ARRAY(l->weight, entries), SEG_ARRAY(l->degree, n));
}

/* Sort the entries of row i, whose block is from .. to-1, by kind. column, weight: room for a copy of them. */
static void sort_row(seg_graph_level *l, size_t i, size_t from, size_t to, int32_t *column, float *weight) {
    const size_t start = l->start[i], count = l->start[i + 1] - start;
    size_t at = start;
    memcpy(column, l->column + start, count * sizeof *column);
    memcpy(weight, l->weight + start, count * sizeof *weight);
    for (int kind = 0; kind < 3; kind++) {
        for (size_t e = 0; e < count; e++) {
            const size_t j = (size_t)column[e];
            if (kind == (j < from || j >= to ? 2 : j > i)) {
                l->column[at] = column[e];
                l->weight[at++] = weight[e];
            }
        }
        if (kind == 0)
            l->lower[i] = (uint32_t)(at - start);
        else if (kind == 1)
            l->own[i] = (uint32_t)(at - start);
    }
}

/* Sort the rows of a filled level and compute its degrees. A degree is the sum of the rounded weights, so that tiny
 * weights keep their digits where a part of the graph is attached by them alone. */
static seg_status level_finish(seg_context *ctx, seg_graph_level *l) {
    size_t longest = 0;
    for (size_t i = 0; i < l->n; i++)
        longest = l->start[i + 1] - l->start[i] > longest ? l->start[i + 1] - l->start[i] : longest;
    SEG_LOCAL(int32_t, column, seg_alloc(ctx, longest, sizeof *column));
    SEG_LOCAL(float, weight, seg_alloc(ctx, longest, sizeof *weight));
    for (size_t block = 0; block < SEG_SWEEP_BLOCKS; block++) {
        const size_t from = block * l->n / SEG_SWEEP_BLOCKS, to = (block + 1) * l->n / SEG_SWEEP_BLOCKS;
        for (size_t i = from; i < to; i++) {
            sort_row(l, i, from, to, column, weight);
            for (size_t e = l->start[i]; e < l->start[i + 1]; e++)
                l->degree[i] += (double)l->weight[e];
        }
    }
    return SEG_OK;
}

/* Very large or very small weights are scaled to the order of one by a power of two, which is exact. */
static double unit_of(const seg_csr *W) {
    double largest = 0;
    for (size_t e = 0; e < W->start[W->rows]; e++)
        if (W->value[e] > largest && isfinite(W->value[e]))
            largest = W->value[e];
    return largest == 0 || abs(ilogb(largest)) <= COMFORTABLE ? 1 : ldexp(1, -ilogb(largest));
}

static seg_status first_level(seg_context *ctx, const seg_csr *W, double unit, seg_graph_level *l) {
    size_t at = 0;
    SEG_TRY(level_create(ctx, W->rows, W->start[W->rows], l));
    for (size_t i = 0; i < W->rows; i++) {
        for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
            const float weight = (float)(W->value[e] * unit);
            if ((size_t)W->column[e] == i || !(weight > 0))
                continue;
            l->column[at] = W->column[e];
            l->weight[at++] = weight;
        }
        l->start[i + 1] = at;
    }
    return SEG_OK;
}

/* Pair each node in turn with its unpaired neighbour of largest weight, the first of equals. If that weight is small
 * compared with the node's strongest edge, whose other end has a group already, the node joins that group instead:
 * groups do not cross weak edges unless they must. parent[i]: the group of node i. @return the number of groups */
static size_t match(const seg_graph_level *l, int32_t *parent) {
    int32_t count = 0;
    memset(parent, 0xff, l->n * sizeof *parent);
    for (size_t i = 0; i < l->n; i++) {
        float strongest = 0, most = 0;
        int32_t nearest = -1, mate = -1;
        if (parent[i] >= 0)
            continue;
        for (size_t e = l->start[i]; e < l->start[i + 1]; e++) {
            const int32_t j = l->column[e];
            if (l->weight[e] > strongest) {
                strongest = l->weight[e];
                nearest = j;
            }
            if (parent[j] < 0 && l->weight[e] > most) {
                most = l->weight[e];
                mate = j;
            }
        }
        if (nearest >= 0 && most < WEAK * strongest) {
            parent[i] = parent[nearest];
            continue;
        }
        parent[i] = count;
        if (mate >= 0)
            parent[mate] = count;
        count++;
    }
    return (size_t)count;
}

/* The coarse graph, whose nodes are the groups. */
static seg_status contract(seg_context *ctx, const seg_graph_level *l, const int32_t *parent, size_t groups,
                           seg_graph_level *next) {
    SEG_FREED double *sum = NULL;
    size_t *start, at = 0;
    int32_t *member; /* of group g: member[start[g]] .. member[start[g + 1] - 1] */
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(sum, groups), SEG_ARRAY(start, groups + 1), SEG_ARRAY(member, l->n)));
    SEG_TRY(level_create(ctx, groups, l->start[l->n], next));
    seg_list_by_key(l->n, parent, groups, start, member);
    for (size_t g = 0; g < groups; g++) {
        const size_t first = at;
        for (size_t c = start[g]; c < start[g + 1]; c++) {
            const size_t i = (size_t)member[c];
            for (size_t e = l->start[i]; e < l->start[i + 1]; e++) {
                const int32_t other = parent[l->column[e]];
                if ((size_t)other == g)
                    continue;
                if (sum[other] == 0)
                    next->column[at++] = other;
                sum[other] += (double)l->weight[e];
            }
        }
        for (size_t e = first; e < at; e++) {
            next->weight[e] = (float)sum[next->column[e]];
            sum[next->column[e]] = 0;
        }
        next->start[g + 1] = at;
    }
    return SEG_OK;
}

/* Make the next level by two rounds of matching. SEG_OK with *made 0 if it would have too many nodes. */
static seg_status coarsen(seg_context *ctx, seg_graph_level *l, seg_graph_level *next, int *made) {
    SEG_FREED int32_t *parent = seg_alloc(ctx, l->n, sizeof *parent), *second = seg_alloc(ctx, l->n, sizeof *second);
    SEG_RELEASED(level_free) seg_graph_level pairs = {0};
    *made = 0;
    SEG_TRY(seg_allocated(parent && second));
    SEG_TRY(contract(ctx, l, parent, match(l, parent), &pairs));
    const size_t groups = match(&pairs, second);
    for (size_t i = 0; i < l->n; i++)
        parent[i] = second[parent[i]];
    if ((double)groups > LEAST_PROGRESS * (double)l->n)
        return SEG_OK;
    SEG_TRY(contract(ctx, l, parent, groups, next));
    l->parent = seg_taken(&parent);
    *made = 1;
    return SEG_OK;
}

/* Renumber the nodes: order[i] becomes i. place: the inverse of order. */
static seg_status renumber(seg_context *ctx, seg_graph_level *l, const int32_t *order, const int32_t *place) {
    SEG_RELEASED(level_free) seg_graph_level out = {0};
    size_t at = 0;
    SEG_TRY(level_create(ctx, l->n, l->start[l->n], &out));
    for (size_t i = 0; i < l->n; i++) {
        const size_t old = (size_t)order[i];
        for (size_t e = l->start[old]; e < l->start[old + 1]; e++) {
            out.column[at] = place[l->column[e]];
            out.weight[at++] = l->weight[e];
        }
        out.start[i + 1] = at;
    }
    out.parent = seg_taken(&l->parent);
    SEG_SWAP(seg_graph_level, *l, out);
    return SEG_OK;
}

/* Sort the nodes of level l by their parents, whose new numbers are in *place (NULL for the last level). On return
 * *order is the permutation of this level, and *place its inverse. */
static seg_status order_level(seg_context *ctx, seg_hierarchy *h, int l, int32_t **place, int32_t **order) {
    seg_graph_level *level = &h->level[l], *next = *place ? level + 1 : NULL;
    SEG_LOCAL(int32_t, own, seg_alloc(ctx, level->n, sizeof *own));
    SEG_TRY(seg_allocated(*order = seg_alloc(ctx, level->n, sizeof **order)));
    for (size_t i = 0; i < level->n; i++)
        (*order)[i] = (int32_t)i;
    if (next) {
        for (size_t i = 0; i < level->n; i++)
            level->parent[i] = (*place)[level->parent[i]];
        SEG_TRY(seg_allocated(next->child = seg_alloc(ctx, next->n + 1, sizeof *next->child)));
        seg_list_by_key(level->n, level->parent, next->n, next->child, *order);
    }
    for (size_t i = 0; i < level->n; i++)
        own[(*order)[i]] = (int32_t)i;
    SEG_TRY(renumber(ctx, level, *order, own));
    for (size_t p = 0; next && p < next->n; p++)
        for (size_t i = next->child[p]; i < next->child[p + 1]; i++)
            level->parent[i] = (int32_t)p;
    free(*place);
    *place = seg_taken(&own);
    return level_finish(ctx, level);
}

/* Sort the nodes of every level by their parents, from the last level to the first. */
static seg_status order_levels(seg_context *ctx, seg_hierarchy *h) {
    SEG_FREED int32_t *place = NULL;
    for (int l = h->levels - 1; l >= 0; l--) {
        SEG_FREED int32_t *order = NULL;
        SEG_TRY(order_level(ctx, h, l, &place, &order));
        if (l == 0)
            h->order = seg_taken(&order);
    }
    return SEG_OK;
}

seg_status seg_hierarchy_create(seg_context *ctx, const seg_csr *W, size_t coarsest, seg_hierarchy *out) {
    *out = (seg_hierarchy){.levels = 1, .unit = unit_of(W)};
    SEG_TRY(first_level(ctx, W, out->unit, &out->level[0]));
    for (int made = 1; made && out->levels < SEG_MOST_LEVELS && out->level[out->levels - 1].n > coarsest;) {
        SEG_TRY(coarsen(ctx, &out->level[out->levels - 1], &out->level[out->levels], &made));
        out->levels += made;
    }
    return order_levels(ctx, out);
}

void seg_hierarchy_free(seg_hierarchy *hierarchy) {
    for (int l = 0; l < SEG_MOST_LEVELS; l++)
        level_free(&hierarchy->level[l]);
    SEG_CLEAR(hierarchy, hierarchy->order);
}
