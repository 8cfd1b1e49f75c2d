#include "vectors/npy.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD = 1 << 17, /* a header of version 1 fits in; one that does not is for the other reader */
    BLOCK = 1 << 20 /* bytes; a multiple of every number's size */
};

/* As many as there are up to `size`; -1 where they cannot be read. */
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

/* The bytes before the numbers; 0 where the head does not hold them all. */
static int holds_header(const unsigned char *head, size_t size) {
    if (size < 12 || !seg_npy_is(head, size))
        return 0;
    size_t length = (size_t)head[8] | (size_t)head[9] << 8;
    if (head[6] > 1)
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    return length + 12 <= size;
}

static seg_status read_numbers(seg_context *ctx, const char *path, int file, unsigned char *block,
                               const seg_npy_layout *l, seg_matrix *out) {
    const size_t count = l->rows * l->cols;
    seg_status status = SEG_OK;
    for (size_t done = 0; done < count && status == SEG_OK;) {
        const size_t left = (count - done) * l->size, wanted = left < BLOCK ? left : BLOCK;
        const ssize_t got = read_some(file, block, wanted);
        if (got < 0)
            return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s' to its end; check the disk", path);
        if ((size_t)got < wanted)
            return seg_fail(ctx, SEG_ERR_INPUT, "'%s' became shorter while it was read; read it when it is written",
                            path);
        status = seg_npy_numbers(ctx, path, block, l, done, wanted / l->size, out->at + done);
        done += wanted / l->size;
        status = status == SEG_OK ? seg_poll(ctx) : status;
    }
    return status;
}

seg_status seg_npy_read_blocks(seg_context *ctx, const char *path, seg_matrix *out, int *whole) {
    struct stat about;
    seg_npy_layout l;
    size_t data;
    seg_status status = SEG_OK;
    *whole = 0;
    memset(out, 0, sizeof *out);
    /* Without waiting: a pipe nobody writes into is the other reader's. */
    const int file = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char *block = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > HEAD
                               ? seg_alloc(ctx, BLOCK, 1)
                               : NULL;
    const ssize_t head = block ? read_some(file, block, HEAD) : 0;
    if (head != HEAD || !holds_header(block, HEAD))
        goto done;
    status = seg_npy_open(ctx, path, block, (size_t)about.st_size, &l, &data);
    if (status != SEG_OK) {
        *whole = 1;
    } else if (!l.fortran && lseek(file, (off_t)data, SEEK_SET) == (off_t)data) {
        *whole = 1;
        status = seg_matrix_create(ctx, l.rows, l.cols, out);
        if (status == SEG_OK)
            status = read_numbers(ctx, path, file, block, &l, out);
        if (status != SEG_OK)
            seg_matrix_free(out);
    }
done:
    free(block);
    if (file >= 0)
        close(file);
    return status;
}
