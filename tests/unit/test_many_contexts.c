/* Contexts on several threads at once leave the bytes that they leave one after the other, and a thread with the least
 * stack that context.h states is enough for every method. scripts/races.sh runs this under the thread sanitizer, too.
 */
#include "constrained_problems.h"
#include "scene.h"

#include <pthread.h>

enum { AT_ONCE = 8, MOST_JOBS = 40, LONGEST = 4096 };

/* What one job found. */
typedef struct found {
    seg_status status;
    size_t count;
    int32_t label[LONGEST];
    double objective;
} found;

typedef struct shared {
    const seg_method *method[MOST_JOBS]; /* NULL: the image, or the complete graph */
    int jobs;
    seg_matrix X, small;
    seg_constraints pairs, small_pairs;
    scene s;
} shared;

static shared all;

static int is_small(const seg_method *method) { /* semidefinite programs */
    return strcmp(method->name, "tragek") == 0 || strcmp(method->name, "pcp") == 0;
}

static void cluster(seg_context *ctx, const seg_method *method, found *out) {
    const seg_matrix *X = is_small(method) ? &all.small : &all.X;
    const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 8, .sigma_scale = 1};
    SCOPED(seg_csr) W = {0};
    SCOPED(seg_clustering) clustering = {0};
    out->status = seg_graph_build(ctx, X, NULL, &spec, &W, NULL);
    const seg_problem problem = {.n = X->rows,
                                 .k = 3,
                                 .features = X,
                                 .affinity = &W,
                                 .constraints = is_small(method) ? &all.small_pairs : &all.pairs,
                                 .restarts = 4};
    if (out->status == SEG_OK)
        out->status = seg_cluster(ctx, method, NULL, &problem, &clustering);
    if (out->status == SEG_OK) {
        out->count = X->rows;
        memcpy(out->label, clustering.label, X->rows * sizeof *out->label);
        out->objective = clustering.objective;
    }
}

static void segment(seg_context *ctx, found *out) {
    seg_options options = seg_options_default();
    SCOPED_RESULT *result = NULL;
    out->status = seg_segment_photo(ctx, &all.s.photo, &all.s.scribbles, NULL, &options, &result);
    if (out->status == SEG_OK) {
        out->count = LONGEST;
        for (size_t i = 0; i < LONGEST; i++)
            out->label[i] = result->mask.label[i];
    }
}

/* The complete graph: ARPACK. */
static void complete_graph(seg_context *ctx, found *out) {
    const seg_graph_spec spec = {.kind = SEG_GRAPH_FULL, .sigma_scale = 0.5};
    const seg_method *method = seg_method_find("ncut");
    SCOPED(seg_csr) graph = {0};
    SCOPED(seg_clustering) clustering = {0};
    out->status = seg_graph_build(ctx, &all.X, NULL, &spec, &graph, NULL);
    const seg_problem problem = {.n = all.X.rows, .k = 3, .features = &all.X, .affinity = &graph, .restarts = 4};
    if (out->status == SEG_OK)
        out->status = seg_cluster(ctx, method, NULL, &problem, &clustering);
    if (out->status == SEG_OK) {
        out->count = all.X.rows;
        memcpy(out->label, clustering.label, all.X.rows * sizeof *out->label);
    }
}

static void run_job(int job, int threads, found *out) {
    seg_context ctx = seg_context_default();
    ctx.threads = threads;
    memset(out, 0, sizeof *out);
    if (all.method[job])
        cluster(&ctx, all.method[job], out);
    else if (job == 0)
        segment(&ctx, out);
    else
        complete_graph(&ctx, out);
    seg_context_end(&ctx);
}

static found alone[MOST_JOBS], together[MOST_JOBS];
static int next_job;

static void *take_jobs(void *unused) {
    (void)unused;
    for (int job; (job = __atomic_fetch_add(&next_job, 1, __ATOMIC_RELAXED)) < all.jobs;)
        run_job(job, 1 + job % 3, &together[job]);
    return NULL;
}

static void expect_the_same(void) {
    for (int job = 0; job < all.jobs; job++) {
        const char *name = all.method[job] ? all.method[job]->name : job ? "complete graph" : "image";
        if (memcmp(&alone[job], &together[job], sizeof alone[job]) != 0)
            fail_msg("%s: other bytes", name);
    }
}

TEST(eight_at_once) {
    for (int round = 0; round < 2; round++) {
        pthread_t thread[AT_ONCE];
        next_job = 0;
        for (int t = 0; t < AT_ONCE; t++)
            assert_int_equal(pthread_create(&thread[t], NULL, take_jobs, NULL), 0);
        for (int t = 0; t < AT_ONCE; t++)
            assert_int_equal(pthread_join(thread[t], NULL), 0);
        expect_the_same();
    }
}

/* The sanitizers put more on the stack than the code asks for. */
#ifdef SEG_SANITIZED
#define STACK (8 * SEG_LEAST_STACK)
#else
#define STACK SEG_LEAST_STACK
#endif

TEST(least_stack) {
    pthread_attr_t attributes;
    pthread_t thread;
    const char *asked = getenv("SEGMENT_TEST_STACK"); /* bytes, to find the least */
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, asked ? (size_t)atol(asked) : STACK), 0);
    next_job = 0;
    assert_int_equal(pthread_create(&thread, &attributes, take_jobs, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    expect_the_same();
}

static int halves(int x, int y, int width, int height) {
    (void)y, (void)height;
    return x < width / 2 ? 1 : 2;
}

BEFORE_ALL {
    seg_context ctx = seg_context_default();
    random_problem large = problem_make(&ctx, 5, 300, 4, 3, 60, 0, 0),
                   small = problem_make(&ctx, 6, 40, 3, 3, 15, 0, 0);
    all.X = large.X;
    all.pairs = large.constraints;
    all.small = small.X;
    all.small_pairs = small.constraints;
    free(large.truth);
    free(small.truth);
    all.s = scene_make(96, 64, 0, halves);
    scene_stroke(&all.s, 10, 10, 10, 50, 1, 1);
    scene_stroke(&all.s, 80, 10, 80, 50, 1, 2);
    all.jobs = 2;
    for (int m = 0; seg_method_at(m); m++)
        all.method[all.jobs++] = seg_method_at(m);
    for (int job = 0; job < all.jobs; job++)
        run_job(job, 1, &alone[job]);
    assert_int_equal(alone[0].status, SEG_OK);
    assert_int_equal(alone[1].status, SEG_OK);
    seg_context_end(&ctx);
}

AFTER_ALL {
    seg_matrix_free(&all.X);
    seg_matrix_free(&all.small);
    seg_constraints_free(&all.pairs);
    seg_constraints_free(&all.small_pairs);
    scene_free(&all.s);
}
