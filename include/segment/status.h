/** @file status.h
 *  The outcome of a call. Every function of the library that can fail returns a seg_status; the sentence for
 *  the user is the context's message (context.h). Whether an iteration converged is a field of its result.
 */
#pragma once

#include <segment/export.h>

/** @addtogroup calls Calls: context, status, version
 *  @{ */

/** The outcome of a call. */
typedef enum seg_status {
    SEG_OK = 0,            /**< success */
    SEG_ERR_MEMORY,        /**< an allocation failed */
    SEG_ERR_USAGE,         /**< an option or argument outside its range */
    SEG_ERR_IO,            /**< a file could not be opened, read, written or renamed */
    SEG_ERR_INPUT,         /**< a file was read, but its content is damaged or unsuitable */
    SEG_ERR_CONTRADICTION, /**< the constraints contradict each other */
    SEG_ERR_NUMERIC,       /**< a numerical routine failed */
    SEG_ERR_CANCELLED,     /**< the progress callback asked to stop */
    SEG_ERR_LIMIT          /**< the context's max_memory is too small; the message says what would suffice */
} seg_status;

/** A short English name of a status ("out of memory"). Never NULL; static storage.
 *  @param status  any
 *  @return never NULL */
SEG_API const char *seg_status_text(seg_status status);

/** @} */
