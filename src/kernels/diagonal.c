#include "kernels/diagonal.h"

#include <math.h>

double seg_diagonal_weight(const seg_constraints *constraints, size_t n, double share) {
    double grouped = 0, total = 0;
    if (share < 0)
        share = n > SEG_DIAGONAL_PRINTED ? 1 : 0;
    if (!(share > 0))
        return 1;
    for (size_t i = 0; constraints->groups && i < n; i++)
        grouped += constraints->group[i] >= 0;
    total = grouped * (grouped - 1) / 2; /* any two grouped samples are a must-link or a cannot-link */
    for (size_t p = 0; p < constraints->pairs; p++)
        total += constraints->pair[p].weight * constraints->pair[p].weight;
    return total > 0 ? fmin(1, share * total / (double)n) : 1;
}
