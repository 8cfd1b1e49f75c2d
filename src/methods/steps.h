/* Steps of methods that other methods are made of. Each is defined in the file of its method. */
#ifndef SEG_METHODS_STEPS_H
#define SEG_METHODS_STEPS_H

#include "graph/spectrum/spectrum.h"
#include "methods/method.h"

/* Normalized cuts from the first k of `spectrum`, which holds k or more of the problem's smoothest eigenvectors; out as
 * in a method's solve (ncut.c). */
seg_status seg_ncut_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                          seg_clustering *out);

/* How many eigenvectors CCSR uses by default (spectral_methods.c). */
int seg_ccsr_columns(const seg_problem *problem);
/* CCSR with all eigenvectors of `spectrum`, which are the problem's smoothest; share: the parameter `diagonal`; out as
 * in a method's solve. */
seg_status seg_ccsr_solve(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum, double share,
                          seg_clustering *out);

/* seg_groups_from_pairs with the kernel that CCSR learns by default from those eigenvectors; the graph is enough. */
seg_status seg_ccsr_groups(seg_context *ctx, const seg_problem *problem, const seg_spectrum *spectrum,
                           seg_constraints *out);
/* seg_groups_from_pairs with the kernel that ENPAKL learns by default (enpakl.c). */
seg_status seg_enpakl_groups(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

/* seg_groups_from_clusters with the clusters that CCSKL finds (random_walk.c). Needs the affinity graph. */
seg_status seg_groups_by_ccskl(seg_context *ctx, const seg_problem *problem, seg_constraints *out);

#define SEG_ENPAKL_LAMBDA 1.0 /* the papers' weight of the smoothness, used unless pairs are against it */

/* Choose how smooth ENPAKL's kernel of listed pairs is. The problem has listed pairs, cannot-links
 * among them, and no groups.
 * *lambda: SEG_ENPAKL_LAMBDA where that breaks no pair; else one of a few values, the one with the least loss by the
 * pairs' F that the shares of broken pairs let expect (seg_pair_loss). The pairs are those that the learner knew, and
 * those that were held out; a value other than SEG_ENPAKL_LAMBDA must lose less by half a pair. Does not depend on the
 * order of the pairs. Cost: ENPAKL once; where a pair is broken, once per candidate, and as often for each part
 * (seg_held_out_parts). */
seg_status seg_enpakl_choose_lambda(seg_context *ctx, const seg_problem *problem, const double *param, double *lambda);

#endif
