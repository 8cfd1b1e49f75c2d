/* Decoders that few files need are loaded when such a file is read: HEIF alone brings two dozen shared objects, which
 * would cost each run more time than a small image takes. They also need not be installed. */
#ifndef SEG_IMAGE_FORMATS_LATE_LIBRARY_H
#define SEG_IMAGE_FORMATS_LATE_LIBRARY_H

#include <segment/context.h>

/* A list LIST(X) of a library's functions, X(name) each, becomes a struct of pointers to them and their names:
 *     typedef struct calls { LIST(SEG_LATE_POINTER) } calls;
 *     static const char *const names[] = {LIST(SEG_LATE_NAME)};
 */
#define SEG_LATE_POINTER(function) __typeof__(function) *function;
#define SEG_LATE_NAME(function)    #function,

typedef struct seg_late_library {
    const char *file;    /* what the loader looks for, "libwebp.so.7" */
    const char *package; /* Debian's, for the message */
    int count;           /* functions */
    const char *const *names;
} seg_late_library;

/* Load it and look its functions up: `calls` is `count` pointers. SEG_OK; SEG_ERR_INPUT where the library is not
 * installed, with a sentence that names it and `name`, which is `kind` ("a WebP image"); SEG_ERR_MEMORY. The library
 * stays loaded: some cannot be unloaded, and the next file would wait again. */
seg_status seg_late_load(seg_context *ctx, const seg_late_library *library, const char *name, const char *kind,
                         void *calls);

#endif
