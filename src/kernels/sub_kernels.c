#include "kernels/sub_kernels.h"
#include "base/base.h"
#include "clustering/linked_samples.h"
#include "graph/affinity.h"
#include "graph/harmonic.h"
#include "graph/neighbours/nearest.h"
#include "kernels/sdp_kernels.h"
#include "kernels/smoother.h"
#include "linalg/dense.h"

/* Share of the trace that a compressed factor may lose; the distances between rows hardly change. */
#define LOST 1e-6

/* Random streams of the context's seed used by the starts. */
#define START_STREAM 0x1000

#define RIDGE          1e-3
#define MAX_NEIGHBOURS 64
#define PCP_TOLERANCE  1e-7

/* ---- The samples that each sub-kernel is learned from. ---- */

seg_status seg_subsets_pick(seg_context *ctx, const seg_constraints *constraints, size_t landmarks, size_t portion,
                            seg_subsets *out) {
    const size_t n = constraints->n;
    size_t seen[SEG_MAX_LABELS] = {0}, constrained = 0, filled = 0;
    SEG_FREED double *degree = NULL;
    seg_ranked *order; /* by degree, then by the position within the group */
    memset(out, 0, sizeof *out);
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(degree, n), SEG_ARRAY(order, n)));
    seg_constraint_degrees(constraints, degree);
    for (size_t i = 0; i < n; i++) {
        const int g = constraints->groups ? constraints->group[i] : -1;
        if (degree[i] > 0 || g >= 0) /* a single marked sample counts too */
            order[constrained++] = (seg_ranked){degree[i], g >= 0 ? seen[g]++ : 0, (int32_t)i};
    }
    if (landmarks == 0 || landmarks + 1 >= constrained)
        landmarks = 0, portion = constrained;
    else
        qsort(order, constrained, sizeof *order, seg_by_rank);
    const size_t rest = constrained - landmarks;
    out->count = constrained == 0 ? 0 : (rest + portion - 1) / portion;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->start, out->count + 1),
                             SEG_ARRAY(out->member, out->count * landmarks + rest),
                             SEG_ARRAY(out->degree, out->count)));
    for (size_t s = 0; s < out->count; s++) {
        size_t from = landmarks + s * portion, to = from + portion < constrained ? from + portion : constrained;
        for (size_t i = 0; i < landmarks; i++)
            out->member[filled++] = order[i].which;
        for (size_t i = from; i < to; i++)
            out->member[filled++] = order[i].which;
        out->start[s + 1] = filled;
        for (size_t i = out->start[s]; i < filled; i++)
            out->degree[s] += degree[out->member[i]];
    }
    return SEG_OK;
}

void seg_subsets_free(seg_subsets *subsets) {
    SEG_CLEAR(subsets, subsets->start);
}

/* ---- From a sub-kernel to all samples. ---- */

seg_status seg_extension_known(seg_context *ctx, const seg_extension *e, seg_matrix *F) {
    const seg_constraints *constraints = e->constraints;
    const size_t n = constraints->n, r = F->cols, groups = (size_t)constraints->groups;
    uint8_t *known = e->known;
    double *sum, *size, *links; /* must-links between a sample outside and the subset */
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(sum, groups, r), SEG_ARRAY(size, groups), SEG_ARRAY(links, n));
    memset(known, 0, n);
    for (size_t i = 0; i < e->m; i++) {
        size_t sample = (size_t)e->member[i];
        known[sample] = 1;
        memcpy(F->at + sample * r, e->V + i * r, r * sizeof *e->V);
        if (groups && constraints->group[sample] >= 0) {
            size_t g = (size_t)constraints->group[sample];
            size[g] += 1;
            for (size_t c = 0; c < r; c++)
                sum[g * r + c] += e->V[i * r + c];
        }
    }
    for (size_t i = 0; groups && i < n; i++) {
        if (known[i] || constraints->group[i] < 0)
            continue;
        size_t g = (size_t)constraints->group[i];
        links[i] += size[g];
        for (size_t c = 0; c < r; c++)
            F->at[i * r + c] += sum[g * r + c];
    }
    for (size_t p = 0; p < constraints->pairs; p++) {
        const seg_pair *pair = &constraints->pair[p];
        if (pair->sign < 0 || known[pair->i] == known[pair->j])
            continue;
        size_t inside = (size_t)(known[pair->i] ? pair->i : pair->j);
        size_t outside = (size_t)(known[pair->i] ? pair->j : pair->i);
        links[outside] += pair->weight;
        for (size_t c = 0; c < r; c++)
            F->at[outside * r + c] += pair->weight * F->at[inside * r + c];
    }
    for (size_t i = 0; i < n; i++) {
        if (!(links[i] > 0))
            continue;
        known[i] = 1;
        for (size_t c = 0; c < r; c++)
            F->at[i * r + c] /= links[i];
    }
    return SEG_OK;
}

