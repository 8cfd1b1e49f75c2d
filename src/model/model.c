#include "model/model.h"

#include <stdlib.h>
#include <string.h>

void seg_model_clear(struct seg_model *model) {
    seg_forest_free(&model->forest);
    seg_novelty_free(&model->novelty);
    seg_series_free(model->series);
    memset(model, 0, sizeof *model);
}

int seg_model_column(const struct seg_model *model, int number) {
    for (int c = 0; c < model->labels; c++)
        if (model->number[c] == number)
            return c;
    return -1;
}
