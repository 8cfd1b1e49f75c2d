#include "vectors/vectors_write.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <segment/vectors.h>

#include <inttypes.h>
#include <locale.h>

void seg_npy_put_header(seg_writer *writer, char type, int bytes, int dimensions, const size_t *shape) {
    enum { ALIGNMENT = 64, BEFORE = 10 }; /* the numbers begin at a multiple of 64 bytes */
    char header[256];
    int length = snprintf(header, sizeof header, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
                          bytes == 1                               ? '|'
                          : __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>'
                                                                   : '<',
                          type, bytes);
    for (int d = 0; d < dimensions; d++)
        length += snprintf(header + length, sizeof header - (size_t)length, d ? " %zu," : "%zu,", shape[d]);
    length -= dimensions > 1; /* Python needs a trailing comma for one dimension only */
    length += snprintf(header + length, sizeof header - (size_t)length, "), }");
    size_t total = (BEFORE + (size_t)length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, padded = total - BEFORE;
    memset(header + length, ' ', padded - (size_t)length);
    header[padded - 1] = '\n';
    const unsigned char start[BEFORE] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(padded & 255), (unsigned char)(padded >> 8)};
    seg_writer_put(writer, start, sizeof start);
    seg_writer_put(writer, header, padded);
}

seg_status seg_npy_write_floats(seg_context *ctx, const char *path, int dimensions, const size_t *shape,
                                const float *at) {
    seg_writer writer;
    size_t count = 1;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    for (int d = 0; d < dimensions; d++)
        count *= shape[d];
    seg_npy_put_header(&writer, 'f', sizeof *at, dimensions, shape);
    seg_writer_put(&writer, at, count * sizeof *at);
    return seg_writer_commit(ctx, &writer);
}

static void put_text_row(seg_writer *writer, const double *row, size_t cols) {
    for (size_t c = 0; c < cols; c++)
        fprintf(writer->file, "%s%.17g", c ? "," : "", row[c]);
    fputc('\n', writer->file);
}

seg_status seg_rows_write(seg_context *ctx, const char *path, const seg_rows *rows) {
    const int npy = seg_ends_in(path, ".npy");
    const size_t cols = rows->cols;
    SEG_RELEASED(seg_writer_abandon) seg_writer writer = {0};
    seg_status status = SEG_OK;
    SEG_LOCAL(double, row, seg_alloc(ctx, cols, sizeof *row));
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    /* "C" locale: the decimal separator is a point, whatever the program's locale */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : plain;
    if (!plain)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory: no locale for writing '%s'", path);
    if (npy)
        seg_npy_put_header(&writer, 'f', sizeof *row, 2, (size_t[]){rows->rows, cols});
    else if (rows->head)
        fputs(rows->head, writer.file);
    for (size_t i = 0; i < rows->rows && !status; i++) {
        rows->of(rows->user, i, row);
        if (npy)
            seg_writer_put(&writer, row, cols * sizeof *row);
        else
            put_text_row(&writer, row, cols);
        status = i % 64 == 0 ? seg_poll(ctx) : SEG_OK;
    }
    uselocale(before);
    freelocale(plain);
    return status ? status : seg_writer_commit(ctx, &writer);
}

static void copy_row(const void *user, size_t i, double *row) {
    const seg_matrix *matrix = user;
    memcpy(row, matrix->at + i * matrix->cols, matrix->cols * sizeof *row);
}

static void products_row(const void *user, size_t i, double *row) {
    const seg_matrix *Z = user;
    for (size_t j = 0; j < Z->rows; j++)
        row[j] = seg_dot(Z->cols, Z->at + i * Z->cols, Z->at + j * Z->cols);
}

seg_status seg_matrix_write(seg_context *ctx, const char *path, const seg_matrix *matrix, int squared) {
    return seg_rows_write(ctx, path,
                          &(seg_rows){.rows = matrix->rows,
                                      .cols = squared ? matrix->rows : matrix->cols,
                                      .of = squared ? products_row : copy_row,
                                      .user = matrix});
}

seg_status seg_labels_write(seg_context *ctx, const char *path, const int32_t *label, size_t n) {
    seg_writer writer;
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    if (seg_ends_in(path, ".npy")) {
        seg_npy_put_header(&writer, 'i', 8, 1, &n);
        for (size_t i = 0; i < n; i++) {
            int64_t wide = label[i];
            seg_writer_put(&writer, &wide, sizeof wide);
        }
    } else if (seg_ends_in(path, ".csv")) {
        fputs("sample,label\n", writer.file);
        for (size_t i = 0; i < n; i++)
            fprintf(writer.file, "%zu,%" PRId32 "\n", i, label[i]);
    } else {
        for (size_t i = 0; i < n; i++)
            fprintf(writer.file, "%" PRId32 "\n", label[i]);
    }
    return seg_writer_commit(ctx, &writer);
}
