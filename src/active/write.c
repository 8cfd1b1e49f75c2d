/* Answers as a file of pairs. */
#include "active/selector.h"
#include "base/base.h"
#include "image/file.h"

#include <inttypes.h>
#include <string.h>

static int middle(int patch, int side, int limit) {
    const int from = patch * side, to = from + side < limit ? from + side : limit;
    return (from + to) / 2;
}

static void put_sample(FILE *file, const seg_patch_grid *grid, int32_t sample) {
    if (grid)
        fprintf(file, "%d,%d,", middle(sample % grid->columns, grid->side, grid->width),
                middle(sample / grid->columns, grid->side, grid->height));
    else
        fprintf(file, "%" PRId32 ",", sample);
}

static void put_block(FILE *file, const seg_question *history, size_t count, size_t n, const seg_patch_grid *grid) {
    fprintf(file, "# %s,sign: 1 must link, -1 cannot link, 0 not known\n", grid ? "x1,y1,x2,y2" : "i,j");
    if (grid)
        fprintf(file, "#:photo %d %d %d\n", grid->width, grid->height, grid->side);
    else
        fprintf(file, "#:samples %zu\n", n);
    for (size_t a = 0; a < count; a++) {
        if (history[a].inferred)
            fputs("# follows from the number of clusters:\n", file);
        put_sample(file, grid, history[a].i);
        put_sample(file, grid, history[a].j);
        fprintf(file, "%d\n", (int)history[a].answer);
    }
}

seg_status seg_active_write(seg_context *ctx, const char *path, const char *before, const seg_active *active,
                            const seg_patch_grid *grid) {
    seg_writer writer;
    size_t count, length = before ? strlen(before) : 0;
    const seg_question *history = seg_active_history(active, &count);
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    seg_writer_put(&writer, before, length);
    if (length && before[length - 1] != '\n')
        seg_writer_put(&writer, "\n", 1);
    put_block(writer.file, history, count, active->spec.n, grid);
    return seg_writer_commit(ctx, &writer);
}
