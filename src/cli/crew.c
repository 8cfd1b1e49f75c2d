#include "crew.h"
#include "programs.h"
#include "messages.h"
#include "shard.h"

#include "evaluation/mpirun.h"

#include <stddef.h>

int cli_names_crew(const cli_photo_options *options) {
    return options->jobs >= 0 || options->shard || options->merge || options->restart;
}

int cli_wants_crew(const cli_photo_options *options) {
    return cli_names_crew(options) || seg_started_by_mpirun();
}

cli_end cli_crew_begin(const cli_photo_options *options, char **line) {
    int shard = 0, shards = 0;
    const cli_end end = cli_read_shard(options->shard, &shard, &shards);
    if (end != CLI_GO_ON)
        return end;
    if (options->merge && (options->shard || options->restart))
        return cli_refuse(CLI_USAGE, "--merge joins parts that are done, and --%s does them; give one of them",
                          options->shard ? "shard" : "restart");
    if (!options->mask)
        return cli_refuse(
            CLI_USAGE,
            "shared work needs -o FOLDER for the masks: the journal, by which an interrupted run goes on, is kept "
            "there");
    return cli_run_crew ? cli_run_crew(options, shard, shards) : cli_run_program("segment-evaluation", line);
}
