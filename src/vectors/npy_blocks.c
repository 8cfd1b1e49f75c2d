#include "vectors/npy.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD = 1 << 17, /* bytes; a version 1 header fits. seg_npy_decode reads files with longer headers */
    BLOCK = 1 << 20 /* bytes; a multiple of every number's size */
};

/* Read `size` bytes, or fewer if the file ends before; -1 if reading fails. */
static ssize_t read_some(int file, unsigned char *to, size_t size) {
    size_t used = 0;
    while (used < size) {
        const ssize_t got = read(file, to + used, size - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? -1 : (ssize_t)used;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

/* 1 if the head of the file contains the whole NPY header. */
static int holds_header(const unsigned char *head, size_t size) {
    if (size < 12 || !seg_npy_is(head, size))
        return 0;
    size_t length = (size_t)head[8] | (size_t)head[9] << 8;
    if (head[6] > 1)
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    return length + 12 <= size;
}

/* A file that is read block by block. */
typedef struct source {
    seg_context *ctx;
    const char *path;
    int file;             /* -1 if it is not open */
    unsigned char *block; /* NULL if it cannot be read in blocks */
    seg_npy_layout l;
} source;

/* Read `size` bytes, which the file has according to its header. */
static seg_status read_block(const source *s, void *to, size_t size) {
    const ssize_t got = read_some(s->file, to, size);
    if (got < 0)
        return seg_fail(s->ctx, SEG_ERR_IO, "cannot read '%s' to its end; check the disk", s->path);
    if ((size_t)got < size)
        return seg_fail(s->ctx, SEG_ERR_INPUT, "'%s' became shorter while it was read; wait until it is written",
                        s->path);
    return SEG_OK;
}

/* Read the numbers, block by block. float32 that is kept is read in place and checked as doubles in the block. */
static seg_status read_numbers(const source *s, const seg_matrix *out) {
    float *floats = out->single;
    const size_t count = s->l.rows * s->l.cols, most = (floats ? BLOCK / 2 : BLOCK) / s->l.size;
    for (size_t done = 0, numbers; done < count; done += numbers) {
        numbers = count - done < most ? count - done : most;
        unsigned char *to = floats ? (unsigned char *)(floats + done) : s->block;
        SEG_TRY(read_block(s, to, numbers * s->l.size));
        SEG_TRY(
            seg_npy_numbers(s->ctx, &s->l, to, done, numbers, floats ? (double *)(void *)s->block : out->at + done));
        SEG_TRY(seg_poll(s->ctx));
    }
    return SEG_OK;
}

/* Read the header and seek to the numbers. *whole is 0 if the file cannot be read in blocks. */
static seg_status open_source(source *s, int *whole) {
    struct stat about;
    *whole = 0;
    /* Non-blocking: opening a pipe that has no writer must not wait here, since pipes are not read in blocks. */
    s->file = strcmp(s->path, "-") == 0 ? -1 : open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int large = s->file >= 0 && fstat(s->file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > HEAD;
    s->block = large ? seg_alloc(s->ctx, BLOCK, 1) : NULL;
    if (large && !s->block)
        return SEG_ERR_MEMORY;
    const ssize_t head = s->block ? read_some(s->file, s->block, HEAD) : 0;
    if (head != HEAD || !holds_header(s->block, HEAD))
        return SEG_OK;
    const seg_loaded head_only = {s->path, s->block, (size_t)about.st_size};
    const seg_status status = seg_npy_open(s->ctx, &head_only, &s->l);
    *whole = status != SEG_OK || (!s->l.fortran && lseek(s->file, (off_t)s->l.data, SEEK_SET) == (off_t)s->l.data);
    return status;
}

static void close_source(source *s) {
    free(s->block);
    if (s->file >= 0)
        close(s->file);
}

seg_status seg_npy_read_blocks(seg_context *ctx, const char *path, int stored, seg_matrix *out, int *whole) {
    SEG_RELEASED(close_source) source s = {.ctx = ctx, .path = path};
    SEG_RELEASED(seg_matrix_free) seg_matrix made = {0};
    memset(out, 0, sizeof *out);
    SEG_TRY(open_source(&s, whole));
    if (!*whole)
        return SEG_OK;
    if (stored && seg_npy_is_float(&s.l)) {
        made = (seg_matrix){.rows = s.l.rows, .cols = s.l.cols};
        if (!(made.single = seg_alloc(ctx, s.l.rows, s.l.cols * sizeof *made.single)))
            return SEG_ERR_MEMORY;
    } else {
        SEG_TRY(seg_matrix_create(ctx, s.l.rows, s.l.cols, &made));
    }
    SEG_TRY(read_numbers(&s, &made));
    *out = made;
    made = (seg_matrix){0};
    return SEG_OK;
}
