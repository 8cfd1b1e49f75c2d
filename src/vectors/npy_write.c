#include "vectors/npy_write.h"

#include <segment/vectors.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void seg_npy_put_header(seg_writer *writer, char type, int bytes, int dimensions, const size_t *shape) {
    enum { ALIGNMENT = 64, BEFORE = 10 }; /* the numbers begin at a multiple of 64 bytes */
    const uint16_t probe = 1;
    char header[256];
    int length = snprintf(header, sizeof header, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
                          bytes == 1                       ? '|'
                          : *(const unsigned char *)&probe ? '<'
                                                           : '>',
                          type, bytes);
    for (int d = 0; d < dimensions; d++)
        length += snprintf(header + length, sizeof header - (size_t)length, d ? " %zu," : "%zu,", shape[d]);
    length -= dimensions > 1; /* a last comma only where Python needs it */
    length += snprintf(header + length, sizeof header - (size_t)length, "), }");
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
    seg_npy_put_header(&writer, 'f', sizeof *matrix->at, matrix->cols ? 2 : 1, (size_t[]){matrix->rows, matrix->cols});
    seg_writer_put(&writer, matrix->at, matrix->rows * matrix->cols * sizeof *matrix->at);
    return seg_writer_commit(ctx, &writer);
}

seg_status seg_npy_write_floats(seg_context *ctx, const char *path, int dimensions, const size_t *shape,
                                const float *at) {
    seg_writer writer;
    size_t count = 1;
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    for (int d = 0; d < dimensions; d++)
        count *= shape[d];
    seg_npy_put_header(&writer, 'f', sizeof *at, dimensions, shape);
    seg_writer_put(&writer, at, count * sizeof *at);
    return seg_writer_commit(ctx, &writer);
}
