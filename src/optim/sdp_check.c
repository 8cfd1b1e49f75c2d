/* The optimality conditions of a semidefinite program, checked from its data alone, without code shared with the
 * solver. The measures are those used to compare solvers [mittelmann2003]. */
#include "optim/sdp.h"

#include "base/base.h"
#include "linalg/dense.h"

static double term_product(const seg_sdp *sdp, const seg_sdp_term *t, const seg_sdp_solution *solution) {
    const seg_matrix *X = &solution->X[t->block];
    const int32_t *index = sdp->index + t->start;
    double sum = 0;
    for (size_t a = 0; a < t->count; a++) {
        double row = 0;
        for (size_t b = 0; b < t->count; b++)
            row += X->at[(size_t)index[a] * X->cols + (size_t)index[b]];
        sum += row;
    }
    return t->weight * sum;
}

/* S = C - sum y_i A_i of one block. */
static void dual_block(const seg_sdp *sdp, const double *y, int block, double *S) {
    const size_t n = (size_t)sdp->size[block];
    memset(S, 0, n * n * sizeof *S);
    for (size_t e = 0; e < sdp->entries; e++) {
        const seg_sdp_entry *entry = &sdp->entry[e];
        double value = entry->value * (entry->row == SEG_SDP_COST ? 1 : -y[entry->row - 1]);
        if (entry->block != block)
            continue;
        S[(size_t)entry->i * n + (size_t)entry->j] += value;
        if (entry->i != entry->j)
            S[(size_t)entry->j * n + (size_t)entry->i] += value;
    }
    for (size_t k = 0; k < sdp->terms; k++) {
        const seg_sdp_term *t = &sdp->term[k];
        double weight = t->weight * (t->row == SEG_SDP_COST ? 1 : -y[t->row - 1]);
        if (t->block != block)
            continue;
        for (size_t a = t->start; a < t->start + t->count; a++)
            for (size_t b = t->start; b < t->start + t->count; b++)
                S[(size_t)sdp->index[a] * n + (size_t)sdp->index[b]] += weight;
    }
}

/* Widen low..high to the eigenvalues of A. */
static seg_status eigen_range(seg_context *ctx, size_t n, const double *A, double *low, double *high) {
    double *value, *vector;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(value, n), SEG_TABLE(vector, n, n));
    SEG_TRY(seg_eigen_dense(ctx, n, A, value, vector));
    *low = fmin(*low, value[0]);
    *high = fmax(*high, value[n - 1]);
    return SEG_OK;
}

static void rows_of_primal(const seg_sdp *sdp, const seg_sdp_solution *solution, double *row) {
    for (const seg_sdp_entry *e = sdp->entry; e < sdp->entry + sdp->entries; e++) { /* off the diagonal twice */
        const seg_matrix *X = &solution->X[e->block];
        row[e->row] += (e->i == e->j ? 1 : 2) * e->value * X->at[(size_t)e->i * X->cols + (size_t)e->j];
    }
    for (size_t k = 0; k < sdp->terms; k++)
        row[sdp->term[k].row] += term_product(sdp, &sdp->term[k], solution);
}

seg_status seg_sdp_check(seg_context *ctx, const seg_sdp *sdp, const seg_sdp_solution *solution,
                         seg_sdp_residuals *out) {
    const size_t m = (size_t)sdp->constraints;
    size_t largest = 1;
    double low = 0, high = 0, dual_low = 0, dual_high = 0, scale = 0, *S, *row;
    *out = (seg_sdp_residuals){0};
    for (int b = 0; b < sdp->blocks; b++)
        largest = (size_t)sdp->size[b] > largest ? (size_t)sdp->size[b] : largest;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(row, m + 1), SEG_TABLE(S, largest, largest));
    rows_of_primal(sdp, solution, row);
    out->primal = row[SEG_SDP_COST];
    for (size_t i = 0; i < m; i++) {
        out->dual += sdp->right[i] * solution->y[i];
        scale = fmax(scale, fabs(sdp->right[i]));
        out->constraints = fmax(out->constraints, fabs(row[i + 1] - sdp->right[i]));
    }
    out->constraints /= 1 + scale;
    out->gap = fabs(out->primal - out->dual) / (1 + fabs(out->primal) + fabs(out->dual));
    for (int b = 0; b < sdp->blocks; b++) {
        dual_block(sdp, solution->y, b, S);
        SEG_TRY(eigen_range(ctx, (size_t)sdp->size[b], S, &dual_low, &dual_high));
        SEG_TRY(eigen_range(ctx, (size_t)sdp->size[b], solution->X[b].at, &low, &high));
    }
    out->psd = low < 0 ? -low / (1 + high) : 0;
    out->dual_psd = dual_low < 0 ? -dual_low / (1 + dual_high) : 0;
    return SEG_OK;
}

double seg_sdp_worst(const seg_sdp_residuals *r) {
    const double all[4] = {r->constraints, r->psd, r->dual_psd, r->gap};
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(all[i]))
            return INFINITY;
        worst = fmax(worst, all[i]);
    }
    return worst;
}
