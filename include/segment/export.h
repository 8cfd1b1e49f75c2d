/** @file export.h
 *  SEG_API stands before what the shared library exports; everything else in it is hidden. */
#ifndef SEGMENT_EXPORT_H
#define SEGMENT_EXPORT_H

#if defined(__GNUC__)
#define SEG_API __attribute__((visibility("default")))
#else
#define SEG_API
#endif

#endif
