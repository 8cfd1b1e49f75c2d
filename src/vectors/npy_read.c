/* The header is a Python dictionary written as text:
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (150, 4), }
 * These three keys are read, each once, in any order. */
#include "vectors/npy.h"

#include "base/base.h"
#include "vectors/table.h"

#include <fcntl.h>
#include <sys/stat.h>

#define BLANKS " \t\n"
enum { MACHINE_IS_BIG = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

int seg_npy_is(const unsigned char *bytes, size_t size) {
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static seg_status damaged(seg_context *ctx, const char *label, const char *why) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not an NPY file that can be read: %s; save it again with numpy.save",
                    label, why);
}

/* What follows a key of the header, which is between quotes, and its colon; NULL: it is not there once. */
static const char *value_of(const char *header, const char *key) {
    const char *at = strstr(header, key), *colon = at ? at + strlen(key) : NULL;
    if (!at || at == header || !strchr("'\"", at[-1]) || !*colon || !strchr("'\"", *colon) || strstr(colon, key))
        return NULL;
    colon += 1 + strspn(colon + 1, BLANKS);
    return *colon == ':' ? colon + 1 + strspn(colon + 1, BLANKS) : NULL;
}

/* "(150, 4)" */
static int read_shape(const char *text, seg_npy_layout *out) {
    size_t extent[8] = {1, 1, 1, 1};
    if (!text || *text != '(')
        return 0;
    for (text++; *text != ')'; out->dimensions++) {
        char *end;
        if (*text < '0' || *text > '9' || out->dimensions > 7)
            return 0;
        errno = 0;
        extent[out->dimensions] = strtoull(text, &end, 10);
        text = end + strspn(end, BLANKS);
        text += *text == ',';
        text += strspn(text, BLANKS);
        if (errno)
            return 0;
    }
    const size_t *rows = extent + (out->dimensions == 4);
    out->slices = rows > extent ? extent[0] : 1;
    out->cols = rows[1];
    out->planes = rows[2];
    return seg_multiply(rows[0], out->slices, &out->rows);
}

/* '<f8', '|u1', ... NumPy never writes '=', which means native byte order. */
static int understand_type(const char *descr, seg_npy_layout *out) {
    if (strlen(descr) != 3 || !strchr("<>|=", descr[0]) || !strchr("fiub", descr[1]) || !strchr("1248", descr[2]))
        return 0;
    out->big = descr[0] == '>' || (descr[0] != '<' && MACHINE_IS_BIG);
    out->kind = descr[1];
    out->size = (size_t)(descr[2] - '0');
    return out->kind == 'b' ? out->size == 1 : out->kind != 'f' || out->size >= 4;
}

static seg_status read_header(seg_context *ctx, const char *label, const char *header, int most, seg_npy_layout *out) {
    const char *type = value_of(header, "descr"), *order = value_of(header, "fortran_order");
    char descr[24] = "";
    out->fortran = order && strncmp(order, "True", 4) == 0;
    if (!type || sscanf(type, "%*['\"]%23[^'\"]", descr) != 1 || !read_shape(value_of(header, "shape"), out) ||
        !(out->fortran || (order && strncmp(order, "False", 5) == 0)) || !strchr(header, '}'))
        return damaged(ctx, label, "its header lacks descr, fortran_order or shape, once each, or is damaged");
    if (!understand_type(descr, out))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' contains numbers of the type '%s'; save float32, float64 or whole numbers", label, descr);
    if (out->dimensions < 1 || out->dimensions > most)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is an array of %d dimensions, but at most %d can be used here: samples x features, or "
                        "height x width%s",
                        label, out->dimensions, most, most > 2 ? " x channels" : "");
    if (out->rows == 0 || out->cols == 0 || out->planes == 0 || !seg_multiply(out->cols, out->planes, &out->cols))
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is an empty array of %zu x %zu numbers", label, out->rows, out->cols);
    return SEG_OK;
}

