#include "kernels/enpakl.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>

static double inner(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double csr_trace(const seg_csr *A) {
    double trace = 0;
    for (size_t i = 0; i < A->rows; i++)
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
            if ((size_t)A->column[e] == i)
                trace += A->value[e];
    return trace;
}

/* Add sign * weight * log(<A,K> + guard tr A) to the objective, and its gradient, from AV. */
static void add_term(size_t entries, double weight, double guard, double trace, const double *AV, const double *V,
                     double *objective, double *gradient) {
    double value = inner(entries, AV, V) + guard * trace;
    *objective += weight * log(value);
    if (gradient)
        for (size_t i = 0; i < entries; i++)
            gradient[i] += 2 * weight / value * AV[i];
}

/* Add a term for each cannot-link instead of their sum. */
static void add_each(const seg_links *links, size_t r, double guard, const double *V, double *objective,
                     double *gradient) {
    const double share = 2 / links->cannot_trace; /* 1 / the sum of their weights */
    for (size_t p = 0; p < links->pairs; p++) {
        const seg_pair *pair = &links->pair[p];
        if (pair->sign > 0)
            continue;
        const double *vi = V + (size_t)pair->i * r, *vj = V + (size_t)pair->j * r;
        double distance2 = 2 * guard;
        for (size_t c = 0; c < r; c++)
            distance2 += (vi[c] - vj[c]) * (vi[c] - vj[c]);
        *objective -= share * pair->weight * log(distance2);
        if (!gradient)
            continue;
        double *gi = gradient + (size_t)pair->i * r, *gj = gradient + (size_t)pair->j * r;
        const double pull = 2 * share * pair->weight / distance2;
        for (size_t c = 0; c < r; c++) {
            gi[c] -= pull * (vi[c] - vj[c]);
            gj[c] += pull * (vi[c] - vj[c]);
        }
    }
}

seg_status seg_subkernel_objective(seg_context *ctx, const seg_subkernel_problem *problem, size_t r, const double *V,
                                   double *objective, double *gradient) {
    const seg_links *links = problem->links;
    const size_t entries = links->m * r;
    const double smoother_trace = problem->lambda > 0 ? csr_trace(problem->smoother) : 0;
    double *AV = seg_alloc(ctx, entries, sizeof *AV);
    seg_status status = SEG_OK;
    if (!AV)
        return SEG_ERR_MEMORY;
    *objective = 0;
    if (gradient)
        for (size_t i = 0; i < entries; i++)
            gradient[i] = 0;
    if (links->must_trace > 0) {
        if ((status = seg_links_apply(ctx, links, +1, r, V, AV)) != SEG_OK)
            goto done;
        add_term(entries, 1, problem->guard, links->must_trace, AV, V, objective, gradient);
    }
    if (links->cannot_trace > 0 && problem->each && links->grouped == 0) {
        add_each(links, r, problem->guard, V, objective, gradient);
    } else if (links->cannot_trace > 0) {
        if ((status = seg_links_apply(ctx, links, -1, r, V, AV)) != SEG_OK)
            goto done;
        add_term(entries, -1, problem->guard, links->cannot_trace, AV, V, objective, gradient);
    }
    if (smoother_trace > 0) {
        seg_csr_times_matrix(ctx, problem->smoother, r, V, AV);
        add_term(entries, problem->lambda, problem->guard, smoother_trace, AV, V, objective, gradient);
    }
done:
    free(AV);
    return status;
}

/* Length of the random tilt of the start: no two rows are equal, and all rows of a group stay close. */
#define TILT 0.3

void seg_subkernel_start(uint64_t seed, uint64_t stream, const seg_links *links, size_t r, double *V) {
    seg_random random;
    seg_random_seed(&random, seed, stream);
    for (size_t i = 0; i < links->m; i++) {
        double *v = V + i * r, norm = 0;
        for (size_t c = 0; c < r; c++)
            v[c] = seg_random_normal(&random) * (links->group[i] >= 0 ? TILT / sqrt((double)r) : 1);
        if (links->group[i] >= 0)
            v[(size_t)links->group[i] % r] += 1;
        for (size_t c = 0; c < r; c++)
            norm += v[c] * v[c];
        norm = sqrt(norm);
        for (size_t c = 0; c < r; c++)
            v[c] = norm > 0 ? v[c] / norm : c == 0;
    }
}
