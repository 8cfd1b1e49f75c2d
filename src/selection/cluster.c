/* seg_cluster: check the problem, close the constraints, run the method's row. */
#include "selection/cluster.h"
#include "base/base.h"
#include "constraints/closed.h"
#include "methods/assign.h"

#include <float.h>

static seg_status check_params(seg_context *ctx, const seg_method *method, const seg_params *params) {
    for (int i = 0; i < method->param_count; i++) {
        const seg_param *p = &method->param[i];
        double value = params->value[i];
        if (!(value >= p->low && value <= p->high) || ((p->whole || p->choice) && value != floor(value)))
            return seg_fail(ctx, SEG_ERR_USAGE, "parameter %s of %s is %g; its range is %g to %g", p->name,
                            method->name, value, p->low, p->high);
    }
    return SEG_OK;
}

/* The first of the numbers that is not one from `low` to DBL_MAX is an error. */
static seg_status check_numbers(seg_context *ctx, const char *what, size_t count, const double *x, double low) {
    for (size_t i = 0; x && i < count; i++)
        if (!(x[i] >= low && x[i] <= DBL_MAX))
            return seg_fail(ctx, SEG_ERR_USAGE, "number %zu of the %s is %g; give a finite number%s", i + 1, what, x[i],
                            low < 0 ? "" : " that is not negative");
    return SEG_OK;
}

/* What is known of the samples beside features and constraints. */
static seg_status check_evidence(seg_context *ctx, const seg_problem *problem) {
    const size_t n = problem->n;
    if ((problem->background || problem->odds) && problem->k != 2)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "odds or a background are given for %d clusters; they are for 2, an object and its background",
                        problem->k);
    if (!(problem->discount >= 0 && problem->discount <= 1))
        return seg_fail(ctx, SEG_ERR_USAGE, "the discount is %g; it must be 0 to 1", problem->discount);
    if (problem->prior && !problem->prior->at)
        return seg_fail(ctx, SEG_ERR_USAGE, "the prior is in single precision; give doubles");
    if (problem->prior)
        SEG_TRY(check_numbers(ctx, "prior", n * (size_t)problem->k, problem->prior->at, 0));
    SEG_TRY(check_numbers(ctx, "background", n, problem->background, 0));
    return check_numbers(ctx, "odds", n, problem->odds, -DBL_MAX);
}

static seg_status check_problem(seg_context *ctx, const seg_method *method, const seg_problem *problem, int any) {
    const size_t n = problem->n;
    if (n < 1 || problem->k < 1 || ((size_t)problem->k > n && !problem->prior) || problem->k > SEG_MAX_LABELS)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d clusters of %zu samples: k must be 1 to %zu", problem->k, n,
                        n < SEG_MAX_LABELS ? n : (size_t)SEG_MAX_LABELS);
    if (problem->restarts < 1)
        return seg_fail(ctx, SEG_ERR_USAGE, "restarts is %d; it must be 1 or more", problem->restarts);
    if (problem->features && problem->features->rows != n)
        return seg_fail(ctx, SEG_ERR_USAGE, "%zu rows of features for %zu samples", problem->features->rows, n);
    if (problem->affinity && (problem->affinity->rows != n || problem->affinity->cols != n))
        return seg_fail(ctx, SEG_ERR_USAGE, "a graph of %zu nodes for %zu samples", problem->affinity->rows, n);
    if (problem->constraints && problem->constraints->n != n)
        return seg_fail(ctx, SEG_ERR_USAGE, "constraints among %zu samples for a problem of %zu",
                        problem->constraints->n, n);
    if (problem->prior && (problem->prior->rows != n || problem->prior->cols != (size_t)problem->k))
        return seg_fail(ctx, SEG_ERR_USAGE, "a prior of %zu x %zu for %zu samples and %d clusters",
                        problem->prior->rows, problem->prior->cols, n, problem->k);
    SEG_TRY(check_evidence(ctx, problem));
    if (problem->kernel && (problem->kernel->rows != n || problem->kernel->cols != n))
        return seg_fail(ctx, SEG_ERR_USAGE, "a kernel of %zu x %zu for %zu samples", problem->kernel->rows,
                        problem->kernel->cols, n);
    if (method->needs & SEG_NEEDS_FEATURES && !problem->features)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method %s needs feature vectors", method->name);
    if (!problem->features && !problem->affinity && !problem->kernel)
        return seg_fail(ctx, SEG_ERR_USAGE, "neither features, a graph nor a kernel: there is nothing to cluster");
    if (method->needs & SEG_NEEDS_GRAPH && !problem->affinity)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method %s needs an affinity graph", method->name);
    if (method->needs & SEG_NEEDS_CONSTRAINTS && !any && !problem->prior &&
        (!problem->constraints || (problem->constraints->groups == 0 && problem->constraints->pairs == 0)))
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the method %s learns from constraints and there are none: mark strokes, or choose the method "
                        "ncut or kmeans",
                        method->name);
    return SEG_OK;
}

