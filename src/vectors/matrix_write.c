/* Matrices for other programs: CSV or NPY, by the file's name. */
#include "vectors/npy_write.h"
#include "vectors/rows_write.h"

#include "base/base.h"

#include <segment/vectors.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int is_npy(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".npy") == 0;
}

static void put_text_row(seg_writer *writer, const double *row, size_t cols) {
    for (size_t c = 0; c < cols; c++)
        fprintf(writer->file, "%s%.17g", c ? "," : "", row[c]);
    fputc('\n', writer->file);
}

seg_status seg_rows_write(seg_context *ctx, const char *path, const char *head, size_t rows, size_t cols, seg_row_of of,
                          const void *user) {
    const int npy = is_npy(path);
    double *row = seg_alloc(ctx, cols, sizeof *row);
    /* "C": the point is the decimal sign whatever the program's locale */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    seg_writer writer = {0};
    seg_status status = row && plain ? SEG_OK : SEG_ERR_MEMORY;
    if (row && !plain)
        status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory: no locale for writing '%s'", path);
    if (!status)
        status = seg_writer_open(ctx, path, &writer);
    if (status)
        goto done;
    const locale_t before = uselocale(plain);
    if (npy)
        seg_npy_put_header(&writer, 'f', sizeof *row, 2, (size_t[]){rows, cols});
    else if (head)
        fputs(head, writer.file);
    for (size_t i = 0; i < rows && !status; i++) {
        of(user, i, row);
        if (npy)
            seg_writer_put(&writer, row, cols * sizeof *row);
        else
            put_text_row(&writer, row, cols);
        status = i % 64 == 0 ? seg_poll(ctx) : SEG_OK;
    }
    uselocale(before);
    if (status)
        seg_writer_abandon(&writer);
    else
        status = seg_writer_commit(ctx, &writer);
done:
    if (plain)
        freelocale(plain);
    free(row);
    return status;
}

static void copy_row(const void *user, size_t i, double *row) {
    const seg_matrix *matrix = user;
    memcpy(row, matrix->at + i * matrix->cols, matrix->cols * sizeof *row);
}

static void products_row(const void *user, size_t i, double *row) {
    const seg_matrix *Z = user;
    for (size_t j = 0; j < Z->rows; j++) {
        row[j] = 0;
        for (size_t c = 0; c < Z->cols; c++)
            row[j] += Z->at[i * Z->cols + c] * Z->at[j * Z->cols + c];
    }
}

seg_status seg_matrix_write(seg_context *ctx, const char *path, const seg_matrix *matrix, int squared) {
    return squared ? seg_rows_write(ctx, path, NULL, matrix->rows, matrix->rows, products_row, matrix)
                   : seg_rows_write(ctx, path, NULL, matrix->rows, matrix->cols, copy_row, matrix);
}
