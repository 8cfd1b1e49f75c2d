#include "shard.h"
#include "say.h"

#include <stdio.h>
#include <string.h>

cli_end cli_read_shard(const char *text, int *shard, int *shards) {
    char end;
    if (!text)
        return CLI_GO_ON;
    if (sscanf(text, "%d/%d%c", shard, shards, &end) != 2 || strspn(text, "0123456789/") != strlen(text)) {
        cli_say("--shard takes I/N, as 1/4, not '%s'", text);
        return CLI_USAGE;
    }
    if (*shards < 1 || *shards > 1000000 || *shard < 1 || *shard > *shards) {
        cli_say("--shard takes I/N with I from 1 to N and N from 1 to 1000000, not '%s'", text);
        return CLI_USAGE;
    }
    return CLI_GO_ON;
}
