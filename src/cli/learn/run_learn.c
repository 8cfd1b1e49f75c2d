/* segment learn PHOTO... -o MODEL */
#include "cli/common/commands.h"
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

typedef struct learn_options {
    cli_common common; /* its words are the images that were named */
    const char *scribbles, *labelmap;
    const char *model; /* the file to write */
    seg_options segment;
} learn_options;

#define AT(member) offsetof(learn_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)), .value = "SCRIBBLES",
     .help = "Scribbles: a folder with NAME-scribbles.png for image NAME.jpg, or a file for a single image "
             "(default: beside the images)",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("labelmap", 0, TEXT, AT(labelmap)), .value = "FILE",
     .help = "Label of each colour of the scribbles, and names of labels"},
    {.name = "channels",
     .help = "Each image has N channels: pages or samples of a TIFF file, or an NPY array of height x width x N; or, "
             "with a folder for each image, the name of a file for each, with wildcards",
     .traits = CLI_OPTION_OR_FILES},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(model)), .value = "MODEL",
     .help = "The model, for 'segment apply'; - is standard output", .traits = SEG_OPTION_IMPORTANT},
    {.name = "json"},
    CLI_SECTION(HOW),
    {.name = "patch"},
    {.name = "reduce"},
    {.name = "features"},
    {.name = "graph"},
    {.name = "knn"},
    {.name = "sigma"},
    CLI_ROWS_OF_RUN,
    CLI_SECTION(SAY),
    {.name = "progress"},
    {.name = "quiet"},
    {.name = "verbose"},
    CLI_LAST_ROWS};

const cli_table cli_learn_table = {
    .command = "segment learn",
    .usage = "PHOTO... -o MODEL",
    .least_words = 1,
    .too_few = "learn needs images with scribbles: segment learn PHOTO... --scribbles FOLDER -o MODEL",
    .about =
        "Learn a model from scribbles on some images of a series, for 'segment apply' on the others.\n\n"
        "PHOTO is an image or a folder of images; those without scribbles are skipped. The order of the images does "
        "not matter. The command prints how well the scribbles of an image are predicted from the other images, and "
        "the image that is predicted worst.",
    .heading = {[SEG_OPTIONS_INPUT] = "What to learn from",
                [SEG_OPTIONS_OUTPUT] = "Output",
                [SEG_OPTIONS_HOW] = "How to learn",
                [SEG_OPTIONS_SAY] = "Messages"},
    .more = "See also the manual page segment-learn(1).",
    .rows = rows,
    .segment = AT(segment),
};

/* --- The images of the series that have strokes. --- */

typedef struct learn_inputs {
    cli_files photos, scribbles; /* as many, in the order of the images' names */
    int without;                 /* images that have no strokes, which were passed over */
    seg_labelmap labelmap;       /* given, or of all colours of the strokes; of no colours where labels are numbers */
    int channels;                /* of each image; 0: not known yet */
    seg_model *model;            /* NULL before the first image */
} learn_inputs;

/* Find the scribbles of an image; *path is NULL if it has none. */
static cli_end find_scribbles(const learn_options *options, const char *photo, char **path) {
    char beside[PATH_MAX];
    SEG_FREED char *base = cli_default_name(photo, "");
    cli_split_path(photo, beside);
    return base
               ? cli_find_file(&cli_scribble_files, options->scribbles ? options->scribbles : beside, photo, base, path)
               : cli_out_of_memory();
}

static cli_end find_all(const learn_options *options, learn_inputs *out) {
    SEG_RELEASED(cli_files_free) cli_files all = {0};
    const int one_file = options->scribbles && !cli_is_folder(options->scribbles);
    CLI_TRY(cli_list_photos(&options->common.words, options->common.files, &all));
    if (one_file && all.count > 1)
        return cli_refuse(CLI_USAGE,
                          "'%s' is not a folder: scribbles of several images are files of a folder, NAME-scribbles.png "
                          "for image NAME.jpg",
                          options->scribbles);
    qsort(all.at, (size_t)all.count, sizeof *all.at, seg_by_name);
    for (int i = 0; i < all.count; i++) {
        if (!options->common.files && cli_is_missing(all.at[i]))
            return cli_refuse(CLI_INPUT, "there is no file '%s'; name images, or folders of images", all.at[i]);
        char *path = one_file ? strdup(options->scribbles) : NULL;
        if (!one_file)
            CLI_TRY(find_scribbles(options, all.at[i], &path));
        if (!one_file && !path) {
            out->without++;
            continue;
        }
        CLI_TRY(cli_files_append(&out->scribbles, path));
        CLI_TRY(cli_files_append(&out->photos, strdup(all.at[i])));
    }
    if (!out->photos.count)
        return cli_refuse(
            CLI_INPUT, "none of the %d images has scribbles in '%s'; name them NAME-scribbles.png for image NAME.jpg",
            all.count, options->scribbles ? options->scribbles : "their folder");
    return CLI_GO_ON;
}

