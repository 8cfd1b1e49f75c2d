#include "cli/learn/learn_options.h"
#include "cli/common/commands.h"
#include "cli/common/errors.h"
#include "cli/common/extensions.h"
#include "cli/segment/output_names.h"
#include "cli/segment/photo_files.h"

#include <string.h>

#define AT(member) offsetof(cli_learn_options, member)

static const seg_option rows[] = {
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)),
     SEG_OPTION_SAID("SCRIBBLES", NULL, NULL,
                     "Scribbles: a folder with NAME-scribbles.png for image NAME.jpg, or a file for a single image "
                     "(default: beside the images)"),
     SEG_OPTION_KIND(INPUT, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("labelmap", 0, TEXT, AT(labelmap)),
     SEG_OPTION_SAID("FILE", NULL, NULL, "Label of each colour of the scribbles, and names of labels"),
     SEG_OPTION_KIND(INPUT, 0)},
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(model)),
     SEG_OPTION_SAID("MODEL", NULL, NULL, "The model, for 'segment apply'; - is standard output"),
     SEG_OPTION_KIND(OUTPUT, SEG_OPTION_IMPORTANT)},
    {SEG_OPTION_ROW("report", 0, TEXT, AT(report)),
     SEG_OPTION_SAID("FILE.html", NULL, NULL,
                     "A page with the accuracy of each image, and pictures of where a stroke would help most"),
     SEG_OPTION_KIND(OUTPUT, SEG_OPTION_IMPORTANT)},
    {.name = "json"},
    {.name = "patch"},
    {.name = "reduce"},
    {.name = "features"},
    {.name = "graph"},
    {.name = "knn"},
    {.name = "edges"},
    {.name = "sigma"},
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

const cli_table cli_learn_table = {
    .command = "segment learn",
    .usage = "PHOTO... -o MODEL",
    .about =
        "Learn a model from scribbles on some images of a series, for 'segment apply' on the others.\n\n"
        "PHOTO is an image or a folder of images; those without scribbles are skipped. The order of the images does "
        "not matter. The command prints how well the scribbles of an image are predicted from the other images, the "
        "image that is predicted worst, and where a further stroke would help most.",
    .heading = {[SEG_OPTIONS_INPUT] = "What to learn from",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to learn",
                [SEG_OPTIONS_SAY] = "Messages"},
    .more = "See also the manual page segment-learn(1).",
    .rows = rows,
    .segment = AT(segment),
};

static cli_end check(const cli_learn_options *options) {
    const char *const inputs[] = {options->scribbles, options->labelmap};
    cli_end end = CLI_GO_ON;
    if (!options->common.words.count)
        return cli_refuse(CLI_USAGE,
                          "learn needs images with scribbles: segment learn PHOTO... --scribbles FOLDER -o MODEL");
    if (!options->model)
        return cli_refuse(CLI_USAGE, "learn needs a file name for the model: -o MODEL");
    if (strcmp(options->model, "-") == 0 && options->common.json)
        return cli_refuse(CLI_USAGE, "only one output can be written to standard output: the model or the JSON report");
    for (int i = 0; i < options->common.words.count && end == CLI_GO_ON; i++)
        if (strcmp(options->common.words.at[i], "-") == 0)
            end = cli_refuse(CLI_USAGE, "learn reads its images twice and cannot read standard input; give files");
    if (end == CLI_GO_ON)
        end = cli_check_output(options->model, (const char *const *)options->common.words.at,
                               (size_t)options->common.words.count);
    if (end == CLI_GO_ON)
        end = cli_check_output(options->model, inputs, 2);
    if (end == CLI_GO_ON && options->report)
        end = cli_check_output(options->report, inputs, 2);
    if (end == CLI_GO_ON && options->report)
        end = cli_check_extension("--report", options->report, "html,htm");
    return end;
}

cli_end cli_learn_options_read(int argc, char **argv, cli_learn_options *out) {
    memset(out, 0, sizeof *out);
    seg_options_default(&out->segment);
    cli_set_defaults(&cli_learn_table, out);
    const cli_end end = cli_parse(&cli_learn_table, argc, argv, out);
    return end == CLI_GO_ON ? check(out) : end;
}
