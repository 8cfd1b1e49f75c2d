#include "image/formats/decoders.h"

#include "base/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* *function: the one that is missing, NULL where the library itself is; 1 where all were found. */
static int find(const seg_late_library *library, unsigned char *to, const char **function) {
    *function = NULL;
    errno = 0;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    for (int i = 0; handle && i < library->count && !*function; i++) {
        void *found = dlsym(handle, library->names[i]);
        if (!found)
            *function = library->names[i];
        memcpy(to + (size_t)i * sizeof found, &found, sizeof found);
    }
    if (handle)
        dlclose(handle); /* it stays loaded (RTLD_NODELETE) */
    return handle && !*function;
}

seg_status seg_late_load(seg_context *ctx, const seg_late_library *library, const char *name, const char *kind,
                         void *calls) {
    const char *function;
    if (find(library, calls, &function))
        return SEG_OK;
    if (function)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s, and the %s of this machine has no %s: install another version of Debian's "
                        "%s, or convert the image to PNG",
                        name, kind, library->file, function, library->package);
    if (errno == ENOMEM)
        return seg_no_memory_to_read(ctx, name);
    return seg_fail(ctx, SEG_ERR_INPUT,
                    "'%s' is %s, and %s, which reads it, is not installed: install Debian's %s, or convert the "
                    "image to PNG",
                    name, kind, library->file, library->package);
}
