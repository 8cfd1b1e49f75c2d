#include "image/file.h"

#include "base/base.h"
#include "image/raster.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_LABEL 300 /* bytes; leaves room in a message for what is wrong */
#define LARGEST_FILE  ((size_t)1 << 30)
#define FIRST_BLOCK   ((size_t)1 << 16) /* bytes, for files of unknown size */

const char *seg_file_label(const char *path, const char *standard) {
    return strcmp(path, "-") == 0 ? standard : path;
}

int seg_file_tail(const char **label) {
    const size_t length = strlen(*label);
    if (length <= LONGEST_LABEL)
        return 0;
    *label += length - LONGEST_LABEL;
    while ((**label & 0xC0) == 0x80) /* a continuation byte of UTF-8 */
        ++*label;
    return 1;
}

seg_status seg_file_unreadable(seg_context *ctx, const char *label, int error) {
    char text[128];
    const int cut = seg_file_tail(&label);
    if (error == EISDIR)
        return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s': it is a folder; name a file in it", label);
    return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s%s': %s; check the name and the permissions", cut ? "..." : "",
                    label, strerror_r(error, text, sizeof text));
}

static seg_status too_large(seg_context *ctx, const char *label) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is larger than 1 GiB; give a smaller file", label);
}

/* Read to the end. `expected` bytes are likely, but a file may grow or shrink meanwhile. */
static seg_status read_all(seg_context *ctx, int descriptor, const char *label, size_t expected, unsigned char **bytes,
                           size_t *size) {
    size_t room = expected, used = 0;
    SEG_FREED unsigned char *block = seg_alloc(ctx, room + 1, 1); /* one more: a text is ended by 0 */
    if (!block)
        return SEG_ERR_MEMORY;
    for (;;) {
        ssize_t got =
            read(descriptor, block + used, room - used + 1); /* one more byte tells whether the file continues */
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return seg_file_unreadable(ctx, label, errno);
        if (got == 0)
            break;
        used += (size_t)got;
        if (used > LARGEST_FILE)
            return too_large(ctx, label);
        if (used > room) {
            room = room < FIRST_BLOCK ? FIRST_BLOCK : 2 * room < LARGEST_FILE ? 2 * room : LARGEST_FILE;
            unsigned char *grown = seg_realloc(ctx, block, room + 1, 1);
            if (!grown)
                return SEG_ERR_MEMORY;
            block = grown;
        }
    }
    if (used == 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is empty; give a file with content", label);
    block[used] = 0;
    *bytes = seg_taken(&block);
    *size = used;
    return SEG_OK;
}

seg_status seg_file_read(seg_context *ctx, const char *path, unsigned char **bytes, size_t *size) {
    const char *label = seg_file_label(path, "standard input");
    const int standard = label != path, descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    seg_status status;
    *bytes = NULL;
    *size = 0;
    if (descriptor < 0 || fstat(descriptor, &about) != 0)
        status = seg_file_unreadable(ctx, label, errno);
    else if (!S_ISREG(about.st_mode) || about.st_size <= 0)
        status = read_all(ctx, descriptor, label, FIRST_BLOCK, bytes, size);
    else if ((uintmax_t)about.st_size > LARGEST_FILE)
        status = too_large(ctx, label);
    else
        status = read_all(ctx, descriptor, label, (size_t)about.st_size, bytes, size);
    if (!standard && descriptor >= 0)
        close(descriptor);
    return status;
}
