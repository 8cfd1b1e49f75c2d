/* A start from what walks meet and what cannot link, at once. */
#ifndef SEG_METHODS_LINKED_SPECTRUM_H
#define SEG_METHODS_LINKED_SPECTRUM_H

#include "methods/linked.h"

/* k-means on the rows, scaled to norm one, of the k largest eigenvectors of a signed graph of the neighbourhoods, as
 * [ng2002spectral] does without signs: D^(-1/2) M D^(-1/2) - repel E^(-1/2) C E^(-1/2), M the sums of `met`, C the
 * cannot-links, D and E their degrees. met: of the samples, of: the neighbourhood of each. Into l->label; where
 * neighbourhoods are too few for that, or the eigenvectors are not found, the labels stay. SEG_OK, SEG_ERR_MEMORY,
 * SEG_ERR_CANCELLED. */
seg_status seg_linked_spectrum(seg_context *ctx, const seg_problem *problem, const seg_csr *met, const int32_t *of,
                               double repel, seg_linked *l);

#endif
