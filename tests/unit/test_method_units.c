/* Every method of the registry in every unit of its data: labels do not change, and with powers of two nothing does.
 * Then weights of constraints from the smallest to the largest numbers: nothing is printed, nothing is not a number. */
#include "toy.h"

#include <float.h>

enum { EACH = 12, BLOBS = 3, N = EACH * BLOBS, COLUMNS = 2 };

typedef struct fixture {
    seg_matrix X;
    seg_constraints groups, pairs;
} fixture;

static fixture given, *const f = &given; /* of each test */

BEFORE_EACH {
    memset(f, 0, sizeof *f);
    ctx.threads = 1;
    f->X = toy_blobs(&ctx, BLOBS, EACH, 3);
    f->groups = toy_groups(&ctx, N, BLOBS, 2);
    f->pairs = toy_list_pairs(&ctx, &f->groups);
}

AFTER_EACH {
    seg_matrix_free(&f->X);
    seg_constraints_free(&f->groups);
    seg_constraints_free(&f->pairs);
}

static seg_matrix times(seg_context *ctx, const seg_matrix *X, const double *factor) {
    seg_matrix out = new_matrix(ctx, X->rows, X->cols);
    for (size_t e = 0; e < X->rows * X->cols; e++)
        out.at[e] = X->at[e] * factor[e % X->cols];
    return out;
}

/* The whole way of data: a graph of them, then the method. */
static seg_status run(seg_context *ctx, const seg_method *method, const seg_matrix *X, int full,
                      const seg_constraints *constraints, seg_clustering *out) {
    const seg_graph_spec spec = {
        .kind = full ? SEG_GRAPH_FULL : SEG_GRAPH_KNN, .neighbours = 4, .sigma_scale = full ? 0.1 : 1};
    SCOPED(seg_csr) W;
    seg_status status = seg_graph_build(ctx, X, NULL, &spec, &W, NULL);
    memset(out, 0, sizeof *out);
    if (status)
        return status;
    const seg_problem problem = toy_problem(BLOBS, X, &W, constraints, 1);
    return seg_cluster(ctx, method, NULL, &problem, out);
}

/* The same samples together: numbers of clusters without a group are anyone's where rounding differs. */
static int same_parts(const int32_t *a, const int32_t *b) {
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                return 0;
    return 1;
}

/* Against the data as they are. exact: scores, too, byte for byte. @return how many differ */
static int compare(fixture *f, const seg_matrix *turned, const seg_constraints *constraints, int full, int exact,
                   const char *what) {
    int failed = 0;
    for (int m = 0; seg_method_at(m); m++) {
        const seg_method *method = seg_method_at(m);
        SCOPED(seg_clustering) plain = {0}, found = {0};
        if (constraints == NULL && method->needs & SEG_NEEDS_CONSTRAINTS)
            continue;
        assert_ok(&ctx, run(&ctx, method, &f->X, full, constraints, &plain));
        const seg_status status = run(&ctx, method, turned, full, constraints, &found);
        if (status || !same_parts(plain.label, found.label) ||
            (exact && memcmp(plain.label, found.label, N * sizeof *found.label) != 0) ||
            (exact && memcmp(plain.score.at, found.score.at, N * BLOBS * sizeof *found.score.at) != 0)) {
            print_error("%s, %s: %s\n", what, method->name, status ? ctx.message : "another result");
            failed++;
        }
    }
    return failed;
}

static const double decimal[] = {1e-300, 1e-155, 1e-150, 1e-18, 1e3, 1e40, 1e150, 1e198};
static const int binary[] = {-1000, -63, -61, -60, 1, 60, 61, 128, 500};

/* Groups with the graph of neighbours meet every unit, the others some. */
TEST(the_unit_of_all_columns_changes_nothing) {
    enum { DECIMAL = sizeof decimal / sizeof *decimal, BINARY = sizeof binary / sizeof *binary };
    const seg_constraints *given[] = {&f->groups, &f->pairs, NULL};
    int failed = 0;
    for (int c = 0; c < 3; c++)
        for (int full = 0; full < 2; full++)
            for (int u = 0; u < DECIMAL + BINARY; u++) {
                const double unit = u < DECIMAL ? decimal[u] : ldexp(1, binary[u - DECIMAL]),
                             factor[COLUMNS] = {unit, unit};
                char what[80];
                if (c + full > 0 && (u + c + full) % 4)
                    continue;
                snprintf(what, sizeof what, "times %g, constraints %d, graph %d", unit, c, full);
                SCOPED(seg_matrix) turned = times(&ctx, &f->X, factor);
                failed += compare(f, &turned, given[c], full, u >= DECIMAL, what);
            }
    assert_int_equal(failed, 0);
}

/* One column in another unit, standardised: nothing, too. */
TEST(standardised_columns_have_no_unit) {
    static const double unit[] = {1e-300, 7, 1e198};
    int failed = 0;
    for (size_t e = 0; e < N * COLUMNS; e++)
        f->X.at[e] *= e % COLUMNS ? 1 : 3;
    const double one[COLUMNS] = {1, 1};
    SCOPED(seg_matrix) plain = times(&ctx, &f->X, one);
    assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_STANDARDISED, &f->X));
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++) {
        const double factor[COLUMNS] = {1, unit[u]};
        char what[80];
        snprintf(what, sizeof what, "one column times %g, standardised", unit[u]);
        SCOPED(seg_matrix) turned = times(&ctx, &plain, factor);
        assert_ok(&ctx, seg_scale(&ctx, SEG_SCALING_STANDARDISED, &turned));
        failed += compare(f, &turned, &f->groups, 0, 0, what);
        failed += compare(f, &turned, &f->pairs, 0, 0, what);
    }
    assert_int_equal(failed, 0);
}

