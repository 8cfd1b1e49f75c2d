#include "linalg/sparse.h"

#include "base/base.h"
#include "base/random.h"
#include "linalg/blas_threads.h"
#include "linalg/dense.h"

#include <arpack/arpack.h>
#include <cblas.h>
#include <lapacke.h>
#include <pthread.h>

enum {
    LANCZOS_STREAM = 0x1a2c05, /* of the context's seed; one stream per start vector */
    CROWD_RESTARTS = 50
};

/* ARPACK keeps the state of its iteration in static Fortran variables, so only one iteration can run in the process at
 * a time; the lock makes calls from several threads wait for each other. The library keeps no state here. */
static pthread_mutex_t arpack_lock = PTHREAD_MUTEX_INITIALIZER;

/* The C interface of ARPACK copies `select` into memory whose allocation it does not check. */
extern void dseupd_(const int *with_vectors, const char *how_many, int *select, double *value, double *vector,
                    const int *vector_rows, const double *sigma, const char *generalized, const int *n,
                    const char *which, const int *count, const double *tolerance, double *residual, const int *basis,
                    double *V, const int *V_rows, int *iparam, int *ipntr, double *workd, double *workl,
                    const int *work_size, int *info, size_t how_many_size, size_t generalized_size, size_t which_size);

/* The meaning of the return codes that a correct call can give. */
static const seg_code_text codes[] = {{1, "the limit of restarts was reached before all eigenvalues converged"},
                                      {3, "no shifts could be applied during a restart; a larger basis helps"},
                                      {-8, "LAPACK could not find the eigenvalues of the tridiagonal matrix (dsteqr)"},
                                      {-9, "the start vector is zero"},
                                      {-14, "no eigenvalue was found to sufficient accuracy"},
                                      {-17, "the number of converged eigenvalues changed between the two steps"},
                                      {-9999, "the Lanczos basis could not be built"},
                                      {0}};

typedef struct arpack_run {
    int n, count, basis, restarts, work_size;
    double tolerance, crowd;
    uint64_t stream;
    const char *which;
    double *residual, *V, *workd, *workl;
    int *select;
    int iparam[11], ipntr[11];
} arpack_run;

static void draw_normal(seg_random *random, size_t n, double *x) {
    for (size_t i = 0; i < n; i++)
        x[i] = seg_random_normal(random);
}

/* Whether at least `count` Ritz values of the last restart are above `crowd`. */
static int is_crowd(const arpack_run *run) {
    const double *ritz = run->workl + run->ipntr[5] - 1;
    int above = 0;
    for (int i = 0; i < run->basis; i++)
        above += ritz[i] > run->crowd;
    return above >= run->count;
}

/* The reverse communication loop of dsaupd. */
static seg_status iterate(seg_context *ctx, arpack_run *run, const seg_operator *op) {
    size_t n = (size_t)run->n;
    int ido = 0, info = 1, products = 0; /* info 1: the start vector is given */
    seg_random random = seg_random_seeded(ctx ? ctx->seed : 1, run->stream);
    draw_normal(&random, n, run->residual);
    memset(run->iparam, 0, sizeof run->iparam);
    run->iparam[0] = 1; /* exact shifts */
    run->iparam[2] = run->restarts;
    run->iparam[3] = 1; /* block size; no other is implemented */
    run->iparam[6] = 1; /* A x = lambda x */
    for (;;) {
        /* A product with the factor of a large graph takes tens of milliseconds. Ending here leaves ARPACK no state. */
        SEG_TRY(seg_poll(ctx));
        dsaupd_c(&ido, "I", run->n, run->which, run->count, run->tolerance, run->residual, run->basis, run->V, run->n,
                 run->iparam, run->ipntr, run->workd, run->workl, run->work_size, &info);
        if (ido == 99 || (ido != 1 && ido != -1))
            break;
        if (++products == CROWD_RESTARTS * (run->basis - run->count) && run->crowd > 0 && is_crowd(run))
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "%d eigenvalues of %d unknowns lie so close to others that Lanczos iteration cannot tell "
                            "them apart; ask for fewer eigenvectors or check the graph",
                            run->count, run->n);
        double *x = run->workd + run->ipntr[0] - 1, *y = run->workd + run->ipntr[1] - 1;
        /* -1 asks for a start vector: at the beginning, and again where the Krylov space is exhausted (few distinct
         * eigenvalues). The vector that ARPACK then offers comes from a generator without seed: replace it. */
        if (ido == -1)
            draw_normal(&random, n, x);
        op->apply(op->user, x, y);
        if (!seg_all_finite(n, y))
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "the matrix of an eigenproblem of %zu unknowns gave numbers that are not finite; check the "
                            "weights",
                            n);
        if (ido == -1) {
            double mixed = 0; /* an operator of low rank must not end the search: keep a part of the drawn vector */
            for (size_t i = 0; i < n; i++)
                mixed += fabs(y[i]);
            mixed = mixed > 0 ? 1e-3 * mixed / (double)n : 1;
            for (size_t i = 0; i < n; i++)
                y[i] += mixed * x[i];
        }
    }
    if (info != 0)
        return seg_fail(
            ctx, SEG_ERR_NUMERIC,
            "Lanczos iteration failed: %s (dsaupd, code %d; %d of %d eigenvalues converged in %d restarts); "
            "ask for fewer eigenvectors or check the graph",
            seg_text_of_code(info, codes, "unexpected code"), info, run->iparam[4], run->count, run->iparam[2]);
    return SEG_OK;
}