/* Colours in the order of their values, each once. */
static void enter_colour(seg_labelmap *map, const uint8_t rgb[3]) {
    int at = 0;
    while (at < map->count && memcmp(map->colour[at], rgb, 3) < 0)
        at++;
    if (map->count == SEG_MAX_LABELS || (at < map->count && memcmp(map->colour[at], rgb, 3) == 0))
        return;
    memmove(map->colour[at + 1], map->colour[at], (size_t)(map->count - at) * 3);
    memcpy(map->colour[at], rgb, 3);
    map->count++;
}

/* stack: the channels, of which `photo` shows some; no pixels: the image has none. */
static cli_end read_image(seg_context *ctx, const learn_options *options, learn_inputs *inputs, int i, seg_image *stack,
                          seg_image *photo) {
    const char *path = inputs->photos.at[i];
    int channels = cli_given(&cli_learn_table, options, "channels") ? options->segment.channels : 0;
    CLI_TRY(cli_series_read(ctx, path, options->common.files, &channels, photo));
    if (inputs->channels && channels != inputs->channels)
        return cli_refuse(CLI_INPUT,
                          "'%s' has %d channel(s), but '%s' has %d; a model is learned from images with "
                          "equally many channels",
                          path, channels, inputs->photos.at[0], inputs->channels);
    inputs->channels = channels;
    if (channels == 1)
        return CLI_GO_ON;
    *stack = *photo;
    *photo = (seg_image){0};
    return cli_went(ctx, seg_channels_show(ctx, stack, channels, (int[]){1, 2, channels > 2 ? 3 : 0}, photo),
                    CLI_READING);
}

/* Colours are labels in the order of their values, and names of shapes in alphabetical order, among those of all
 * images, since one image may lack some. */
static cli_end gather_labels(seg_context *ctx, const learn_options *options, learn_inputs *out) {
    int coloured = 0, named = 0;
    for (int i = 0; i < out->photos.count; i++) {
        seg_scribbles_about about;
        seg_labelmap own = {0};
        SEG_RELEASED(seg_image_free) seg_image photo = {0}, stack = {0};
        SEG_RELEASED(seg_mask_free) seg_mask scribbles = {0};
        CLI_TRY(read_image(ctx, options, out, i, &stack, &photo));
        CLI_TRY(cli_went(ctx, seg_scribbles_read(ctx, out->scribbles.at[i], &photo, NULL, &scribbles, &about),
                         CLI_READING));
        for (int all = 0; all < 2 && about.kind == SEG_SCRIBBLES_SHAPES; all++)
            CLI_TRY(cli_went(ctx, seg_shapes_read_names(ctx, out->scribbles.at[i], all ? &out->labelmap : &own),
                             CLI_READING));
        named += own.count > 0;
        if (about.kind < SEG_SCRIBBLES_COLOURS || about.kind > SEG_SCRIBBLES_SNAPPED)
            continue;
        coloured++;
        for (int l = 1; l <= scribbles.labels; l++)
            enter_colour(&out->labelmap, scribbles.colour[l]);
    }
    if ((coloured && coloured < out->photos.count) || (named && named < out->photos.count))
        return cli_refuse(CLI_INPUT,
                          "some scribbles use %s and others label numbers; give a label map that assigns "
                          "labels to %s (--labelmap FILE)",
                          coloured ? "colours" : "names", coloured ? "colours" : "names");
    return CLI_GO_ON;
}

/* The model replaces no image and no scribbles, which folders may have given. */
static cli_end check_found(const learn_options *options, const learn_inputs *found) {
    SEG_RELEASED(cli_uses_free) cli_uses uses = {0};
    CLI_TRY(cli_uses_add(&uses, (cli_use){.name = "-o", .path = options->model, .writes = 1}));
    for (int i = 0; i < found->photos.count; i++) {
        CLI_TRY(cli_uses_add(&uses, (cli_use){.name = "an image", .path = found->photos.at[i]}));
        CLI_TRY(cli_uses_add(&uses, (cli_use){.name = "scribbles", .path = found->scribbles.at[i]}));
    }
    return cli_check_uses(uses.at, uses.count);
}

