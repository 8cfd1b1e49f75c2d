#include "cli/segment/photo_run.h"

#define AT(member) offsetof(cli_photo_options, member)

const cli_photo_file cli_photo_files[] = {
    {"photo", NULL, "the image", AT(photo), NULL, NULL},
    {"scribbles", "scribbles", "--scribbles", AT(scribbles), NULL, NULL},
    {"constraints", "constraints", "--constraints", AT(constraints), NULL, NULL},
    {"labelmap", "labelmap", "--labelmap", AT(labelmap), NULL, NULL},
    {"truth", "truth", "--truth", AT(truth), NULL, NULL},
    {"model", "model", "--model", AT(model), NULL, NULL},
    {"start", "start", "--start", AT(start), NULL, NULL},
    {"mask", "output", "the mask", AT(mask), "png,tif,tiff", "-mask.png"},
    {"overlay", "overlay", "the overlay", AT(overlay), "png", "-overlay.png"},
    {"prob", "prob", "--prob", AT(probability), "npy", "-prob.npy"},
    {"uncertainty", "uncertainty", "--uncertainty", AT(uncertainty), "png", "-uncertainty.png"},
    {"save_run", "save-run", "--save-run", AT(save_run), "json", "-run.json"},
    {"table", "table", "--table", AT(table), "csv", NULL}};

const char *cli_photo_path(const cli_photo_options *options, int i) {
    return *(const char *const *)(const void *)((const char *)options + cli_photo_files[i].offset);
}

void cli_photo_set_path(cli_photo_options *options, int i, const char *path) {
    *(const char **)(void *)((char *)options + cli_photo_files[i].offset) = path;
}

/* The commands besides the main job, for both helps. */
#define CLI_COMMAND_LINES                                                                                              \
    "Other commands:\n"                                                                                                \
    "  segment paint PHOTO        draw scribbles in a browser, and see the mask\n"                                     \
    "  segment learn PHOTO...     learn a model from scribbles on some images\n"                                       \
    "  segment apply MODEL PHOTO  segment other images with the model\n"                                               \
    "  segment cluster DATA       cluster vectors, a graph or a kernel\n"                                              \
    "  segment query DATA         ask you which samples belong together\n"                                             \
    "  segment eval DIR           run methods over a data set and write a report\n"                                    \
    "  segment experiment NAME    repeat an experiment of the papers\n"                                                \
    "  segment replay RUN.json    repeat a recorded run\n"                                                             \
    "  segment score MASK TRUTH   compare a mask with a ground truth\n"                                                \
    "  segment methods            list the methods and their parameters\n"                                             \
    "  segment help [COMMAND]     print this help, or that of a command\n"

