/* CCSR's quadratic and its solution: groups against listed pairs, Eq. 17 itself, optimality on random problems, csdp.
 */
#include "toy.h"

#include "graph/spectrum/spectrum.h"
#include "kernels/spectral_programs.h"
#include "solver_checks.h"

static double largest(size_t n, const double *x) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Eq. 17 as printed, pair by pair. */
static double cost(const seg_matrix *F, const seg_constraints *pairs, const double *M) {
    const size_t m = F->cols;
    double sum = 0;
    for (size_t p = 0; p < F->rows + pairs->pairs; p++) {
        const seg_pair self = {(int32_t)p, (int32_t)p, 1, 1};
        const seg_pair *pair = p < F->rows ? &self : &pairs->pair[p - F->rows];
        double product = 0;
        for (size_t a = 0; a < m; a++)
            for (size_t b = 0; b < m; b++)
                product += F->at[(size_t)pair->i * m + a] * M[a * m + b] * F->at[(size_t)pair->j * m + b];
        product -= pair->sign > 0;
        sum += pair->weight * pair->weight * product * product;
    }
    return sum;
}

TEST(groups_equal_listed_pairs) {
    enum { n = 300, m = 7, p = m * (m + 1) / 2 };
    double H[p * p], b[p], G[p * p], c[p], M[m * m], x[p], one, other, quadratic;
    SCOPED(seg_matrix) F = toy_normal_rows(&ctx, n, m, seg_random_seeded(1, 3));
    SCOPED(seg_constraints) groups = toy_groups(&ctx, n, 4, 9);
    SCOPED(seg_constraints) pairs = toy_list_pairs(&ctx, &groups);
    seg_pair extra[] = {{5, 250, 1, 0.5}, {7, 280, -1, 2}, {299, 3, 1, 3}};
    for (size_t e = 0; e < 3; e++) {
        assert_ok(&ctx, seg_constraints_add(&ctx, &groups, extra[e]));
        assert_ok(&ctx, seg_constraints_add(&ctx, &pairs, extra[e]));
    }
    assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &groups, 1}, H, b, &one));
    assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &pairs, 1}, G, c, &other));
    assert_near(one, other, 1e-9);
    for (size_t e = 0; e < p * p; e++)
        assert_near(H[e], G[e], 1e-10 * largest(p * p, G));
    for (size_t e = 0; e < p; e++)
        assert_near(b[e], c[e], 1e-10 * largest(p, c));
    for (int lighter = 0; lighter < 2;
         lighter++) { /* with (i, i) of less weight than its half in G (x) G, and of more */
        const double diagonal = lighter ? 0.2 : 0.7;
        assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &groups, diagonal}, H, b, &one));
        assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &pairs, diagonal}, G, c, &other));
        assert_near(one, other, 1e-9);
        for (size_t e = 0; e < p * p; e++)
            assert_near(H[e], G[e], 1e-10 * largest(p * p, G));
        for (size_t e = 0; e < p; e++)
            assert_near(b[e], c[e], 1e-10 * largest(p, c));
    }
    assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &groups, 1}, H, b, &one));
    /* ... and both are Eq. 17. */
    seg_random random = seg_random_seeded(2, 2);
    for (size_t a = 0; a < m; a++)
        for (size_t d = 0; d <= a; d++)
            M[a * m + d] = M[d * m + a] = seg_random_normal(&random);
    seg_svec(m, M, x);
    quadratic = one;
    for (size_t i = 0; i < p; i++) {
        quadratic += b[i] * x[i];
        for (size_t j = 0; j < p; j++)
            quadratic += 0.5 * x[i] * H[i * p + j] * x[j];
    }
    assert_near(quadratic, cost(&F, &pairs, M), 1e-10 * quadratic);
}

