/* A file is a head of 128 bytes and elements: a type, a size, that many bytes, filled up to a multiple of eight. An
 * element of at most four bytes may stand in its own head. An array is an element that holds elements: flags,
 * dimensions, name, then what its class has. */
#include "evaluation/sets/mat_file.h"

#include "base/base.h"
#include "image/raster.h"
#include "vectors/load.h"
#include "vectors/npy.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 128, ENDIAN = 126 };
enum { INT8 = 1, UINT8, INT16, UINT16, INT32, UINT32, SINGLE, DOUBLE = 9, INT64 = 12, UINT64, MATRIX, COMPRESSED };
enum { CLASS_CELL = 1, CLASS_STRUCT = 2, CLASS_DOUBLE = 6, CLASS_UINT64 = 15, COMPLEX = 0x800 };

/* Bytes that are still to be read. */
typedef struct cursor {
    const unsigned char *at;
    size_t left;
    int big;
} cursor;

typedef struct element {
    uint32_t type;
    const unsigned char *at;
    size_t size;
} element;

static uint64_t whole(const unsigned char *at, size_t bytes, int big) {
    uint64_t value = 0;
    for (size_t b = 0; b < bytes; b++)
        value |= (uint64_t)at[big ? bytes - 1 - b : b] << (8 * b);
    return value;
}

/* The next element; 0 at the end, or where it says that it is longer than what is left. */
static int take(cursor *c, element *out) {
    enum { TAG = 8, SMALL = 4 };
    if (c->left < TAG)
        return 0;
    const uint32_t first = (uint32_t)whole(c->at, 4, c->big);
    size_t used;
    if (first >> 16) { /* small: size and type share the first word */
        *out = (element){first & 0xffff, c->at + SMALL, first >> 16};
        if (out->size > SMALL)
            return 0;
        used = TAG;
    } else {
        *out = (element){first, c->at + TAG, (size_t)whole(c->at + 4, 4, c->big)};
        if (out->size > c->left - TAG)
            return 0;
        used = TAG + (out->type == COMPRESSED ? out->size : (out->size + 7) / 8 * 8);
        used = used < c->left ? used : c->left; /* the last may lack what fills it up */
    }
    c->at += used;
    c->left -= used;
    return 1;
}

/* How numbers of a type are stored; 0 bytes: it is not a type of numbers. */
static const struct storage {
    char kind; /* as for seg_decode_number */
    size_t bytes;
} stored[] = {[INT8] = {'i', 1},   [UINT8] = {'u', 1},  [INT16] = {'i', 2},  [UINT16] = {'u', 2}, [INT32] = {'i', 4},
              [UINT32] = {'u', 4}, [SINGLE] = {'f', 4}, [DOUBLE] = {'f', 8}, [INT64] = {'i', 8},  [UINT64] = {'u', 8}};

static size_t size_of(uint32_t type) {
    return type < sizeof stored / sizeof *stored ? stored[type].bytes : 0;
}

/* The array of an element. An empty one, or one of a class that is not read, is SEG_MAT_NONE. */
static int read_array(const element *from, int big, seg_mat_array *out) {
    cursor c = {from->at, from->size, big};
    element flags, dims, name, numbers;
    size_t count;
    memset(out, 0, sizeof *out);
    if (from->type != MATRIX)
        return 0;
    if (from->size == 0)
        return 1;
    if (!take(&c, &flags) || flags.size < 4 || !take(&c, &dims) || dims.type != INT32 || !take(&c, &name))
        return 0;
    const uint32_t flag = (uint32_t)whole(flags.at, 4, big), kind = flag & 0xff;
    if (dims.size == 8) {
        out->rows = (size_t)whole(dims.at, 4, big);
        out->cols = (size_t)whole(dims.at + 4, 4, big);
    }
    *out = (seg_mat_array){.big = big,
                           .rows = out->rows,
                           .cols = out->cols,
                           .name = name.at,
                           .name_size = name.size,
                           .inside = c.at,
                           .inside_size = c.left};
    if (kind == CLASS_CELL)
        out->kind = SEG_MAT_CELL;
    else if (kind == CLASS_STRUCT)
        out->kind = SEG_MAT_STRUCT;
    else if (kind >= CLASS_DOUBLE && kind <= CLASS_UINT64 && !(flag & COMPLEX)) {
        if (!take(&c, &numbers) || !size_of(numbers.type) || !seg_multiply(out->rows, out->cols, &count) ||
            numbers.size / size_of(numbers.type) != count)
            return 0;
        out->kind = SEG_MAT_NUMBERS;
        out->type = (int)numbers.type;
        out->inside = numbers.at;
        out->inside_size = numbers.size;
    }
    return 1;
}

