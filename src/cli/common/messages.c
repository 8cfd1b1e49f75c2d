#include "cli/common/messages.h"

#include <stdarg.h>

/* A process has one terminal, so messages reach the bar without a handle. */
static int bar_shown, bar_percent = -1;

void cli_bar_clear(void) {
    if (bar_shown) {
        fputs("\r\033[K", stderr);
        bar_shown = 0;
        bar_percent = -1;
    }
}

void cli_bar_draw(double done, const char *stage) {
    enum { WIDTH = 30 };
    int percent = (int)(done * 100);
    if (percent == bar_percent)
        return;
    char bar[WIDTH + 1];
    int filled = (int)(done * WIDTH);
    memset(bar, '#', (size_t)filled);
    memset(bar + filled, '.', (size_t)(WIDTH - filled));
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3d %%  %-20.20s", bar, percent, stage);
    fflush(stderr);
    bar_shown = 1;
    bar_percent = percent;
    if (done >= 1)
        cli_bar_clear();
}

cli_end cli_refuse(cli_end code, const char *format, ...) {
    char line[2 * SEG_MESSAGE_SIZE], shown[4 * sizeof line], *end = shown;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (const char *c = line; *c; c++)
        end += sprintf(end, (unsigned char)*c < ' ' || *c == 127 ? "\\x%02X" : "%c", (unsigned)(unsigned char)*c);
    *end = 0;
    cli_bar_clear();
    fprintf(stderr, "segment: %s\n", shown);
    return code;
}

cli_end cli_check_rules(const cli_rule *rules, size_t count) {
    for (size_t r = 0; r < count; r++)
        if (rules[r].broken)
            return cli_refuse(CLI_USAGE, "%s", rules[r].sentence);
    return CLI_GO_ON;
}

void cli_say_library(const char *before, const char *sentence) {
    static const struct {
        const char *field, *flag;
    } names[] = {{"give a label map", "give a label map (--labelmap FILE)"},
                 {"set k to 2 to have", "give -k 2 to have"},
                 {"set k to", "use -k"},
                 {"set patch to", "use --patch"},
                 {"give scribbles, or set k", "give --scribbles SCRIBBLES, or -k"},
                 {"(contradictions: drop)", "(--contradictions drop of segment and segment cluster)"},
                 {"set no_unknown", "give --no-unknown"},
                 {"object is for scribbles of an object", "--object is for --scribbles of an object"},
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

cli_end cli_out_of_memory(void) {
    return cli_refuse(CLI_FAILED, "out of memory");
}
