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

void seg_context_set_threads(seg_context *ctx, int threads) {
    ctx->threads = threads > 0 ? threads : 0;
}

void seg_context_set_seed(seg_context *ctx, uint64_t seed) {
    ctx->seed = seed;
}

void seg_context_set_max_memory(seg_context *ctx, size_t bytes) {
    ctx->max_memory = bytes;
}

void seg_context_set_log(seg_context *ctx, seg_log_fn log, void *user) {
    ctx->log = log;
    ctx->log_user = user;
}

void seg_context_set_progress(seg_context *ctx, seg_progress_fn progress, void *user) {
    ctx->progress = progress;
    ctx->progress_user = user;
}

const char *seg_context_message(const seg_context *ctx) {
    return ctx ? ctx->message : "out of memory: no context could be made";
}

const seg_stage *seg_context_stage(const seg_context *ctx, int position) {
    return position >= 0 && position < ctx->stage_count ? &ctx->stages[position] : NULL;
}

void seg_context_about(const seg_context *ctx, seg_context_info *out) {
    *out = (seg_context_info){.max_memory = ctx->max_memory,
                              .over_limit = ctx->over_limit,
                              .recall = 1 - ctx->missed,
                              .running_stage = ctx->progress_stage,
                              .unfinished = ctx->unfinished};
}

const char *seg_version(void) {
    return SEG_VERSION;
}
