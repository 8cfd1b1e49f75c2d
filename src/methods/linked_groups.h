/* Groups from listed pairs: which cluster each of the samples that pairs name belongs to, by a kernel learned from the
 * pairs and by the graph. As groups they say all that strokes would say. */
#ifndef SEG_METHODS_LINKED_GROUPS_H
#define SEG_METHODS_LINKED_GROUPS_H

#include "graph/spectrum.h"

#include <segment/methods.h>

/* Z: n x r, rows of the learned kernel's factor on the unit sphere. Needs pairs, no groups, and the affinity graph.
 * Samples that must link stay together, and a broken cannot-link costs, in all steps. Where walks on the graph from one
 * named sample mostly meet another (linked_search.c):
 *   three starts: k-means on the samples' rows of Z, moved on neighbourhood by neighbourhood as in PCKMeans
 *   [basu2004active, Sec. 3], and two signed spectral clusterings of what meets and what cannot link;
 *   each cooled down from beliefs to labels, a sample's label costing what the samples say that its walks meet first;
 *   the cheapest labels of all starts, moved on twice with what a forest that does not know a sample says of it.
 * Else ten such k-means starts, the best by distances and broken cannot-links, then, a few times, a random walk on the
 * graph from all samples with the labels they have: a neighbourhood takes the label that its samples' neighbours are
 * most likely to end at.
 * out: problem->k groups, none empty, no pairs; groups = 0 where fewer samples are named than there are clusters.
 * SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_linked_groups(seg_context *ctx, const seg_problem *problem, const seg_matrix *Z, seg_constraints *out);

/* The same with a kernel that ENPAKL learns with its defaults (enpakl.c). */
seg_status seg_enpakl_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

/* The same with CCSR's kernel, which needs the graph alone, of eigenvectors that are there (all_groups.c). */
seg_status seg_ccsr_groups(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                           seg_constraints *out);

/* Where more clusters are wanted than groups are marked: the marked groups, and one for each further cluster that CCSKL
 * finds, of the samples that are surest of it (all_groups.c). Needs the affinity graph. out: groups for all clusters,
 * the problem's pairs too. Errors of seg_cluster. */
seg_status seg_groups_for_all(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

/* Groups for all clusters, whatever the constraints are, for a method that learns from marked samples (all_groups.c):
 * those that are marked; for pairs with cannot-links among them the groups that a learned kernel shows, of ENPAKL where
 * there are features, else of CCSR, and then out has no pairs; else as seg_groups_for_all. Needs the affinity graph. */
seg_status seg_groups_by_graph(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

/* Likewise of features alone: groups that are not marked are those of PCKMeans, the
 * samples that pairs name among them. out has the problem's pairs. */
seg_status seg_groups_by_features(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

#endif
