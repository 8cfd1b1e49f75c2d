#include "cli/batch/combined_exports.h"
#include "cli/common/errors.h"
#include "cli/segment/region_table.h"

#include <stdlib.h>
#include <string.h>

cli_end cli_combined_begin(const char *table, cli_combined *out) {
    *out = (cli_combined){.table = table};
    if (!table)
        return CLI_GO_ON;
    out->rows = open_memstream(&out->text, &out->size);
    if (!out->rows)
        return cli_out_of_memory();
    cli_region_table_head(out->rows);
    return CLI_GO_ON;
}

int cli_combined_has_table(const cli_combined *gather) {
    return gather && gather->table;
}

void cli_combined_add(cli_combined *gather, const char *text, size_t size) {
    if (gather->rows && text)
        fwrite(text, 1, size, gather->rows);
}

cli_end cli_combined_export(cli_combined *gather, const char *format, const char *path) {
    seg_context *ctx = cli_context_create();
    if (!ctx)
        return CLI_FAILED;
    seg_export_set **grown = realloc(gather->set, ((size_t)gather->sets + 1) * sizeof *grown);
    cli_end end = grown ? CLI_GO_ON : cli_out_of_memory();
    if (grown) {
        gather->set = grown;
        const seg_status status = seg_export_set_open(ctx, format, path, &grown[gather->sets]);
        gather->sets += status == SEG_OK;
        end = status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_COMPUTING);
    }
    seg_context_free(ctx);
    return end;
}

seg_status cli_combined_masks(seg_context *ctx, cli_combined *gather, const seg_mask *mask,
                              const seg_export_about *about) {
    seg_status status = SEG_OK;
    for (int i = 0; i < gather->sets && status == SEG_OK; i++)
        status = seg_export_set_add(ctx, gather->set[i], mask, about);
    return status;
}

/* Write an export of all images if `write` is not 0, and free it. */
static cli_end close_set(seg_export_set *set, int write) {
    seg_context *ctx = cli_context_create();
    const seg_status status = seg_export_set_close(ctx, set, write && ctx);
    const cli_end end = !ctx ? CLI_FAILED : status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
    seg_context_free(ctx);
    return end;
}

static cli_end write_table(cli_combined *gather) {
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

cli_end cli_combined_end(cli_combined *gather, int write) {
    cli_end end = write && gather->rows ? write_table(gather) : CLI_GO_ON;
    for (int i = 0; i < gather->sets; i++) {
        const cli_end closed = close_set(gather->set[i], write);
        end = end == CLI_GO_ON ? closed : end;
    }
    free(gather->set);
    if (gather->rows)
        fclose(gather->rows);
    free(gather->text);
    memset(gather, 0, sizeof *gather);
    return end;
}
