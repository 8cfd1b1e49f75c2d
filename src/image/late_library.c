#include "image/late_library.h"

#include "base/base.h"
#include "image/decoders.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

seg_status seg_late_load(seg_context *ctx, const seg_late_library *library, const char *name, const char *kind,
                         void *calls) {
    unsigned char *to = calls;
    errno = 0;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle && errno == ENOMEM)
        return seg_no_memory_to_read(ctx, name);
    if (!handle)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is %s, and %s, which reads it, is not installed: install Debian's %s, or convert the "
                        "image to PNG",
                        name, kind, library->file, library->package);
    for (int i = 0; i < library->count; i++) {
        void *found = dlsym(handle, library->names[i]);
        if (!found) {
            dlclose(handle);
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "'%s' is %s, and the %s of this machine has no %s: install another version of Debian's "
                            "%s, or convert the image to PNG",
                            name, kind, library->file, library->names[i], library->package);
        }
        memcpy(to + (size_t)i * sizeof found, &found, sizeof found);
    }
    dlclose(handle); /* it stays: what is counted is only who asked for it */
    return SEG_OK;
}
