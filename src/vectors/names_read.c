/* The header of a table. */
#include <segment/vectors.h>

#include "base/base.h"
#include "image/file.h"
#include "vectors/load.h"
#include "vectors/npy.h"
#include "vectors/sparse_read.h"
#include "vectors/table.h"

#include <stdlib.h>
#include <string.h>

/* One block: the pointers, then the texts. */
static seg_status copy_names(seg_context *ctx, const seg_field *field, size_t count, seg_names *out) {
    size_t bytes = 0;
    for (size_t c = 0; c < count; c++)
        bytes += field[c].length + 1;
    out->name = seg_alloc(ctx, count * sizeof *out->name + bytes, 1);
    if (!out->name)
        return SEG_ERR_MEMORY;
    out->count = count;
    char *at = (char *)(out->name + count);
    for (size_t c = 0; c < count; c++) {
        out->name[c] = at;
        memcpy(at, field[c].text, field[c].length);
        at[field[c].length] = 0;
        at += field[c].length + 1;
    }
    return SEG_OK;
}

static seg_status read_header(seg_context *ctx, const char *label, const unsigned char *bytes, size_t size,
                              seg_label_column column, seg_names *out) {
    const size_t first = column == SEG_LABELS_FIRST, labels = column != SEG_LABELS_NONE;
    seg_table table;
    int more, header = 0;
    seg_status status = seg_table_open(ctx, label, bytes, size, 1, &table);
    if (status == SEG_OK && (status = seg_table_next(ctx, &table, &more)) == SEG_OK && more && table.fields > labels)
        status = seg_table_is_header(ctx, &table, first, table.fields - labels, &header);
    if (status == SEG_OK && header)
        status = copy_names(ctx, table.field + first, table.fields - labels, out);
    seg_table_close(&table);
    return status;
}

seg_status seg_names_read(seg_context *ctx, const char *path, seg_label_column column, seg_names *out) {
    unsigned char *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    seg_status status = seg_load(ctx, path, &bytes, &size);
    if (status == SEG_OK && !seg_npy_is(bytes, size) && !seg_matrix_market_is(bytes, size))
        status = read_header(ctx, seg_file_label(path, "standard input"), bytes, size, column, out);
    free(bytes);
    return status;
}
