#include "photo_options.h"
#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The commands besides the main job, for both helps. */
#define CLI_COMMAND_LINES                                                                                              \
    "Other commands:\n"                                                                                                \
    "  segment cluster DATA       cluster vectors, a graph or a kernel\n"                                              \
    "  segment query DATA|PHOTO   ask you what belongs together\n"                                                     \
    "  segment eval DIR           run methods over a data set, and report\n"                                           \
    "  segment figure PHOTO ...   draw masks of several methods side by side\n"                                        \
    "  segment experiment NAME    repeat an experiment of the papers\n"                                                \
    "  segment replay RUN.json    make the same result again from a saved run\n"                                       \
    "  segment score MASK TRUTH   compare a mask with a ground truth\n"                                                \
    "  segment methods            list the methods and their parameters\n"                                             \
    "  segment completion SHELL   make bash, zsh or fish complete all this\n"                                          \
    "  segment help [COMMAND]     print this help, or that of a command\n"

#define AT(member) offsetof(cli_photo_options, member)

static const seg_option rows[] = {
    {.name = "scribbles",
     .letter = 's',
     .type = SEG_OPTION_TEXT,
     .offset = AT(scribbles),
     .value = "SCRIBBLES",
     .help = "Image of PHOTO's size with a few strokes in every region, or a copy of PHOTO painted on",
     .group = SEG_OPTIONS_INPUT,
     .traits = SEG_OPTION_MAKES_RESULT | SEG_OPTION_IMPORTANT},
    {.name = "regions"},
    {.name = "constraints",
     .type = SEG_OPTION_TEXT,
     .offset = AT(constraints),
     .value = "FILE",
     .help = "Further must-links and cannot-links, one per line",
     .group = SEG_OPTIONS_INPUT,
     .traits = SEG_OPTION_MAKES_RESULT},
    {.name = "labelmap",
     .type = SEG_OPTION_TEXT,
     .offset = AT(labelmap),
     .value = "FILE",
     .help = "Which colour of SCRIBBLES is which label",
     .group = SEG_OPTIONS_INPUT,
     .traits = SEG_OPTION_MAKES_RESULT},

    {.name = "output",
     .letter = 'o',
     .type = SEG_OPTION_TEXT,
     .offset = AT(mask),
     .value = "MASK",
     .help = "The mask, an 8-bit palette PNG; - is standard output (default PHOTO-mask.png)",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "overlay",
     .type = SEG_OPTION_TEXT,
     .offset = AT(overlay),
     .value = "FILE",
     .help = "The image with the regions drawn on it (default PHOTO-overlay.png)",
     .group = SEG_OPTIONS_OUTPUT},
    {.name = "no-overlay",
     .type = SEG_OPTION_FLAG,
     .offset = AT(no_overlay),
     .help = "Draw no overlay",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "alpha",
     .type = SEG_OPTION_REAL,
     .offset = AT(style.alpha),
     .high = 1,
     .initial = "0.4",
     .value = "A",
     .help = "Strength of the overlay's tint, 0 to 1",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_MAKES_RESULT},
    {.name = "outline",
     .type = SEG_OPTION_INT,
     .offset = AT(style.outline),
     .high = 32,
     .initial = "2",
     .unit = "pixels",
     .value = "W",
     .help = "Width of the overlay's outlines in pixels, 0 to 32",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_MAKES_RESULT},
    {.name = "prob",
     .type = SEG_OPTION_TEXT,
     .offset = AT(probability),
     .value = "FILE.npy",
     .help = "How much each pixel belongs to each label: height x width x labels numbers of single precision that "
             "sum to 1",
     .group = SEG_OPTIONS_OUTPUT},
    {.name = "uncertainty",
     .type = SEG_OPTION_TEXT,
     .offset = AT(uncertainty),
     .value = "FILE.png",
     .help = "Grey image of 1 - (best - second best) of these numbers: black is certain, white undecided",
     .group = SEG_OPTIONS_OUTPUT},
    {.name = "export",
     .type = SEG_OPTION_TEXTS,
     .offset = AT(export_texts),
     .value = "KIND[=FILE]",
     .help = "The mask for other programs: coco, yolo, geojson, svg, npy, labelme or masks (a folder with an image "
             "per label); may be given several times (default FILE: the mask's name with another ending)",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "truth",
     .type = SEG_OPTION_TEXT,
     .offset = AT(truth),
     .value = "FILE",
     .help = "Score the mask against this ground truth",
     .group = SEG_OPTIONS_OUTPUT,
     .traits = SEG_OPTION_IMPORTANT},
    {.name = "save-run",
     .type = SEG_OPTION_TEXT,
     .offset = AT(save_run),
     .value = "FILE.json",
     .help = "Everything that makes the result, for 'segment replay': version, options, seed, the inputs' SHA-256",
     .group = SEG_OPTIONS_OUTPUT},
    {.name = "json"},

    {.name = "seed"},
    {.name = "threads"},
    {.name = "max-memory"},
    {.name = "timeout"},

    {.name = "progress"},
    {.name = "quiet"},
    {.name = "verbose"},
    {.name = "help"},
    {.name = "version"},
    {0}};

