#include "cli/common/process.h"
#include "cli/query/query.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { COLUMNS = 6, WIDTH = 12 }; /* of a table that are shown; letters of each */

/* The columns in which the two rows differ most, in ascending order; of equal differences the first ones. */
static size_t choose_columns(const cli_query_run *run, int32_t i, int32_t j, size_t column[COLUMNS]) {
    const seg_matrix *X = run->features.at ? &run->features : &run->shown;
    const double *a = X->at + (size_t)i * X->cols, *b = X->at + (size_t)j * X->cols;
    size_t count = 0;
    for (size_t c = 0; c < X->cols; c++) {
        size_t larger = 0;
        for (size_t d = 0; d < X->cols && larger < COLUMNS; d++)
            larger += fabs(a[d] - b[d]) > fabs(a[c] - b[c]) || (d < c && fabs(a[d] - b[d]) == fabs(a[c] - b[c]));
        if (larger < COLUMNS)
            column[count++] = c;
    }
    return count;
}

/* Print the name of a column without control characters, or its number from 1. */
static void print_name(const cli_query_run *run, size_t column) {
    char text[WIDTH + 1];
    if (run->labels.column)
        snprintf(text, sizeof text, "%s", run->labels.column[column]);
    else
        snprintf(text, sizeof text, "column %zu", column + 1);
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    fprintf(stderr, "  %*s", WIDTH, text);
}

static void show_rows(const cli_query_run *run, int32_t i, int32_t j) {
    const int32_t sample[2] = {i, j};
    size_t column[COLUMNS], count = choose_columns(run, i, j, column);
    fprintf(stderr, "%*s", 14, "");
    for (size_t c = 0; c < count; c++)
        print_name(run, column[c]);
    for (int row = 0; row < 2; row++) {
        fprintf(stderr, "\n  %c  row %-5d", 'A' + row, sample[row]);
        for (size_t c = 0; c < count; c++)
            fprintf(stderr, "  %*.6g", WIDTH, run->shown.at[(size_t)sample[row] * run->shown.cols + column[c]]);
    }
    if (count < run->shown.cols)
        fprintf(stderr, "\n  (%zu of %zu columns, those that differ most)", count, run->shown.cols);
    fputc('\n', stderr);
}

void cli_query_show(const cli_query_options *options, const cli_query_run *run, int32_t i, int32_t j) {
    const seg_active_tally tally = seg_active_about(run->active);
    fprintf(stderr, "\nQuestion %zu", tally.asked + 1);
    if (options->queries)
        fprintf(stderr, " of %d", options->queries);
    if (tally.neighbourhoods)
        fprintf(stderr, ", %d group%s found", tally.neighbourhoods, tally.neighbourhoods == 1 ? "" : "s");
    fputs(":\n", stderr);
    show_rows(run, i, j);
}

/* Read a line of standard input with read(), which a signal interrupts. Longer lines are cut: no answer is that long.
 */
static int read_line(char *line, size_t size) {
    size_t length = 0;
    for (;;) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        char c;
        if (cli_interrupted() || poll(&input, 1, -1) < 0) /* a signal ends poll() whatever the handler's flags */
            return 0;
        ssize_t got = read(STDIN_FILENO, &c, 1);
        if (got <= 0 && length == 0)
            return 0;
        if (got <= 0 || c == '\n')
            break;
        if (length + 1 < size)
            line[length++] = c;
    }
    line[length] = 0;
    return 1;
}

/* The word of a line without blanks around it. */
static char *trim(char *line) {
    char *word = line + strspn(line, " \t\r");
    size_t length = strlen(word);
    while (length > 0 && strchr(" \t\r", word[length - 1]))
        word[--length] = 0;
    return word;
}

cli_reply cli_query_reply(void) {
    static const struct {
        const char *word;
        cli_reply reply;
    } words[] = {{"yes", CLI_REPLY_MUST},
                 {"no", CLI_REPLY_CANNOT},
                 {"skip", CLI_REPLY_SKIP},
                 {"undo", CLI_REPLY_UNDO},
                 {"quit", CLI_REPLY_QUIT}};
    char line[64];
    for (;;) {
        fputs("Do A and B belong together? [y]es, [n]o, [s]kip, [u]ndo, [q]uit: ", stderr);
        fflush(stderr);
        if (!read_line(line, sizeof line)) {
            fputc('\n', stderr);
            return cli_interrupted() ? CLI_REPLY_INTERRUPTED : CLI_REPLY_QUIT;
        }
        const char *word = trim(line);
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (strcasecmp(word, words[w].word) == 0 || (strncasecmp(word, words[w].word, 1) == 0 && !word[1]))
                return words[w].reply;
        fputs("This is not one of these answers.\n", stderr);
    }
}
