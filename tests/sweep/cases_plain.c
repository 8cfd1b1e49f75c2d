/* The small calls: names, versions, scores; most allocate nothing. */
#include "sweep.h"

#include "base/base.h"
#include "base/json_read.h"
#include "features/grid.h"
#include "image/mask.h"

#include <errno.h>

CASE(names, unused) {
    (void)ctx;
    told_text(GET(seg_version));
    told_text(GET(seg_status_text, SEG_ERR_NUMERIC));
    for (int i = 0; GET(seg_method_at, i); i++)
        told_text(GET(seg_method_at, i)->name);
    told_text(GET(seg_method_find, NULL)->name);
    for (int i = 0; seg_export_format_at(i); i++)
        told_text(GET(seg_export_format_at, i)->name);
    return SEG_OK;
}

CASE(contexts, unused) {
    const seg_patch_grid grid = seg_patch_grid_make(24, 16, 4);
    uint8_t colour[256][3];
    seg_context *other = GET(seg_context_create);
    if (!other)
        return seg_fail(ctx, SEG_ERR_MEMORY, "%s", GET(seg_context_message, other));
    *GET(seg_context_settings, other) = (seg_call_settings){.threads = 3, .seed = 7, .max_memory = 1u << 30};
    told_text(GET(seg_context_message, other));
    seg_context_info info;
    DO(seg_context_about, other, &info);
    told_number(info.stages);
    DO(seg_context_free, other);
    DO(seg_mask_default_colours, colour);
    told(colour, sizeof colour);
    told_number((double)seg_patch_of_pixel(&grid, 9, 9));
    return SEG_OK;
}

CASE(create_mask, unused) {
    SCOPED(seg_mask) mask = DIRTY(seg_mask);
    return TELL(CALL_INSIDE(seg_mask_create, ctx, 24, 16, &mask), told_mask, mask);
}

static seg_status tell_scores(seg_context *ctx, const seg_contingency *table) {
    seg_scores scores = DIRTY(seg_scores);
    const seg_status status = CALL(seg_score, ctx, table, &scores);
    if (status == SEG_OK)
        told(&scores, sizeof scores);
    return status;
}

CASE(score_labels, unused) {
    int prediction[50], truth[50];
    for (int i = 0; i < 50; i++) {
        prediction[i] = i % 4;
        truth[i] = i % 7 == 0 ? -1 : i % 5;
    }
    seg_contingency table = DIRTY(seg_contingency);
    seg_status status = CALL(seg_contingency_count, ctx, prediction, truth, 50, &table);
    if (status == SEG_OK)
        status = tell_scores(ctx, &table);
    else
        ZEROED(table);
    DO(seg_contingency_free, &table);
    return status;
}

CASE(score_masks, unused) {
    SCOPED(seg_mask) scribbles = half_strokes(24, 16);
    SCOPED(seg_contingency) table = DIRTY(seg_contingency);
    const seg_status status = CALL(seg_contingency_masks, ctx, &scribbles, &scribbles, &table);
    if (status == SEG_OK)
        told(table.count, (size_t)(table.rows * table.cols) * sizeof *table.count);
    else
        ZEROED(table);
    return status;
}

/* Tokens of all lengths, so that each is once the one that Jansson's buffer for a token must grow for, at its last
 * letter or at the one behind it. It is not a public call: armed by hand. */
CASE(read_json, kind) {
    static char text[16384];
    size_t size = 0;
    size += (size_t)sprintf(text + size, "[");
    for (int length = 1; length <= 70; length++) {
        if (strcmp(kind, "numbers") == 0) /* 0.333... */
            size += (size_t)sprintf(text + size, "%s%.*f", size > 1 ? "," : "", length, 1.0 / 3);
        else if (strcmp(kind, "whole") == 0)
            size += (size_t)sprintf(text + size, "%s%0*d%s", size > 1 ? "," : "", 1, 7,
                                    &"0123456789012345"[16 - length % 17]);
        else
            size += (size_t)sprintf(text + size, "%s{\"%0*d\":[\"%0*d\",true,null]}", size > 1 ? "," : "", length, 1,
                                    length, 2);
    }
    size += (size_t)sprintf(text + size, "]");
    arm_allocations();
    json_t *value = seg_json_read(text, size, 0, NULL);
    const int code = errno;
    disarm_allocations();
    char *dumped = value ? json_dumps(value, JSON_COMPACT) : NULL;
    if (dumped)
        told_text(dumped);
    free(dumped);
    json_decref(value);
    if (value)
        return SEG_OK;
    if (code != ENOMEM)
        sweep_fault("a good text is not read, and not for want of memory");
    snprintf(ctx->message, sizeof ctx->message, "out of memory");
    return SEG_ERR_MEMORY;
}

CASE(name_texts, unused) {
    (void)ctx;
    char *text = GET(seg_name_encode, "a\tb\xE9", SEG_NAME_LINE);
    if (!text)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    char *bytes = GET(seg_name_encode, text, SEG_NAME_BYTES);
    seg_free(text);
    if (!bytes)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory");
    told_text(bytes);
    DO(seg_free, bytes);
    return SEG_OK;
}

static const sweep_case cases[] = {
    {"names", names, NULL, 1},
    {"contexts", contexts, NULL, 1},
    {"mask", create_mask, NULL, 1},
    {"labels", score_labels, NULL, 1},
    {"masks", score_masks, NULL, 1},
    {"json-numbers", read_json, "numbers", 1},
    {"json-whole", read_json, "whole", 1},
    {"json-texts", read_json, "texts", 1},
    {"name-texts", name_texts, NULL, 1},
};
TOPIC(sweep_plain, "plain");
