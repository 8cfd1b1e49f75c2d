#include "cli/common/paint_options.h"
#include "cli/common/commands.h"

#define AT(member) offsetof(cli_paint_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)), .value = "SCRIBBLES",
     .help = "Scribbles to begin with: a file, or a folder with NAME-scribbles.png for image NAME.jpg "
             "(default: those painted before)",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("model", 0, TEXT, AT(model)), .value = "FILE",
     .help = "Model written by 'segment learn': each image begins with the model's mask, and strokes correct it"},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)), .value = "FOLDER",
     .help = "Folder of NAME-scribbles.png and NAME-mask.png (default: the working folder)",
     .traits = SEG_OPTION_IMPORTANT},
    CLI_SECTION(SAY),
    {SEG_OPTION_ROW("port", 0, INT, AT(port)), SEG_OPTION_RANGE(0, 65535), .value = "N", .initial = "0",
     .help = "Port of 127.0.0.1 to listen on; 0: any free port", .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("no-browser", 0, FLAG, AT(no_browser)), .help = "Print the address, but do not open a browser",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("listen", 0, TEXT, AT(listen)), .value = "ADDRESS", .help = "Refused: see the manual",
     .traits = SEG_OPTION_HIDDEN},
    CLI_SECTION(HOW),
    {.name = "seed"},
    {.name = "threads"},
    {.name = "max-memory"},
    CLI_SECTION(SAY),
    {.name = "quiet"},
    {.name = "verbose"},
    {.name = "help"},
    {.name = "version"},
    {0}};

/* Strokes and models both count as constraints. */
static const seg_method *usual_method(const void *options) {
    (void)options;
    return seg_method_find(NULL);
}

const cli_table cli_paint_table = {
    .command = "segment paint",
    .usage = "PHOTO...",
    .least_words = 1,
    .too_few = "no image given; 'segment paint photo.jpg' opens one",
    .about = "Draw scribbles in a browser window, and see the mask while you draw.\n\n"
             "PHOTO is an image file (" SEG_IMAGE_FORMAT_NAMES "), or a folder of them. The "
             "scribbles (NAME-scribbles.png) and the mask (NAME-mask.png) are written after every stroke; a journal "
             "(NAME-strokes.jsonl) records the strokes, so that the next start continues where the last one ended. The "
             "server accepts connections only from this machine, at an address that contains a random token.",
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
