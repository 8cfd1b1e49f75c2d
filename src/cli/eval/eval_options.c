#include "cli/eval/eval_options.h"

#define AT(member) offsetof(cli_eval_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("dataset", 0, TEXT, AT(dataset)), .value = "LAYOUT",
     .help = "Layout of the data set: auto (the default), msrc, icgbench, grabcut or folder"},
    {SEG_OPTION_ROW("truth", 0, TEXT, AT(truth)), .value = "FOLDER",
     .help = "Folder of the ground truths, in place of the layout's own"},
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)), .value = "FOLDER",
     .help = "Folder of the scribbles; for grabcut the name of a folder inside DIR"},
    {SEG_OPTION_ROW("methods", 0, TEXT, AT(methods)), .value = "LIST",
     .help = "Methods separated by commas, each NAME or NAME:PARAM=VALUE:...; auto is the default method "
             "(default " CLI_EVAL_METHODS ")"},
    {.name = "patch"},
    {.name = "features"},
    {.name = "graph"},
    {.name = "knn"},
    {.name = "sigma"},
    {.name = "refine"},
    {SEG_OPTION_ROW("out", 'o', TEXT, AT(plan.out)), .value = "FOLDER", .initial = "report",
     .help = "Folder of the report; an interrupted run continues there"},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("pairs", 0, INT, AT(plan.pairs)), SEG_OPTION_RANGE(1, 1000000), .value = "N",
     .help = "Draw N must-links and N cannot-links per class from the ground truth"},
    {SEG_OPTION_ROW("clicks", 0, INT, AT(plan.clicks)), SEG_OPTION_RANGE(1, 1000), .value = "N",
     .help = "N clicks of a simulated user, one per label, then where the error is deepest; reports NoC and IoU"},
    {SEG_OPTION_ROW("first", 0, CHOICE, AT(plan.object_first)), SEG_OPTION_CHOICES(SEG_WORDS("both", "object"), 0),
     SEG_OPTION_NEEDS("clicks"), .value = "WHAT", .initial = "both",
     .help = "First mask: after a click in both (in each label), or after one click in the object (label 1)"},
    {.name = "seed"},
    CLI_SECTION(HOW),
    {SEG_OPTION_ROW("jobs", 0, INT, AT(jobs)), SEG_OPTION_RANGE(0, 64), .value = "N", .initial = "0",
     .help = "Images processed at once; 0: one per processor"},
    {.name = "max-memory",
     .help = "Memory limit of each process: bytes, or with K, M, G or KiB, MiB, GiB; a plan that needs more is "
             "adapted, or the image's record reports the failure"},
    {.name = "timeout"},
    {SEG_OPTION_ROW("shard", 0, TEXT, AT(shard_text)), .value = "I/N",
     .help = "Process only the I-th of N parts; the one that ends last writes the report"},
    {SEG_OPTION_ROW("restart", 0, FLAG, AT(restart)), .help = "Discard the results of an interrupted run"},
    CLI_SECTION(SAY),
    {SEG_OPTION_ROW("no-timing", 0, FLAG, AT(no_timing)), .help = "Leave seconds and memory out of the report"},
    {.name = "progress"},
    {.name = "quiet", .help = "Print no table, no warnings and no bar"},
    {.name = "verbose", .help = "Report what is found and done"},
    CLI_LAST_ROWS};

const cli_table cli_eval_table = {
    .command = "segment eval",
    .usage = "DIR",
    .about = "Run methods over a data set and write a report: tables, figures and an HTML page.",
    .more = "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 no data set, 5 finished, but some images "
            "could not be read or some methods failed, 130 interrupted. See also the manual page segment-eval(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to evaluate",
                [SEG_OPTIONS_OUTPUT] =
                    "Constraints (scribbles of the data set; " CLI_EVAL_PAIRS " pairs if it has none)",
                [SEG_OPTIONS_HOW] = "How to share the work",
                [SEG_OPTIONS_SAY] = "Output and messages"},
    .rows = rows,
    .segment = AT(segment),
};

/* Read "a,b,c" into methods to compare. */
static cli_end read_compared(seg_context *ctx, const char *list, cli_eval_options *options) {
    SEG_FREED char *copy = strdup(list);
    char *next = NULL;
    seg_compared *compared = calloc(strlen(list) / 2 + 1, sizeof *compared); /* a comma between two at least */
    int *count = &options->plan.compared_count;
    options->plan.compared = compared;
    CLI_TRY(cli_allocated(copy && compared));
    for (char *word = strtok_r(copy, ",", &next); word; word = strtok_r(NULL, ",", &next), ++*count) {
        CLI_TRY(cli_went(ctx, seg_compared_parse(ctx, word, &compared[*count]), CLI_COMPUTING));
        for (int c = 0; c < *count; c++)
            if (strcasecmp(compared[c].label, word) == 0)
                return cli_refuse(CLI_USAGE, "--methods names '%s' twice", word);
    }
    return *count ? CLI_GO_ON : cli_refuse(CLI_USAGE, "--methods names no method; 'segment methods' lists them");
}

cli_end cli_eval_check(seg_context *ctx, cli_eval_options *options) {
    CLI_TRY(cli_read_shard(options->shard_text, &options->shard));
    const cli_rule rules[] = {
        {options->restart && options->shard.count,
         "--restart is not for parts of the work: delete their journals before they begin"},
        {options->common.words.count == 0, "no data set given; name its folder"},
        {options->common.words.count > 1, "one data set at a time"},
        {options->plan.pairs && options->plan.clicks, "--pairs and --clicks exclude each other; give one"}};
    CLI_TRY(cli_check_rules(rules, sizeof rules / sizeof *rules));
    options->dataset = options->dataset ? options->dataset : "auto";
    return read_compared(ctx, options->methods ? options->methods : CLI_EVAL_METHODS, options);
}