/* cannot: of seg_pairs_by_sample. */
static int cannot_link(const seg_constraints *constraints, const seg_csr *cannot, size_t i, size_t j) {
    if (constraints->groups && constraints->group[i] >= 0 && constraints->group[j] >= 0 &&
        constraints->group[i] != constraints->group[j])
        return 1;
    for (size_t e = cannot->start[i]; e < cannot->start[i + 1]; e++)
        if ((size_t)cannot->column[e] == j && cannot->value[e] < 0)
            return 1;
    return 0;
}

/* Reconstruction weights of row i from the rows `near`, Eq. 30 with sum one. */
static void reconstruct(const seg_matrix *X, size_t i, const size_t *near, int k, double *w) {
    double gram[MAX_NEIGHBOURS * MAX_NEIGHBOURS], trace = 0;
    const size_t d = X->cols;
    for (int a = 0; a < k; a++)
        for (int b = 0; b <= a; b++) {
            double dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += (X->at[i * d + c] - X->at[near[a] * d + c]) * (X->at[i * d + c] - X->at[near[b] * d + c]);
            gram[a * k + b] = gram[b * k + a] = dot;
        }
    for (int a = 0; a < k; a++)
        trace += gram[a * k + a];
    for (int a = 0; a < k; a++) {
        gram[a * k + a] += trace > 0 ? RIDGE * trace : 1;
        w[a] = 1;
    }
    if (seg_cholesky_dense(NULL, (size_t)k, gram) == SEG_OK) /* which the ridge ensures */
        seg_cholesky_dense_solve((size_t)k, gram, w);
    const double sum = seg_sum((size_t)k, w);
    for (int a = 0; a < k; a++)
        w[a] = sum != 0 ? w[a] / sum : 1.0 / k;
}

typedef struct extending {
    const seg_extension *e;
    const seg_csr *pairs; /* the listed ones by sample */
    int neighbours;
    seg_matrix *F;
} extending;

static void extend_row(const extending *x, size_t i) {
    const seg_matrix *X = x->e->X;
    const double *V = x->e->V;
    const int32_t *member = x->e->member;
    double best[MAX_NEIGHBOURS], w[MAX_NEIGHBOURS];
    int32_t index[MAX_NEIGHBOURS];
    size_t sample[MAX_NEIGHBOURS] = {0};
    const size_t d = X->cols, r = x->F->cols;
    double *row = x->F->at + i * r;
    seg_heap near = seg_heap_make(index, best, (size_t)x->neighbours);
    for (size_t a = 0; a < x->e->m; a++) {
        const size_t j = (size_t)member[a];
        if (!cannot_link(x->e->constraints, x->pairs, i, j))
            seg_heap_offer(&near, seg_distance2(d, X->at + i * d, X->at + j * d), (int32_t)a);
    }
    const int k = (int)near.count;
    if (k == 0)
        return;
    seg_heap_sort(&near);
    for (int a = 0; a < k; a++)
        sample[a] = (size_t)member[index[a]];
    reconstruct(X, i, sample, k, w);
    for (int a = 0; a < k; a++)
        for (size_t c = 0; c < r; c++)
            row[c] += w[a] * V[(size_t)index[a] * r + c];
    seg_rows_to_sphere(1, r, row);
}

static void extend_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const extending *x = arg;
    for (size_t i = first; i < last; i++)
        if (!x->e->known[i])
            extend_row(x, i);
}

