/* The small calls: names, versions, scores; most allocate nothing. */
#include "sweep.h"

#include "base/base.h"

static seg_status names(seg_context *ctx, const char *unused) {
    (void)ctx, (void)unused;
    told_text(GET(seg_version));
    told_text(GET(seg_status_text, SEG_ERR_NUMERIC));
    for (int i = 0; i < GET(seg_method_count); i++)
        told_text(GET(seg_method_at, i)->name);
    told_text(GET(seg_method_default, 1)->name);
    for (int i = 0; i < SEG_FEATURE_KINDS; i++)
        told_text(GET(seg_feature_name, (seg_feature_kind)i));
    for (int i = 0; i < SEG_EXPORT_FORMATS; i++)
        told_text(GET(seg_export_format_at, i)->name);
    return SEG_OK;
}

static seg_status contexts(seg_context *ctx, const char *unused) {
    const seg_patch_grid grid = seg_patch_grid_make(24, 16, 4);
    seg_context other;
    uint8_t colour[256][3];
    (void)ctx, (void)unused;
    DO(seg_context_init, &other);
    DO(seg_mask_default_colours, colour);
    told(colour, sizeof colour);
    told_number((double)GET(seg_patch_of_pixel, &grid, 9, 9));
    return SEG_OK;
}

static seg_status create_mask(seg_context *ctx, const char *unused) {
    seg_mask mask;
    (void)unused;
    memset(&mask, 1, sizeof mask);
    const seg_status status = CALL(seg_mask_create, ctx, 24, 16, &mask);
    if (status == SEG_OK)
        told_mask(&mask);
    else
        ZEROED(mask);
    seg_mask_free(&mask);
    return status;
}

static seg_status tell_scores(seg_context *ctx, const seg_contingency *table) {
    seg_scores scores;
    double error = 0;
    told_number(GET(seg_pairwise_accuracy, table));
    told_number(GET(seg_adjusted_rand, table));
    told_number(GET(seg_nmi, table));
    told_number(GET(seg_pairwise_f, table));
    told_number(GET(seg_mean_dice, table));
    told_number(GET(seg_iou, table, 1));
    told_number(GET(seg_error_rate, table));
    memset(&scores, 1, sizeof scores);
    seg_status status = CALL(seg_clustering_error, ctx, table, &error);
    if (status == SEG_OK)
        status = CALL(seg_score, ctx, table, &scores);
    if (status == SEG_OK) {
        told_number(error);
        told(&scores, sizeof scores);
    }
    return status;
}

static seg_status score_labels(seg_context *ctx, const char *unused) {
    int prediction[50], truth[50];
    seg_contingency table;
    (void)unused;
    for (int i = 0; i < 50; i++) {
        prediction[i] = i % 4;
        truth[i] = i % 7 == 0 ? -1 : i % 5;
    }
    memset(&table, 1, sizeof table);
    seg_status status = CALL(seg_contingency_count, ctx, prediction, truth, 50, &table);
    if (status == SEG_OK)
        status = tell_scores(ctx, &table);
    else
        ZEROED(table);
    DO(seg_contingency_free, &table);
    return status;
}

static seg_status score_masks(seg_context *ctx, const char *unused) {
    seg_contingency table;
    seg_image photo;
    seg_mask marks;
    (void)unused;
    halves(24, 16, &photo, &marks);
    memset(&table, 1, sizeof table);
    const seg_status status = CALL(seg_contingency_masks, ctx, &marks, &marks, &table);
    if (status == SEG_OK)
        told(table.count, (size_t)(table.rows * table.cols) * sizeof *table.count);
    else
        ZEROED(table);
    seg_contingency_free(&table);
    seg_image_free(&photo);
    seg_mask_free(&marks);
    return status;
}

static seg_status name_texts(seg_context *ctx, const char *unused) {
    (void)ctx, (void)unused;
    char *text = GET(seg_name_encode, "a\tb\xE9", SEG_NAME_LINE);
    if (!text)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    DO(seg_name_decode, text);
    told_text(text);
    free(text);
    return SEG_OK;
}

static const sweep_case cases[] = {
    {"name-texts", name_texts, NULL, 1}, {"names", names, NULL, 1},         {"contexts", contexts, NULL, 1},
    {"mask", create_mask, NULL, 1},      {"labels", score_labels, NULL, 1}, {"masks", score_masks, NULL, 1},
};
TOPIC(sweep_plain, "plain");
