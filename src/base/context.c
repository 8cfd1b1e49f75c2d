/* Creating, reading, setting and freeing a context. */
#include "base/context.h"

#include "base/parallel.h"

#include <segment/version.h>

#include <stdlib.h>
#include <string.h>

void seg_context_init(seg_context *ctx) {
    memset(ctx, 0, sizeof *ctx);
    ctx->seed = 1;
    ctx->processors = seg_processors();
    ctx->progress_to = 1;
    ctx->progress_stage = "start";
}

seg_context *seg_context_create(void) {
    seg_context *ctx = malloc(sizeof *ctx);
    if (ctx)
        seg_context_init(ctx);
    return ctx;
}

void seg_context_free(seg_context *ctx) {
    seg_context_end(ctx);
    free(ctx);
}

void seg_free(void *block) {
    free(block);
}

seg_call_settings *seg_context_settings(seg_context *ctx) {
    return &ctx->settings;
}

const char *seg_context_message(const seg_context *ctx) {
    return ctx ? ctx->message : "out of memory: no context could be made";
}

void seg_context_about(const seg_context *ctx, seg_context_info *out) {
    *out = (seg_context_info){
        .over_limit = ctx->over_limit, .recall = 1 - ctx->missed, .stage = ctx->stages, .stages = ctx->stage_count};
}

const char *seg_version(void) {
    return SEG_VERSION;
}