int seg_mat_cell(const seg_mat_array *cells, size_t i, seg_mat_array *out) {
    cursor c = {cells->inside, cells->inside_size, cells->big};
    element one;
    memset(out, 0, sizeof *out);
    do
        if (cells->kind != SEG_MAT_CELL || !take(&c, &one))
            return 0;
    while (i-- > 0);
    return read_array(&one, cells->big, out);
}

int seg_mat_field(const seg_mat_array *of, const char *name, seg_mat_array *out) {
    cursor c = {of->inside, of->inside_size, of->big};
    element length, names, one;
    memset(out, 0, sizeof *out);
    if (of->kind != SEG_MAT_STRUCT || of->rows != 1 || of->cols != 1 || !take(&c, &length) || length.size < 4 ||
        !take(&c, &names))
        return 0;
    const size_t room = (size_t)whole(length.at, 4, of->big);
    if (room == 0)
        return 0;
    for (size_t f = 0; f < names.size / room; f++) {
        const char *field = (const char *)names.at + f * room;
        if (!take(&c, &one))
            return 0;
        if (strnlen(field, room) == strlen(name) && memcmp(field, name, strlen(name)) == 0)
            return read_array(&one, of->big, out);
    }
    return 0;
}

double seg_mat_value(const seg_mat_array *numbers, size_t i) {
    const struct storage as = stored[numbers->type];
    return seg_decode_number(numbers->inside + i * as.bytes, as.kind, as.bytes, numbers->big);
}

static int is_called(const seg_mat_array *array, const char *name) {
    return array->name_size == strlen(name) && memcmp(array->name, name, array->name_size) == 0;
}

/* The array of that name among the file's elements, packed or not. */
static seg_status find(seg_context *ctx, const char *path, cursor c, const char *name, seg_mat_file *out) {
    for (element one; take(&c, &one);) {
        if (one.type == COMPRESSED) {
            seg_loaded content;
            free(out->unpacked);
            const seg_status status = seg_unpack(ctx, path, one.at, one.size, &content);
            out->unpacked = content.at;
            if (status != SEG_OK)
                return status;
            cursor inside = {content.at, content.size, c.big};
            if (!take(&inside, &one))
                break;
        }
        if (one.type == MATRIX && read_array(&one, c.big, &out->array) && is_called(&out->array, name))
            return SEG_OK;
    }
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' contains no readable array %s; use an undamaged MATLAB file of level 5",
                    path, name);
}

seg_status seg_mat_open(seg_context *ctx, const char *path, const char *name, seg_mat_file *out) {
    size_t size;
    memset(out, 0, sizeof *out);
    seg_status status = seg_file_read(ctx, path, &out->bytes, &size);
    if (status != SEG_OK)
        return status;
    const char *mark = size >= HEAD ? (const char *)out->bytes + ENDIAN : "";
    if (strncmp(mark, "IM", 2) != 0 && strncmp(mark, "MI", 2) != 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not a MATLAB file of level 5; save it with -v6 or -v7", path);
    else
        status = find(ctx, path, (cursor){out->bytes + HEAD, size - HEAD, *mark == 'M'}, name, out);
    if (status != SEG_OK)
        seg_mat_close(out);
    return status;
}

void seg_mat_close(seg_mat_file *file) {
    free(file->bytes);
    free(file->unpacked);
    memset(file, 0, sizeof *file);
}
