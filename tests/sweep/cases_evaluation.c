/* What the evaluation does itself, in its own process: the simulated user. It is not part of the public headers. */
#include "sweep.h"

#include "evaluation/sets/simulated_user.h"
#include "image/mask.h"

enum { W = 24, H = 16 };

/* Three regions, one of them in two pieces, and some void pixels. */
static void make_truth(seg_context *ctx, seg_mask *truth) {
    must(ctx, seg_mask_create(ctx, W, H, truth));
    truth->labels = 3;
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        truth->label[i] = (uint8_t)(y == 0 ? SEG_VOID : x < 6 || x >= 20 ? 1 : y < 8 ? 2 : 3);
    }
}

CASE(begin, clicks) {
    const seg_simulated_user user = clicks ? SEG_USER_CLICKS : SEG_USER_STROKES;
    SCOPED(seg_mask) truth, scribbles;
    int strokes = 0;
    make_truth(ctx, &truth);
    memset(&scribbles, 1, sizeof scribbles);
    const seg_status status = CALL_INSIDE(seg_simulated_user_begin, ctx, user, &truth, &scribbles, &strokes);
    if (status == SEG_OK) {
        told_mask(&scribbles);
        told_number(strokes);
    } else {
        ZEROED(scribbles);
    }
    return status;
}

/* Of a mask that is wrong in parts, or nowhere. */
CASE(correct, wrong) {
    SCOPED(seg_mask) truth, mask, scribbles;
    int found = 0;
    make_truth(ctx, &truth);
    make_truth(ctx, &mask);
    for (int i = 0; wrong && i < W * H / 2; i++)
        mask.label[i] = 3;
    must(ctx, seg_mask_create(ctx, W, H, &scribbles));
    const seg_status status =
        CALL_INSIDE(seg_simulated_user_correct, ctx, SEG_USER_STROKES, &mask, &truth, &scribbles, &found);
    if (status == SEG_OK) {
        told_mask(&scribbles);
        told_number(found);
    }
    return status;
}

static const sweep_case cases[] = {
    {"simulated-user", begin, NULL, 1},
    {"simulated-user-clicks", begin, "clicks", 1},
    {"simulated-user-corrects", correct, "wrong", 1},
    {"simulated-user-content", correct, NULL, 1},
};
TOPIC(sweep_evaluation, "evaluation");
