/* Characters of UTF-8, and the text of file names (segment/names.h) piece by piece, for writers without allocation. */
#pragma once

#include <segment/names.h>

#include <stddef.h>
#include <stdint.h>

/* The length of the UTF-8 character that begins a text of `length` >= 1 bytes, as RFC 3629 has it, and its code; 0 and
 * the first byte where there is none. A text that ends in 0 may be shorter than `length`. */
size_t seg_utf8(const char *text, size_t length, uint32_t *code);

enum { SEG_NAME_PIECE = 4 }; /* bytes at most */

/* The text of the next character or byte of a name that is not at its end; *size (1..SEG_NAME_PIECE) is its length.
 * @return the bytes of the name that it stands for */
size_t seg_name_piece(const char *name, seg_name_form form, char text[SEG_NAME_PIECE], size_t *size);

/* SEG_NAME_BYTES in place: the text never grows. */
void seg_name_decode(char *text);
