/* Semidefinite programs for the `csdp` program: written as SDPA sparse files, its solution read back. */
#ifndef TESTS_SDPA_H
#define TESTS_SDPA_H

#include "check.h"

#include "optim/sdp.h"

/* SDPA's dual form: maximise <F_0,X> subject to <F_i,X> = c_i; F_0 = -C. Every matrix is spelt out. */
static inline void sdpa_write(const seg_sdp *sdp, const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%d\n%d\n", sdp->constraints, sdp->blocks);
    for (int b = 0; b < sdp->blocks; b++)
        fprintf(file, "%d ", sdp->size[b]);
    fprintf(file, "\n");
    for (int i = 0; i < sdp->constraints; i++)
        fprintf(file, "%.17g ", sdp->right[i]);
    fprintf(file, "\n");
    for (int row = 0; row <= sdp->constraints; row++)
        for (int b = 0; b < sdp->blocks; b++) {
            const size_t n = (size_t)sdp->size[b];
            AUTOFREE double *A = calloc(n * n, sizeof *A);
            for (size_t e = 0; e < sdp->entries; e++)
                if (sdp->entry[e].row == row && sdp->entry[e].block == b)
                    A[(size_t)sdp->entry[e].j * n + (size_t)sdp->entry[e].i] += sdp->entry[e].value;
            for (size_t k = 0; k < sdp->terms; k++) {
                const seg_sdp_term *t = &sdp->term[k];
                for (size_t p = t->start; t->row == row && t->block == b && p < t->start + t->count; p++)
                    for (size_t q = p; q < t->start + t->count; q++)
                        A[(size_t)sdp->index[p] * n + (size_t)sdp->index[q]] += t->weight;
            }
            for (size_t i = 0; i < n; i++)
                for (size_t j = i; j < n; j++)
                    if (A[i * n + j] != 0)
                        fprintf(file, "%d %d %zu %zu %.17g\n", row, b + 1, i + 1, j + 1,
                                (row == SEG_SDP_COST ? -1 : 1) * A[i * n + j]);
        }
    assert_int_equal(fclose(file), 0);
}

static inline int csdp_installed(void) {
    return system("command -v csdp >/dev/null 2>&1") == 0;
}

/* The least cost as csdp finds it, and its block 0 (may be NULL). */
static inline double csdp_solve(const seg_sdp *sdp, const char *name, double *X) {
    char problem[500], solution[500], output[500], command[1800];
    double value = NAN, entry;
    int which, block, i, j, c;
    snprintf(problem, sizeof problem, "%s/%s.dat-s", SEGMENT_BINARY_DIR, name);
    snprintf(solution, sizeof solution, "%s/%s.sol", SEGMENT_BINARY_DIR, name);
    snprintf(output, sizeof output, "%s/%s.out", SEGMENT_BINARY_DIR, name);
    snprintf(command, sizeof command, "OMP_NUM_THREADS=2 csdp '%s' '%s' >'%s' 2>&1", problem, solution, output);
    sdpa_write(sdp, problem);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(output, "r");
    assert_non_null(file);
    for (char line[400]; fgets(line, sizeof line, file);)
        if (sscanf(line, "Primal objective value: %lf", &entry) == 1)
            value = -entry;
    fclose(file);
    if (X) {
        const size_t n = (size_t)sdp->size[0];
        for (size_t e = 0; e < n * n; e++)
            X[e] = 0;
        assert_non_null(file = fopen(solution, "r"));
        while ((c = fgetc(file)) != '\n') /* y */
            assert_true(c != EOF);
        while (fscanf(file, "%d %d %d %d %lf", &which, &block, &i, &j, &entry) == 5)
            if (which == 2 && block == 1)
                X[(size_t)(i - 1) * n + (size_t)(j - 1)] = X[(size_t)(j - 1) * n + (size_t)(i - 1)] = entry;
        fclose(file);
    }
    remove(problem);
    remove(solution);
    remove(output);
    return value;
}

#endif
