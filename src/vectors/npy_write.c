#include "vectors/npy_write.h"

#include <segment/vectors.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void seg_npy_put_header(seg_writer *writer, char type, size_t rows, size_t cols) {
    enum { ALIGNMENT = 64, BEFORE = 10 }; /* the numbers begin at a multiple of 64 bytes */
    const uint16_t probe = 1;
    char shape[64], header[256];
    if (cols)
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, cols);
    else
        snprintf(shape, sizeof shape, "(%zu,)", rows);
    int length = snprintf(header, sizeof header, "{'descr': '%c%c8', 'fortran_order': False, 'shape': %s, }",
                          *(const unsigned char *)&probe ? '<' : '>', type, shape);
    size_t total = (BEFORE + (size_t)length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, padded = total - BEFORE;
    memset(header + length, ' ', padded - (size_t)length);
    header[padded - 1] = '\n';
    const unsigned char start[BEFORE] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(padded & 255), (unsigned char)(padded >> 8)};
    seg_writer_put(writer, start, sizeof start);
    seg_writer_put(writer, header, padded);
}

seg_status seg_npy_write(seg_context *ctx, const char *path, const seg_matrix *matrix) {
    seg_writer writer;
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    seg_npy_put_header(&writer, 'f', matrix->rows, matrix->cols);
    seg_writer_put(&writer, matrix->at, matrix->rows * matrix->cols * sizeof *matrix->at);
    return seg_writer_commit(ctx, &writer);
}
