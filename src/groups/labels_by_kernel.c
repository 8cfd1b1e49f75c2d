/* Labels by a kernel: k-means on its rows, then moves of whole neighbourhoods as in PCKMeans [basu2004active, Sec. 3].
 */
#include "groups/pair_labels.h"

#include "clustering/kmeans.h"

#include <math.h>
#include <string.h>

#define STREAM     0x2100
#define ITERATIONS 100
#define SWEEPS     50
#define APART      1.0 /* cost of a broken cannot-link in squared distances on the sphere, which are 4 at most */

/* k-means may separate samples that must link: all of them get the label of the first. */
static void join(seg_pair_labels *l) {
    seg_pair_labels_count_sizes(l);
    for (int32_t which = 0; which < l->near.count; which++)
        for (size_t m = l->near.start[which] + 1; m < l->near.start[which + 1]; m++) {
            int32_t *label = &l->label[l->near.member[m]];
            l->size[*label]--;
            *label = seg_pair_labels_of(l, which);
            l->size[*label]++;
        }
}

static void distances(seg_pair_labels *l) {
    const size_t k = l->k, r = l->rows.cols;
    memset(l->centre, 0, k * r * sizeof *l->centre);
    for (size_t c = 0; c < l->count; c++)
        for (size_t t = 0; t < r; t++)
            l->centre[(size_t)l->label[c] * r + t] +=
                l->rows.at[c * r + t] / (double)(l->size[l->label[c]] ? l->size[l->label[c]] : 1);
    for (size_t c = 0; c < l->count; c++)
        for (size_t a = 0; a < k; a++) {
            double sum = 0;
            for (size_t t = 0; t < r; t++) {
                const double difference = l->rows.at[c * r + t] - l->centre[a * r + t];
                sum += difference * difference;
            }
            l->cost[c * k + a] = sum;
        }
}

/* Keep the start with the least sum of distances and costs of broken cannot-links. */
seg_status seg_labels_by_kernel(seg_context *ctx, const seg_problem *problem, int starts, seg_pair_labels *l) {
    double least = INFINITY;
    for (int start = 0; start < starts; start++) {
        const seg_kmeans_options options = {.k = problem->k,
                                            .restarts = problem->restarts,
                                            .iterations = ITERATIONS,
                                            .stream = STREAM + (uint64_t)start};
        seg_kmeans_result result;
        seg_status status = seg_kmeans(ctx, &l->rows, &options, l->label, l->centre, &result);
        if (status)
            return status;
        join(l);
        distances(l);
        for (int s = 0; s < SWEEPS && seg_pair_labels_move(l, APART); s++)
            distances(l);
        const double total = seg_pair_labels_total(l, APART);
        if (total < least) {
            least = total;
            memcpy(l->best, l->label, l->count * sizeof *l->best);
        }
    }
    memcpy(l->label, l->best, l->count * sizeof *l->label);
    seg_pair_labels_count_sizes(l);
    return SEG_OK;
}