static const char *const style_names[] = {"both", "tint", "outline", "cutout", NULL}; /* as CLI_OVERLAY_BOTH */

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)), .value = "SCRIBBLES",
     .help = "Scribbles: an image of the size of PHOTO with a few strokes in every region, or a painted copy of PHOTO",
     .traits = SEG_OPTION_MAKES_RESULT | SEG_OPTION_IMPORTANT},
    {.name = "regions"},
    {SEG_OPTION_ROW("constraints", 0, TEXT, AT(constraints)), .value = "FILE",
     .help = "Further must-links and cannot-links, one per line", .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("labelmap", 0, TEXT, AT(labelmap)), .value = "FILE",
     .help = "Label of each colour of SCRIBBLES, and names of labels", .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("names", 0, TEXT, AT(names)), .value = "NAME,NAME...",
     .help = "Names of labels 1, 2 ... in outputs, in place of those of --labelmap; as in background,cat"},
    {SEG_OPTION_ROW("model", 0, TEXT, AT(model)), .value = "FILE",
     .help = "Model written by 'segment learn'; SCRIBBLES may then be missing or mark only some regions",
     .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("start", 0, TEXT, AT(start)), .value = "MASK",
     .help =
         "Correct this mask, an image or NPY array of labels or of probabilities (height x width x k, or of label 1 "
         "alone): it stays where SCRIBBLES do not contradict it",
     .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("tiled", 0, FLAG, AT(tiled)),
     .help = "Read PHOTO, a TIFF file, tile by tile, and write the mask as a tiled TIFF (default "
             "PHOTO-mask.tif); automatic if PHOTO is too large to be read as a whole"},
    {SEG_OPTION_ROW("volume", 0, FLAG, AT(volume)),
     .help = "PHOTO, a folder, TIFF file or array, is a volume: its images by the numbers in their names, or its pages "
             "are slices; SCRIBBLES has images of the same names for some of them, MASK gets one for each",
     .traits = SEG_OPTION_MAKES_RESULT},
    {.name = "channels",
     .help = "The image has N channels: pages or samples of a TIFF file, an NPY array of height x width x N, or grey "
             "images of equal size one below the other; or, with a folder, the name of a file for each, with wildcards",
     .traits = CLI_OPTION_OR_FILES},
    {SEG_OPTION_ROW("window", 0, INT, AT(window)), SEG_OPTION_RANGE(4, SEG_MAX_STACK), .value = "N", .unit = "frames",
     .help =
         "Frames of --video held at once; of more, windows of so many are segmented one after another (default: 40, "
         "fewer where patches would be large, but at least 4)",
     SEG_OPTION_NEEDS("video"), .traits = SEG_OPTION_MAKES_RESULT | SEG_OPTION_UNSET_BELOW},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(mask)), .value = "MASK",
     .help = "The mask: palette PNG, tiled TIFF (.tif), or - for standard output (default ./PHOTO-mask.png)",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("overlay", 0, TEXT, AT(overlay)), .value = "FILE",
     .help = "The image with the regions drawn on it (default: beside the mask and named after it: "
             "PHOTO-overlay.png or, with -o m.png, m-overlay.png)"},
    {SEG_OPTION_ROW("no-overlay", 0, FLAG, AT(no_overlay)), .help = "Draw no overlay", .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("show", 0, TEXT, AT(show)), .value = "R,G,B",
     .help = "Channels that are red, green and blue in the overlay, 0: none, each from its 1st to its 99th percentile"},
    {SEG_OPTION_ROW("alpha", 0, REAL, AT(style.alpha)), SEG_OPTION_RANGE(0, 1), .value = "A", .initial = "0.4",
     .help = "Strength of the overlay's tint, 0 to 1", .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("palette", 0, CHOICE, AT(style.palette)),
     SEG_OPTION_CHOICES(SEG_WORDS("scribbles", "okabe-ito"), 0), .value = "WHICH", .initial = "scribbles",
     .help = "Colours of the overlay: scribbles (those of the strokes, as in the mask) or okabe-ito (suitable "
             "for colour-blind readers)",
     .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("outline", 0, INT, AT(style.outline)), SEG_OPTION_RANGE(0, 32), .value = "W", .unit = "pixels",
     .help = "Width of the overlay's outlines, 0 to 32 pixels; default: 2 up to 0.3 megapixels, wider in larger images",
     .traits = SEG_OPTION_MAKES_RESULT | SEG_OPTION_UNSET_BELOW},
    {SEG_OPTION_ROW("overlay-style", 0, CHOICE, AT(overlay_style)), SEG_OPTION_CHOICES(style_names, 0), .value = "HOW",
     .initial = "both",
     .help = "The overlay: both (tint and outlines), tint, outline, or cutout: the regions of --cutout-labels "
             "on a transparent background, with soft borders",
     .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("cutout-labels", 0, LABELS, AT(cutout_labels)), .value = "LABELS",
     .help = "Labels of --overlay-style cutout, as in 1,3", SEG_OPTION_NEEDS("overlay-style"),
     .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("prob", 0, TEXT, AT(probability)), .value = "FILE.npy",
     .help = "Probability of each label per pixel: float32, height x width x labels, sum 1"},
    {SEG_OPTION_ROW("uncertainty", 0, TEXT, AT(uncertainty)), .value = "FILE.png",
     .help = "Grey image of 1 - (best - second best probability): black is certain, white undecided"},
    {SEG_OPTION_ROW("export", 0, TEXTS, AT(export_texts)), .value = "KIND[=FILE]",
     .help = "The mask for other programs: " SEG_EXPORT_FORMAT_NAMES " (masks: an image per label); repeatable "
             "(default FILE: the mask's name with another extension; several images share coco=FILE or yolo=FOLDER)",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("simplify", 0, REAL, AT(simplify)), SEG_OPTION_RANGE(0, SEG_MAX_SIMPLIFY),
     SEG_OPTION_NEEDS("export"), .value = "T", .initial = "0", .unit = "pixels",
     .help = "Export polygons with fewer corners, within T pixels of the exact ones and without gaps; 0: exact",
     .traits = SEG_OPTION_MAKES_RESULT},
    {SEG_OPTION_ROW("table", 0, TEXT, AT(table)), .value = "FILE.csv",
     .help = "One line per region: pixels, centroid, box, perimeter, mean colour and probability; several "
             "images share one file"},
    {SEG_OPTION_ROW("truth", 0, TEXT, AT(truth)), .value = "FILE", .help = "Score the mask against this ground truth",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("save-run", 0, TEXT, AT(save_run)), .value = "FILE.json",
     .help = "Record everything that determines the result, for 'segment replay': version, options, seed, "
             "SHA-256 of the inputs"},
    {.name = "json"},
    CLI_SECTION(HOW),
    {SEG_OPTION_ROW("jobs", 0, INT, AT(jobs)), SEG_OPTION_RANGE(0, 64), .value = "N",
     .help = "Several images: process N at once, each in a process of its own; 0: one per processor",
     .traits = SEG_OPTION_UNSET_BELOW | CLI_OPTION_OF_SEVERAL},
    {SEG_OPTION_ROW("shard", 0, TEXT, AT(shard)), .value = "I/N",
     .help = "Several images: process only every N-th, from the I-th; the parts may run at the same time, and the "
             "one that ends last writes the files of all images",
     .traits = CLI_OPTION_OF_SEVERAL},
    {SEG_OPTION_ROW("resume", 0, FLAG, AT(resume)),
     .help = "Several images: leave out those whose outputs are there, as after an interrupted run",
     .traits = CLI_OPTION_OF_SEVERAL},
    CLI_ROWS_OF_RUN,
    CLI_SECTION(SAY),
    {.name = "progress"},
    {.name = "quiet"},
    {.name = "verbose"},
    CLI_LAST_ROWS};

