#include "optim/psd_quadratic.h"

#include "base/base.h"
#include "linalg/dense.h"

#include <float.h>

/* In w (z_i = sum of w_j over j >= i) the problem is: minimise 1/2 w'Hw + g'w over w >= 0 with H = U'AU, g = U'b. An
 * active-set method after Lawson & Hanson [lawson1974]: the passive set P contains the w_j that may be positive; each
 * round adds the one with the most negative gradient and moves to the minimum over P, removing those that would become
 * negative. If the new member makes H_PP singular, there is a direction of zero curvature along which the objective
 * falls: move along it until a member of P reaches zero and is removed. Computed in long double: the problem is tiny,
 * and eleven more bits are needed for badly scaled and nearly singular matrices. */
typedef long double real;

typedef struct active_set {
    size_t m;
    real *H, *g, *scale; /* H scaled to unit diagonal by scale on both sides */
    real *w, *target, *gradient, *rounding, *L;
    size_t *passive, size; /* members of P, in the order of their addition */
    char *inside, *barred;
} active_set;

enum { BARRED = 1, BARRED_FOR_GOOD = 2 };

/* H = U'AU by running sums over rows and columns, g = U'b, then scale both so that H has a unit diagonal. */
static void transform(active_set *s, const double *A, const double *b) {
    size_t m = s->m;
    real largest = 0;
    for (size_t i = 0; i < m; i++) {
        real along = 0;
        for (size_t j = 0; j < m; j++) {
            along += 0.5L * ((real)A[i * m + j] + (real)A[j * m + i]);
            s->H[i * m + j] = along + (i ? s->H[(i - 1) * m + j] : 0);
        }
        s->g[i] = (real)b[i] + (i ? s->g[i - 1] : 0);
    }
    for (size_t i = 0; i < m; i++)
        largest = fmaxl(largest, s->H[i * m + i]);
    for (size_t i = 0; i < m; i++) /* a diagonal of rounding size is a row of zeros: A is semidefinite */
        s->scale[i] = s->H[i * m + i] > 1e-16L * largest ? 1 / sqrtl(s->H[i * m + i]) : 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            s->H[i * m + j] *= s->scale[i] * s->scale[j];
    for (size_t i = 0; i < m; i++)
        if (s->scale[i] > 0)
            s->g[i] *= s->scale[i];
        else
            s->scale[i] = 1;
}

/* Factorise H_PP = LL' row by row. @return size, or the first position that depends linearly on those before */
static size_t factor(active_set *s) {
    size_t m = s->m;
    for (size_t r = 0; r < s->size; r++) {
        const real *row = s->H + s->passive[r] * m;
        for (size_t c = 0; c <= r; c++) {
            real sum = row[s->passive[c]];
            for (size_t t = 0; t < c; t++)
                sum -= s->L[r * m + t] * s->L[c * m + t];
            if (c < r)
                s->L[r * m + c] = sum / s->L[c * m + c];
            else if (sum <= 1e-13L) /* of a unit diagonal; double input carries no more */
                return r;
            else
                s->L[r * m + r] = sqrtl(sum);
        }
    }
    return s->size;
}

/* x <- (LL')^-1 x over the first `size` positions. */
static void solve(const active_set *s, size_t size, real *x) {
    size_t m = s->m;
    for (size_t r = 0; r < size; r++) {
        for (size_t t = 0; t < r; t++)
            x[r] -= s->L[r * m + t] * x[t];
        x[r] /= s->L[r * m + r];
    }
    for (size_t r = size; r-- > 0;) {
        for (size_t t = r + 1; t < size; t++)
            x[r] -= s->L[t * m + r] * x[t];
        x[r] /= s->L[r * m + r];
    }
}

static void leave(active_set *s, size_t position) {
    size_t j = s->passive[position];
    s->w[j] = 0;
    s->inside[j] = 0;
    s->size--;
    memmove(s->passive + position, s->passive + position + 1, (s->size - position) * sizeof *s->passive);
}

/* Move the passive w along `direction` (by position) by at most `longest`; the first that reaches zero is removed.
 * @return 1 if one did */
static int move(active_set *s, const real *direction, real longest) {
    real step = longest;
    size_t blocking = s->size;
    for (size_t r = 0; r < s->size; r++)
        if (direction[r] < 0 && s->w[s->passive[r]] < step * -direction[r]) {
            step = s->w[s->passive[r]] / -direction[r];
            blocking = r;
        }
    if (isinf(step))
        return 0;
    for (size_t r = 0; r < s->size; r++)
        s->w[s->passive[r]] = fmaxl(0, s->w[s->passive[r]] + step * direction[r]);
    if (blocking == s->size)
        return 0;
    leave(s, blocking);
    return 1;
}