const cli_table cli_photo_table = {
    .command = "segment",
    .usage = "PHOTO...",
    .about =
        "Cut an image into regions from a few scribbles.\n\n"
        "PHOTO is a PNG, JPEG, TIFF or BMP file, - standard input. Several images, or a folder of them: --scribbles, "
        "--truth and --constraints may then name folders (NAME-scribbles.png for image NAME.jpg), outputs must.",
    .brief =
        "Cut an image into regions from a few scribbles.\n\n"
        "  segment photo.jpg -s scribbles.png     regions from strokes in every region\n"
        "  segment photo.jpg -k 3                 three regions without strokes\n\n"
        "Both write photo-mask.png, the label of each pixel, and photo-overlay.png to look at. PHOTO may also be a "
        "folder of images. These are the important options; segment --help=all lists every option.",
    .also = CLI_COMMAND_LINES,
    .more = "An image with such a name is ./score or -- score.\n\n"
            "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
            "constraints, 5 some of several images failed, 6 more memory is needed than --max-memory allows, 124 "
            "--timeout is over, 130 interrupted. The manual page segment(1) tells more.",
    .heading = {[SEG_OPTIONS_INPUT] = "What to segment",
                [SEG_OPTIONS_OUTPUT] = "What to write",
                [SEG_OPTIONS_HOW] = "How to segment",
                [SEG_OPTIONS_SAY] = "What to say"},
    .rows = rows,
    .segment = AT(segment),
    .takes_all = 1,
};

int cli_is_recorded(const seg_option *row) {
    return row->traits & SEG_OPTION_MAKES_RESULT && row->type != SEG_OPTION_TEXT;
}

void cli_photo_options_default(cli_photo_options *out) {
    memset(out, 0, sizeof *out);
    seg_options_default(&out->segment);
    cli_set_defaults(&cli_photo_table, out);
}

cli_end cli_photo_options_read(int argc, char **argv, cli_photo_options *out) {
    cli_photo_options_default(out);
    const cli_end end = cli_parse(&cli_photo_table, argc, argv, out);
    out->photo = cli_word(&out->common, 0);
    if (end == CLI_GO_ON && !out->photo) {
        cli_say("no image given; 'segment --help' tells how to name one");
        return CLI_USAGE;
    }
    return end;
}

void cli_photo_options_copy(const cli_photo_options *from, const char *photo, cli_photo_options *out) {
    *out = *from;
    out->photo = photo;
    out->owned_count = 0;
    out->is_copy = 1;
}

const char *cli_photo_own(cli_photo_options *options, char *name) {
    if (!name)
        cli_out_of_memory();
    else
        options->owned[options->owned_count++] = name;
    return name;
}

void cli_photo_options_free(cli_photo_options *options) {
    cli_exports_free(&options->exports);
    for (int i = 0; i < options->owned_count; i++)
        free(options->owned[i]);
    if (!options->is_copy) {
        free(options->common.words.at);
        free(options->export_texts.at);
    }
    memset(options, 0, sizeof *options);
}