/* Methods that sum over pairs would count a repeated pair several times. */
static seg_status list_once(seg_context *ctx, seg_constraints *constraints) {
    size_t repeated = 0;
    if (constraints->pairs > 1)
        SEG_TRY(seg_constraints_once(ctx, constraints, &repeated));
    if (repeated)
        seg_log(ctx, SEG_LOG_INFO,
                "%zu of the listed pairs are repeated; a pair counts once, with the mean of its weights", repeated);
    return SEG_OK;
}

/* Where a pair joins samples, and so whole chains of them, leave out pairs of little confidence. */
static void leave_out_unsure(seg_context *ctx, const seg_method *method, seg_constraints *constraints) {
    const size_t given = constraints->pairs;
    double largest = 0;
    if (method->needs & SEG_WEIGHS_PAIRS)
        return;
    for (size_t p = 0; p < given; p++)
        largest = fmax(largest, constraints->pair[p].weight);
    for (size_t p = constraints->pairs = 0; p < given; p++)
        if (constraints->pair[p].weight >= 0.5 * fmin(largest, 1))
            constraints->pair[constraints->pairs++] = constraints->pair[p];
    if (constraints->pairs < given)
        seg_log(ctx, SEG_LOG_WARNING, "%s leaves out %zu of %zu listed pairs, whose weights are below one half",
                method->name, given - constraints->pairs, given);
}

/* Constraints that a method is given. */
typedef struct closed_constraints {
    seg_constraints own;
    seg_constraints_notes notes; /* of `own`, where they are in use: its own closure or the one that was given */
    seg_closure closure;         /* where none was given */
} closed_constraints;

static void closed_free(closed_constraints *closed) {
    closed->own.notes = NULL;
    seg_constraints_free(&closed->own);
    seg_closure_free(&closed->closure);
}

/* Copy the constraints and close the copy. Samples that must link to a group's become its members, and pairs between
 * two grouped samples are dropped, because groups imply them; the closure stays the same. */
static seg_status close_constraints(seg_context *ctx, const seg_method *method, const seg_problem *problem,
                                    closed_constraints *closed) {
    const seg_constraints *given = problem->constraints;
    seg_constraints *out = &closed->own;
    size_t kept = 0, n = problem->n;
    SEG_TRY(seg_constraints_copy(ctx, n, given, out));
    closed->notes = seg_constraints_noted(given);
    out->notes = &closed->notes;
    leave_out_unsure(ctx, method, out);
    if (!closed->notes.closure || (given && out->pairs < given->pairs)) {
        SEG_TRY(seg_closure_compute(ctx, out, SEG_CONTRADICTIONS_REFUSE, &closed->closure));
        closed->notes.closure = &closed->closure;
    }
    SEG_TRY(list_once(ctx, out));
    if (out->groups == 0 || out->pairs == 0)
        return SEG_OK;
    const seg_closure *closure = closed->notes.closure;
    SEG_LOCAL(int16_t, group_of, seg_alloc(ctx, (size_t)closure->components, sizeof *group_of));
    for (int c = 0; c < closure->components; c++)
        group_of[c] = -1;
    for (size_t i = 0; i < n; i++)
        if (out->group[i] >= 0)
            group_of[closure->component[i]] = out->group[i];
    for (size_t i = 0; i < n; i++)
        if (closure->component[i] >= 0)
            out->group[i] = group_of[closure->component[i]];
    for (size_t p = 0; p < out->pairs; p++)
        if (out->group[out->pair[p].i] < 0 || out->group[out->pair[p].j] < 0)
            out->pair[kept++] = out->pair[p];
    out->pairs = kept;
    return SEG_OK;
}

/* Compare k with the closure: every group has its cluster, and every cluster needs samples of its own. */
seg_status seg_check_k(seg_context *ctx, const seg_problem *problem, const seg_constraints *closed) {
    size_t members[SEG_MAX_LABELS] = {0};
    const seg_closure *closure = closed->notes->closure;
    size_t apart = (size_t)closure->components; /* samples, those that must link counted as one */
    for (size_t i = 0; i < closed->n; i++)
        apart += closure->component[i] < 0;
    if (closed->groups > problem->k)
        return seg_fail(ctx, SEG_ERR_USAGE, "k = %d is less than the %d labels that are marked; set k to %d or more",
                        problem->k, closed->groups, closed->groups);
    if ((size_t)problem->k > apart && !problem->prior)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "k = %d clusters of %zu samples: those that must link count as one, which leaves %zu; set k to "
                        "%zu or less, or fewer must-links",
                        problem->k, problem->n, apart, apart);
    for (size_t i = 0; closed->groups && i < closed->n; i++)
        if (closed->group[i] >= 0)
            members[closed->group[i]]++;
    for (int g = 0; g < closed->groups; g++)
        if (!members[g])
            return seg_fail(ctx, SEG_ERR_USAGE, "group %d of the constraints has no samples", g + 1);
    return SEG_OK;
}

