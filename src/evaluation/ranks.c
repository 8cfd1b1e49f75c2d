#include "evaluation/ranks.h"

#include "base/base.h"
#include "evaluation/mpirun.h"

#ifdef SEGMENT_MPI
#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The module stays loaded: MPI does not come back from MPI_Finalize(). */
static const seg_ranks_carrier *load(seg_context *ctx, seg_status *status) {
    char path[PATH_MAX + sizeof SEG_RANKS_MODULE];
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, SEG_RANKS_MODULE);
    void *module =
        dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI's own modules look for its symbols among the global ones */
    const seg_ranks_carrier *carrier = module ? dlsym(module, SEG_RANKS_SYMBOL) : NULL;
    if (carrier)
        return carrier;
    const char *why = dlerror();
    *status = seg_fail(ctx, SEG_ERR_IO,
                       "started by mpirun, but the module for MPI cannot be loaded (%s); install all of segment, or "
                       "divide the work with --shard",
                       why ? why : path);
    return NULL;
}
#else
static const seg_ranks_carrier *load(seg_context *ctx, seg_status *status) {
    *status = seg_fail(ctx, SEG_ERR_USAGE,
                       "started by mpirun, but built without MPI; build with -DSEGMENT_MPI=ON, or "
                       "divide the work with --shard");
    return NULL;
}
#endif

seg_status seg_ranks_begin(seg_context *ctx, seg_ranks *out) {
    *out = (seg_ranks){.rank = 0, .count = 1};
    if (!seg_started_by_mpirun())
        return SEG_OK;
    seg_status status = SEG_OK;
    const seg_ranks_carrier *carrier = load(ctx, &status);
    if (!carrier)
        return status;
    carrier->begin(&out->rank, &out->count);
    out->carrier = carrier;
    return SEG_OK;
}

void seg_ranks_end(const seg_ranks *ranks) {
    if (ranks->count > 1)
        ranks->carrier->end();
}

int seg_ranks_good(const seg_ranks *ranks, int good) {
    return ranks->count > 1 ? ranks->carrier->good(good) : good;
}

seg_status seg_ranks_agree(seg_context *ctx, const seg_ranks *ranks, const char *text) {
    if (ranks->count < 2 || ranks->carrier->same(ranks->rank, text))
        return SEG_OK;
    return seg_fail(
        ctx, SEG_ERR_USAGE,
        "the processes of mpirun have different data or options; the data set must be the same on every machine");
}

long seg_ranks_ask(const seg_ranks *ranks) {
    return ranks->count > 1 ? ranks->carrier->ask() : SEG_RANKS_NO_ITEM;
}

void seg_ranks_send(const seg_ranks *ranks, long item, const char *text) {
    if (ranks->count > 1)
        ranks->carrier->send(item, text);
}

seg_rank_event seg_ranks_hear(const seg_ranks *ranks, int *rank, long *item, char **text) {
    *text = NULL;
    return ranks->count > 1 ? ranks->carrier->hear(rank, item, text) : SEG_RANK_QUIET;
}

void seg_ranks_answer(const seg_ranks *ranks, int rank, long item) {
    if (ranks->count > 1)
        ranks->carrier->answer(rank, item);
}