/* Rows that are indicators already: M = I is ideal and costs nothing. */
TEST(ideal_rows_stay) {
    enum { n = 30, m = 3 };
    seg_psd_quadratic_result result;
    double M[m * m];
    SCOPED(seg_matrix) F = new_matrix(&ctx, n, m);
    for (size_t i = 0; i < n; i++)
        F.at[i * m + i % m] = 1;
    SCOPED(seg_constraints) groups = toy_groups(&ctx, n, m, 3);
    assert_ok(&ctx, seg_ccsr_learn(&ctx, &(seg_spectral_problem){&F, &groups, 1}, M, &result));
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
            assert_near(M[a * m + b], a == b, 1e-6);
    assert_near(result.objective, 0, 1e-6);
}

/* A weight of sqrt(2) is the pair listed twice; the order of the list does not matter. */
TEST(weights_count_and_order_does_not) {
    enum { n = 60, m = 5 };
    seg_psd_quadratic_result one, two;
    double M[m * m], N[m * m];
    SCOPED(seg_matrix) F = toy_normal_rows(&ctx, n, m, seg_random_seeded(4, 3));
    SCOPED(seg_constraints) once = new_constraints(&ctx, n);
    SCOPED(seg_constraints) twice = new_constraints(&ctx, n);
    for (int32_t i = 0; i < 20; i++) {
        seg_pair pair = {i, i + 20 + i % 3, i % 3 ? 1 : -1, M_SQRT2};
        assert_ok(&ctx, seg_constraints_add(&ctx, &once, pair));
    }
    for (int32_t i = 40; i-- > 0;) {
        seg_pair pair = once.pair[i / 2];
        pair.weight = 1;
        assert_ok(&ctx, seg_constraints_add(&ctx, &twice, pair));
    }
    assert_ok(&ctx, seg_ccsr_learn(&ctx, &(seg_spectral_problem){&F, &once, 1}, M, &one));
    assert_ok(&ctx, seg_ccsr_learn(&ctx, &(seg_spectral_problem){&F, &twice, 1}, N, &two));
    assert_near(one.objective, two.objective, 1e-7 * one.objective);
    for (size_t e = 0; e < m * m; e++)
        assert_near(M[e], N[e], 1e-4 * largest(m * m, M));
}

/* Spectra of graphs, m = 15, as the method sees them: the gap that the independent check finds, and the time. */
TEST(hundred_spectra_are_solved) {
    enum { m = 15, p = m * (m + 1) / 2 };
    AUTOFREE double *H = malloc(p * p * sizeof *H), *b = malloc(p * sizeof *b);
    double M[m * m], worst = 0;
    for (int t = 0; t < 100; t++) {
        const int clusters = 2 + t % 5;
        SCOPED(seg_matrix) X;
        SCOPED(seg_spectrum) spectrum;
        seg_psd_quadratic_report report;
        seg_psd_quadratic_result result;
        X = toy_blobs(&ctx, clusters, 120 / (size_t)clusters, 300 + (uint64_t)t);
        for (size_t e = 0; e < X.rows * 2; e++)
            X.at[e] *= e % 2 ? 1 : 0.3 + 0.1 * (t % 7); /* overlapping */
        SCOPED(seg_constraints) groups = toy_groups(&ctx, X.rows, clusters, 2 + (size_t)t % 9);
        SCOPED(seg_constraints) pairs = toy_list_pairs(&ctx, &groups);
        SCOPED(seg_csr) W = toy_knn(&ctx, &X, 10);
        assert_ok(&ctx, seg_spectrum_compute(&ctx, &W, m, &spectrum));
        SCOPED(seg_matrix) F = new_matrix(&ctx, X.rows, m);
        for (size_t e = 0; e < X.rows * m; e++)
            F.at[e] = spectrum.vector[e] * sqrt((double)X.rows);
        assert_ok(&ctx, seg_ccsr_learn(&ctx, &(seg_spectral_problem){&F, t % 2 ? &groups : &pairs, 1}, M, &result));
        assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &groups, 1}, H, b, NULL));
        assert_ok(&ctx, seg_psd_quadratic_check(&ctx, m, H, b, M, &report));
        assert_true(result.converged);
        assert_true(report.gap <= 1e-6 * fabs(report.objective));
        assert_near(result.objective, cost(&F, &pairs, M), 1e-8 * fabs(report.objective));
        worst = fmax(worst, report.gap / fabs(report.objective));
    }
    print_message("CCSR, m = 15, 100 spectra: relative gap at most %.1e\n", worst);
}

