/* What the named samples look like, as a cost of their labels. */
#ifndef SEG_METHODS_LINKED_FOREST_H
#define SEG_METHODS_LINKED_FOREST_H

#include "methods/linked.h"

/* cost: count x k, minus the logarithm of the share of a forest's votes [geurts2006] for a label, of forests that are
 * grown on the samples with the labels they have, but without that sample's neighbourhood. F: n x d features.
 * SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. Cost: that of a forest. */
seg_status seg_linked_forest(seg_context *ctx, const seg_matrix *F, const seg_linked *l, double *cost);

#endif