seg_status seg_extension_lle(seg_context *ctx, const seg_extension *e, int neighbours, seg_matrix *F) {
    extending x = {.e = e, .neighbours = neighbours < MAX_NEIGHBOURS ? neighbours : MAX_NEIGHBOURS, .F = F};
    SEG_RELEASED(seg_csr_free) seg_csr pairs = {0};
    SEG_TRY(seg_pairs_by_sample(ctx, e->constraints, 1, &pairs));
    x.pairs = &pairs;
    return seg_parallel_polled(ctx, e->constraints->n, 0, extend_rows, &x);
}

/* ---- One sub-kernel. ---- */

/* What all sub-kernels share. */
typedef struct learner {
    seg_context *ctx;
    const seg_matrix *X;
    const seg_csr *W;
    const seg_constraints *constraints;
    const seg_enpakl_options *options;
    const seg_laplacian *laplacian;
    uint8_t *known;
    double spread; /* mean distance of all samples, or 0 */
} learner;

/* Run Algorithm 2 on K, then factor it. */
static seg_status project_to_factor(seg_context *ctx, const seg_subkernel_problem *problem,
                                    const seg_enpakl_options *options, seg_matrix *V, seg_subkernel_result *result) {
    const size_t m = V->rows, r = V->cols;
    SEG_RELEASED(seg_matrix_free) seg_matrix K = {0};
    SEG_TRY(seg_matrix_create(ctx, m, m, &K));
    seg_gemm((seg_shape){0, 1, m, m, r}, 1, V->at, V->at, 0, K.at);
    SEG_TRY(seg_subkernel_project(ctx, problem, (seg_limits){options->iterations, options->tolerance}, K.at, result));
    seg_matrix_free(V);
    return seg_factor_of_kernel(ctx, &K, r, V);
}

/* Run PCP on the subset: K from hard constraints and the smoother. */
static seg_status propagate_to_factor(seg_context *ctx, const seg_subkernel_problem *problem, seg_matrix *V,
                                      seg_subkernel_result *result) {
    const seg_links *links = problem->links;
    const seg_constraints own = {.n = links->m, /* borrows */
                                 .groups = links->groups,
                                 .group = links->group,
                                 .pair = links->pair,
                                 .pairs = links->pairs};
    SEG_RELEASED(seg_unit_kernel_free) seg_unit_kernel found = {0};
    SEG_TRY(seg_pcp_learn(ctx, problem->smoother, &own, PCP_TOLERANCE, &found));
    *result = (seg_subkernel_result){found.objective, found.iterations, found.converged};
    return SEG_HANDED_OVER(V, found.factor);
}

/* Solve Eq. 21 by one of its two solvers, which make their own start. V: m x rank. */
static seg_status embed_to_factor(seg_context *ctx, const seg_subkernel_problem *problem,
                                  const seg_enpakl_options *options, uint64_t subset, seg_matrix *V,
                                  seg_subkernel_result *result) {
    SEG_TRY(seg_matrix_create(ctx, problem->links->m, (size_t)options->rank, V));
    seg_subkernel_start(ctx ? ctx->seed : 1, START_STREAM + subset, problem->links, V->cols, V->at);
    if (options->solver == SEG_ENPAKL_PROJECT)
        return project_to_factor(ctx, problem, options, V, result);
    return seg_subkernel_descend(ctx, problem, V->cols, (seg_limits){options->iterations, options->tolerance}, V->at,
                                 result);
}

/* Learn one sub-kernel over the m members: V, m x r. */
static seg_status learn_subkernel(const learner *l, const int32_t *member, size_t m, uint64_t subset, seg_matrix *V,
                                  seg_subkernel_result *result) {
    const seg_enpakl_options *options = l->options;
    SEG_RELEASED(seg_links_free) seg_links links = {0};
    SEG_RELEASED(seg_matrix_free) seg_matrix own = {0};
    SEG_RELEASED(seg_csr_free) seg_csr S = {0};
    SEG_TRY(seg_links_create(l->ctx, l->constraints, member, m, &links));
    SEG_TRY(seg_rows_taken(l->ctx, l->X, member, m, &own));
    SEG_TRY(seg_smoother_create(l->ctx, &own, options->smoother_neighbours, options->sigma_scale, l->spread, &S));
    const seg_subkernel_problem problem = {&links, &S, options->lambda, options->guard, options->each};
    SEG_TRY(options->solver == SEG_ENPAKL_PCP ? propagate_to_factor(l->ctx, &problem, V, result)
                                              : embed_to_factor(l->ctx, &problem, options, subset, V, result));
    return seg_factor_compress(l->ctx, LOST, V);
}

