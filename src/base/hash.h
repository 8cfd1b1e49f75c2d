/* FNV-1a of 64 bits: checksums in journals, seeds made from names. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SEG_HASH_START 0xcbf29ce484222325ull

/* The hash of what came before and these bytes. */
static inline uint64_t seg_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3ull;
    return hash;
}
