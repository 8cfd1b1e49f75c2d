/* segment query: ask questions, and save every answer. */
#include "cli/cluster/cluster_job.h"
#include "cli/common/commands.h"
#include "cli/common/file_uses.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/query/query.h"
#include "image/file.h"

#include <poll.h>
#include <sys/stat.h>

/* --- Options. --- */

#define AT(member) offsetof(cli_query_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("clusters", 'k', INT, AT(k)), SEG_OPTION_RANGE(1, SEG_MAX_LABELS), .value = "K",
     .help = "Number of clusters, if known; saves questions"},
    {SEG_OPTION_ROW("labels", 0, CHOICE, AT(label_column)), SEG_OPTION_CHOICES(SEG_WORDS("none", "first", "last"), 0),
     .value = "WHERE", .initial = "none",
     .help = "Column of DATA that contains labels and is left out: last, first or none"},
    {SEG_OPTION_ROW("standardise", 0, FLAG, AT(standardise)),
     .help = "Measure distances with every column at standard deviation 1"},
    {SEG_OPTION_ROW("strategy", 0, CHOICE, AT(strategy)), SEG_OPTION_CHOICES(cli_active_names, 0), .value = "NAME",
     .initial = "explore-consolidate",
     .help = "How pairs are chosen: explore-consolidate, explore, minmax, npu, aipc (needs -k) or random"},
    {SEG_OPTION_ROW("queries", 0, INT, AT(queries)), SEG_OPTION_RANGE(1, 1000000), .value = "N",
     .help = "Largest number of questions; default: until you quit"},
    {.name = "seed", .help = "Seed of every random choice; the same seed and answers give the same questions"},
    {.name = "threads"},
    {.name = "max-memory"},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)), .value = "FILE",
     .help = "The answers; an existing file is continued; - is standard output (default DATA-pairs.csv)"},
    {.name = "quiet", .help = "Print the questions only"},
    {.name = "verbose"},
    CLI_LAST_ROWS};

const cli_table cli_query_table = {
    .command = "segment query",
    .usage = "DATA",
    .least_words = 1,
    .too_few = "no input given; name a table",
    .most_words = 1,
    .too_many = "one table at a time",
    .about =
        "Ask you which samples belong together, and write your answers as constraints.\n\n"
        "DATA is a table as for 'segment cluster'. Each question shows two rows; the answers are read from standard "
        "input, one per line: y(es), n(o), s(kip), u(ndo), q(uit). Pairs that follow from earlier answers are not "
        "asked.",
    .more = "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
            "constraints, 6 more memory is needed than --max-memory allows, 130 interrupted; the answers are kept in "
            "each case. See also the manual page segment-query(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to ask about", [SEG_OPTIONS_OUTPUT] = "Output"},
    .rows = rows,
};

cli_end cli_query_check(cli_query_options *options) {
    options->data = cli_word(&options->common, 0);
    if (strcmp(options->data, "-") == 0)
        return cli_refuse(CLI_USAGE, "answers are read from standard input; name a file to ask about");
    if (!options->output)
        options->output = options->default_output = cli_default_name(options->data, "-pairs.csv");
    CLI_TRY(cli_allocated(options->output));
    const cli_use uses[] = {{.name = "-o", .path = options->output, .writes = 1, .endings = "csv,txt"},
                            {.name = "the input", .path = options->data}};
    return cli_check_files(uses, sizeof uses / sizeof *uses);
}

/* Inputs of a run and the objects made from them. Zero at the start. */
typedef struct query_run {
    seg_labels labels;      /* of the table, with the names of its columns */
    seg_matrix shown;       /* the table unchanged */
    seg_matrix features;    /* features that distances are measured on; empty if that is `shown` */
    unsigned char *earlier; /* text of the answers' file so far; owned, NULL for none */
    seg_constraints known, unknown;
    seg_active *active;
} query_run;

typedef enum cli_reply {
    CLI_REPLY_CANNOT = SEG_ANSWER_CANNOT,
    CLI_REPLY_SKIP = SEG_ANSWER_UNKNOWN,
    CLI_REPLY_MUST = SEG_ANSWER_MUST,
    CLI_REPLY_UNDO,
    CLI_REPLY_QUIT,       /* or the end of standard input */
    CLI_REPLY_INTERRUPTED /* by a signal, while waiting */
} cli_reply;

