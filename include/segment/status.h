/** @file status.h
 *  How a call ended. Every function of the library that can fail returns a seg_status; the sentence for the user is
 *  the context's message (context.h). How an iteration ended (converged or not) is a field of its result.
 */
#pragma once

#include <segment/export.h>

/** @addtogroup calls Calls: context, status, version
 *  @{ */

/** How a call ended. */
typedef enum seg_status {
    SEG_OK = 0,            /**< well */
    SEG_ERR_MEMORY,        /**< an allocation failed */
    SEG_ERR_USAGE,         /**< an option or argument outside its range */
    SEG_ERR_IO,            /**< a file could not be opened, read, written or renamed */
    SEG_ERR_INPUT,         /**< a file was read, but its content is damaged or unsuitable */
    SEG_ERR_CONTRADICTION, /**< the constraints contradict each other */
    SEG_ERR_NUMERIC,       /**< a numerical routine failed */
    SEG_ERR_CANCELLED,     /**< the progress callback asked to stop */
    SEG_ERR_LIMIT          /**< the context's max_memory does not suffice; the message says what would */
} seg_status;

/** A short English name of a status ("out of memory"). Never NULL; static storage.
 *  @param status  any
 *  @return never NULL */
SEG_API const char *seg_status_text(seg_status status);

/** @} */
