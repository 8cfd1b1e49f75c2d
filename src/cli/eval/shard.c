#include "cli/eval/shard.h"

enum { MOST_SHARDS = 1000000 };

/* What starts several processes of one command. Within sbatch, outside of srun, SLURM_NTASKS is set for a single
 * process; SLURM_STEP_NUM_TASKS is srun's alone. */
static const struct launcher {
    const char *index, *count, *first, *step;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL}, /* Open MPI */
    {"PMI_RANK", "PMI_SIZE", NULL, NULL},                         /* MPICH, Intel MPI */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL, NULL},         /* srun */
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
};
enum { JOB_ARRAY = 3 };

/* The number that a variable holds, `otherwise` where there is none. */
static long number(const char *name, long otherwise) {
    const char *text = name ? getenv(name) : NULL;
    char *end;
    const long value = text ? strtol(text, &end, 10) : otherwise;
    return text && (end == text || *end) ? otherwise : value;
}

static cli_end ask_environment(int arrays, cli_shard *out) {
    for (int l = 0; l < JOB_ARRAY + arrays; l++) {
        const struct launcher *by = &launchers[l];
        const long count = number(by->count, 0), first = number(by->first, 0), step = number(by->step, 1);
        const long index = (number(by->index, first - 1) - first) / (step > 0 ? step : 1);
        if (count < (l == JOB_ARRAY ? 1 : 2))
            continue;
        if (index < 0 || index >= count || count > MOST_SHARDS)
            return cli_refuse(CLI_USAGE,
                              "%s and %s do not tell which part of the work is this process's; give --shard I/N",
                              by->index, by->count);
        *out = (cli_shard){(int)index + 1, (int)count, l < JOB_ARRAY};
        return CLI_GO_ON;
    }
    return CLI_GO_ON;
}

cli_end cli_read_shard(const char *text, cli_shard *out) {
    char end;
    *out = (cli_shard){0};
    const int asked = text && strcmp(text, "auto") == 0;
    if (!text || asked) {
        const cli_end told = ask_environment(asked, out);
        if (told != CLI_GO_ON || !asked || out->count)
            return told;
        return cli_refuse(CLI_USAGE,
                          "--shard auto is for processes of mpirun, srun or a Slurm job array, and this is none; give "
                          "--shard I/N");
    }
    if (sscanf(text, "%d/%d%c", &out->index, &out->count, &end) != 2 || strspn(text, "0123456789/") != strlen(text))
        return cli_refuse(CLI_USAGE, "--shard takes I/N, as 1/4, or auto, not '%s'", text);
    if (out->count < 1 || out->count > MOST_SHARDS || out->index < 1 || out->index > out->count)
        return cli_refuse(CLI_USAGE, "--shard takes I/N with I from 1 to N and N from 1 to %d, not '%s'", MOST_SHARDS,
                          text);
    return CLI_GO_ON;
}

void cli_shard_progress(seg_context *ctx, const cli_shard *shard, const cli_common *common) {
    const int silent = shard->launched && shard->index > 1;
    cli_progress_start(ctx, silent ? CLI_PROGRESS_NONE : common->progress, silent ? -1 : cli_verbosity(common));
}
