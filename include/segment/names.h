/** @file names.h
 *  File names as text. A name is bytes, JSON is UTF-8: bytes that are not UTF-8 are written so that the name can be
 *  recovered exactly (docs/formats.md). With SEG_NAME_LINE control characters and Unicode's line separators are written
 *  so too: for lines, tables and pages. JSON has escapes of its own for them (SEG_NAME_JSON). */
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
