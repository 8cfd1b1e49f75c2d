/* The artificial data of the papers: points in the plane, in known classes that no line separates. */
#pragma once

#include <segment/vectors.h>

/* chessboard: 100 points in 4 x 4 fields with margins, two classes as on a chessboard [chen2011npkl, Fig. 2].
 * double-spiral: 100 points on two arms of 1.25 turns each, with some noise [chen2011npkl, Fig. 2].
 * two-circles: 100 points each on an inner and an outer circle, with some noise [kulis2009sskk, Fig. 1].
 * gaussians: 4 x 50 points of overlapping normal distributions, an easy set for comparison.
 * The same seed gives the same points. SEG_OK, SEG_ERR_USAGE (no such name), SEG_ERR_MEMORY. */
seg_status seg_synthetic_make(seg_context *ctx, const char *name, uint64_t seed, seg_matrix *out, seg_labels *labels);
