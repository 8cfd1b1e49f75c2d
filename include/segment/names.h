/** @file names.h
 *  File names as text. Names are bytes, but JSON is UTF-8: bytes that are not UTF-8 are written so that the name
 *  can be recovered exactly (docs/formats.md). SEG_NAME_LINE writes control characters and Unicode's line separators in
 *  the same way, for lines, tables and pages. JSON has its own escapes for them (SEG_NAME_JSON). */
#pragma once

#include <segment/export.h>

/** @addtogroup calls Calls: context, status, version
 *  @{ */

/** Forms of a written name. */
typedef enum seg_name_form {
    SEG_NAME_JSON = 0, /**< a string of JSON */
    SEG_NAME_LINE,     /**< part of a line */
    SEG_NAME_BYTES     /**< the name itself, from a text of either form */
} seg_name_form;

/** Write a name as text, or get it back from its text.
 *  @param name  a file name or path, or a sentence with names in it; for SEG_NAME_BYTES the text of one
 *  @param form  the form
 *  @return UTF-8, or the bytes of the name for SEG_NAME_BYTES; free with seg_free(); NULL without memory */
SEG_API char *seg_name_encode(const char *name, seg_name_form form);

/** @} */
