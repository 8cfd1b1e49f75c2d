#include "kernels/links.h"
#include "base/base.h"
#include "linalg/dense.h"

void seg_group_sizes(const seg_constraints *constraints, double size[SEG_MAX_LABELS]) {
    memset(size, 0, SEG_MAX_LABELS * sizeof *size);
    for (size_t i = 0; constraints->groups && i < constraints->n; i++)
        if (constraints->group[i] >= 0)
            size[constraints->group[i]] += 1;
}

void seg_constraint_degrees(const seg_constraints *constraints, double *degree) {
    double size[SEG_MAX_LABELS];
    seg_group_sizes(constraints, size);
    const double grouped = seg_sum((size_t)constraints->groups, size);
    for (size_t i = 0; i < constraints->n; i++)
        degree[i] = constraints->groups && constraints->group[i] >= 0 ? grouped - 1 : 0;
    for (size_t p = 0; p < constraints->pairs; p++) {
        degree[constraints->pair[p].i] += 1;
        degree[constraints->pair[p].j] += 1;
    }
}

seg_status seg_links_create(seg_context *ctx, const seg_constraints *constraints, const int32_t *member, size_t m,
                            seg_links *out) {
    *out = (seg_links){.m = m, .groups = constraints->groups};
    SEG_LOCAL(int32_t, local, seg_alloc(ctx, constraints->n, sizeof *local));
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(out->group_size, (size_t)constraints->groups), SEG_ARRAY(out->group, m),
                             SEG_ARRAY(out->pair, constraints->pairs)));
    memset(local, 0xff, constraints->n * sizeof *local);
    for (size_t i = 0; i < m; i++) {
        const size_t sample = member ? (size_t)member[i] : i;
        local[sample] = (int32_t)i;
        out->group[i] = constraints->groups ? constraints->group[sample] : -1;
        if (out->group[i] >= 0) {
            out->group_size[out->group[i]]++;
            out->grouped++;
        }
    }
    for (size_t p = 0; p < constraints->pairs; p++) {
        seg_pair pair = constraints->pair[p];
        pair.i = local[pair.i];
        pair.j = local[pair.j];
        if (pair.i < 0 || pair.j < 0)
            continue;
        out->pair[out->pairs++] = pair;
        *(pair.sign > 0 ? &out->must_trace : &out->cannot_trace) += 2 * pair.weight;
    }
    for (int g = 0; g < out->groups; g++) {
        double size = (double)out->group_size[g];
        if (size > 0) {
            out->must_trace += size * (size - 1);
            out->cannot_trace += size * ((double)out->grouped - size);
        }
    }
    return SEG_OK;
}

void seg_links_free(seg_links *links) {
    SEG_CLEAR(links, links->group_size);
}

seg_status seg_links_apply(seg_context *ctx, const seg_links *links, int sign, size_t cols, const double *V,
                           double *out) {
    const size_t groups = (size_t)links->groups;
    SEG_LOCAL(double, sum, seg_alloc_zero(ctx, (groups + 1) * cols, sizeof *sum)); /* s_g, and s of all groups last */
    double *all = sum + groups * cols;
    for (size_t i = 0; i < links->m; i++) {
        if (links->group[i] < 0)
            continue;
        double *s = sum + (size_t)links->group[i] * cols;
        for (size_t c = 0; c < cols; c++)
            s[c] += V[i * cols + c];
    }
    for (size_t g = 0; g < groups; g++)
        for (size_t c = 0; c < cols; c++)
            all[c] += sum[g * cols + c];
    for (size_t i = 0; i < links->m; i++) {
        const double *v = V + i * cols;
        double *o = out + i * cols;
        if (links->group[i] < 0) {
            memset(o, 0, cols * sizeof *o);
            continue;
        }
        const double *s = sum + (size_t)links->group[i] * cols;
        const double size = (double)links->group_size[links->group[i]];
        if (sign > 0)
            for (size_t c = 0; c < cols; c++)
                o[c] = size * v[c] - s[c];
        else
            for (size_t c = 0; c < cols; c++)
                o[c] = ((double)links->grouped - size) * v[c] - (all[c] - s[c]);
    }
    for (size_t p = 0; p < links->pairs; p++) {
        const seg_pair *pair = &links->pair[p];
        if (pair->sign != sign)
            continue;
        const double *vi = V + (size_t)pair->i * cols, *vj = V + (size_t)pair->j * cols;
        double *oi = out + (size_t)pair->i * cols, *oj = out + (size_t)pair->j * cols;
        for (size_t c = 0; c < cols; c++) {
            double difference = pair->weight * (vi[c] - vj[c]);
            oi[c] += difference;
            oj[c] -= difference;
        }
    }
    return SEG_OK;
}

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