/* F: W_i V_i over all samples for one subset, scaled by the root of its weight alpha_i (Eq. 33). */
static seg_status extend(const learner *l, const int32_t *member, const seg_matrix *V, double alpha, seg_matrix *F) {
    const seg_enpakl_options *options = l->options;
    const seg_extension e = {l->X, l->constraints, member, V->rows, V->at, l->known};
    SEG_TRY(seg_matrix_create(l->ctx, l->constraints->n, V->cols, F));
    SEG_TRY(seg_extension_known(l->ctx, &e, F));
    if (options->weights == SEG_ENPAKL_LLE)
        SEG_TRY(seg_extension_lle(l->ctx, &e, options->lle_neighbours, F));
    else /* absorption probabilities of the graph instead of the weights of Eq. 30 */
        SEG_TRY(seg_harmonic_extend(l->ctx, l->W, l->laplacian, l->known, options->extension_tolerance, F));
    for (size_t i = 0; i < F->rows * F->cols; i++)
        F->at[i] *= sqrt(alpha);
    return SEG_OK;
}

/* Z <- [Z F], compressed. */
static seg_status append_columns(seg_context *ctx, const seg_matrix *F, seg_matrix *Z) {
    const size_t old = Z->cols;
    Z->rows = F->rows;
    SEG_TRY(seg_matrix_widen(ctx, F->cols, Z));
    for (size_t i = 0; i < F->rows; i++)
        memcpy(Z->at + i * Z->cols + old, F->at + i * F->cols, F->cols * sizeof *Z->at);
    return old ? seg_factor_compress(ctx, LOST, Z) : SEG_OK;
}

/* ---- All of them. ---- */

seg_status seg_enpakl_learn(seg_context *ctx, const seg_matrix *X, const seg_csr *W, const seg_constraints *constraints,
                            const seg_enpakl_options *options, seg_enpakl_result *out) {
    SEG_RELEASED(seg_subsets_free) seg_subsets subsets = {0};
    SEG_RELEASED(seg_laplacian_release) seg_laplacian *own = NULL;
    *out = (seg_enpakl_result){.converged = 1};
    SEG_LOCAL(uint8_t, known, seg_alloc(ctx, constraints->n, 1));
    learner l = {ctx, X, W, constraints, options, options->laplacian, known, 0};
    SEG_TRY(seg_subsets_pick(ctx, constraints, options->landmarks, options->portion, &subsets));
    if (subsets.count == 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "ENPAKL learns from constraints, and there are none: mark strokes of at least one label, or "
                        "choose the method kmeans or ncut");
    if (options->whole_sigma)
        SEG_TRY(seg_mean_distance(ctx, X, &l.spread));
    if (options->weights == SEG_ENPAKL_HARMONIC && !l.laplacian) {
        SEG_TRY(seg_laplacian_create(ctx, W, &own));
        l.laplacian = own;
    }
    const double total = seg_sum(subsets.count, subsets.degree);
    for (size_t s = 0; s < subsets.count; s++) {
        const int32_t *member = subsets.member + subsets.start[s];
        double alpha = options->equal_alpha || !(total > 0) ? 1.0 / (double)subsets.count : subsets.degree[s] / total;
        seg_subkernel_result result = {0};
        SEG_RELEASED(seg_matrix_free) seg_matrix V = {0}, F = {0};
        SEG_TRY(learn_subkernel(&l, member, subsets.start[s + 1] - subsets.start[s], s, &V, &result));
        SEG_TRY(extend(&l, member, &V, alpha, &F));
        SEG_TRY(append_columns(ctx, &F, &out->factor));
        out->objective += result.objective / (double)subsets.count;
        out->iterations += result.iterations;
        out->converged &= result.converged;
        SEG_TRY(seg_progress(ctx, (double)(s + 1) / (double)subsets.count, "sub-kernels"));
    }
    return SEG_OK;
}

void seg_enpakl_result_free(seg_enpakl_result *result) {
    seg_matrix_free(&result->factor);
    memset(result, 0, sizeof *result);
}
