/** @file names.h
 *  File names as text. A name is bytes, JSON is UTF-8: bytes that are not UTF-8 are written so that the name can be
 *  recovered exactly.
 *
 *  - A byte that is not part of UTF-8 is written `\xHH`, two hexadecimal digits in capitals.
 *  - With SEG_NAME_LINE also each byte of a control character or of one of Unicode's line separators: for lines, tables
 *    and pages. JSON has escapes of its own for them (SEG_NAME_JSON).
 *  - A backslash before `xHH` that stands in the name itself is written `\x5C`.
 *
 *  Every other name is written as it is. */
#pragma once

#include <segment/export.h>

/** @addtogroup calls Calls: context, status, version
 *  @{ */

/** What a name is written for. */
typedef enum seg_name_form {
    SEG_NAME_JSON = 0, /**< a string of JSON */
    SEG_NAME_LINE,     /**< a part of a line */
    SEG_NAME_BYTES     /**< the name itself, of a text of either form */
} seg_name_form;

/** Write a name as text, or get it back from its text.
 *  @param name  a file name or path, or a sentence with names in it; of SEG_NAME_BYTES the text of one
 *  @param form  what for
 *  @return UTF-8, of SEG_NAME_BYTES the bytes of the name; to be freed with seg_free(); NULL without memory */
SEG_API char *seg_name_encode(const char *name, seg_name_form form);

/** @} */
