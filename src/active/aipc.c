/* Active informative pairwise constraint formulation [zhong2019aipc].
 *
 *   pre-clustering   fuzzy c-means [bezdek1981fuzzy] with k clusters, fuzziness 2, from random memberships u until none
 *                    changes by TOLERANCE: the centre m_c is the mean of the samples weighted by u_ic^2, and the
 *                    membership is u_ic = |x_i - m_c|^-2 / sum over l of |x_i - m_l|^-2
 *   weak samples     in descending order of the entropy of u_i. The paper's threshold leaves as many as there are
 *                    questions, which are the first ones of this order
 *   strong samples   of each cluster the sample nearest to its centre, if it is not that of an earlier cluster
 *   question         a weak sample x and the second of the strong samples s in the order of
 *                    (KL(u_x || u_s) + KL(u_s || u_x)) / 2. If they cannot link, x must link to the first
 *
 * That must-link is a guess: x may belong to a third cluster, and the two strong samples to one. It follows only if k
 * is 2 and the strong samples cannot link, which an earlier guess does not prove. It is added like an answer unless the
 * opposite is known, and what it implies is not asked. */
#include "active/selector.h"

#include "base/base.h"
#include "linalg/dense.h"

#define MEMBERSHIP_STREAM 0x61697063u /* "aipc" */
#define ITERATIONS        100
#define TOLERANCE         1e-5
#define ROUNDING          1e-30 /* of a squared distance, as a share of the mean one to the samples' mean */

struct seg_weak {
    seg_ranked own;    /* the entropy, and which sample */
    int32_t strong[2]; /* the two most similar strong samples, -1: none */
};

typedef struct fuzzy {
    const seg_matrix *X;
    size_t k;
    double least;           /* no squared distance is taken to be smaller */
    double *u;              /* n x k */
    double *centre, *total; /* k x d, k: the sum of its weights */
    int32_t *strong;        /* k: the strong samples */
    char *taken;            /* n: 1 for these */
} fuzzy;

static void set_centres(const fuzzy *f) {
    const size_t d = f->X->cols, k = f->k;
    memset(f->centre, 0, k * d * sizeof *f->centre);
    memset(f->total, 0, k * sizeof *f->total);
    for (size_t e = 0; e < f->X->rows * k; e++) {
        const double *x = f->X->at + e / k * d, weight = f->u[e] * f->u[e];
        f->total[e % k] += weight;
        for (size_t t = 0; t < d; t++)
            f->centre[e % k * d + t] += weight * x[t];
    }
    for (size_t t = 0; t < k * d; t++)
        f->centre[t] /= f->total[t / d];
}

/* @return the largest change of a membership */
static double set_memberships(const fuzzy *f) {
    const size_t d = f->X->cols;
    double change = 0;
    for (size_t i = 0; i < f->X->rows; i++) {
        double inverse[SEG_MAX_LABELS], sum = 0, *u = f->u + i * f->k;
        for (size_t c = 0; c < f->k; c++)
            sum += inverse[c] = 1 / fmax(seg_distance2(d, f->X->at + i * d, f->centre + c * d), f->least);
        for (size_t c = 0; c < f->k; c++) {
            change = fmax(change, fabs(inverse[c] / sum - u[c]));
            u[c] = inverse[c] / sum;
        }
    }
    return change;
}

static void choose_strong(const fuzzy *f) {
    const size_t d = f->X->cols, k = f->k;
    for (size_t c = 0; c < k; c++) {
        double least = INFINITY;
        for (size_t i = 0; i < f->X->rows; i++) {
            const double distance = seg_distance2(d, f->X->at + i * d, f->centre + c * d);
            if (!f->taken[i] && distance < least) {
                least = distance;
                f->strong[c] = (int32_t)i;
            }
        }
        f->taken[f->strong[c]] = 1;
    }
}

/* The entropy of sample i, and the two strong samples of least symmetric relative entropy to it, of equals the first;
 * that is half the sum over l of (u_l - v_l) log(u_l / v_l). */
static seg_weak weigh(const fuzzy *f, size_t i) {
    seg_weak weak = {.own.which = (int32_t)i, .strong = {-1, -1}};
    const double *u = f->u + i * f->k;
    double least[2] = {INFINITY, INFINITY};
    for (size_t c = 0; c < f->k; c++) {
        const double *v = f->u + (size_t)f->strong[c] * f->k;
        double apart = 0;
        weak.own.size -= u[c] * log(u[c]);
        for (size_t l = 0; l < f->k; l++)
            apart += (u[l] - v[l]) * log(u[l] / v[l]) / 2;
        if (!(apart < least[1]))
            continue;
        const int at = !(apart < least[0]);
        least[1] = least[0];
        weak.strong[1] = weak.strong[0];
        least[at] = apart;
        weak.strong[at] = f->strong[c];
    }
    return weak;
}

seg_status seg_aipc_prepare(seg_context *ctx, seg_active *active) {
    const seg_matrix *X = active->spec.features;
    const size_t n = X->rows, k = (size_t)active->spec.k < n ? (size_t)active->spec.k : n;
    fuzzy f = {.X = X, .k = k};
    seg_random random = seg_random_seeded(active->seed, MEMBERSHIP_STREAM);
    double change = 1;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(active->weak, n)));
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(f.u, n, k), SEG_TABLE(f.centre, k, X->cols), SEG_ARRAY(f.total, k),
                     SEG_ARRAY(f.strong, k), SEG_ARRAY(f.taken, n));
    f.least = k ? ROUNDING * seg_rows_scatter(X, NULL, f.centre) / (double)n : 1;
    f.least = f.least > 0 ? f.least : 1; /* all samples are equal */
    for (size_t e = 0; e < n * k; e++)
        f.u[e] = 1 - seg_random_uniform(&random); /* never 0 */
    for (int i = 0; i < ITERATIONS && change >= TOLERANCE; i++) {
        SEG_TRY(seg_poll(ctx));
        set_centres(&f);
        change = set_memberships(&f);
    }
    choose_strong(&f);
    for (size_t i = 0; i < n; i++) {
        SEG_TRY(i % 1024 ? SEG_OK : seg_poll(ctx));
        active->weak[i] = weigh(&f, i);
    }
    qsort(active->weak, n, sizeof *active->weak, seg_by_rank);
    return SEG_OK;
}

seg_status seg_aipc_pass(seg_context *ctx, seg_active *active) {
    const seg_weak *weak = &active->weak[active->passed++];
    const int32_t x = weak->own.which, *s = weak->strong;
    seg_relations *known = &active->relations;
    if (s[1] < 0 || seg_relations_between(known, x, s[1]) >= 0 || !seg_relations_open(known, x, s[0]))
        return SEG_OK;
    const int follows = active->spec.k == 2 && !active->guessed && seg_relations_between(known, s[0], s[1]) < 0;
    active->guessed |= !follows;
    SEG_TRY(seg_active_record(ctx, active, (seg_question){x, s[0], SEG_ANSWER_MUST, follows ? 1 : 2}));
    return seg_relations_must(ctx, known, x, s[0]);
}

seg_status seg_aipc_next(seg_context *ctx, seg_active *active, int *more) {
    while (active->passed < active->spec.n && !active->open) {
        const seg_weak *weak = &active->weak[active->passed];
        if (weak->strong[1] >= 0 && seg_relations_open(&active->relations, weak->own.which, weak->strong[1]))
            seg_active_pose(active, weak->own.which, weak->strong[1]);
        else
            SEG_TRY(seg_aipc_pass(ctx, active));
    }
    *more = active->open;
    return SEG_OK;
}