/* --- Inputs. --- */

static seg_status read_table(seg_context *ctx, const cli_query_options *options, query_run *run) {
    SEG_TRY(seg_vectors_read(ctx, options->data, options->label_column, &run->shown, &run->labels));
    if (!options->standardise)
        return SEG_OK;
    SEG_TRY(seg_matrix_create(ctx, run->shown.rows, run->shown.cols, &run->features));
    memcpy(run->features.at, run->shown.at, run->shown.rows * run->shown.cols * sizeof *run->shown.at);
    return seg_scale(ctx, SEG_SCALING_STANDARDISED, &run->features);
}

/* Read the file of answers unchanged; new answers are appended to these bytes. */
static cli_end read_earlier(seg_context *ctx, const char *path, query_run *run) {
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return CLI_GO_ON;
    size_t size;
    return cli_went(ctx, seg_file_read(ctx, path, &run->earlier, &size), CLI_READING);
}

static seg_status begin(seg_context *ctx, const cli_query_options *options, query_run *run) {
    SEG_TRY(seg_constraints_create(ctx, run->shown.rows, &run->known));
    SEG_TRY(seg_constraints_create(ctx, run->shown.rows, &run->unknown));
    if (run->earlier)
        SEG_TRY(seg_constraints_read(ctx, options->output, NULL, 0, &run->known, &run->unknown));
    const seg_active_spec spec = {
        .strategy = (seg_active_strategy)options->strategy,
        .k = options->k,
        .budget = options->queries ? (size_t)options->queries : SIZE_MAX,
        .n = run->shown.rows,
        .features = run->features.at ? &run->features : &run->shown,
        .known = &run->known,
        .unknown = &run->unknown,
    };
    return seg_active_create(ctx, &spec, &run->active);
}

static cli_end read_all(seg_context *ctx, const cli_query_options *options, query_run *run) {
    CLI_TRY(cli_went(ctx, read_table(ctx, options, run), CLI_READING));
    CLI_TRY(read_earlier(ctx, options->output, run));
    CLI_TRY(cli_went(ctx, begin(ctx, options, run), CLI_READING));
    if (run->known.pairs + run->unknown.pairs && !options->common.quiet)
        cli_say("'%s' exists: its %zu answers are kept and new ones appended; use -o for another file", options->output,
                run->known.pairs + run->unknown.pairs);
    return CLI_GO_ON;
}

static void free_run(query_run *run) {
    seg_active_free(run->active);
    seg_constraints_free(&run->known);
    seg_constraints_free(&run->unknown);
    seg_matrix_free(&run->shown);
    seg_matrix_free(&run->features);
    seg_labels_free(&run->labels);
    free(run->earlier);
}

/* --- The questions. --- */

enum { COLUMNS = 6, WIDTH = 12 }; /* of a table that are shown; letters of each */

