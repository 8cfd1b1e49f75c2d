#include "cli/common/errors.h"
#include "cli/common/limits.h"
#include "cli/common/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

cli_end cli_exit_code(seg_status status, cli_phase phase) {
    switch (status) {
    case SEG_OK:
        return CLI_OK;
    case SEG_ERR_USAGE:
        return CLI_USAGE;
    case SEG_ERR_IO:
        return phase == CLI_READING ? CLI_INPUT : CLI_FAILED;
    case SEG_ERR_INPUT:
        return CLI_INPUT;
    case SEG_ERR_CONTRADICTION:
        return CLI_CONTRADICTION;
    case SEG_ERR_CANCELLED:
        return cli_interrupted() ? CLI_SIGNAL + cli_interrupted() : CLI_TIMEOUT;
    case SEG_ERR_LIMIT:
        return CLI_LIMIT;
    case SEG_ERR_MEMORY:
    case SEG_ERR_NUMERIC:
        break;
    }
    return CLI_FAILED;
}

seg_context *cli_context_create(void) {
    seg_context *ctx = seg_context_create();
    if (!ctx)
        cli_say_library("", seg_context_message(NULL));
    return ctx;
}

cli_end cli_fail(const seg_context *ctx, seg_status status, cli_phase phase) {
    seg_context_info info;
    seg_context_about(ctx, &info);
    if (status == SEG_ERR_CANCELLED && !cli_interrupted()) {
        cli_say_timeout(phase == CLI_WRITING ? "writing" : info.running_stage);
        return CLI_TIMEOUT;
    }
    if (status == SEG_ERR_MEMORY && info.over_limit)
        status = SEG_ERR_LIMIT; /* an allocation failed that no plan predicted */
    const char *message = seg_context_message(ctx);
    cli_say_library("", message[0] ? message : seg_status_text(status));
    return cli_exit_code(status, phase);
}

cli_end cli_finish_output(cli_end code) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code == CLI_OK)
        return cli_refuse(CLI_FAILED, "cannot write to standard output%s%s", errno ? ": " : "",
                          errno ? strerror(errno) : "");
    return code;
}
