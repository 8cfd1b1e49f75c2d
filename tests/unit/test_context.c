/* The context as a program sees it, and the version. */
#include "check.h"

#include "base/base.h"
#include "base/context.h"
#include "base/parallel.h"

TEST(defaults) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    assert_non_null(ctx);
    seg_context_info info;
    memset(&info, 1, sizeof info);
    seg_context_about(ctx, &info);
    assert_int_equal(seg_context_settings(ctx)->threads, 0);
    assert_int_equal(seg_context_settings(ctx)->seed, 1);
    assert_int_equal(seg_context_settings(ctx)->max_memory, 0);
    assert_int_equal(info.over_limit, 0);
    assert_true(info.recall == 1);
    assert_string_equal(seg_context_message(ctx), "");
    assert_int_equal(info.stages, 0);
}

TEST(what_is_set_is_read) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    seg_context_settings(ctx)->threads = 3;
    assert_int_equal(ctx->threads, 3);
    assert_int_equal(seg_threads(ctx), 3);
    seg_context_settings(ctx)->threads = -5; /* as many as there are processors */
    assert_true(seg_threads(ctx) >= 1);
    seg_context_settings(ctx)->seed = UINT64_MAX;
    assert_true(ctx->seed == UINT64_MAX);
    seg_context_settings(ctx)->max_memory = SIZE_MAX;
    assert_true(ctx->max_memory == SIZE_MAX);
}

TEST(stages_in_order_and_no_further) {
    SCOPED_CONTEXT *ctx = seg_context_create();
    for (int i = 0; i < SEG_MAX_STAGES + 3; i++)
        seg_stage_end(ctx, i ? "later" : "first", seg_now());
    seg_context_info info;
    seg_context_about(ctx, &info);
    assert_int_equal(info.stages, SEG_MAX_STAGES);
    assert_string_equal(info.stage[0].name, "first");
    assert_string_equal(info.stage[SEG_MAX_STAGES - 1].name, "later");
}

static void on_log(void *user, seg_log_level level, const char *line) {
    snprintf(user, 64, "%d %s", (int)level, line);
}

static int on_progress(void *user, double done, const char *stage) {
    snprintf(user, 64, "%.1f %s", done, stage);
    return done > 0.5;
}

TEST(callbacks_are_called_and_cancel) {
    char said[64] = "", reported[64] = "";
    SCOPED_CONTEXT *ctx = seg_context_create();
    *seg_context_settings(ctx) =
        (seg_call_settings){.log = on_log, .log_user = said, .progress = on_progress, .progress_user = reported};
    seg_log(ctx, SEG_LOG_INFO, "a line");
    assert_string_equal(said, "1 a line");
    assert_int_equal(seg_progress(ctx, 0.25, "graph"), SEG_OK);
    assert_string_equal(reported, "0.2 graph");
    assert_int_equal(seg_progress(ctx, 0.75, "mask"), SEG_ERR_CANCELLED);
    assert_string_equal(seg_context_message(ctx), "cancelled during the stage 'mask'");
    seg_context_settings(ctx)->progress = NULL;
    assert_int_equal(seg_progress(ctx, 0.75, "mask"), SEG_OK);
}

TEST(a_failure_leaves_its_sentence) {
    seg_image image;
    SCOPED_CONTEXT *ctx = seg_context_create();
    assert_int_equal(seg_image_read(ctx, "there/is/no/such.png", &image), SEG_ERR_IO);
    assert_non_null(strstr(seg_context_message(ctx), "there/is/no/such.png"));
}

TEST(nothing_is_freed) {
    seg_context_free(NULL);
    seg_free(NULL);
    assert_true(strlen(seg_context_message(NULL)) > 0);
}

TEST(versions_agree) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", SEG_VERSION_MAJOR, SEG_VERSION_MINOR, SEG_VERSION_PATCH);
    assert_string_equal(text, SEG_VERSION);
    assert_string_equal(seg_version(), SEGMENT_VERSION); /* the build's */
    assert_string_equal(seg_version(), SEG_VERSION);
#if SEG_VERSION_NUMBER < SEG_MAKE_VERSION(0, 1, 0) || SEG_VERSION_NUMBER >= SEG_MAKE_VERSION(1000, 0, 0)
#error "the number cannot be compared"
#endif
    assert_true(SEG_MAKE_VERSION(1, 0, 0) > SEG_MAKE_VERSION(0, 999, 999));
}
