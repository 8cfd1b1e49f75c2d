#include "gather.h"
#include "fail.h"
#include "region_table.h"

#include <stdlib.h>
#include <string.h>

cli_end cli_gather_begin(const char *table, cli_gather *out) {
    *out = (cli_gather){.table = table};
    if (!table)
        return CLI_GO_ON;
    out->rows = open_memstream(&out->text, &out->size);
    if (!out->rows)
        return cli_out_of_memory();
    cli_region_table_head(out->rows);
    return CLI_GO_ON;
}

int cli_gathers_table(const cli_gather *gather) {
    return gather && gather->table;
}

void cli_gather_add(cli_gather *gather, const char *text, size_t size) {
    if (gather->rows && text)
        fwrite(text, 1, size, gather->rows);
}

static cli_end write_table(cli_gather *gather) {
    if (fflush(gather->rows) != 0 || ferror(gather->rows))
        return cli_out_of_memory();
    seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    const seg_status status = seg_file_write(ctx, gather->table, gather->text, gather->size);
    const cli_end end = status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
    seg_context_free(ctx);
    return end;
}

cli_end cli_gather_end(cli_gather *gather, int write) {
    const cli_end end = write && gather->rows ? write_table(gather) : CLI_GO_ON;
    if (gather->rows)
        fclose(gather->rows);
    free(gather->text);
    memset(gather, 0, sizeof *gather);
    return end;
}
