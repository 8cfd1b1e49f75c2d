/* A hash set of pairs of samples, for drawing none twice. */
#ifndef SEG_CONSTRAINTS_PAIR_SET_H
#define SEG_CONSTRAINTS_PAIR_SET_H

#include <segment/context.h>

typedef struct seg_pair_set {
    uint64_t *key;   /* capacity slots, UINT64_MAX = free */
    size_t capacity; /* a power of two */
    size_t used;
} seg_pair_set;

seg_status seg_pair_set_create(seg_context *ctx, seg_pair_set *out);
void seg_pair_set_free(seg_pair_set *set);
/* The key of the unordered pair i, j. */
static inline uint64_t seg_pair_key(int32_t i, int32_t j) {
    return i < j ? (uint64_t)i << 32 | (uint32_t)j : (uint64_t)j << 32 | (uint32_t)i;
}
int seg_pair_set_has(const seg_pair_set *set, uint64_t key);
/* Put in; *added = 0 where it was in already. */
seg_status seg_pair_set_put(seg_context *ctx, seg_pair_set *set, uint64_t key, int *added);

#endif
