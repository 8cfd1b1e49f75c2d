#include "kernels/extension.h"

#include "base/base.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RIDGE          1e-3
#define MAX_NEIGHBOURS 64

/* List the cannot-links of each sample. */
typedef struct adjacency {
    size_t *start;
    int32_t *other;
} adjacency;

static seg_status list_cannot(seg_context *ctx, const seg_constraints *constraints, adjacency *out) {
    const size_t n = constraints->n;
    out->start = seg_alloc_zero(ctx, n + 2, sizeof *out->start);
    out->other = seg_alloc(ctx, 2 * constraints->pairs, sizeof *out->other);
    if (!out->start || !out->other)
        return SEG_ERR_MEMORY;
    for (size_t p = 0; p < constraints->pairs; p++)
        if (constraints->pair[p].sign < 0) {
            out->start[constraints->pair[p].i + 2]++;
            out->start[constraints->pair[p].j + 2]++;
        }
    for (size_t i = 2; i < n + 2; i++)
        out->start[i] += out->start[i - 1];
    for (size_t p = 0; p < constraints->pairs; p++)
        if (constraints->pair[p].sign < 0) {
            out->other[out->start[constraints->pair[p].i + 1]++] = constraints->pair[p].j;
            out->other[out->start[constraints->pair[p].j + 1]++] = constraints->pair[p].i;
        }
    return SEG_OK;
}

static int cannot_link(const seg_constraints *constraints, const adjacency *cannot, size_t i, size_t j) {
    if (constraints->groups && constraints->group[i] >= 0 && constraints->group[j] >= 0 &&
        constraints->group[i] != constraints->group[j])
        return 1;
    for (size_t e = cannot->start[i]; e < cannot->start[i + 1]; e++)
        if ((size_t)cannot->other[e] == j)
            return 1;
    return 0;
}

/* Solve the k x k positive definite system A w = 1 in place by Cholesky's method; the ridge keeps it definite. */
static void solve_ones(int k, double *A, double *w) {
    for (int j = 0; j < k; j++) {
        for (int i = j; i < k; i++) {
            double sum = A[i * k + j];
            for (int l = 0; l < j; l++)
                sum -= A[i * k + l] * A[j * k + l];
            A[i * k + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / A[j * k + j];
        }
    }
    for (int i = 0; i < k; i++) {
        w[i] = 1;
        for (int l = 0; l < i; l++)
            w[i] -= A[i * k + l] * w[l];
        w[i] /= A[i * k + i];
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int l = i + 1; l < k; l++)
            w[i] -= A[l * k + i] * w[l];
        w[i] /= A[i * k + i];
    }
}

/* Reconstruction weights of row i from the rows `near`, Eq. 30 with sum one. */
static void reconstruct(const seg_matrix *X, size_t i, const size_t *near, int k, double *w) {
    double gram[MAX_NEIGHBOURS * MAX_NEIGHBOURS], trace = 0, sum = 0;
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
    for (int a = 0; a < k; a++)
        gram[a * k + a] += trace > 0 ? RIDGE * trace : 1;
    solve_ones(k, gram, w);
    for (int a = 0; a < k; a++)
        sum += w[a];
    for (int a = 0; a < k; a++)
        w[a] = sum != 0 ? w[a] / sum : 1.0 / k;
}

static void extend_row(const seg_matrix *X, const seg_constraints *constraints, const adjacency *cannot,
                       const int32_t *member, size_t m, int neighbours, const double *V, size_t i, seg_matrix *F) {
    double best[MAX_NEIGHBOURS], w[MAX_NEIGHBOURS], norm = 0;
    size_t index[MAX_NEIGHBOURS] = {0}, sample[MAX_NEIGHBOURS] = {0};
    const size_t d = X->cols, r = F->cols;
    double *row = F->at + i * r;
    int k = 0;
    for (size_t a = 0; a < m; a++) { /* insert into the list of the nearest so far */
        size_t j = (size_t)member[a];
        double distance = 0;
        int at;
        if (cannot_link(constraints, cannot, i, j))
            continue;
        for (size_t c = 0; c < d; c++) {
            double difference = X->at[i * d + c] - X->at[j * d + c];
            distance += difference * difference;
        }
        if (k == neighbours && distance >= best[k - 1])
            continue;
        at = k < neighbours ? k++ : k - 1;
        for (; at > 0 && best[at - 1] > distance; at--) {
            best[at] = best[at - 1];
            index[at] = index[at - 1];
        }
        best[at] = distance;
        index[at] = a;
    }
    if (k == 0)
        return;
    for (int a = 0; a < k; a++)
        sample[a] = (size_t)member[index[a]];
    reconstruct(X, i, sample, k, w);
    for (int a = 0; a < k; a++)
        for (size_t c = 0; c < r; c++)
            row[c] += w[a] * V[index[a] * r + c];
    for (size_t c = 0; c < r; c++)
        norm += row[c] * row[c];
    norm = sqrt(norm);
    for (size_t c = 0; norm > 0 && c < r; c++)
        row[c] /= norm;
}

typedef struct extending {
    const seg_matrix *X;
    const seg_constraints *constraints;
    const adjacency *cannot;
    const int32_t *member;
    size_t m;
    int neighbours;
    const double *V;
    const uint8_t *known;
    seg_matrix *F;
} extending;

static void extend_rows(void *arg, size_t first, size_t last, int worker) {
    const extending *e = arg;
    (void)worker;
    for (size_t i = first; i < last; i++)
        if (!e->known[i])
            extend_row(e->X, e->constraints, e->cannot, e->member, e->m, e->neighbours, e->V, i, e->F);
}

seg_status seg_extension_lle(seg_context *ctx, const seg_matrix *X, const seg_constraints *constraints,
                             const int32_t *member, size_t m, int neighbours, const double *V, const uint8_t *known,
                             seg_matrix *F) {
    adjacency cannot = {0};
    seg_status status = list_cannot(ctx, constraints, &cannot);
    if (status)
        goto done;
    if (neighbours > MAX_NEIGHBOURS)
        neighbours = MAX_NEIGHBOURS;
    status = seg_parallel_polled(ctx, constraints->n, 0, extend_rows,
                                 &(extending){X, constraints, &cannot, member, m, neighbours, V, known, F});
done:
    free(cannot.start);
    free(cannot.other);
    return status;
}