/* The columns in which the two rows differ most, in ascending order; of equal differences the first ones. */
static size_t choose_columns(const query_run *run, int32_t i, int32_t j, size_t column[COLUMNS]) {
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
static void print_name(const query_run *run, size_t column) {
    char text[WIDTH + 1];
    if (run->labels.column)
        snprintf(text, sizeof text, "%s", run->labels.column[column]);
    else
        snprintf(text, sizeof text, "column %zu", column + 1);
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    fprintf(stderr, "  %*s", WIDTH, text);
}

static void show_rows(const query_run *run, int32_t i, int32_t j) {
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

static void show(const cli_query_options *options, const query_run *run, int32_t i, int32_t j) {
    const seg_active_tally tally = seg_active_about(run->active);
    fprintf(stderr, "\nQuestion %zu", tally.asked + 1);
    if (options->queries)
        fprintf(stderr, " of %d", options->queries);
    if (tally.neighbourhoods)
        fprintf(stderr, ", %d group%s found", tally.neighbourhoods, tally.neighbourhoods == 1 ? "" : "s");
    fputs(":\n", stderr);
    show_rows(run, i, j);
}

static cli_reply read_reply(void) {
    static const struct {
        const char *word;
        cli_reply reply;
    } words[] = {{"yes", CLI_REPLY_MUST},
                 {"no", CLI_REPLY_CANNOT},
                 {"skip", CLI_REPLY_SKIP},
                 {"undo", CLI_REPLY_UNDO},
                 {"quit", CLI_REPLY_QUIT}};
    SEG_FREED char *line = NULL;
    size_t room = 0;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        char word[8] = "", more;
        fputs("Do A and B belong together? [y]es, [n]o, [s]kip, [u]ndo, [q]uit: ", stderr);
        fflush(stderr);
        /* A signal ends poll() whatever the handler's flags. */
        if (cli_interrupted() || poll(&input, 1, -1) < 0 || getline(&line, &room, stdin) < 0) {
            fputc('\n', stderr);
            return cli_interrupted() ? CLI_REPLY_INTERRUPTED : CLI_REPLY_QUIT;
        }
        const int alone = sscanf(line, " %7s %c", word, &more) == 1;
        for (size_t w = 0; w < sizeof words / sizeof *words && alone; w++)
            if (strcasecmp(word, words[w].word) == 0 || (strncasecmp(word, words[w].word, 1) == 0 && !word[1]))
                return words[w].reply;
        fputs("This is not one of these answers.\n", stderr);
    }
}

/* The file is complete after every answer, in case the program is stopped; standard output is written at the end. */
static cli_end save(seg_context *ctx, const cli_query_options *options, const query_run *run, int last) {
    if ((strcmp(options->output, "-") == 0) != last)
        return CLI_GO_ON;
    return cli_went(ctx, seg_active_write(ctx, options->output, (const char *)run->earlier, run->active), CLI_WRITING);
}

static seg_status take(seg_context *ctx, query_run *run, cli_reply reply) {
    int undone;
    if (reply != CLI_REPLY_UNDO)
        return seg_active_answer(ctx, run->active, (seg_answer)reply);
    SEG_TRY(seg_active_undo(ctx, run->active, &undone));
    if (!undone)
        fputs("There is no answer to undo.\n", stderr);
    return SEG_OK;
}

static cli_end ask_all(seg_context *ctx, const cli_query_options *options, query_run *run) {
    for (;;) {
        int32_t i, j;
        int more;
        CLI_TRY(cli_went(ctx, seg_active_next(ctx, run->active, &i, &j, &more), CLI_COMPUTING));
        if (more)
            show(options, run, i, j);
        const cli_reply reply = more ? read_reply() : CLI_REPLY_QUIT;
        if (reply == CLI_REPLY_QUIT)
            return CLI_GO_ON;
        if (reply == CLI_REPLY_INTERRUPTED)
            return (cli_end)(CLI_SIGNAL + cli_interrupted());
        CLI_TRY(cli_went(ctx, take(ctx, run, reply), CLI_COMPUTING));
        CLI_TRY(save(ctx, options, run, 0));
    }
}

static void summarise(const cli_query_options *options, const query_run *run) {
    const seg_active_tally tally = seg_active_about(run->active);
    const int to_stream = strcmp(options->output, "-") == 0;
    if (tally.asked == 0 && !to_stream) {
        cli_say("no answers; nothing was written");
        return;
    }
    cli_say("%zu answers (%zu belong together, %zu do not, %zu skipped) and %zu not asked about, in %s", tally.asked,
            tally.must, tally.cannot, tally.unknown, tally.inferred, to_stream ? "standard output" : options->output);
}

static cli_end query(seg_context *ctx, void *user) {
    cli_query_options *options = user;
    SEG_RELEASED(free_run) query_run run = {0};
    options->common.progress = CLI_PROGRESS_NONE;
    CLI_TRY(cli_query_check(options));
    CLI_TRY(cli_start_limited(ctx, &options->common));
    CLI_TRY(read_all(ctx, options, &run));
    cli_catch_signals();
    setvbuf(stdin, NULL, _IONBF, 0); /* what is not read yet is for poll() to see */
    cli_end end = ask_all(ctx, options, &run);
    const cli_end written = save(ctx, options, &run, 1);
    end = end == CLI_GO_ON ? written : end;
    if (!options->common.quiet && end != CLI_FAILED)
        summarise(options, &run);
    return cli_finish_output(end == CLI_GO_ON ? CLI_OK : end);
}

cli_end cli_run_query(int argc, char **argv) {
    cli_query_options options = {.data = NULL};
    const cli_end end = cli_run(&cli_query_table, argc, argv, &options, query);
    free(options.default_output);
    return end;
}
