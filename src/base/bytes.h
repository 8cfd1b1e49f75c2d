/* Long runs of equal bytes, as masks and scribbles are made of, looked through eight at a time. */
#ifndef SEG_BASE_BYTES_H
#define SEG_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first place behind i, below end, where another byte stands than at i; end where none does. i < end. */
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

/* The first place from i on, below end, where a byte is not 0; end where none is. */
static inline size_t seg_next_marked(const uint8_t *bytes, size_t i, size_t end) {
    if (i < end && !bytes[i])
        i = seg_run_end(bytes, i, end);
    return i;
}

#endif
