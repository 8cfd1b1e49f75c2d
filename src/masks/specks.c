#include "masks/specks.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

typedef struct piece {
    uint32_t *pixel; /* stack and list of one piece, at most `least` of interest */
    size_t count;
    int marked;
} piece;

/* Visit the piece of pixel `from`; seen[] is set for all of it. Only the first `least` pixels are listed: a larger
 * piece stays as it is, but must be seen to its end, so the list doubles as the stack. */
static void visit(int width, int height, const uint8_t *label, const int16_t *mark, size_t from, uint8_t *seen,
                  piece *p) {
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    p->count = 0;
    p->marked = 0;
    p->pixel[p->count++] = (uint32_t)from;
    seen[from] = 1;
    for (size_t next = 0; next < p->count; next++) {
        const size_t at = p->pixel[next], x = at % w;
        const size_t side[4] = {at - 1, at + 1, at - w, at + w};
        const int inside[4] = {x > 0, x + 1 < w, at >= w, at + w < pixels};
        p->marked |= mark && mark[at] >= 0;
        for (int s = 0; s < 4; s++)
            if (inside[s] && !seen[side[s]] && label[side[s]] == label[at]) {
                seen[side[s]] = 1;
                p->pixel[p->count++] = (uint32_t)side[s];
            }
    }
}

/* The label that most of the piece's border touches; its own where there is no border. */
static uint8_t around(int width, int height, const uint8_t *label, const piece *p) {
    const size_t w = (size_t)width, pixels = w * (size_t)height;
    const uint8_t own = label[p->pixel[0]];
    size_t touch[256] = {0}, most = 0;
    uint8_t winner = own;
    for (size_t i = 0; i < p->count; i++) {
        const size_t at = p->pixel[i], x = at % w;
        const size_t side[4] = {at - 1, at + 1, at - w, at + w};
        const int inside[4] = {x > 0, x + 1 < w, at >= w, at + w < pixels};
        for (int s = 0; s < 4; s++)
            if (inside[s] && label[side[s]] != own)
                touch[label[side[s]]]++;
    }
    for (int l = 0; l < 256; l++)
        if (touch[l] > most) {
            most = touch[l];
            winner = (uint8_t)l;
        }
    return winner;
}

seg_status seg_specks_remove(seg_context *ctx, int width, int height, const int16_t *mark, size_t least,
                             uint8_t *label) {
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *seen = seg_alloc_zero(ctx, pixels, 1), *before = seg_alloc(ctx, pixels, 1);
    piece p = {seg_alloc(ctx, pixels, sizeof(uint32_t)), 0, 0}; /* pixels < 2^28: image.h */
    seg_status status = seen && before && p.pixel ? SEG_OK : SEG_ERR_MEMORY;
    if (!status)
        memcpy(before, label, pixels);
    for (size_t from = 0; !status && from < pixels; from++) {
        if (seen[from])
            continue;
        visit(width, height, before, mark, from, seen, &p);
        if (p.count >= least || p.marked)
            continue;
        const uint8_t winner = around(width, height, before, &p);
        for (size_t i = 0; i < p.count; i++)
            label[p.pixel[i]] = winner;
    }
    free(seen);
    free(before);
    free(p.pixel);
    return status;
}
