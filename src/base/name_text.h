/* The text of file names (segment/names.h) piece by piece, for what is written without memory of its own. */
#ifndef SEG_BASE_NAME_TEXT_H
#define SEG_BASE_NAME_TEXT_H

#include <segment/names.h>

#include <stddef.h>

enum { SEG_NAME_PIECE = 4 }; /* bytes at most */

/* The text of the next character or byte of a name that is not at its end; *size (1..SEG_NAME_PIECE) is its length.
 * @return the bytes of the name that it stands for */
size_t seg_name_piece(const char *name, seg_name_form form, char text[SEG_NAME_PIECE], size_t *size);

/* SEG_NAME_BYTES in place: the text never grows. */
void seg_name_decode(char *text);

#endif
