/* Fast search in long runs of equal bytes, as in masks and scribbles, eight bytes at a time. */
#pragma once

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

/* Lines of a text in memory, and the fields of a line. */

/* A part of a text; `end` points after it. */
typedef struct seg_span {
    const char *at, *end;
} seg_span;

static inline size_t seg_span_size(seg_span span) {
    return (size_t)(span.end - span.at);
}

static inline int seg_is_blank(char c) {
    return c == ' ' || c == '\t';
}

static inline seg_span seg_span_trim(seg_span span) {
    while (span.at < span.end && seg_is_blank(*span.at))
        span.at++;
    while (span.at < span.end && seg_is_blank(span.end[-1]))
        span.end--;
    return span;
}

/* Take the line at text->at without blanks around it, and move behind its end: LF, CR LF or CR. @return 0 at the end */
static inline int seg_line_next(seg_span *text, seg_span *line) {
    const char *stop = text->at;
    if (stop >= text->end)
        return 0;
    while (stop < text->end && *stop != '\n' && *stop != '\r')
        stop++;
    *line = seg_span_trim((seg_span){text->at, stop});
    text->at = stop + (stop < text->end) + (text->end - stop > 1 && stop[0] == '\r' && stop[1] == '\n');
    return 1;
}

/* Take the field before the next separator, without blanks around it; after the last, rest->at is NULL and the result
 * 0. A line without a separator is one field. */
static inline int seg_field_next(seg_span *rest, char separator, seg_span *field) {
    if (!rest->at)
        return 0;
    const char *stop = memchr(rest->at, separator, seg_span_size(*rest));
    *field = seg_span_trim((seg_span){rest->at, stop ? stop : rest->end});
    rest->at = stop ? stop + 1 : NULL;
    return 1;
}
