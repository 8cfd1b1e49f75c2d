/* Groups for methods that learn from marked samples, where pairs or too few groups are given, and pairs kept by a
 * clustering that did not look at them. No method is run here: a kernel's rows, or a clustering, are the input. */
#pragma once

#include <segment/methods.h>

/* Groups from listed pairs: decide for each sample that a pair names which cluster it belongs to, by a kernel learned
 * from the pairs and by the graph. Z: n x r, rows of the learned kernel's factor, of any length. The problem has
 * pairs, no groups, and an affinity graph. Samples that must link stay together, and a broken cannot-link has a cost,
 * in all steps. Where walks on the graph from one named sample mostly meet another (labels_by_vote.c):
 *   there are three starts: k-means on the samples' rows of Z, improved by moving neighbourhoods as in PCKMeans
 *   [basu2004active, Sec. 3], and two signed spectral clusterings of the meetings and the cannot-links;
 *   from each start, labels become beliefs that are cooled down to labels again; the cost of a sample's label comes
 *   from the labels of the samples that its walks meet first;
 *   the start with the least total cost is improved twice by the votes of forests that were grown without the sample.
 * Elsewhere there are ten such k-means starts, and the best by distances and broken cannot-links is taken.
 * out, to be freed in every case: problem->k groups, none empty, no pairs; groups = 0 where pairs name fewer samples
 * than there are clusters. SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_groups_from_pairs(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z,
                                 seg_constraints *out);

/* Groups from a clustering: the marked groups of the problem stay, and each cluster without one gets a group of the
 * samples that belong to it most surely. clusters: k clusters of the problem, group g's samples in cluster g, samples
 * that must link in one cluster. out, to be freed in every case: groups for all clusters, and the problem's pairs.
 * SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_MEMORY. */
seg_status seg_groups_from_clusters(seg_context *ctx, const seg_problem *problem, const seg_clustering *clusters,
                                    seg_constraints *out);

/* Move samples of a clustering so that it keeps the listed pairs: samples that must link move to one cluster, and away
 * from those they cannot link with. Each set of linked samples moves to where its scores cost least, and a broken
 * cannot-link costs more than any score can (sweeps of [basu2004active, Sec. 3]). Only samples that pairs name move,
 * and the last sample of a cluster stays where that is possible; all others keep label and score. A moved sample has
 * score 1 in its cluster. Groups stay. moved (may be NULL): how many samples changed their cluster. SEG_OK,
 * SEG_ERR_CONTRADICTION, SEG_ERR_MEMORY. The result does not depend on the order of the pairs. */
seg_status seg_keep_pairs(seg_context *ctx, const seg_problem *problem, seg_clustering *out, size_t *moved);
