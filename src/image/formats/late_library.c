#include "image/formats/late_library.h"

#include "base/base.h"
#include "image/formats/decoders.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

seg_late_found seg_late_find(const seg_late_library *library, void *calls, const char **function) {
    unsigned char *to = calls;
    errno = 0;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        return errno == ENOMEM ? SEG_LATE_NO_MEMORY : SEG_LATE_ABSENT;
    for (int i = 0; i < library->count; i++) {
        void *found = dlsym(handle, library->names[i]);
        if (!found) {
            *function = library->names[i];
            dlclose(handle);
            return SEG_LATE_OTHER;
        }
        memcpy(to + (size_t)i * sizeof found, &found, sizeof found);
    }
    dlclose(handle); /* it stays loaded (RTLD_NODELETE) */
    return SEG_LATE_FOUND;
}

seg_status seg_late_load(seg_context *ctx, const seg_late_library *library, const char *name, const char *kind,
                         void *calls) {
    const char *function = NULL;
    switch (seg_late_find(library, calls, &function)) {
    case SEG_LATE_FOUND:
        return SEG_OK;
    case SEG_LATE_NO_MEMORY:
        return seg_no_memory_to_read(ctx, name);
    case SEG_LATE_OTHER:
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s, and the %s of this machine has no %s: install another version of Debian's "
                        "%s, or convert the image to PNG",
                        name, kind, library->file, function, library->package);
    default:
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s, and %s, which reads it, is not installed: install Debian's %s, or convert the "
                        "image to PNG",
                        name, kind, library->file, library->package);
    }
}
