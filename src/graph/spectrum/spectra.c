#include "graph/spectrum/spectra.h"

#include "base/base.h"
#include "graph/spectrum/spectrum.h"

#include <stdlib.h>
#include <string.h>

typedef struct seg_spectra_entry {
    const seg_csr *W;
    seg_spectrum spectrum;
} entry;

static const seg_spectrum *find(const seg_spectra *spectra, const seg_csr *W, int count) {
    for (size_t e = 0; spectra && e < spectra->entries; e++)
        if (spectra->entry[e].W == W && spectra->entry[e].spectrum.count == count)
            return &spectra->entry[e].spectrum;
    return NULL;
}

seg_status seg_spectra_add(seg_context *ctx, seg_spectra *spectra, const seg_csr *W, int count) {
    seg_spectrum spectrum = {0};
    if (find(spectra, W, count))
        return SEG_OK;
    const seg_status status = seg_spectrum_compute(ctx, W, count, &spectrum);
    if (status == SEG_ERR_NUMERIC || status == SEG_ERR_USAGE)
        return SEG_OK;
    if (status)
        return status;
    entry *more = seg_alloc(ctx, spectra->entries + 1, sizeof *more);
    if (!more) {
        seg_spectrum_free(&spectrum);
        return SEG_ERR_MEMORY;
    }
    if (spectra->entries)
        memcpy(more, spectra->entry, spectra->entries * sizeof *more);
    more[spectra->entries] = (entry){W, spectrum};
    free(spectra->entry);
    spectra->entry = more;
    spectra->entries++;
    return SEG_OK;
}

seg_status seg_spectra_take(seg_context *ctx, const seg_spectra *spectra, const seg_csr *W, int count, int *found,
                            seg_spectrum *out) {
    const seg_spectrum *from = find(spectra, W, count);
    memset(out, 0, sizeof *out);
    *found = from != NULL;
    if (!from)
        return SEG_OK;
    const size_t columns = (size_t)count;
    double *value = seg_alloc(ctx, columns, sizeof *value), *vector = seg_alloc(ctx, from->n, columns * sizeof *vector);
    if (!value || !vector) {
        free(value);
        free(vector);
        return SEG_ERR_MEMORY;
    }
    memcpy(value, from->value, columns * sizeof *value);
    memcpy(vector, from->vector, from->n * columns * sizeof *vector);
    *out = *from;
    out->value = value;
    out->vector = vector;
    return SEG_OK;
}

void seg_spectra_free(seg_spectra *spectra) {
    for (size_t e = 0; e < spectra->entries; e++)
        seg_spectrum_free(&spectra->entry[e].spectrum);
    free(spectra->entry);
    memset(spectra, 0, sizeof *spectra);
}
