/* Every method of the registry at the edges of its problem: how many clusters for how many samples that may lie apart,
 * from the three kinds of input. A method that is new is tried without a word here. */
#include "toy.h"

#include "kernels/sskk.h"
#include "kernels/sskk_starts.h"

enum { N = 12, BLOBS = 3 };

BEFORE_EACH {
    ctx.threads = 1;
    check_listen(&ctx);
}

/* Where the similarities come from. */
typedef enum source { VECTORS, GRAPH, KERNEL, SOURCES } source;
static const char *const source_name[] = {"vectors", "graph", "kernel"};

typedef struct input {
    seg_matrix X, K;
    seg_csr W;
    seg_problem problem;
} input;

/* spread 0: all samples on one spot. */
static void input_make(seg_context *ctx, size_t n, double spread, source from, input *out) {
    memset(out, 0, sizeof *out);
    out->X = toy_blobs(ctx, BLOBS, (n + BLOBS - 1) / BLOBS, 5);
    out->X.rows = n;
    for (size_t e = 0; e < n * out->X.cols; e++)
        out->X.at[e] *= spread;
    if (n > 1)
        out->W = toy_knn(ctx, &out->X, 3);
    else
        out->W = new_csr(ctx, 1, 1, 0);
    out->K = new_matrix(ctx, n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double x = out->X.at[2 * i] - out->X.at[2 * j], y = out->X.at[2 * i + 1] - out->X.at[2 * j + 1];
            out->K.at[i * n + j] = exp(-0.02 * (x * x + y * y));
        }
    out->problem = (seg_problem){.n = n, .restarts = 2, .affinity = &out->W};
    if (from == VECTORS)
        out->problem.features = &out->X;
    else if (from == KERNEL)
        out->problem.kernel = &out->K;
}

static void input_free(input *in) {
    seg_matrix_free(&in->X);
    seg_matrix_free(&in->K);
    seg_csr_free(&in->W);
}

static int can_run(const seg_method *method, const seg_problem *problem) {
    const seg_constraints *c = problem->constraints;
    if (method->needs & SEG_NEEDS_CONSTRAINTS && (!c || (c->groups == 0 && c->pairs == 0)))
        return 0;
    return !(method->needs & SEG_NEEDS_FEATURES) || problem->features;
}

/* What holds of every result: labels and scores agree, no cluster is empty, groups keep their numbers. */
static const char *fault(const seg_problem *problem, const seg_clustering *found) {
    const size_t n = problem->n, k = (size_t)problem->k;
    size_t size[SEG_MAX_LABELS] = {0};
    for (size_t i = 0; i < n; i++) {
        const double *score = found->score.at + i * k;
        double sum = 0;
        if (found->label[i] < 0 || found->label[i] >= problem->k)
            return "a label is out of range";
        size[found->label[i]]++;
        for (size_t c = 0; c < k; c++) {
            sum += score[c];
            if (!(score[c] >= 0 && score[c] <= 1 + 1e-9))
                return "a score is not a share";
            if (score[c] > score[found->label[i]])
                return "a label has not the largest score";
        }
        if (fabs(sum - 1) > 1e-9)
            return "scores do not sum to one";
        if (problem->constraints && problem->constraints->groups && problem->constraints->group[i] >= 0 &&
            found->label[i] != problem->constraints->group[i])
            return "a group has not its cluster";
    }
    for (size_t c = 0; c < k; c++)
        if (size[c] == 0)
            return "a cluster is empty";
    return NULL;
}

/* Run every method; `wanted` is the status, and with SEG_OK the result is looked at. apart: no two
 * samples are on one spot. @return how many fail */
static int run_all(const seg_problem *problem, int apart, seg_status wanted, const char *what) {
    int failed = 0;
    for (int m = 0; seg_method_at(m); m++) {
        const seg_method *method = seg_method_at(m);
        SCOPED(seg_clustering) found = {0};
        if (!can_run(method, problem))
            continue;
        check_listen(&ctx);
        const seg_status status = seg_cluster(&ctx, method, NULL, problem, &found);
        const char *wrong = status == SEG_OK ? fault(problem, &found) : NULL;
        /* k-means on vectors fills its clusters as it goes; others may be helped in the end, which they say. */
        if (!wrong && check_warned && apart && method->needs == SEG_NEEDS_FEATURES)
            wrong = "clusters were left empty";
        if (status != wanted || wrong) {
            print_error("%s, %s: status %d: %s\n", what, method->name, (int)status, wrong ? wrong : ctx.message);
            failed++;
        }
    }
    return failed;
}

/* Constraints in words: "0=1 2!3 a4 b5" are must-links, cannot-links, and samples in groups. */
static void constraints_make(seg_context *ctx, size_t n, const char *text, seg_constraints *out) {
    int i, j, used;
    char sign;
    *out = new_constraints(ctx, n);
    for (const char *at = text; *at; at += used) {
        if (sscanf(at, "%d%c%d %n", &i, &sign, &j, &used) == 3) {
            const seg_pair pair = {i, j, sign == '=' ? 1 : -1, 1};
            assert_ok(ctx, seg_constraints_add(ctx, out, pair));
        } else {
            assert_int_equal(sscanf(at, "%c%d %n", &sign, &i, &used), 2);
            out->group[i] = (int16_t)(sign - 'a');
            out->groups = sign - 'a' + 1 > out->groups ? sign - 'a' + 1 : out->groups;
        }
    }
}

typedef struct edge {
    const char *constraints;
    size_t n;
    int k;
    seg_status status;
} edge;

#define SIX_PAIRS "0=3 1=4 2=5 6=9 7=10 8=11 "
#define CHAINS    "0=3 3=6 6=9 1=4 4=7 7=10 2=5 5=8 8=11 "