/* dseupd; the eigenvectors overwrite the Lanczos basis in V. */
static seg_status extract(seg_context *ctx, arpack_run *run, double *value) {
    const int with_vectors = 1;
    const double sigma = 0;
    int info = 0;
    dseupd_(&with_vectors, "A", run->select, value, run->V, &run->n, &sigma, "I", &run->n, run->which, &run->count,
            &run->tolerance, run->residual, &run->basis, run->V, &run->n, run->iparam, run->ipntr, run->workd,
            run->workl, &run->work_size, &info, 1, 1, 2);
    if (info == 0 && run->iparam[4] < run->count)
        info = -14;
    if (info != 0)
        return seg_fail(ctx, SEG_ERR_NUMERIC, "Lanczos eigenvectors failed: %s (dseupd, code %d); check the graph",
                        seg_text_of_code(info, codes, "unexpected code"), info);
    return SEG_OK;
}

/* Convert ARPACK's ascending columns to the requested order and layout. */
static void deliver(const arpack_run *run, int descending, double *value, double *vector) {
    size_t n = (size_t)run->n, count = (size_t)run->count;
    for (size_t c = 0; c < count; c++) {
        const double *column = run->V + (descending ? count - 1 - c : c) * n;
        for (size_t i = 0; i < n; i++)
            vector[i * count + c] = column[i];
    }
    for (size_t c = 0; descending && c < count / 2; c++)
        SEG_SWAP(double, value[c], value[count - 1 - c]);
}

/* The number of Lanczos vectors: as requested, but more than `count` and at most n. */
static size_t basis_size(size_t n, const seg_lanczos_options *options) {
    const size_t count = (size_t)options->count;
    const size_t asked = options->basis > 0 ? (size_t)options->basis : seg_larger(2 * count + 1, 20);
    const size_t basis = seg_larger(asked, count + 1);
    return basis < n ? basis : n;
}

static seg_status run_create(seg_context *ctx, size_t n, const seg_lanczos_options *options, arpack_run *run) {
    const size_t basis = basis_size(n, options), work_size = basis * (basis + 8);
    if (basis > 40000)
        return seg_fail(ctx, SEG_ERR_USAGE, "a Lanczos basis of %zu vectors is too large", basis);
    *run = (arpack_run){.n = (int)n,
                        .count = options->count,
                        .basis = (int)basis,
                        .restarts = options->restarts > 0 ? options->restarts : 1000,
                        .work_size = (int)work_size,
                        .tolerance = options->tolerance > 0 ? options->tolerance : 1e-10,
                        .crowd = options->crowd,
                        .stream = LANCZOS_STREAM + ((uint64_t)(uint32_t)options->start << 32),
                        .which = options->largest ? "LA" : "SA"};
    return SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(run->residual, n), SEG_TABLE(run->V, n, basis), SEG_ARRAY(run->workd, 3 * n),
                            SEG_ARRAY(run->workl, work_size), SEG_ARRAY(run->select, basis));
}

