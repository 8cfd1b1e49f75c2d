/** @file version.h
 *  The version of the headers and of the library in use. */
#ifndef SEGMENT_VERSION_H
#define SEGMENT_VERSION_H

#include <segment/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup calls Calls: context, status, version
 *  @{ */

#define SEG_VERSION "0.1.0" /**< of these headers */

/** The version of the library that is linked. Static storage.
 *  @return such as "0.1.0" */
SEG_API const char *seg_version(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
