#include "masks/pixel_scribbles.h"

#include "base/bytes.h"

static int is_wanted(int mark, int column) {
    return mark >= 0 && (column < 0 || mark == column);
}

int seg_scribbles_in_row(const seg_pixel_scribbles *scribbles, int width, int y, int from, int to, int column) {
    const size_t row = (size_t)y * (size_t)width, end = row + (size_t)to;
    const seg_label_rows *rows = scribbles->rows;
    for (size_t i = rows ? seg_label_rows_at(rows, from, y) : 0; rows && from < to; i++) {
        if (is_wanted(scribbles->column[rows->run[i].label], column))
            return 1;
        from = rows->run[i].to;
    }
    for (size_t p = row + (size_t)from; scribbles->label && (p = seg_next_marked(scribbles->label, p, end)) < end;
         p = seg_run_end(scribbles->label, p, end))
        if (is_wanted(seg_mark_at(scribbles, p), column))
            return 1;
    return 0;
}