/* The program of Eq. 20 in SDPA's format, an inequality form: minimise c'x over x = (svec M, nu), c = (b, 1), subject
 * to M >= 0 and [[I, R x], [(R x)', nu]] >= 0, where H / 2 = R'R. */
static int write_sdpa(const char *path, size_t m, const double *H, const double *b) {
    const size_t p = seg_svec_length(m);
    AUTOFREE double *R = calloc(p * p, sizeof *R); /* Cholesky: H / 2 = R'R, R upper */
    FILE *file = fopen(path, "w");
    if (!file || !R)
        return 0;
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) {
            double sum = 0.5 * H[i * p + j] + (i == j ? 1e-12 * H[i * p + i] : 0);
            for (size_t l = 0; l < i; l++)
                sum -= R[l * p + i] * R[l * p + j];
            R[i * p + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / R[i * p + i];
        }
    fprintf(file, "%zu\n2\n%zu %zu\n", p + 1, m, p + 1);
    for (size_t i = 0; i < p; i++)
        fprintf(file, "%.17g ", b[i]);
    fprintf(file, "1\n");
    for (size_t i = 1; i <= p; i++) /* F_0, subtracted: less the identity */
        fprintf(file, "0 2 %zu %zu -1\n", i, i);
    for (size_t a = 1, v = 1; a <= m; a++)
        for (size_t c = a; c <= m; c++, v++) {
            fprintf(file, "%zu 1 %zu %zu %.17g\n", v, a, c, a == c ? 1 : M_SQRT1_2);
            for (size_t i = 1; i <= v; i++)
                if (R[(i - 1) * p + v - 1] != 0)
                    fprintf(file, "%zu 2 %zu %zu %.17g\n", v, i, p + 1, R[(i - 1) * p + v - 1]);
        }
    fprintf(file, "%zu 2 %zu %zu 1\n", p + 1, p + 1, p + 1);
    return fclose(file) == 0;
}

TEST(csdp_agrees) {
    enum { n = 120, m = 6, p = m * (m + 1) / 2 };
    const char *problem = SEGMENT_BINARY_DIR "/ccsr.dat-s", *solution = SEGMENT_BINARY_DIR "/ccsr.sol";
    char command[1024], line[512];
    double H[p * p], b[p], M[m * m], primal = NAN, dual = NAN;
    seg_psd_quadratic_result result;
    FILE *said;
    if (system("command -v csdp >/dev/null 2>&1") != 0)
        skip();
    SCOPED(seg_matrix) F = toy_normal_rows(&ctx, n, m, seg_random_seeded(17, 3));
    SCOPED(seg_constraints) groups = toy_groups(&ctx, n, 3, 8);
    assert_ok(&ctx, seg_ccsr_quadratic(&ctx, &(seg_spectral_problem){&F, &groups, 1}, H, b, NULL));
    for (size_t e = 0; e < p * p; e++) /* numbers near one suit csdp */
        H[e] /= n;
    for (size_t e = 0; e < p; e++)
        b[e] /= n;
    assert_ok(&ctx, seg_psd_quadratic(&ctx, m, H, b, M, &result));
    assert_true(write_sdpa(problem, m, H, b));
    snprintf(command, sizeof command, "cd '%s' && csdp '%s' '%s' 2>/dev/null", SEGMENT_BINARY_DIR, problem, solution);
    said = popen(command, "r");
    assert_non_null(said);
    while (fgets(line, sizeof line, said)) {
        sscanf(line, "Primal objective value: %lf", &primal);
        sscanf(line, "Dual objective value: %lf", &dual);
    }
    pclose(said);
    print_message("csdp: %.10g (its own gap %.1e), here: %.10g\n", dual, fabs(primal - dual), result.objective);
    assert_near(result.objective, dual, 1e-6 * fabs(dual));
    remove(problem);
    remove(solution);
}