static const seg_method *usual_method(const void *options) {
    const cli_photo_options *photo = options;
    return seg_method_find(photo->scribbles || photo->constraints || photo->model || photo->start ||
                                   photo->segment.box.width
                               ? NULL
                               : SEG_METHOD_UNCONSTRAINED);
}

const cli_table cli_photo_table = {
    .command = "segment",
    .usage = "PHOTO...",
    .about = "Segment an image into regions from a few scribbles.\n\n"
             "PHOTO is an image file (" SEG_IMAGE_FORMAT_NAMES "); - is standard input. "
             "For several images, or a folder of them, --scribbles, --truth and --constraints may name folders "
             "(NAME-scribbles.png for image NAME.jpg), and outputs must. Without -o, files are written into the "
             "working folder; with -o, files without a name of their own are written beside the mask.",
    .brief = "Segment an image into regions from a few scribbles.\n\n"
             "  segment photo.jpg -s scribbles.png     regions from strokes in every region\n"
             "  segment photo.jpg -k 3                 three regions without strokes\n\n"
             "Both write photo-mask.png, a label per pixel, and photo-overlay.png into this folder; with -o out/m.png, "
             "into out. PHOTO may be a folder of images. These are the important options; segment --help=all "
             "lists every option.",
    .also = CLI_COMMAND_LINES,
    .more = "For an image whose name is a command's, write ./score or -- score.\n\n"
            "Exit status: 0 ok, 1 failed while running, 2 wrong options, 3 unreadable or unfit input, 4 contradictory "
            "constraints, 5 some of several images failed, 6 more memory is needed than --max-memory allows, 130 "
            "interrupted. See also the manual page segment(1).",
    .heading = {[SEG_OPTIONS_INPUT] = "What to segment",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to segment",
                [SEG_OPTIONS_SAY] = "Messages"},
    .rows = rows,
    .segment = AT(segment),
    .takes_all = 1,
    .usual_method = usual_method,
};

int cli_is_recorded(const seg_option *row) {
    return row->traits & SEG_OPTION_MAKES_RESULT && row->type != SEG_OPTION_TEXT;
}

void cli_photo_options_default(cli_photo_options *out) {
    memset(out, 0, sizeof *out);
    out->style = (seg_overlay_style)SEG_OVERLAY_STYLE_DEFAULT;
    out->jobs = -1;
    out->out = stdout;
    cli_set_defaults(&cli_photo_table, out);
}

cli_end cli_photo_options_read(int argc, char **argv, cli_photo_options *out) {
    cli_photo_options_default(out);
    CLI_TRY(cli_parse(&cli_photo_table, argc, argv, out));
    out->volume |= out->segment.video;
    out->photo = cli_word(&out->common, 0);
    if (!out->photo)
        return cli_refuse(CLI_USAGE, "no image given; 'segment --help' tells how to name one");
    return CLI_GO_ON;
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
