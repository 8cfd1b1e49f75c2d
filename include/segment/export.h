/** @file export.h
 *  SEG_API marks what the shared library exports; everything else is hidden. */
#pragma once

/** @cond */
#ifdef __cplusplus
#define SEG_LINKAGE extern "C"
#else
#define SEG_LINKAGE
#endif
#if defined(__GNUC__)
#define SEG_API SEG_LINKAGE __attribute__((visibility("default")))
#else
#define SEG_API SEG_LINKAGE
#endif
/** @endcond */
