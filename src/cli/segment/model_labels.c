#include "cli/segment/model_labels.h"

#include <stdio.h>
#include <string.h>

int cli_model_labelmap(const seg_model *model, seg_labelmap *out) {
    seg_model_label_info label;
    int count = 0;
    if (!model)
        return 0;
    while (seg_model_label(model, count, &label))
        if (label.number != ++count)
            return 0;
    memset(out, 0, sizeof *out);
    for (out->count = 0; out->count < count; out->count++) {
        seg_model_label(model, out->count, &label);
        memcpy(out->colour[out->count], label.colour, 3);
        snprintf(out->name[out->count], sizeof out->name[0], "%s", label.name);
    }
    return 1;
}
