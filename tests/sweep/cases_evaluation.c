/* What the evaluation does itself, in its own process: the simulated user. It is not part of the public headers. */
#include "sweep.h"

#include "evaluation/sets/simulated_user.h"
#include "image/mask.h"

enum { W = 24, H = 16, MOST = 5 };

/* Three regions, one of them in two pieces, and some void pixels. */
static void make_truth(seg_context *ctx, seg_mask *truth) {
    must(ctx, seg_mask_create(ctx, W, H, truth));
    truth->labels = 3;
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        truth->label[i] = (uint8_t)(y == 0 ? SEG_VOID : x < 6 || x >= 20 ? 1 : y < 8 ? 2 : 3);
    }
}

/* A mask that is wrong in parts, or nowhere. */
static seg_status answer(seg_context *ctx, void *wrong, const seg_mask *scribbles, seg_mask *mask) {
    const seg_status status = seg_mask_create(ctx, W, H, mask);
    for (int i = 0; i < W * H && status == SEG_OK; i++)
        mask->label[i] = wrong && i < W * H / 2 ? 3 : (uint8_t)(scribbles->label[i] ? scribbles->label[i] : 2);
    return status;
}

CASE(clicks, wrong) {
    SCOPED(seg_mask) truth, mask;
    char flag = 1;
    double iou[MOST];
    int count = 0;
    make_truth(ctx, &truth);
    memset(&mask, 0, sizeof mask);
    const seg_simulation how = {.truth = &truth, .most = MOST, .segment = answer, .data = wrong ? &flag : NULL};
    const seg_status status = CALL_INSIDE(seg_simulated_user_run, ctx, &how, &mask, iou, &count);
    if (status == SEG_OK) {
        told_mask(&mask);
        told_number(count);
    }
    return status;
}

static const sweep_case cases[] = {
    {"simulated-user", clicks, NULL, 1},
    {"simulated-user-wrong", clicks, "wrong", 1},
};
TOPIC(sweep_evaluation, "evaluation");
