#include "constraints/pair_set.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

#define FREE_SLOT UINT64_MAX

/* The slot of the key, or the free one where it belongs. */
static size_t find(const seg_pair_set *set, uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash ^ hash >> 32) & (set->capacity - 1);
    while (set->key[slot] != FREE_SLOT && set->key[slot] != key)
        slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

static seg_status resize(seg_context *ctx, seg_pair_set *set, size_t capacity) {
    seg_pair_set larger = {.capacity = capacity, .used = set->used};
    larger.key = seg_alloc(ctx, capacity, sizeof *larger.key);
    if (!larger.key)
        return SEG_ERR_MEMORY;
    memset(larger.key, 0xff, capacity * sizeof *larger.key);
    for (size_t slot = 0; slot < set->capacity; slot++)
        if (set->key[slot] != FREE_SLOT)
            larger.key[find(&larger, set->key[slot])] = set->key[slot];
    free(set->key);
    *set = larger;
    return SEG_OK;
}

seg_status seg_pair_set_create(seg_context *ctx, seg_pair_set *out) {
    memset(out, 0, sizeof *out);
    return resize(ctx, out, 64);
}

void seg_pair_set_free(seg_pair_set *set) {
    free(set->key);
    memset(set, 0, sizeof *set);
}

int seg_pair_set_has(const seg_pair_set *set, uint64_t key) {
    return set->key[find(set, key)] == key;
}

seg_status seg_pair_set_put(seg_context *ctx, seg_pair_set *set, uint64_t key, int *added) {
    size_t slot = find(set, key);
    *added = set->key[slot] != key;
    if (!*added)
        return SEG_OK;
    set->key[slot] = key;
    set->used++;
    return set->used * 2 > set->capacity ? resize(ctx, set, set->capacity * 2) : SEG_OK;
}