seg_status seg_lanczos(seg_context *ctx, const seg_operator *op, const seg_lanczos_options *options, double *value,
                       double *vector, int *iterations) {
    const size_t n = op->n;
    arpack_run run = {0};
    if (iterations)
        *iterations = 0;
    if (n < 2 || n > INT32_MAX / 4 || options->count < 1 || (size_t)options->count > n - 1)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "%d eigenpairs of a matrix of %zu x %zu cannot be found by Lanczos iteration", options->count,
                        n, n);
    seg_status status = run_create(ctx, n, options, &run);
    if (!status) {
        int before = seg_blas_begin();
        pthread_mutex_lock(&arpack_lock);
        status = iterate(ctx, &run, op);
        if (status == SEG_OK)
            status = extract(ctx, &run, value);
        pthread_mutex_unlock(&arpack_lock);
        seg_blas_end(before);
    }
    if (iterations)
        *iterations = run.iparam[8]; /* products with the matrix */
    if (!status) {
        deliver(&run, options->largest, value, vector);
    } else {
        memset(value, 0, (size_t)options->count * sizeof *value);
        memset(vector, 0, n * (size_t)options->count * sizeof *vector);
    }
    free(run.residual); /* and all after it */
    return status;
}

/* H v = theta G v by G = LL' (row-major lower): H <- L^-1 H L^-T, symmetrised, and T <- L^-T times its eigenvectors. */
static seg_status solve_small(seg_context *ctx, size_t cols, double *G, double *H, double *value, double *T) {
    int order = (int)cols;
    if (!seg_all_finite(cols * cols, G) || !seg_all_finite(cols * cols, H))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "approximate eigenvectors hold numbers that are not finite; check the weights");
    int before = seg_blas_begin();
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', order, G, order);
    if (info == 0) {
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, order, order, 1, G, order, H,
                    order);
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, G, order, H,
                    order);
    }
    seg_blas_end(before);
    if (info != 0)
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "approximate eigenvectors are linearly dependent (dpotrf, code %d, %zu vectors); ask for fewer "
                        "or check for extreme weights",
                        (int)info, cols);
    seg_symmetrise(cols, H);
    SEG_TRY(seg_eigen_dense(ctx, cols, H, value, T));
    before = seg_blas_begin();
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, order, order, 1, G, order, T, order);
    seg_blas_end(before);
    return SEG_OK;
}

/* X = X T; room: workspace. */
static void turn(size_t n, size_t cols, const double *T, double *X, double *room) {
    seg_gemm((seg_shape){0, 0, n, cols, cols}, 1, X, T, 0, room);
    memcpy(X, room, n * cols * sizeof *X);
}

seg_status seg_rayleigh_ritz(seg_context *ctx, const seg_symmetric *S, size_t cols, double *X, double *value,
                             double *residual) {
    size_t n = S->n, cells = 0, small = 0;
    if (!seg_multiply(n, cols, &cells) || !seg_multiply(cols, cols, &small) || cols > INT32_MAX)
        return seg_fail(ctx, SEG_ERR_MEMORY, "%zu eigenvectors are too many; ask for fewer", cols);
    SEG_FREED double *SX = seg_alloc(ctx, cells, sizeof *SX), *room = seg_alloc(ctx, cells, sizeof *room);
    SEG_FREED double *G = seg_alloc(ctx, small, sizeof *G), *H = seg_alloc(ctx, small, sizeof *H);
    SEG_FREED double *T = seg_alloc(ctx, small, sizeof *T);
    SEG_TRY(seg_allocated(SX && room && G && H && T));
    SEG_TRY(seg_symmetric_times(ctx, S, cols, X, SX));
    seg_gemm((seg_shape){1, 0, cols, cols, n}, 1, X, X, 0, G);
    seg_gemm((seg_shape){1, 0, cols, cols, n}, -1, X, SX, 0, H); /* minus: LAPACK sorts ascending */
    SEG_TRY(solve_small(ctx, cols, G, H, value, T));
    turn(n, cols, T, X, room);
    turn(n, cols, T, SX, room);
    memset(residual, 0, cols * sizeof *residual);
    for (size_t c = 0; c < cols; c++)
        value[c] = -value[c];
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < cols; c++) {
            const double r = SX[i * cols + c] - value[c] * X[i * cols + c];
            residual[c] += r * r;
        }
    for (size_t c = 0; c < cols; c++)
        residual[c] = sqrt(residual[c]);
    return SEG_OK;
}