static void free_inputs(learn_inputs *inputs) {
    cli_files_free(&inputs->photos);
    cli_files_free(&inputs->scribbles);
    seg_model_free(inputs->model);
}

/* --- Reports, on standard output, or on standard error if the model is written to standard output. --- */

typedef struct learned_model {
    const learn_options *options;
    const learn_inputs *inputs;
    size_t bytes; /* of the model's file */
} learned_model;

static cli_end print_learned(const learned_model *learned) {
    FILE *to = strcmp(learned->options->model, "-") == 0 ? stderr : stdout;
    seg_model_info about;
    seg_model_about(learned->inputs->model, 0, &about);
    fprintf(to, "images %d\nlabels %d\n", about.images, about.labels);
    if (about.judged) {
        SEG_FREED char *name = seg_name_encode(learned->inputs->photos.at[about.worst], SEG_NAME_LINE);
        fprintf(to, "accuracy %.4f\nworst %.4f %s\n", about.accuracy, about.least, name ? name : "?");
    } else {
        fprintf(to, "accuracy unknown: %s\n",
                about.labels < 2   ? "there is only one label"
                : about.images < 2 ? "there is only one image; its scribbles can be predicted only from another image"
                                   : "no label is in two images");
    }
    fprintf(to, "bytes %zu\n", learned->bytes);
    return cli_finish_output(CLI_OK);
}

static json_t *labels_json(const seg_model *model) {
    json_t *labels = json_array();
    seg_model_info about;
    seg_model_about(model, 0, &about);
    for (int i = 0; i < about.labels; i++) {
        const seg_model_label_info *label = &about.label;
        seg_model_about(model, i, &about);
        json_array_append_new(labels, json_pack("{s:i, s:o, s:o}", "label", label->number, "name",
                                                cli_json_text(label->name[0] ? label->name : NULL), "colour",
                                                cli_json_colour(label->colour)));
    }
    return labels;
}

static cli_end json_of_learned(const learned_model *learned) {
    json_t *images = json_array();
    seg_model_info about;
    seg_model_about(learned->inputs->model, 0, &about);
    for (int i = 0; i < about.listed; i++) {
        seg_model_about(learned->inputs->model, i, &about);
        json_array_append_new(
            images, json_pack("{s:o, s:o, s:I, s:I, s:o}", "photo", cli_json_text(learned->inputs->photos.at[i]),
                              "scribbles", cli_json_text(learned->inputs->scribbles.at[i]), "marked_patches",
                              (json_int_t)about.image.marked, "judged_patches", (json_int_t)about.image.judged,
                              "accuracy", cli_json_real(about.image.accuracy)));
    }
    return cli_json_print(
        stdout, json_pack("{s:s, s:s, s:o, s:I, s:o, s:o, s:I, s:i, s:i, s:o, s:o, s:o, s:f, s:f, s:f, s:i, s:I, s:I}",
                          "program", "segment", "version", seg_version(), "model",
                          cli_json_text(learned->options->model), "bytes", (json_int_t)learned->bytes, "labels",
                          labels_json(learned->inputs->model), "images", images, "channels", (json_int_t)about.channels,
                          "without_scribbles", learned->inputs->without, "judged_images", about.judged, "accuracy",
                          cli_json_real(about.accuracy), "worst_accuracy", cli_json_real(about.least), "worst_photo",
                          cli_json_text(about.worst >= 0 ? learned->inputs->photos.at[about.worst] : NULL), "sharpness",
                          about.sharpness, "smoothing", about.smoothing, "reach", about.reach, "trees", about.trees,
                          "feature_columns", (json_int_t)about.columns, "seed", (json_int_t)about.seed));
}

/* --- The command. --- */

