/* ENPAKL: group sums against listed pairs, gradient against differences, both solvers at the same objective, properties
 * of K, subsets, extension weights. */
#include "toy.h"

#include "graph/harmonic.h"
#include "kernels/sdp_kernels.h"
#include "kernels/smoother.h"
#include "kernels/sub_kernels.h"
#include "linalg/dense.h"

#define N 60

typedef struct fixture {
    seg_matrix X;
    seg_constraints groups, listed;
    seg_links links, listed_links;
    seg_csr S;
    int32_t member[N];
    seg_subkernel_problem problem;
} fixture;

static fixture given, *const f = &given; /* of each test */

BEFORE_EACH {
    memset(f, 0, sizeof *f);
    f->X = toy_blobs(&ctx, 3, N / 3, 7);
    f->groups = toy_groups(&ctx, N, 3, 10);
    f->listed = toy_list_pairs(&ctx, &f->groups);
    for (int i = 0; i < N; i++)
        f->member[i] = i;
    assert_ok(&ctx, seg_links_create(&ctx, &f->groups, f->member, N, &f->links));
    assert_ok(&ctx, seg_links_create(&ctx, &f->listed, f->member, N, &f->listed_links));
    assert_ok(&ctx, seg_smoother_create(&ctx, &f->X, 0, 0.5, 0, &f->S));
    seg_subkernel_problem problem = {&f->links, &f->S, 1, 0.05};
    f->problem = problem;
}

AFTER_EACH {
    seg_matrix_free(&f->X);
    seg_constraints_free(&f->groups);
    seg_constraints_free(&f->listed);
    seg_links_free(&f->links);
    seg_links_free(&f->listed_links);
    seg_csr_free(&f->S);
}

TEST(group_sums_equal_listed_pairs) {
    enum { R = 4 };
    double V[N * R], by_groups[N * R], by_pairs[N * R];
    seg_random random = seg_random_seeded(3, 3);
    for (int e = 0; e < N * R; e++)
        V[e] = seg_random_normal(&random);
    assert_near(f->links.must_trace, f->listed_links.must_trace, 1e-10);
    assert_near(f->links.cannot_trace, f->listed_links.cannot_trace, 1e-10);
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_ok(&ctx, seg_links_apply(&ctx, &f->links, sign, R, V, by_groups));
        assert_ok(&ctx, seg_links_apply(&ctx, &f->listed_links, sign, R, V, by_pairs));
        for (int e = 0; e < N * R; e++)
            assert_near(by_groups[e], by_pairs[e], 1e-10);
    }
}

TEST(gradient_agrees_with_differences) {
    enum { R = 3 };
    double V[N * R], G[N * R], up, down;
    seg_subkernel_start(11, 0, &f->links, R, V);
    assert_ok(&ctx, seg_subkernel_objective(&ctx, &f->problem, R, V, &up, G));
    for (int e = 0; e < N * R; e += 17) {
        const double h = 1e-6, at = V[e];
        V[e] = at + h;
        assert_ok(&ctx, seg_subkernel_objective(&ctx, &f->problem, R, V, &up, NULL));
        V[e] = at - h;
        assert_ok(&ctx, seg_subkernel_objective(&ctx, &f->problem, R, V, &down, NULL));
        V[e] = at;
        assert_near(G[e], (up - down) / (2 * h), 1e-6);
    }
}

/* Algorithm 2 as printed and the descent on the manifold minimise the same sample: same objective within 1 %, from
 * different starts, with groups and with listed pairs only. */
