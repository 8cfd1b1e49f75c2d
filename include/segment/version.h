/** @file version.h
 *  The version of the headers and of the library in use. */
#pragma once

#include <segment/export.h>

/** @addtogroup calls Calls: context, status, version
 *  @{ */

#define SEG_VERSION_MAJOR 0       /**< of these headers: changes if programs must be changed */
#define SEG_VERSION_MINOR 1       /**< of these headers: grows with additions */
#define SEG_VERSION_PATCH 0       /**< of these headers: grows with corrections */
#define SEG_VERSION       "0.1.0" /**< of these headers */

/** A version as one number that can be compared, in `#if` too. */
#define SEG_MAKE_VERSION(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
/** The version of these headers as a number. */
#define SEG_VERSION_NUMBER SEG_MAKE_VERSION(SEG_VERSION_MAJOR, SEG_VERSION_MINOR, SEG_VERSION_PATCH)

/** The version of the library that is linked. Static storage.
 *  @return such as "0.1.0" */
SEG_API const char *seg_version(void);

/** @} */
