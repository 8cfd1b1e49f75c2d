#include "exit_codes.h"
#include "limits.h"
#include "progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_exit_code(seg_status status, cli_phase phase) {
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

void cli_say(const char *format, ...) {
    char line[2 * SEG_MESSAGE_SIZE], shown[4 * sizeof line], *end = shown;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (const char *c = line; *c; c++) {
        end += sprintf(end, (unsigned char)*c < ' ' || *c == 127 ? "\\x%02X" : "%c", (unsigned)(unsigned char)*c);
    }
    *end = 0;
    cli_progress_clear();
    fprintf(stderr, "segment: %s\n", shown);
}

void cli_say_library(const char *before, const char *sentence) {
    static const struct {
        const char *field, *flag;
    } names[] = {{"give a label map", "give a label map (--labelmap FILE)"},
                 {"set k to 2 to have", "give -k 2 to have"},
                 {"set k to", "use -k"},
                 {"set patch to", "use --patch"},
                 {"give scribbles, or set k", "give --scribbles SCRIBBLES, or -k"},
                 {"(contradictions: drop)", "(--contradictions drop)"},
                 {"name one of the registry", "'segment methods' lists them"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(sentence, names[i].field);
        if (at) {
            cli_say("%s%.*s%s%s", before, (int)(at - sentence), sentence, names[i].flag, at + strlen(names[i].field));
            return;
        }
    }
    cli_say("%s%s", before, sentence);
}

seg_context *cli_context_create(void) {
    seg_context *ctx = seg_context_create();
    if (!ctx) {
        cli_say_library("", seg_context_message(NULL));
    }
    return ctx;
}

int cli_fail(const seg_context *ctx, seg_status status, cli_phase phase) {
    if (status == SEG_ERR_CANCELLED && !cli_interrupted()) {
        cli_say_timeout(phase == CLI_WRITING ? "writing" : seg_context_running_stage(ctx));
        return CLI_TIMEOUT;
    }
    if (status == SEG_ERR_MEMORY && seg_context_over_limit(ctx)) {
        status = SEG_ERR_LIMIT; /* an allocation that no plan foresaw was refused */
    }
    const char *message = seg_context_message(ctx);
    cli_say_library("", message[0] ? message : seg_status_text(status));
    return cli_exit_code(status, phase);
}

int cli_finish_output(int code) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    if (code == CLI_OK) {
        cli_say("cannot write to standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
        return CLI_FAILED;
    }
    return code;
}
