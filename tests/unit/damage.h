/* Damaged copies of a file, the same on every run: flipped bits, cuts, splices, odd lengths. */
#ifndef TESTS_DAMAGE_H
#define TESTS_DAMAGE_H

#include "base/random.h"

#include <string.h>

/* The `number`-th variant of the `size` bytes at `from`; `to` has room for twice as many. @return its size */
static inline size_t damage(const unsigned char *from, size_t size, unsigned number, unsigned char *to) {
    static const uint32_t odd[] = {0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    seg_random random = seg_random_seeded(99, number);
    memcpy(to, from, size);
    /* Half of the changes hit the first bytes, where the lengths and kinds are. */
    const size_t reach = seg_random_below(&random, 2) && size > 128 ? 128 : size;
    const size_t at = (size_t)seg_random_below(&random, reach);
    size_t length = 1 + (size_t)seg_random_below(&random, size - at < 64 ? size - at : 64);
    switch (number % 6) {
    case 0: /* flipped bits */
        for (uint64_t flips = 1 + seg_random_below(&random, 8); flips > 0; flips--)
            to[seg_random_below(&random, reach)] ^= (unsigned char)(1u << seg_random_below(&random, 8));
        return size;
    case 1: /* cut off */
        return (size_t)seg_random_below(&random, size);
    case 2: { /* a piece from elsewhere put over, or in */
        const size_t source = (size_t)seg_random_below(&random, size - length + 1);
        if (seg_random_below(&random, 2)) {
            memmove(to + at, from + source, length);
            return size;
        }
        memmove(to + at + length, from + at, size - at);
        memmove(to + at, from + source, length);
        return size + length;
    }
    case 3: { /* a number set to one that is odd there */
        const uint32_t value = odd[seg_random_below(&random, sizeof odd / sizeof *odd)];
        const int bytes = 1 << seg_random_below(&random, 3), big = (int)seg_random_below(&random, 2);
        for (int b = 0; b < bytes && at + (size_t)b < size; b++)
            to[at + (size_t)b] = (unsigned char)(value >> 8 * (big ? bytes - 1 - b : b));
        return size;
    }
    case 4: /* a piece left out */
        memmove(to + at, to + at + length, size - at - length);
        return size - length;
    default: /* a piece of one byte again and again: a digit too many, a run of zeros */
        memset(to + at, to[seg_random_below(&random, size)], length);
        return size;
    }
}

#endif