/* The options, and that the outputs replace no input. */
static cli_end check(const learn_options *options) {
    const seg_texts *photos = &options->common.words;
    if (!options->model)
        return cli_refuse(CLI_USAGE, "learn needs a file name for the model: -o MODEL");
    if (cli_is_stream(options->model) && options->common.json)
        return cli_refuse(CLI_USAGE, "only one output can be written to standard output: the model or the JSON report");
    SEG_FREED cli_use *uses = calloc((size_t)photos->count + 3, sizeof *uses);
    CLI_TRY(cli_allocated(uses));
    size_t count = 0;
    uses[count++] = (cli_use){.name = "-o", .path = options->model, .writes = 1};
    uses[count++] = (cli_use){.name = "--scribbles", .path = options->scribbles};
    uses[count++] = (cli_use){.name = "--labelmap", .path = options->labelmap};
    for (int i = 0; i < photos->count; i++) {
        uses[count++] = (cli_use){.name = "an image", .path = photos->at[i]};
        if (cli_is_stream(photos->at[i]))
            return cli_refuse(CLI_USAGE, "learn reads its images twice and cannot read standard input; give files");
    }
    return cli_check_files(uses, count);
}

static cli_end add_images(seg_context *ctx, const learn_options *options, learn_inputs *inputs) {
    const seg_labelmap *map = inputs->labelmap.count ? &inputs->labelmap : NULL;
    for (int i = 0; i < inputs->photos.count; i++) {
        seg_options how = options->segment;
        SEG_RELEASED(seg_image_free) seg_image photo = {0}, stack = {0};
        SEG_RELEASED(seg_mask_free) seg_mask scribbles = {0};
        CLI_TRY(read_image(ctx, options, inputs, i, &stack, &photo));
        how.channels = inputs->channels; /* known now */
        if (!inputs->model)
            CLI_TRY(cli_went(ctx, seg_model_create(ctx, &how, &inputs->model), CLI_COMPUTING));
        CLI_TRY(cli_went(ctx, seg_scribbles_read(ctx, inputs->scribbles.at[i], &photo, map, &scribbles, NULL),
                         CLI_READING));
        if (options->labelmap) /* it alone assigns colours to labels, also to strokes that are numbers */
            memcpy(scribbles.colour[1], map->colour[0], (size_t)map->count * sizeof *map->colour);
        CLI_TRY(cli_went(
            ctx, seg_model_add(ctx, inputs->model, inputs->photos.at[i], stack.data ? &stack : &photo, &scribbles),
            CLI_COMPUTING));
    }
    return CLI_GO_ON;
}

static cli_end write_model(seg_context *ctx, learned_model *learned) {
    SEG_FREED void *bytes = NULL;
    const seg_status status = seg_model_bytes(ctx, learned->inputs->model, &bytes, &learned->bytes);
    CLI_TRY(cli_before_writing());
    CLI_TRY(cli_went(ctx, status, CLI_WRITING));
    return cli_went(ctx, seg_file_write(ctx, learned->options->model, bytes, learned->bytes), CLI_WRITING);
}

static cli_end learn(seg_context *ctx, const learn_options *options, const learn_inputs *inputs) {
    learned_model learned = {.options = options, .inputs = inputs};
    for (int l = 1; l <= inputs->labelmap.count; l++) /* label l is the l-th line of the map */
        CLI_TRY(
            cli_went(ctx, seg_model_name_label(ctx, inputs->model, l, inputs->labelmap.name[l - 1]), CLI_COMPUTING));
    const seg_status status = seg_model_learn(ctx, inputs->model);
    cli_bar_clear();
    CLI_TRY(cli_went(ctx, status, CLI_COMPUTING));
    CLI_TRY(write_model(ctx, &learned));
    if (inputs->without && !options->common.quiet)
        cli_say("skipped %d of %d images, which have no scribbles", inputs->without,
                inputs->without + inputs->photos.count);
    return options->common.json ? json_of_learned(&learned) : print_learned(&learned);
}

static cli_end work(seg_context *ctx, void *user) {
    const learn_options *options = user;
    SEG_RELEASED(free_inputs) learn_inputs inputs = {.without = 0};
    CLI_TRY(check(options));
    CLI_TRY(cli_start_limited(ctx, &options->common));
    CLI_TRY(find_all(options, &inputs));
    CLI_TRY(check_found(options, &inputs));
    CLI_TRY(options->labelmap ? cli_went(ctx, seg_labelmap_read(ctx, options->labelmap, &inputs.labelmap), CLI_READING)
                              : gather_labels(ctx, options, &inputs));
    cli_catch_signals();
    CLI_TRY(add_images(ctx, options, &inputs));
    return learn(ctx, options, &inputs);
}

CLI_COMMAND_RUNS(learn, learn_options, .model = NULL, work)
