/* Where a stroke would help a model: the ambiguous regions of all images it learned from, the largest first. */
#include <segment/model.h>

#include "base/base.h"
#include "model/series.h"
#include "pipeline/ambiguous.h"

#include <stdlib.h>
#include <string.h>

/* Put it in its place. @return how many there are then */
static int enter(seg_model_suggestion one, seg_model_suggestion *out, int most, int count) {
    int at = count;
    while (at > 0 && out[at - 1].region.share < one.region.share)
        at--;
    if (at == most)
        return count;
    count += count < most;
    memmove(out + at + 1, out + at, (size_t)(count - at - 1) * sizeof *out);
    out[at] = one;
    return count;
}

static seg_status look_at(seg_context *ctx, const seg_model *model, const seg_series_image *image, seg_result *found) {
    const size_t n = image->score.rows;
    seg_constraints marked = {.n = n, .groups = 1};
    uint8_t *covered = seg_alloc_zero(ctx, n, 1);
    marked.group = seg_alloc(ctx, n, sizeof *marked.group);
    seg_status status = covered && marked.group ? SEG_OK : SEG_ERR_MEMORY;
    for (size_t i = 0; !status && i < n; i++)
        marked.group[i] = (int16_t)(image->label[i] ? 0 : -1);
    memset(found, 0, sizeof *found);
    memcpy(found->column_label, model->number, sizeof found->column_label);
    if (!status)
        status = seg_ambiguous_find(ctx, &image->grid, &image->score, &marked, covered, found);
    free(marked.group);
    free(covered);
    return status;
}

seg_status seg_model_suggest(seg_context *ctx, const seg_model *model, seg_model_suggestion *out, int most,
                             int *count) {
    const int images = model->series ? model->series->images : 0;
    seg_result *found = seg_alloc(ctx, 1, sizeof *found);
    seg_status status = found ? SEG_OK : SEG_ERR_MEMORY;
    *count = 0;
    for (int i = 0; i < images && !status; i++) {
        if (!model->series->image[i].score.rows)
            continue;
        status = look_at(ctx, model, &model->series->image[i], found);
        for (int a = 0; a < found->ambiguous_count && !status; a++)
            *count = enter((seg_model_suggestion){i, found->ambiguous[a]}, out, most, *count);
    }
    free(found);
    return status;
}
