#include "image/formats/vips_calls.h"

#include "base/base.h"
#include "image/formats/formats.h"
#include "image/formats/late_library.h"

#include <pthread.h>

#define EVERY_LEVEL (-1) /* of messages, and the marks of those that would end the process */

#define NAME(result, name, arguments) #name,
static const char *const names[] = {SEG_VIPS_FUNCTIONS(NAME)};
static const seg_late_library library = {"libvips.so.42", "libvips42", sizeof names / sizeof *names, names};

static pthread_mutex_t vips_lock = PTHREAD_MUTEX_INITIALIZER; /* libvips is started once a process */

static void say_nothing(const char *domain, int level, const char *message, void *user) {
    (void)domain, (void)level, (void)message, (void)user;
}

static int start(const seg_vips_calls *vips) {
    vips->g_log_set_handler("VIPS", EVERY_LEVEL, say_nothing, NULL);
    if (vips->vips_init("segment") != 0)
        return 0;
    vips->vips_cache_set_max(0);
    vips->vips_block_untrusted_set(1);
    for (int i = 0; i < SEG_FORMAT_COUNT; i++)
        if (seg_formats[i].unblock)
            vips->vips_operation_block_set(seg_formats[i].unblock, 0);
    return 1;
}

seg_status seg_vips_load(seg_context *ctx, const char *name, const char *kind, seg_vips_calls *calls) {
    seg_status status = seg_late_load(ctx, &library, name, kind, calls);
    if (status != SEG_OK)
        return status;
    pthread_mutex_lock(&vips_lock);
    if (!calls->g_type_from_name("VipsImage") && !start(calls))
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' is %s, and libvips cannot be started: convert the image to PNG",
                          name, kind);
    pthread_mutex_unlock(&vips_lock);
    return status;
}
