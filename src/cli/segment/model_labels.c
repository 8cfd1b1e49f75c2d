#include "cli/segment/model_labels.h"

#include <stdio.h>
#include <string.h>

int cli_model_labelmap(const seg_model *model, seg_labelmap *out) {
    seg_model_info about;
    seg_labelmap map = {0};
    if (!model)
        return 0;
    seg_model_about(model, 0, &about);
    for (; map.count < about.labels; map.count++) {
        seg_model_about(model, map.count, &about);
        if (about.label.number != map.count + 1)
            return 0;
        memcpy(map.colour[map.count], about.label.colour, 3);
        snprintf(map.name[map.count], sizeof map.name[0], "%s", about.label.name);
    }
    *out = map;
    return 1;
}