/* Scale the features to keep squares in range; make them doubles for methods that do more than go through the rows. */
static seg_status change_unit(seg_context *ctx, const seg_method *method, seg_problem *problem, seg_in_unit *unit) {
    const seg_matrix *X = problem->features;
    if (!X)
        return SEG_OK;
    for (size_t e = 0; e < X->rows * X->cols; e++) {
        const double value = seg_rows_number(X, e);
        if (isfinite(value) && fabs(value) > SEG_LARGEST_FEATURE)
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "features: column %zu of row %zu is %g, beyond %g in magnitude; scale the column down",
                            e % X->cols + 1, e / X->cols + 1, value, SEG_LARGEST_FEATURE);
    }
    SEG_TRY(seg_in_unit_create(ctx, X, method->needs != SEG_NEEDS_FEATURES, "features", unit));
    problem->features = unit->X;
    problem->exponent += unit->exponent;
    return SEG_OK;
}

static int equal(const seg_matrix *X, size_t i, size_t j) {
    for (size_t c = 0; c < X->cols; c++)
        if (seg_rows_number(X, i * X->cols + c) != seg_rows_number(X, j * X->cols + c)) /* 0 and -0 are equal */
            return 0;
    return 1;
}

/* How many different rows the matrix has, `most` at most. Cost O(rows most cols), usually far less: the search ends
 * with the last row that counts. */
static seg_status count_distinct(seg_context *ctx, const seg_matrix *rows, int most, int *count) {
    SEG_LOCAL(size_t, seen, seg_alloc(ctx, (size_t)most, sizeof *seen));
    int found = 0;
    for (size_t i = 0; i < rows->rows && found < most; i++) {
        int s = found - 1;
        while (s >= 0 && !equal(rows, i, seen[s]))
            s--;
        if (s < 0)
            seen[found++] = i;
    }
    *count = found;
    return SEG_OK;
}

/* Warn where there are more clusters than different rows of features, because no method can tell equal rows apart. The
 * patches of an image are left out: they differ by their places. */
static seg_status warn_of_equal_rows(seg_context *ctx, const seg_problem *problem) {
    int count = problem->k;
    if (!problem->features || problem->patches)
        return SEG_OK;
    SEG_TRY(count_distinct(ctx, problem->features, problem->k, &count));
    if (count < problem->k)
        seg_log(ctx, SEG_LOG_WARNING,
                "the samples have %d different row%s of numbers for %d clusters: where no constraint says how, equal "
                "samples are divided without a reason; ask for fewer clusters",
                count, count == 1 ? "" : "s", problem->k);
    return SEG_OK;
}

static seg_status cluster(seg_context *ctx, const seg_method *method, const seg_params *params,
                          const seg_problem *problem, int any, seg_clustering *out) {
    const seg_method_row *row = seg_method_row_of(method);
    SEG_RELEASED(closed_free) closed_constraints closed = {0};
    SEG_RELEASED(seg_in_unit_free) seg_in_unit unit = {0};
    SEG_RELEASED(seg_clustering_free) seg_clustering made = {0};
    seg_problem own = *problem;
    memset(out, 0, sizeof *out);
    if (!row)
        return seg_fail(ctx, SEG_ERR_USAGE, "this is not a method of the registry");
    const seg_params defaults = seg_params_default(method);
    params = params ? params : &defaults;
    SEG_TRY(check_params(ctx, method, params));
    SEG_TRY(check_problem(ctx, method, problem, any));
    SEG_TRY(close_constraints(ctx, method, problem, &closed));
    own.constraints = &closed.own;
    SEG_TRY(seg_check_k(ctx, problem, own.constraints));
    SEG_TRY(warn_of_equal_rows(ctx, problem));
    SEG_TRY(change_unit(ctx, method, &own, &unit));
    SEG_TRY(seg_clustering_begin(ctx, problem, &made));
    SEG_TRY(row->solve(ctx, &own, params->value, &made));
    if (!problem->prior)
        SEG_TRY(seg_fill_clusters(ctx, method->name, &own, &made));
    if (!made.ran)
        made.ran = method->name;
    return SEG_HANDED_OVER(out, made);
}

seg_status seg_cluster(seg_context *ctx, const seg_method *method, const seg_params *params, const seg_problem *problem,
                       seg_clustering *out) {
    return cluster(ctx, method, params, problem, 0, out);
}

seg_status seg_cluster_any(seg_context *ctx, const seg_method *method, const seg_params *params,
                           const seg_problem *problem, seg_clustering *out) {
    return cluster(ctx, method, params, problem, 1, out);
}
