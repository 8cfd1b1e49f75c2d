/* Similarities of a block of rows to a block of listed samples, for kernel_sums.c. */
#ifndef SEG_CLUSTERING_KERNEL_TILE_H
#define SEG_CLUSTERING_KERNEL_TILE_H

#include "clustering/kernel_sums.h"

/* Listed samples and what makes similarities to them quick. */
typedef struct seg_kernel_list {
    size_t count;
    const int32_t *sample; /* borrowed */
    double
        *at; /* their feature vectors, as rows where products serve, else as columns; NULL for a dense matrix; owned */
} seg_kernel_list;

/* SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_kernel_list_create(seg_context *ctx, const seg_similarities *B, size_t count, const int32_t *sample,
                                  seg_kernel_list *out);
void seg_kernel_list_free(seg_kernel_list *list);

/* out (rows x count): scale_i scale_j S_ij of the rows from `row` on and the listed samples from `first` on; of a dense
 * matrix or of vectors. `first` is a multiple of 8. */
void seg_kernel_tile(const seg_similarities *B, const seg_kernel_list *list, size_t row, size_t rows, size_t first,
                     size_t count, double *out);

#endif
