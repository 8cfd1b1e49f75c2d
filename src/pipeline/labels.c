#include "pipeline/labels.h"

#include "base/base.h"

#include <string.h>

void seg_label_map_make(const seg_mask *marks, seg_label_map *out) {
    int present[256] = {0};
    memset(out, 0, sizeof *out);
    for (size_t p = 0; marks && p < (size_t)marks->width * (size_t)marks->height; p++)
        present[marks->label[p]] = 1;
    for (int l = 0; l <= SEG_MAX_LABELS; l++) {
        out->group[l] = -1;
        if (l > 0 && present[l]) {
            out->label[out->groups] = (uint8_t)l;
            out->group[l] = (int16_t)out->groups++;
        }
    }
}

seg_status seg_label_map_extend(seg_context *ctx, int k, seg_label_map *map) {
    int next = map->groups ? map->label[map->groups - 1] : 0;
    for (int c = map->groups; c < k; c++) {
        if (++next > SEG_MAX_LABELS)
            return seg_fail(ctx, SEG_ERR_USAGE,
                            "k = %d: the regions without strokes are numbered after label %d, and numbers end at %d; "
                            "use smaller label numbers",
                            k, map->label[map->groups - 1], SEG_MAX_LABELS);
        map->label[c] = (uint8_t)next;
    }
    return SEG_OK;
}

seg_status seg_label_map_apply(seg_context *ctx, const seg_label_map *map,
                               seg_constraints *constraints) {
    size_t members[SEG_MAX_LABELS] = {0};
    for (size_t i = 0; constraints->groups && i < constraints->n; i++)
        if (constraints->group[i] >= 0) {
            constraints->group[i] = map->group[constraints->group[i] + 1];
            members[constraints->group[i]]++;
        }
    constraints->groups = map->groups;
    for (int g = 0; g < map->groups; g++)
        if (!members[g])
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "label %d is marked only where other labels mark the same patches more; mark it elsewhere "
                            "too, or use smaller patches",
                            map->label[g]);
    return SEG_OK;
}
