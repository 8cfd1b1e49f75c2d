#include "shard.h"
#include "messages.h"

#include <stdio.h>
#include <string.h>

cli_end cli_read_shard(const char *text, int *shard, int *shards) {
    char end;
    if (!text)
        return CLI_GO_ON;
    if (sscanf(text, "%d/%d%c", shard, shards, &end) != 2 || strspn(text, "0123456789/") != strlen(text))
        return cli_refuse(CLI_USAGE, "--shard takes I/N, as 1/4, not '%s'", text);
    if (*shards < 1 || *shards > 1000000 || *shard < 1 || *shard > *shards)
        return cli_refuse(CLI_USAGE, "--shard takes I/N with I from 1 to N and N from 1 to 1000000, not '%s'", text);
    return CLI_GO_ON;
}