TEST(both_solvers_reach_the_same_objective) {
    enum { R = 12 };
    static double V[N * R], K[N * N], vector[N * N], value[N];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        seg_subkernel_result descent, printed;
        double again;
        seg_subkernel_problem problem = f->problem;
        if (seed == 3)
            problem.links = &f->listed_links;
        seg_subkernel_start(seed, 0, problem.links, R, V);
        seg_gemm((seg_shape){0, 1, N, N, R}, 1, V, V, 0, K);
        assert_ok(&ctx, seg_subkernel_descend(&ctx, &problem, R, (seg_limits){2000, 1e-9}, V, &descent));
        assert_ok(&ctx, seg_subkernel_project(&ctx, &problem, (seg_limits){300, 1e-6}, K, &printed));
        assert_true(descent.converged);
        if (fabs(descent.objective - printed.objective) > 0.01 * fabs(printed.objective))
            print_error("descent %g (%d steps), Algorithm 2 %g (%d steps)\n", descent.objective, descent.iterations,
                        printed.objective, printed.iterations);
        assert_near(descent.objective, printed.objective, 0.01 * fabs(printed.objective));
        assert_ok(&ctx, seg_subkernel_objective(&ctx, &problem, R, V, &again, NULL));
        assert_near(again, descent.objective, 1e-12 * (1 + fabs(again)));
        for (int i = 0; i < N; i++) { /* unit diagonal, of both */
            double norm = 0;
            for (int c = 0; c < R; c++)
                norm += V[i * R + c] * V[i * R + c];
            assert_near(norm, 1, 1e-12);
            assert_near(K[i * N + i], 1, 0);
        }
        assert_ok(&ctx, seg_eigen_dense(&ctx, N, K, value, vector));
        assert_true(value[0] >= -1e-10);
        /* both kernels put a group together and groups apart: the ideal kernel's order */
        for (int i = 3; i < 30; i++) {
            double *v = V + i * R, *own = V + i % 3 * R, *other = V + (i + 1) % 3 * R, near = 0, far = 0;
            for (int c = 0; c < R; c++) {
                near += v[c] * own[c];
                far += v[c] * other[c];
            }
            assert_true(near > 0.9 && far < 0.3);
            assert_true(K[i * N + i % 3] > 0.9 && K[i * N + (i + 1) % 3] < 0.3);
        }
    }
}

TEST(descent_never_rises) {
    enum { R = 6 };
    double V[N * R], before, last = INFINITY;
    seg_subkernel_result result;
    for (int steps = 0; steps < 40; steps++) {
        seg_subkernel_start(5, 0, &f->links, R, V);
        assert_ok(&ctx, seg_subkernel_objective(&ctx, &f->problem, R, V, &before, NULL));
        assert_ok(&ctx, seg_subkernel_descend(&ctx, &f->problem, R, (seg_limits){steps, 0}, V, &result));
        assert_true(result.objective <= before + 1e-12 && result.objective <= last + 1e-12);
        last = result.objective;
    }
}

TEST(subsets_follow_algorithm_3) {
    SCOPED(seg_subsets) all, some;
    int seen[N] = {0};
    assert_ok(&ctx, seg_subsets_pick(&ctx, &f->groups, 0, 100, &all));
    assert_int_equal(all.count, 1);
    assert_int_equal(all.start[1], 30); /* the constrained samples and no other */
    assert_near(all.degree[0], 30 * 29, 0);
    assert_ok(&ctx, seg_subsets_pick(&ctx, &f->groups, 9, 8, &some));
    assert_int_equal(some.count, 3); /* 21 beyond the landmarks: 8, 8, 5 */
    for (size_t s = 0; s < some.count; s++) {
        int of_group[3] = {0};
        assert_memory_equal(some.member, some.member + some.start[s], 9 * sizeof *some.member);
        for (size_t i = some.start[s]; i < some.start[s + 1]; i++) {
            seen[some.member[i]]++;
            of_group[f->groups.group[some.member[i]]]++;
        }
        for (int g = 0; g < 3; g++)
            assert_true(of_group[g] >= 3); /* every subset sees every label */
    }
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], i >= 30 ? 0 : i < 9 ? 3 : 1);
}

