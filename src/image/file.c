#include "base/base.h"
#include "image/formats/decoders.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#define LONGEST_LABEL 300 /* bytes; leaves room in a message for what is wrong */
#define LARGEST_FILE  ((size_t)1 << 30)
#define FIRST_BLOCK   ((size_t)1 << 16) /* bytes, for files of unknown size */

const char *seg_file_label(const char *path, const char *standard) {
    return strcmp(path, "-") == 0 ? standard : path;
}

/* Move *label to the tail of a very long label. @return 1 if it was moved; then write "..." before it */
static int tail_of(const char **label) {
    const size_t length = strlen(*label);
    if (length <= LONGEST_LABEL)
        return 0;
    *label += length - LONGEST_LABEL;
    while ((**label & 0xC0) == 0x80) /* a continuation byte of UTF-8 */
        ++*label;
    return 1;
}

seg_status seg_file_unreadable(seg_context *ctx, const char *label, int error) {
    const int cut = tail_of(&label);
    if (error == EISDIR)
        return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s': it is a folder; name a file in it", label);
    return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s%s': %s; check the name and the permissions", cut ? "..." : "",
                    label, SEG_ERROR_TEXT(error));
}

static seg_status too_large(seg_context *ctx, const char *label) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is larger than 1 GiB; give a smaller file", label);
}

/* Read to the end. `expected` bytes are likely, but a file may grow or shrink meanwhile. */
static seg_status read_all(seg_context *ctx, int descriptor, const char *label, size_t expected, unsigned char **bytes,
                           size_t *size) {
    size_t room = expected, used = 0;
    SEG_FREED unsigned char *block = seg_alloc(ctx, room + 1, 1); /* one more: a text is ended by 0 */
    SEG_TRY(seg_allocated(block));
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
            SEG_TRY(seg_allocated(grown));
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
    const int standard = label != path;
    seg_pages pages;
    SEG_FREED char *stem = !standard && seg_pages_of(path, &pages) ? strndup(path, pages.stem) : NULL;
    const int descriptor = standard ? STDIN_FILENO : open(stem ? stem : path, O_RDONLY | O_CLOEXEC);
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

#define ATTEMPTS 100 /* to find an unused name */

static seg_status cannot_write(seg_context *ctx, const char *path, int error) {
    const char *label = seg_file_label(path, "standard output");
    const int cut = tail_of(&label);
    if (error == ENOMEM)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'; use a smaller picture", label);
    if (error == EISDIR)
        return seg_fail(ctx, SEG_ERR_IO, "cannot write '%s': it is a folder; name a file in it", label);
    return seg_fail(ctx, SEG_ERR_IO,
                    "cannot write '%s%s': %s; check that its folder exists, may be written to and has room left",
                    cut ? "..." : "", label, SEG_ERROR_TEXT(error));
}

static uint64_t unlikely_number(void) {
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number)
        return number;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15ull ^ (uint64_t)now.tv_sec ^ (uint64_t)getpid() << 32;
}

/* 1 where the writer has a stream to the file that was opened; else errno tells why. */
static int open_stream(seg_writer *writer, int descriptor) {
    writer->file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!writer->file && descriptor >= 0) {
        const int error = errno;
        close(descriptor);
        if (writer->temporary)
            unlink(writer->temporary);
        errno = error;
    }
    return writer->file != NULL;
}

/* Make a file of a new name in the target's folder. open() rather than mkstemp(): the kernel then applies the umask,
 * which cannot be asked for without changing it for the whole process. */
static seg_status open_beside(seg_context *ctx, seg_writer *writer) {
    const char *slash = strrchr(writer->target, '/');
    size_t folder = slash ? (size_t)(slash - writer->target) + 1 : 0;
    static const char pattern[] = ".segment-0123456789abcdef.tmp";
    SEG_TRY(seg_allocated(writer->temporary = seg_alloc(ctx, folder + sizeof pattern, 1)));
    memcpy(writer->temporary, writer->target, folder);
    int descriptor = -1;
    for (int attempt = 0; attempt < ATTEMPTS && descriptor < 0; attempt++) {
        snprintf(writer->temporary + folder, sizeof pattern, ".segment-%016llx.tmp",
                 (unsigned long long)unlikely_number());
        descriptor = open(writer->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (open_stream(writer, descriptor))
        return SEG_OK;
    seg_status status = cannot_write(ctx, writer->path, errno);
    free(seg_taken(&writer->temporary)); /* not ours: nothing to remove */
    return status;
}

seg_status seg_writer_open(seg_context *ctx, const char *path, seg_writer *out) {
    struct stat about;
    seg_status status;
    memset(out, 0, sizeof *out);
    out->path = path;
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        return SEG_OK;
    }
    const int exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) {
        status = cannot_write(ctx, path, EISDIR);
    } else if (exists && !S_ISREG(about.st_mode)) {
        const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        status = open_stream(out, descriptor) ? SEG_OK : cannot_write(ctx, path, errno);
    } else {
        /* a rename onto a symbolic link would replace the link */
        out->target = exists ? realpath(path, NULL) : strdup(path);
        status = out->target ? open_beside(ctx, out) : cannot_write(ctx, path, errno);
    }
    SEG_RETURN_OR(status, seg_writer_abandon(out));
}

void seg_writer_put(seg_writer *writer, const void *bytes, size_t size) {
    if (!size || writer->error)
        return;
    errno = 0;
    if (fwrite(bytes, 1, size, writer->file) != size)
        writer->error = errno ? errno : EIO;
}

seg_status seg_writer_commit(seg_context *ctx, seg_writer *writer) {
    int error = writer->error;
    seg_status status = SEG_OK;
    errno = 0;
    if (fflush(writer->file) != 0 && !error)
        error = errno ? errno : EIO;
    if (ferror(writer->file) && !error)
        error = EIO; /* a write by stdio failed earlier; its errno is lost */
    if (writer->file != stdout && fclose(writer->file) != 0 && !error)
        error = errno ? errno : EIO;
    writer->file = NULL;
    if (!error && writer->target && rename(writer->temporary, writer->target) != 0)
        error = errno;
    if (error) {
        status = cannot_write(ctx, writer->path, error);
    } else { /* renamed: nothing to remove any more */
        free(seg_taken(&writer->temporary));
    }
    seg_writer_abandon(writer);
    return status;
}

void seg_writer_abandon(seg_writer *writer) {
    if (writer->file && writer->file != stdout)
        fclose(writer->file);
    if (writer->temporary)
        unlink(writer->temporary);
    SEG_CLEAR(writer, writer->temporary, writer->target);
}

seg_status seg_file_write(seg_context *ctx, const char *path, const void *bytes, size_t size) {
    seg_writer writer;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    seg_writer_put(&writer, bytes, size);
    return seg_writer_commit(ctx, &writer);
}
