#include "cli/common/paint_options.h"
#include "cli/common/errors.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(cli_paint_options, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)),
     SEG_OPTION_SAID("SCRIBBLES", NULL, NULL,
                     "Scribbles to begin with: a file, or a folder with NAME-scribbles.png for image NAME.jpg "
                     "(default: those painted before)"),
     SEG_OPTION_KIND(INPUT, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("constraints", 0, TEXT, AT(constraints)),
     SEG_OPTION_SAID("PAIRS", NULL, NULL,
                     "Answers to begin with: a file of pairs, or a folder with NAME-pairs.csv for image NAME.jpg "
                     "(default: those given before)"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("model", 0, TEXT, AT(model)),
     SEG_OPTION_SAID(
         "FILE", NULL, NULL,
         "Model written by 'segment learn': each image begins with the model's mask, and strokes correct it"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("truth", 0, TEXT, AT(truth)),
     SEG_OPTION_SAID("FILE", NULL, NULL, "Show the accuracy against this ground truth, a file or a folder"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)),
     SEG_OPTION_SAID("FOLDER", NULL, NULL,
                     "Folder of NAME-scribbles.png and NAME-mask.png (default: the working folder)"),
     SEG_OPTION_KIND(OUTPUT, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("port", 0, INT, AT(port)), SEG_OPTION_RANGE(0, 65535),
     SEG_OPTION_SAID("N", "0", NULL, "Port of 127.0.0.1 to listen on; 0: any free port"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("no-browser", 0, FLAG, AT(no_browser)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "Print the address, but do not open a browser"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("listen", 0, TEXT, AT(listen)), SEG_OPTION_SAID("ADDRESS", NULL, NULL, "Refused: see the manual"),
     SEG_OPTION_KIND(SAY, SEG_OPTION_HIDDEN)},
    {.name = "seed"},
    {.name = "threads"},
    {.name = "max-memory"},
    {.name = "quiet"},
    {.name = "verbose"},
    {.name = "help"},
    {.name = "version"},
    {0}};

/* Strokes, answers and models all count as constraints. */
static const seg_method *usual_method(const void *options) {
    (void)options;
    return seg_method_find(NULL);
}

const cli_table cli_paint_table = {
    .command = "segment paint",
    .usage = "PHOTO...",
    .about =
        "Draw scribbles in a browser window, and see the mask while you draw.\n\n"
        "PHOTO is an image file (" SEG_IMAGE_FORMAT_NAMES "), or a folder of them. The "
        "scribbles (NAME-scribbles.png) and the mask "
        "(NAME-mask.png) are written after every stroke; a journal (NAME-strokes.jsonl) records the strokes, so that "
        "the next start continues where the last one ended. The server accepts connections only from this machine, "
        "at an address that contains a random token.",
    .brief = "Draw scribbles in a browser window, and see the mask while you draw.\n\n"
             "  segment paint photo.jpg            opens the browser\n"
             "  segment paint photos/ -o masks/    a folder of images\n"
             "  segment paint new/ --model M       begins with the masks of a model\n\n"
             "NAME-scribbles.png and NAME-mask.png are written after every stroke. These are the important options; "
             "segment paint --help=all lists every option.",
    .more = "Ctrl-C writes the scribbles and the mask, and ends. Exit status: 0 ok, 1 failed while running, 2 wrong "
            "options, 3 unreadable input. See also the manual page segment-paint(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to segment",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to segment",
                [SEG_OPTIONS_SAY] = "How to show it"},
    .rows = rows,
    .segment = AT(segment),
    .takes_all = 1,
    .usual_method = usual_method,
};

cli_end cli_paint_options_parse(seg_context *ctx, int argc, char **argv, cli_paint_options *out) {
    memset(out, 0, sizeof *out);
    seg_options_default(&out->segment);
    cli_set_defaults(&cli_paint_table, out);
    const cli_end end = cli_parse(&cli_paint_table, argc, argv, out);
    if (end != CLI_GO_ON)
        return end;
    if (out->listen)
        return cli_refuse(CLI_USAGE, "--listen: the server accepts connections only from this machine; from another "
                                     "one use a tunnel: ssh -L PORT:127.0.0.1:PORT "
                                     "this-machine, and segment paint --port PORT --no-browser here");
    if (out->common.words.count == 0)
        return cli_refuse(CLI_USAGE, "no image given; 'segment paint photo.jpg' opens one");
    if (out->model && out->constraints)
        return cli_refuse(CLI_USAGE, "pairs cannot be combined with a model; leave out --constraints or --model");
    if (out->model && strcmp(out->model, "-") == 0)
        return cli_refuse(CLI_USAGE, "--model -: the page shows a command with the name of the model; give a file");
    const seg_status status = seg_options_check(ctx, &out->segment);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_COMPUTING);
}

void cli_paint_options_free(cli_paint_options *options) {
    free(options->common.words.at);
    memset(options, 0, sizeof *options);
}
