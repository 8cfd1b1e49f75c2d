/* Putting a semidefinite program together. */
#include "optim/sdp.h"

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

seg_status seg_sdp_create(seg_context *ctx, int constraints, int blocks, const int *size, int linear, seg_sdp *out) {
    memset(out, 0, sizeof *out);
    if (constraints < 1 || constraints > SEG_SDP_ROWS || blocks < 1 || linear < 0 || linear > SEG_SDP_LARGEST)
        return seg_fail(
            ctx, SEG_ERR_USAGE,
            "a semidefinite program of %d constraints, %d blocks and %d linear variables: one block or more "
            "and 1 to %d constraints are possible",
            constraints, blocks, linear, SEG_SDP_ROWS);
    for (int b = 0; b < blocks; b++)
        if (size[b] < 1 || size[b] > SEG_SDP_LARGEST)
            return seg_fail(ctx, SEG_ERR_USAGE, "a block of %d rows in a semidefinite program: 1 to %d are possible",
                            size[b], SEG_SDP_LARGEST);
    out->constraints = constraints;
    out->blocks = blocks;
    out->linear = linear;
    out->size = seg_alloc(ctx, (size_t)blocks, sizeof *out->size);
    out->right = seg_alloc_zero(ctx, (size_t)constraints, sizeof *out->right);
    if (!out->size || !out->right) {
        seg_sdp_free(out);
        return SEG_ERR_MEMORY;
    }
    for (int b = 0; b < blocks; b++)
        out->size[b] = size[b];
    return SEG_OK;
}

void seg_sdp_free(seg_sdp *sdp) {
    if (!sdp)
        return;
    free(sdp->size);
    free(sdp->right);
    free(sdp->entry);
    free(sdp->term);
    free(sdp->index);
    free(sdp->value);
    memset(sdp, 0, sizeof *sdp);
}

/* Room for `more` further elements, doubling. */
static seg_status grow(seg_context *ctx, void **block, size_t size, size_t used, size_t more, size_t *room) {
    size_t wanted = *room ? *room : 64;
    void *bigger;
    if (used + more <= *room)
        return SEG_OK;
    while (wanted < used + more)
        wanted *= 2;
    bigger = seg_realloc(ctx, *block, wanted, size);
    if (!bigger)
        return SEG_ERR_MEMORY;
    *block = bigger;
    *room = wanted;
    return SEG_OK;
}

static seg_status check_place(seg_context *ctx, const seg_sdp *sdp, int row, int block, size_t i) {
    size_t size;
    if (row < 0 || row > sdp->constraints || block < SEG_SDP_LINEAR || block >= sdp->blocks)
        return seg_fail(ctx, SEG_ERR_USAGE, "row %d, block %d is outside the semidefinite program", row, block);
    size = block == SEG_SDP_LINEAR ? (size_t)sdp->linear : (size_t)sdp->size[block];
    if (i >= size)
        return seg_fail(ctx, SEG_ERR_USAGE, "entry %zu of a block of %zu in a semidefinite program", i, size);
    return SEG_OK;
}

seg_status seg_sdp_add(seg_context *ctx, seg_sdp *sdp, int row, int block, size_t i, size_t j, double value) {
    seg_status status;
    if ((status = check_place(ctx, sdp, row, block, i > j ? i : j)) != SEG_OK)
        return status;
    if (!isfinite(value) || (block == SEG_SDP_LINEAR && i != j))
        return seg_fail(ctx, SEG_ERR_USAGE, "entry (%zu, %zu) = %g of row %d cannot be part of a semidefinite program",
                        i, j, value, row);
    if ((status = grow(ctx, (void **)&sdp->entry, sizeof *sdp->entry, sdp->entries, 1, &sdp->entry_room)) != SEG_OK)
        return status;
    seg_sdp_entry entry = {row, block, (int32_t)(i > j ? i : j), (int32_t)(i > j ? j : i), value};
    sdp->entry[sdp->entries++] = entry;
    return SEG_OK;
}

seg_status seg_sdp_add_rank_one(seg_context *ctx, seg_sdp *sdp, int row, int block, double weight, size_t count,
                                const int32_t *index, const double *value) {
    size_t index_room = sdp->number_room;
    seg_status status;
    if (block == SEG_SDP_LINEAR || !isfinite(weight))
        return seg_fail(ctx, SEG_ERR_USAGE, "a rank-one term of weight %g in block %d of a semidefinite program",
                        weight, block);
    for (size_t e = 0; e < count; e++) {
        if ((status = check_place(ctx, sdp, row, block, (size_t)index[e])) != SEG_OK)
            return status;
        if ((e > 0 && index[e] <= index[e - 1]) || (value && !isfinite(value[e])))
            return seg_fail(ctx, SEG_ERR_USAGE, "entry %zu of a rank-one term of row %d: out of order or not finite", e,
                            row);
    }
    if (count == 0 || weight == 0)
        return SEG_OK;
    if ((status = grow(ctx, (void **)&sdp->term, sizeof *sdp->term, sdp->terms, 1, &sdp->term_room)) != SEG_OK ||
        (status = grow(ctx, (void **)&sdp->index, sizeof *sdp->index, sdp->numbers, count, &index_room)) != SEG_OK ||
        (status = grow(ctx, (void **)&sdp->value, sizeof *sdp->value, sdp->numbers, count, &sdp->number_room)) !=
            SEG_OK)
        return status;
    seg_sdp_term term = {row, block, weight, sdp->numbers, count};
    for (size_t e = 0; e < count; e++) {
        sdp->index[sdp->numbers] = index[e];
        sdp->value[sdp->numbers++] = value ? value[e] : 1;
    }
    sdp->term[sdp->terms++] = term;
    return SEG_OK;
}
