/* Spectra that were computed before they are asked for: what many solutions on the same graphs share. */
#ifndef SEG_GRAPH_SPECTRUM_SPECTRA_H
#define SEG_GRAPH_SPECTRUM_SPECTRA_H

#include "graph/spectrum/spectrum.h"

#include <segment/graph.h>

/* Begin with zeros. Read by several threads at a time once it is filled. */
typedef struct seg_spectra {
    struct seg_spectra_entry *entry;
    size_t entries;
} seg_spectra;

/* Compute the `count` smoothest eigenvectors of W, unless they are there. W is known by its address: neither moved nor
 * changed from now on. SEG_OK (also where they cannot be computed for numerical reasons: they are not there then, and
 * who needs them will hear why), SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_spectra_add(seg_context *ctx, seg_spectra *spectra, const seg_csr *W, int count);

/* As seg_spectrum_compute, from what is there; *found: 0 where it is not, then nothing is done. spectra: may be NULL.
 * SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_spectra_take(seg_context *ctx, const seg_spectra *spectra, const seg_csr *W, int count, int *found,
                            seg_spectrum *out);
void seg_spectra_free(seg_spectra *spectra);

#endif