static double decode(const unsigned char *bytes, const seg_npy_layout *l) {
    const size_t size = l->size;
    uint64_t bits = 0;
    for (size_t b = 0; b < size; b++)
        bits |= (uint64_t)bytes[l->big ? size - 1 - b : b] << (8 * b);
    if (l->kind == 'f' && size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (l->kind == 'f') {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (l->kind != 'i')
        return (double)bits;
    /* Two's complement: the sign bit has negative weight. */
    const uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return bits & sign ? -(double)((~bits & (sign - 1)) + 1) : (double)bits;
}

/* Decode one number; row and column are for the message. */
static seg_status read_number(seg_context *ctx, const seg_npy_layout *l, const unsigned char *bytes, size_t row,
                              size_t column, double *out) {
    *out = decode(bytes, l);
    if (fabs(*out) <= SEG_LARGEST_NUMBER)
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s': row %zu, column %zu (from 0) %s", l->label, row, column,
                    seg_number_fault(isnan(*out) ? SEG_NUMBER_MISSING : SEG_NUMBER_LARGE));
}

static int is_machines(const seg_npy_layout *l) {
    return l->kind == 'f' && l->big == MACHINE_IS_BIG;
}

/* Decode floating-point numbers in native byte order all at once, with the same result as one by one. 0 if they are of
 * another type or one is refused; `out` is then undefined. */
static int take_floats(const unsigned char *bytes, const seg_npy_layout *l, size_t count, double *out) {
    int good = 1;
    if (!is_machines(l))
        return 0;
    if (l->size == sizeof(double))
        memcpy(out, bytes, count * sizeof *out);
    for (size_t e = 0; l->size == sizeof(float) && e < count; e++) {
        float value;
        memcpy(&value, bytes + e * sizeof value, sizeof value);
        out[e] = (double)value;
    }
    for (size_t e = 0; e < count; e++)
        good &= fabs(out[e]) <= SEG_LARGEST_NUMBER;
    return good;
}

/* Decode `count` numbers at `bytes` from a row-major array; `first` is the index of the first one, for messages.
 * SEG_OK, SEG_ERR_INPUT (not finite, or too large). */
static seg_status seg_npy_numbers(seg_context *ctx, const seg_npy_layout *l, const unsigned char *bytes, size_t first,
                                  size_t count, double *out) {
    if (take_floats(bytes, l, count, out))
        return SEG_OK;
    for (size_t e = 0; e < count; e++)
        SEG_TRY(read_number(ctx, l, bytes + e * l->size, (first + e) / l->cols, (first + e) % l->cols, &out[e]));
    return SEG_OK;
}

seg_status seg_npy_open(seg_context *ctx, const seg_loaded *file, int most, seg_npy_layout *out) {
    const char *label = file->label;
    const unsigned char *bytes = file->at;
    const size_t size = file->size;
    seg_npy_layout l = {.label = label};
    /* Magic, major and minor version, then the header's length: 2 bytes in version 1, 4 in versions 2 and 3. */
    if (size < 12)
        return damaged(ctx, label, "it is truncated");
    int major = bytes[6];
    if (major < 1 || major > 3)
        return damaged(ctx, label, "its version is unknown");
    size_t begin = major == 1 ? 10 : 12, length = (size_t)bytes[8] | (size_t)bytes[9] << 8, entries, needed;
    if (major > 1)
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > size - begin)
        return damaged(ctx, label, "it is truncated");
    SEG_FREED char *header = strndup((const char *)bytes + begin, length);
    SEG_TRY(header ? read_header(ctx, label, header, most, &l) : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory"));
    if (!seg_multiply(l.rows, l.cols, &entries) || !seg_multiply(entries, l.size, &needed) ||
        needed > size - begin - length)
        return damaged(ctx, label, "it contains fewer numbers than its header states");
    if (needed < size - begin - length)
        return damaged(ctx, label, "it contains more than its header states");
    l.data = begin + length;
    *out = l;
    return SEG_OK;
}

seg_status seg_npy_number(seg_context *ctx, const seg_npy_layout *layout, const unsigned char *file, const size_t at[3],
                          double *out) {
    const size_t planes = layout->planes, cols = layout->cols / planes;
    const size_t i =
        layout->fortran ? (at[2] * cols + at[1]) * layout->rows + at[0] : (at[0] * cols + at[1]) * planes + at[2];
    return read_number(ctx, layout, file + layout->data + i * layout->size, at[0], at[1], out);
}

seg_status seg_npy_decode_planes(seg_context *ctx, const seg_loaded *file, int most, seg_matrix *out,
                                 seg_npy_layout *layout) {
    const unsigned char *bytes = file->at;
    seg_npy_layout l;
    memset(out, 0, sizeof *out);
    SEG_RELEASED(seg_matrix_free) seg_matrix made = {0};
    SEG_TRY(seg_npy_open(ctx, file, most, &l));
    if (l.fortran && l.planes > 1)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is in Fortran order; save numpy.ascontiguousarray of it",
                        file->label);
    SEG_TRY(seg_matrix_create(ctx, l.rows, l.cols, &made));
    if (!l.fortran)
        SEG_TRY(seg_npy_numbers(ctx, &l, bytes + l.data, 0, l.rows * l.cols, made.at));
    for (size_t e = 0; l.fortran && e < l.rows * l.cols; e++) {
        const size_t i = e / l.cols, j = e % l.cols;
        SEG_TRY(read_number(ctx, &l, bytes + l.data + (j * l.rows + i) * l.size, i, j, &made.at[e]));
    }
    *layout = l;
    return SEG_HANDED_OVER(out, made);
}

seg_status seg_npy_decode(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                          seg_matrix *out) {
    seg_npy_layout unused;
    return seg_npy_decode_planes(ctx, &(seg_loaded){label, (unsigned char *)(uintptr_t)bytes, size}, 2, out, &unused);
}

/* --- Block by block. --- */

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
    SEG_TRY(seg_allocated(s->block || !large));
    const ssize_t head = s->block ? read_some(s->file, s->block, HEAD) : 0;
    if (head != HEAD || !holds_header(s->block, HEAD))
        return SEG_OK;
    const seg_status status = seg_npy_open(s->ctx, &(seg_loaded){s->path, s->block, (size_t)about.st_size}, 2, &s->l);
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
    if (stored && is_machines(&s.l) && s.l.size == sizeof(float)) {
        made = (seg_matrix){.rows = s.l.rows, .cols = s.l.cols};
        if (!(made.single = seg_alloc(ctx, s.l.rows, s.l.cols * sizeof *made.single)))
            return SEG_ERR_MEMORY;
    } else {
        SEG_TRY(seg_matrix_create(ctx, s.l.rows, s.l.cols, &made));
    }
    SEG_TRY(read_numbers(&s, &made));
    return SEG_HANDED_OVER(out, made);
}