/* Columns of very different units are not a reason to stop: the larger decides, or a tree takes each by itself. */
TEST(columns_of_different_units_pass) {
    static const double unit[] = {1e-300, 1e-46, 1e-39, 1e39, 1e46, 1e198};
    int failed = 0;
    for (size_t u = 0; u < sizeof unit / sizeof *unit; u++)
        for (int m = 0; seg_method_at(m); m++) {
            const double factor[COLUMNS] = {1, unit[u]};
            SCOPED(seg_clustering) found;
            SCOPED(seg_matrix) turned = times(&ctx, &f->X, factor);
            if (run(&ctx, seg_method_at(m), &turned, 0, &f->groups, &found) != SEG_OK) {
                print_error("one column times %g, %s: %s\n", unit[u], seg_method_at(m)->name, ctx.message);
                failed++;
            }
        }
    assert_int_equal(failed, 0);
}

TEST(beyond_the_range_is_refused) {
    static const double beyond[] = {1.1e200, -1e201, DBL_MAX, INFINITY, -INFINITY, NAN};
    for (size_t b = 0; b < sizeof beyond / sizeof *beyond; b++) {
        const double kept = f->X.at[5];
        SCOPED(seg_csr) W;
        const seg_graph_spec spec = {.kind = SEG_GRAPH_KNN, .neighbours = 4, .sigma_scale = 1};
        assert_ok(&ctx, seg_graph_build(&ctx, &f->X, NULL, &spec, &W, NULL));
        f->X.at[5] = beyond[b];
        for (int m = 0; seg_method_at(m); m++) {
            const seg_problem problem = toy_problem(BLOBS, &f->X, &W, &f->groups, 1);
            seg_clustering found;
            assert_fails(&ctx, seg_cluster(&ctx, seg_method_at(m), NULL, &problem, &found), SEG_ERR_USAGE,
                         "column 2 of row 3");
        }
        f->X.at[5] = kept;
    }
}

/* What a call writes to the process's own streams, by effect. */
typedef struct capture {
    int kept[2], file;
} capture;

static void capture_begin(capture *c) {
    char name[] = "/tmp/test_method_units_XXXXXX";
    fflush(NULL);
    c->file = mkstemp(name);
    assert_true(c->file >= 0);
    unlink(name);
    for (int s = 0; s < 2; s++) {
        c->kept[s] = dup(s + 1);
        dup2(c->file, s + 1);
    }
}

static size_t capture_end(capture *c, char *text, size_t room) {
    fflush(NULL);
    for (int s = 0; s < 2; s++) {
        dup2(c->kept[s], s + 1);
        close(c->kept[s]);
    }
    const off_t size = lseek(c->file, 0, SEEK_END);
    const ssize_t got = pread(c->file, text, room - 1, 0);
    text[got > 0 ? got : 0] = 0;
    close(c->file);
    return (size_t)size;
}

/* A method may refuse or give up in words; what it returns as good is made of numbers. */
TEST(any_weight_of_a_constraint_passes_in_silence) {
    static const double nasty[] = {SEG_LEAST_WEIGHT, 1e-30, 1e12, SEG_LARGEST_WEIGHT};
    int failed = 0;
    for (size_t w = 0; w < sizeof nasty / sizeof *nasty; w++)
        for (int which = 0; which < 4; which++) /* all, one must-link, one cannot-link, all but one */
            for (int m = 0; seg_method_at(m); m++) {
                char text[200];
                capture c;
                SCOPED(seg_clustering) found;
                int must = 0, cannot = 0;
                for (size_t p = 0; p < f->pairs.pairs; p++) {
                    const int first = f->pairs.pair[p].sign > 0 ? !must++ : 0;
                    const int apart = f->pairs.pair[p].sign < 0 ? !cannot++ : 0;
                    const int takes =
                        which == 0 || (which == 1 && first) || (which == 2 && apart) || (which == 3 && !first);
                    f->pairs.pair[p].weight = takes ? nasty[w] : 1;
                }
                capture_begin(&c);
                const seg_status status = run(&ctx, seg_method_at(m), &f->X, 0, &f->pairs, &found);
                const size_t printed = capture_end(&c, text, sizeof text);
                int sound = 1;
                for (size_t e = 0; status == SEG_OK && e < N * BLOBS; e++)
                    sound &= found.score.at[e] >= 0 && found.score.at[e] <= 1 + 1e-9;
                if (printed || !sound || (status != SEG_OK && status != SEG_ERR_NUMERIC)) {
                    print_error("weight %g (%d), %s: %s%s%s\n", nasty[w], which, seg_method_at(m)->name,
                                sound ? "" : "no numbers ", status ? ctx.message : "", text);
                    failed++;
                }
                if (status != SEG_OK && (nasty[w] <= 1e-12 || !ctx.message[0])) {
                    print_error("weight %g (%d), %s gives up: %s\n", nasty[w], which, seg_method_at(m)->name,
                                ctx.message);
                    failed++;
                }
            }
    assert_int_equal(failed, 0);
}