/* Minimise over the passive set, removing members that would become negative. 0 if the objective has no lower bound. */
static int minimise_passive(active_set *s) {
    real *d = s->target;
    size_t m = s->m;
    while (s->size > 0) {
        size_t rank = factor(s);
        if (rank < s->size) { /* position `rank` depends on those before it: H d = 0 along d */
            size_t j = s->passive[rank];
            real slope = 0;
            for (size_t r = 0; r < rank; r++)
                d[r] = -s->H[s->passive[r] * m + j];
            solve(s, rank, d);
            d[rank] = 1;
            for (size_t r = rank + 1; r < s->size; r++)
                d[r] = 0;
            for (size_t r = 0; r <= rank; r++)
                slope += d[r] * s->g[s->passive[r]];
            for (size_t r = 0; slope > 0 && r <= rank; r++)
                d[r] = -d[r];
            if (!move(s, d, INFINITY))
                return 0;
            continue;
        }
        for (size_t r = 0; r < s->size; r++) {
            d[r] = -s->g[s->passive[r]];
            for (size_t t = 0; t < s->size; t++)
                d[r] -= s->H[s->passive[r] * m + s->passive[t]] * s->w[s->passive[t]];
        }
        solve(s, s->size, d);
        if (!move(s, d, 1))
            break;
    }
    return 1;
}

/* Scale of the rounding error of the j-th multiplier due to A and b: the sum of the absolute values of its terms. */
static void rounding_sizes(const active_set *s, const double *A, const double *b, real *size) {
    size_t m = s->m;
    real *z = s->target, sum = 0;
    for (size_t i = m; i-- > 0;)
        z[i] = sum += s->w[i] * s->scale[i];
    sum = 0;
    for (size_t i = 0; i < m; i++) {
        sum += fabs(b[i]);
        for (size_t j = 0; j < m; j++)
            sum += (real)fabs(A[i * m + j]) * z[j];
        size[i] = sum * s->scale[i];
    }
}

/* Index of the most negative gradient outside P that exceeds the rounding of the data; m if there is none. */
static size_t most_promising(active_set *s, const real *size) {
    size_t m = s->m, best = m;
    real least = 0, rounding = 4 * (real)m * DBL_EPSILON;
    for (size_t j = 0; j < m; j++) {
        real sum = s->g[j];
        for (size_t r = 0; r < s->size; r++)
            sum += s->H[j * m + s->passive[r]] * s->w[s->passive[r]];
        s->gradient[j] = sum;
        if (!s->inside[j] && !s->barred[j] && sum < -rounding * size[j] && sum < least) {
            least = sum;
            best = j;
        }
    }
    return best;
}

static real objective(const active_set *s) {
    real sum = 0;
    for (size_t r = 0; r < s->size; r++) {
        size_t j = s->passive[r];
        real inner = 0;
        for (size_t t = 0; t < s->size; t++)
            inner += s->H[j * s->m + s->passive[t]] * s->w[s->passive[t]];
        sum += s->w[j] * (s->g[j] + 0.5L * inner);
    }
    return sum;
}

static seg_status run(seg_context *ctx, active_set *s, const double *A, const double *b, int *iterations) {
    real *size = s->rounding;
    size_t m = s->m, limit = 50 + 20 * m; /* far above what is ever needed; only rounding could lead here */
    real before = 0;
    for (*iterations = 0; (size_t)*iterations < limit; ++*iterations) {
        rounding_sizes(s, A, b, size);
        size_t j = most_promising(s, size);
        if (j == m)
            return SEG_OK;
        s->inside[j] = 1;
        s->passive[s->size++] = j;
        /* A slope of rounding size along a direction of zero curvature counts as 0: b should be in the range of A. */
        if (s->gradient[j] > -1e-10L * size[j] && factor(s) < s->size) {
            leave(s, s->size - 1);
            s->barred[j] = BARRED_FOR_GOOD;
            continue;
        }
        if (!minimise_passive(s))
            return seg_fail(ctx, SEG_ERR_NUMERIC,
                            "the quadratic program over ordered eigenvalues has no lower bound; add constraints");
        real now = objective(s);
        for (size_t i = 0; now < before && i < m; i++)
            s->barred[i] &= BARRED_FOR_GOOD;
        if (!(now < before)) /* the gain was only rounding: do not try it again before another has moved */
            s->barred[j] |= BARRED;
        before = fminl(before, now);
    }
    return seg_fail(ctx, SEG_ERR_NUMERIC,
                    "the quadratic program over ordered eigenvalues did not settle; use fewer eigenvectors");
}

seg_status seg_monotone_qp(seg_context *ctx, size_t m, const double *A, const double *b, double *z, int *iterations) {
    active_set s = {.m = m};
    int rounds;
    real sum = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(s.H, m, m), SEG_TABLE(s.L, m, m), SEG_ARRAY(s.g, m), SEG_ARRAY(s.scale, m),
                     SEG_ARRAY(s.w, m), SEG_ARRAY(s.target, m), SEG_ARRAY(s.gradient, m), SEG_ARRAY(s.rounding, m),
                     SEG_ARRAY(s.passive, m), SEG_ARRAY(s.inside, m), SEG_ARRAY(s.barred, m));
    if (!seg_all_finite(m * m, A) || !seg_all_finite(m, b))
        return seg_fail(ctx, SEG_ERR_NUMERIC,
                        "the quadratic program over ordered eigenvalues holds a number that is not finite");
    transform(&s, A, b);
    SEG_TRY(run(ctx, &s, A, b, &rounds));
    for (size_t i = m; i-- > 0;) {
        sum += s.w[i] * s.scale[i];
        z[i] = (double)sum;
        if (!isfinite(z[i]))
            return seg_fail(ctx, SEG_ERR_NUMERIC, "the quadratic program over ordered eigenvalues overflowed");
    }
    if (iterations)
        *iterations = rounds;
    return SEG_OK;
}
