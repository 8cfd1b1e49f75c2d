/* Fast search in long runs of equal bytes, as in masks and scribbles, eight bytes at a time. */
#ifndef SEG_BASE_BYTES_H
#define SEG_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first index after i, below end, whose byte differs from that at i; end if there is none. i < end. */
static inline size_t seg_run_end(const uint8_t *bytes, size_t i, size_t end) {
    const uint64_t same = bytes[i] * UINT64_C(0x0101010101010101);
    const uint8_t own = bytes[i];
    while (i + 32 <= end) {
        uint64_t four[4];
        memcpy(four, bytes + i, 32);
        if ((four[0] ^ same) | (four[1] ^ same) | (four[2] ^ same) | (four[3] ^ same))
            break;
        i += 32;
    }
    while (i < end && bytes[i] == own)
        i++;
    return i;
}

#endif