/* On a path with ends fixed at 0 and 1 the harmonic values rise evenly. */
TEST(harmonic_extension_of_a_path_is_linear) {
    enum { LENGTH = 11 };
    uint8_t fixed[LENGTH + 1] = {0};
    size_t at = 0;
    SCOPED(seg_csr) W = new_csr(&ctx, LENGTH + 1, LENGTH + 1, 2 * (LENGTH - 1));
    for (size_t i = 0; i < LENGTH; i++) {
        for (int step = -1; step <= 1; step += 2)
            if ((step < 0 && i > 0) || (step > 0 && i + 1 < LENGTH)) {
                W.column[at] = (int32_t)i + step;
                W.value[at++] = 0.5;
            }
        W.start[i + 1] = at;
    }
    W.start[LENGTH + 1] = at; /* the last node stands alone */
    fixed[0] = fixed[LENGTH - 1] = 1;
    SCOPED(seg_matrix) F = new_matrix(&ctx, LENGTH + 1, 2);
    F.at[0 * 2 + 0] = 1;
    F.at[(LENGTH - 1) * 2 + 1] = 1;
    assert_ok(&ctx, seg_harmonic_directly(&ctx, &W, fixed, &F));
    for (int i = 0; i < LENGTH; i++) {
        assert_near(F.at[2 * i], 1 - i / (LENGTH - 1.0), 1e-7);
        assert_near(F.at[2 * i] + F.at[2 * i + 1], 1, 1e-7);
    }
    assert_near(F.at[2 * LENGTH] + F.at[2 * LENGTH + 1], 0, 0);
}

/* A row in the middle of two landmarks is rebuilt as half of each, and normalised. */
TEST(lle_rebuilds_a_midpoint) {
    double coordinates[4] = {0, 2, 1, 5}, V[4] = {1, 0, 0, 1};
    seg_matrix X = {4, 1, coordinates}, F;
    SCOPED(seg_constraints) c;
    uint8_t known[4];
    int32_t member[2] = {0, 1};
    const seg_extension extension = {&X, &c, member, 2, V, known};
    c = new_constraints(&ctx, 4);
    seg_pair apart = {0, 1, -1, 1}, together = {0, 3, 1, 1};
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, apart));
    assert_ok(&ctx, seg_constraints_add(&ctx, &c, together));
    F = new_matrix(&ctx, 4, 2);
    assert_ok(&ctx, seg_extension_known(&ctx, &extension, &F));
    assert_true(known[0] && known[1] && !known[2] && known[3]);
    assert_near(F.at[3 * 2], 1, 0); /* must link to sample 0: its row */
    assert_near(F.at[3 * 2 + 1], 0, 0);
    assert_ok(&ctx, seg_extension_lle(&ctx, &extension, 2, &F));
    assert_near(F.at[2 * 2], sqrt(0.5), 1e-9);
    assert_near(F.at[2 * 2 + 1], sqrt(0.5), 1e-9);
    seg_matrix_free(&F);
}

TEST(compression_keeps_the_kernel) {
    SCOPED(seg_matrix) Z = new_matrix(&ctx, N, 9);
    SCOPED(seg_matrix) copy = new_matrix(&ctx, N, 9);
    for (size_t i = 0; i < N; i++)
        for (size_t c = 0; c < 9; c++) /* rank two */
            copy.at[i * 9 + c] = Z.at[i * 9 + c] = f->X.at[2 * i] * (double)c + f->X.at[2 * i + 1] * (double)(c * c);
    assert_ok(&ctx, seg_factor_compress(&ctx, 1e-12, &Z));
    assert_int_equal(Z.cols, 2);
    for (size_t i = 0; i < N; i += 7)
        for (size_t j = 0; j < N; j += 5) {
            double whole = 0, part = 0;
            for (size_t c = 0; c < 9; c++)
                whole += copy.at[i * 9 + c] * copy.at[j * 9 + c];
            for (size_t c = 0; c < 2; c++)
                part += Z.at[i * 2 + c] * Z.at[j * 2 + c];
            assert_near(part, whole, 1e-8 * (1 + fabs(whole)));
        }
}