static const edge edges[] = {
    /* as many clusters as samples, one less, one more */
    {"", N, N, SEG_OK},
    {"", N, N - 1, SEG_OK},
    {"", N, 1, SEG_OK},
    {"", N, N + 1, SEG_ERR_USAGE},
    {"0!1", N, N, SEG_OK},
    {"0!1", N, N - 1, SEG_OK},
    {"0!1 0!2 1!2", N, N, SEG_OK},
    /* must-links leave fewer */
    {"0=3", N, N, SEG_ERR_USAGE},
    {"0=3", N, N - 1, SEG_OK},
    {"0=3", N, N - 2, SEG_OK},
    {"0=3", N, 2, SEG_OK},
    {"0=3", N, 1, SEG_OK},
    {"0=3 0!1", N, N - 1, SEG_OK},
    {"0=3 0!1", N, N, SEG_ERR_USAGE},
    {SIX_PAIRS, N, 7, SEG_ERR_USAGE},
    {SIX_PAIRS, N, 6, SEG_OK},
    {SIX_PAIRS, N, 5, SEG_OK},
    {SIX_PAIRS "0!1", N, 6, SEG_OK},
    /* everything is in one of three components */
    {CHAINS, N, 4, SEG_ERR_USAGE},
    {CHAINS, N, 3, SEG_OK},
    {CHAINS, N, 2, SEG_OK},
    {CHAINS "0!1 1!2 0!2", N, 3, SEG_OK},
    {CHAINS "0!1 1!2 0!2", N, 4, SEG_ERR_USAGE},
    /* groups: all samples in them, more clusters than groups, a group a sample */
    {"a0 a3 a6 a9 b1 b4 b7 b10 c2 c5 c8 c11", N, 3, SEG_OK},
    {"a0 a3 a6 a9 b1 b4 b7 b10 c2 c5 c8 c11", N, 4, SEG_ERR_USAGE},
    {"a0 a3 a6 a9 b1 b4 b7 b10 c2 c5 c8 c11", N, 2, SEG_ERR_USAGE},
    {"a0 a3 a6 a9 b1 b4 b7 b10 c2 c5 c8", N, 4, SEG_OK},
    {"a0 b1", N, 3, SEG_OK},
    {"a0 b1", N, 7, SEG_OK},
    {"a0 b1 c2", N, N, SEG_OK},
    {"a0 b1 c2", N, N - 1, SEG_OK},
    {"a0 b1 c2 0=3 4=5", N, N - 2, SEG_OK},
    {"a0 b1 c2 0=3 4=5", N, N - 1, SEG_ERR_USAGE},
    {"a0", N, 1, SEG_OK},
    {"a0", N, 2, SEG_OK},
    {"a0 b1 c2 d3 e4 f5 g6 h7 i8 j9 k10 l11", N, N, SEG_OK},
    /* the smallest problems */
    {"", 1, 1, SEG_OK},
    {"a0", 1, 1, SEG_OK},
    {"", 1, 2, SEG_ERR_USAGE},
    {"", 2, 2, SEG_OK},
    {"0=1", 2, 2, SEG_ERR_USAGE},
    {"0=1", 2, 1, SEG_OK},
    {"0!1", 2, 2, SEG_OK},
    {"a0 b1", 2, 2, SEG_OK},
    {"a0", 2, 2, SEG_OK},
    {"0!1", 3, 2, SEG_OK},
    {"0!1", 3, 3, SEG_OK},
    {"0=1", 3, 2, SEG_OK},
    {"0=1 1!2", 3, 2, SEG_OK},
    /* many clusters: no score is large */
    {"a0 b1", 40, 35, SEG_OK},
    {"0=3 0!1 4!7", 40, 35, SEG_OK},
};

static void edges_of(double spread) {
    int failed = 0;
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (int from = 0; from < SOURCES; from++) {
            SCOPED(input) in;
            SCOPED(seg_constraints) constraints;
            char what[160];
            input_make(&ctx, edges[e].n, spread, (source)from, &in);
            constraints_make(&ctx, edges[e].n, edges[e].constraints, &constraints);
            in.problem.k = edges[e].k;
            in.problem.constraints = *edges[e].constraints ? &constraints : NULL;
            snprintf(what, sizeof what, "k = %d of %zu, '%s', %s", edges[e].k, edges[e].n, edges[e].constraints,
                     source_name[from]);
            failed += run_all(&in.problem, spread > 0, edges[e].status, what);
        }
    assert_int_equal(failed, 0);
}

TEST(k_against_what_may_lie_apart) {
    edges_of(1);
}

TEST(all_samples_on_one_spot) {
    edges_of(0);
}

/* By itself, too, the start of the kernel methods never writes behind its labels. */
TEST(a_start_needs_seeds) {
    for (int dense = 0; dense < 2; dense++) {
        SCOPED(input) in;
        SCOPED(seg_constraints) constraints;
        int32_t label[3] = {7, 7, 7};
        input_make(&ctx, 2, 1, dense ? KERNEL : GRAPH, &in);
        constraints_make(&ctx, 2, "0=1", &constraints);
        const seg_similarities A = {.n = 2, .dense = dense ? &in.K : NULL, .sparse = dense ? NULL : &in.W};
        for (uint64_t run = 0; run < 3; run++) {
            assert_int_equal(
                seg_farthest_first(&ctx, &A, &constraints, &(seg_seeding){2, SEG_SEEDS_FARTHEST, run}, label, NULL),
                SEG_ERR_USAGE);
            assert_int_equal(label[2], 7);
            assert_ok(&ctx, seg_farthest_first(&ctx, &A, &constraints, &(seg_seeding){1, SEG_SEEDS_FARTHEST, run},
                                               label, NULL));
        }
    }
}
