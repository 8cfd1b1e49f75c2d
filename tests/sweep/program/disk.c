#include "disk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct counts { atomic_size_t all, failed; } * counts;
static size_t first_failure;
static int fail_all, armed;

void share_disk(void) {
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        abort();
}

void fail_disk(size_t first, int all) {
    first_failure = first;
    fail_all = all;
    counts->all = counts->failed = 0;
}

void arm_disk(void) {
    armed = 1;
}

size_t failed_disk(void) {
    return counts->failed;
}

static int must_fail(void) {
    if (!armed)
        return 0;
    const size_t number = atomic_fetch_add(&counts->all, 1) + 1;
    if (number != first_failure && !(fail_all && number > first_failure))
        return 0;
    atomic_fetch_add(&counts->failed, 1);
    return 1;
}

static int no_room(void) {
    errno = ENOSPC;
    return -1;
}

/* What the C library (or the sanitizer before it) has under that name. */
#define NEXT(name)                                                                                                     \
    static __typeof__(name) *next;                                                                                     \
    if (!next)                                                                                                         \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

/* Standard error is not a disk. */
static int is_watched(FILE *file) {
    return file != stderr;
}

#pragma GCC visibility push(default)

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    NEXT(fwrite);
    if (size && count && is_watched(file) && must_fail()) {
        file->_flags |= 0x20; /* what ferror looks at */
        errno = ENOSPC;
        return 0;
    }
    return next(bytes, size, count, file);
}

int fflush(FILE *file) {
    NEXT(fflush);
    const int failed = file && is_watched(file) && must_fail();
    if (failed)
        file->_flags |= 0x20;
    const int got = next(file);
    return failed ? no_room() : got;
}

int fclose(FILE *file) {
    NEXT(fclose);
    const int failed = is_watched(file) && must_fail();
    const int got = next(file);
    return failed ? no_room() : got;
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    return must_fail() ? no_room() : next(from, to);
}

int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    return must_fail() ? no_room() : next(path, mode);
}

int fsync(int descriptor) {
    NEXT(fsync);
    const int failed = must_fail(), got = next(descriptor);
    return failed ? no_room() : got;
}

int ftruncate(int descriptor, off_t size) {
    NEXT(ftruncate);
    return must_fail() ? no_room() : next(descriptor, size);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    NEXT(write);
    return must_fail() ? no_room() : next(descriptor, bytes, size);
}

int open(const char *path, int flags, ...) {
    NEXT(open);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return flags & O_CREAT && must_fail() ? no_room() : next(path, flags, mode);
}

#pragma GCC visibility pop
