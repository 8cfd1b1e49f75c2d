/* How smooth ENPAKL's kernel of listed pairs is to be: chosen by the pairs. */
#ifndef SEG_METHODS_ENPAKL_LAMBDA_H
#define SEG_METHODS_ENPAKL_LAMBDA_H

#include <segment/methods.h>

#define SEG_ENPAKL_LAMBDA 1.0 /* of the papers, and where pairs do not say otherwise */

/* The problem has listed pairs, cannot-links among them, and no groups. param: ENPAKL's, of which param[place] is
 * lambda. *lambda: SEG_ENPAKL_LAMBDA where that breaks no pair; else the one of a few that loses least by the pairs' F
 * which broken pairs let expect (seg_pair_loss): of the pairs that the learner knew, and of those that parts of them
 * were held out to be judged by; another than SEG_ENPAKL_LAMBDA only where it loses less by half a pair. Does not
 * depend on the order of the pairs. Cost: ENPAKL once; where a pair is broken, once per candidate, and as often for
 * each part (seg_choice_parts). */
seg_status seg_enpakl_choose_lambda(seg_context *ctx, const seg_problem *problem, const double *param, int place,
                                    double *lambda);

#endif
