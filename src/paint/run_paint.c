/* segment paint PHOTO... */
#include "paint/server/server.h"

#include "cli/common/commands.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

/* --- The options. --- */

typedef struct cli_paint_options {
    cli_common common;     /* its words are the images that were named */
    const char *scribbles; /* a file or a folder to begin with; or NULL */
    const char *model;     /* model of other images, or NULL */
    int no_objects;        /* new images are not in object mode */
    const char *start;     /* a mask that strokes correct, or a folder of them; or NULL */
    const char *output;    /* folder; NULL: the working folder */
    int port;              /* 0: any that is free */
    int no_browser;
    seg_options segment; /* first settings of every image */
} cli_paint_options;

#define AT(member) offsetof(cli_paint_options, member)

static const seg_option rows[] = {
    CLI_SECTION(INPUT),
    {SEG_OPTION_ROW("scribbles", 's', TEXT, AT(scribbles)), .value = "SCRIBBLES",
     .help = "Scribbles to begin with: a file, or a folder with NAME-scribbles.png for image NAME.jpg "
             "(default: those painted before)",
     .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("model", 0, TEXT, AT(model)), .value = "FILE",
     .help = "Model written by 'segment learn': each image begins with the model's mask, and strokes correct it"},
    {SEG_OPTION_ROW("no-objects", 0, FLAG, AT(no_objects)),
     .help = "New images begin with a stroke in each region, not with one object after the other"},
    {SEG_OPTION_ROW("start", 0, TEXT, AT(start)), .value = "MASK",
     .help = "A mask that the strokes correct: a file, or a folder with NAME-mask.png for image NAME.jpg"},
    {.name = "channels",
     .help = "Each image has N channels; or, with a folder for each, the name of a file for each, with wildcards",
     .traits = CLI_OPTION_OR_FILES},
    CLI_SECTION(OUTPUT),
    {SEG_OPTION_ROW("output", 'o', TEXT, AT(output)), .value = "FOLDER",
     .help = "Folder of NAME-scribbles.png and NAME-mask.png (default: the working folder)",
     .traits = SEG_OPTION_IMPORTANT},
    CLI_SECTION(SAY),
    {SEG_OPTION_ROW("port", 0, INT, AT(port)), SEG_OPTION_RANGE(0, 65535), .value = "N", .initial = "0",
     .help = "Port of 127.0.0.1 to listen on; 0: any free port", .traits = SEG_OPTION_IMPORTANT},
    {SEG_OPTION_ROW("no-browser", 0, FLAG, AT(no_browser)), .help = "Print the address, but do not open a browser",
     .traits = SEG_OPTION_IMPORTANT},
    CLI_SECTION(HOW),
    CLI_ROWS_OF_RUN,
    CLI_SECTION(SAY),
    {.name = "quiet"},
    {.name = "verbose"},
    CLI_LAST_ROWS};

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
};

/* --- The images, and where their files are. --- */

typedef struct paint_images {
    paint_paths *paths; /* owned, with their texts */
    int count;
    char *labels; /* path of the label map; owned */
} paint_images;

/* "FOLDER/NAME" + tail, without folder if it is NULL. NULL if out of memory. */
static char *join(const char *folder, const char *name, const char *tail) {
    return seg_format(NULL, "%s%s%s%s", folder ? folder : "", folder && !seg_ends_in(folder, "/") ? "/" : "", name,
                      tail);
}

/* Find the scribbles or the mask of an image in a file or a folder; *out is unchanged if there are none. */
static cli_end find_given(const char *given, const cli_file_kind *kind, const paint_paths *paths, int of, char **out) {
    if (!given)
        return CLI_GO_ON;
    if (cli_is_folder(given))
        return cli_find_file(kind, given, paths->photo, paths->name, out);
    if (of > 1)
        return cli_refuse(CLI_USAGE, "'%s' is not a folder: with several images --%s names one", given, kind->option);
    if (access(given, R_OK) != 0)
        return cli_refuse(CLI_INPUT, "cannot read '%s': %s", given, strerror(errno));
    *out = strdup(given);
    return cli_allocated(*out);
}

static cli_end name_files(seg_context *ctx, const cli_paint_options *options, const char *photo, int of,
                          paint_paths *out) {
    const seg_image_header about = cli_tiff_header(ctx, photo);
    const int pages = about.pages;
    int channels = options->segment.channels;
    seg_model_info learned = {.channels = 1};
    if (options->segment.model)
        seg_model_about(options->segment.model, 0, &learned);
    if (pages > 1 && channels == 1)
        channels = (int)learned.channels;
    out->photo = strdup(photo);
    out->name = cli_default_name(photo, "");
    CLI_TRY(cli_allocated(out->photo && out->name));
    out->channels = about.channels && channels == 1 ? about.channels : channels;
    if (seg_is_array_name(photo) && channels == 1)
        out->channels = 0; /* as many as it has */
    out->slices = out->channels && pages > out->channels ? pages / out->channels : options->segment.slices;
    out->spacing =
        cli_given(&cli_paint_table, options, "spacing") ? options->segment.spacing : cli_spacing_of(ctx, photo);
    if ((out->named = options->common.files) != NULL) {
        seg_slice_files files = {.apart = 1};
        const cli_end end = cli_channels_find(photo, out->named, &files);
        out->channel = files.path;
        out->channels = files.count;
        CLI_TRY(end);
    }
    const int is_stack = out->slices > 1 && (cli_is_tiff(photo) || seg_is_array_name(photo));
    out->scribbles = join(options->output, out->name, is_stack ? "-scribbles.tif" : "-scribbles.png");
    out->mask = join(options->output, out->name, is_stack ? "-mask.tif" : "-mask.png");
    out->journal = join(options->output, out->name, "-strokes.jsonl");
    CLI_TRY(cli_allocated(out->scribbles && out->mask && out->journal));
    if (!out->named && photo[strlen(photo) - 1] != ']' && access(photo, R_OK) != 0) /* else a page of a file, perhaps */
        return cli_refuse(CLI_INPUT, "cannot read '%s': %s", photo, strerror(errno));
    CLI_TRY(find_given(options->start, &cli_start_files, out, of, &out->start));
    if (out->start && seg_same_file(out->start, out->mask))
        return cli_refuse(CLI_USAGE, "'%s' is the mask to correct and would be written; choose another folder with -o",
                          out->start);
    return find_given(options->scribbles, &cli_scribble_files, out, of, &out->given);
}

static cli_end find_images(seg_context *ctx, const cli_paint_options *options, paint_images *out) {
    const char *folder = options->output ? options->output : ".";
    SEG_RELEASED(cli_files_free) cli_files photos = {0};
    CLI_TRY(cli_list_photos(&options->common.words, options->common.files, &photos));
    if (options->output)
        CLI_TRY(cli_make_folder(options->output, NULL));
    out->paths = calloc((size_t)photos.count + 1, sizeof *out->paths);
    out->labels = join(options->output, "segment-labels", ".txt");
    CLI_TRY(cli_allocated(out->paths && out->labels));
    for (int i = 0; i < photos.count; i++)
        CLI_TRY(name_files(ctx, options, photos.at[i], photos.count, &out->paths[out->count++]));
    if (access(folder, W_OK | X_OK) != 0)
        return cli_refuse(CLI_FAILED, "cannot write into '%s': %s", folder, strerror(errno));
    return CLI_GO_ON;
}

static void free_images(paint_images *images) {
    for (int i = 0; i < images->count; i++) {
        paint_paths *p = &images->paths[i];
        for (int c = 0; p->channel && c < p->channels; c++)
            free(p->channel[c]);
        SEG_CLEAR(p, p->photo, p->given, p->start, p->name, p->scribbles, p->mask, p->journal, p->channel);
    }
    SEG_CLEAR(images, images->paths, images->labels);
}

/* --- The browser. --- */

/* Run the browser in a grandchild process, which need not be waited for, and discard its output. */
static void run_detached(const char *address) {
    static const char *const openers[] = {"xdg-open", "x-www-browser", "firefox", "chromium"};
    const int nowhere = open("/dev/null", O_RDWR);
    if (fork() != 0)
        _exit(0);
    setsid();
    for (int stream = 0; stream < 3 && nowhere >= 0; stream++)
        dup2(nowhere, stream);
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        execlp(openers[i], openers[i], address, (char *)NULL);
    _exit(0);
}

/* Without a display nothing is reported, since the address is printed too. */
static void open_browser(const char *address) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    const pid_t child = fork();
    if (child == 0)
        run_detached(address);
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* --- The command. --- */

static cli_end serve(const cli_paint_options *options, const paint_images *images) {
    const paint_settings settings = {.options = options->segment,
                                     .model = options->model,
                                     .threads = options->common.threads,
                                     .seed = (uint64_t)options->common.seed,
                                     .max_memory = options->common.max_memory,
                                     .verbosity = cli_verbosity(&options->common),
                                     .objects = !options->no_objects && !options->model && !options->segment.k,
                                     .labels_path = images->labels,
                                     .paths = images->paths,
                                     .count = images->count};
    paint_queue *queue = paint_queue_start(&settings);
    paint_server *server = queue ? paint_server_start(queue, options->port) : NULL;
    if (server) {
        char address[96];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", server->guard.port, server->guard.token);
        cli_catch_signals();
        printf("%s\n", address);
        fflush(stdout);
        if (!options->common.quiet)
            cli_say("open this address on this machine; Ctrl-C saves the scribbles and the mask, and ends");
        if (!options->no_browser)
            open_browser(address);
        while (!cli_interrupted())
            poll(NULL, 0, 200); /* a signal ends it; one that arrives just before is noticed 200 ms later */
        if (!options->common.quiet)
            cli_say("saving the scribbles and the mask; Ctrl-C again ends immediately");
        paint_queue_quit(queue);
        paint_server_end(server);
    }
    return queue && paint_queue_end(queue) && server ? CLI_OK : CLI_FAILED;
}

static cli_end paint(seg_context *ctx, cli_paint_options *options, seg_model **model) {
    SEG_RELEASED(free_images) paint_images images = {0};
    if (cli_is_stream(options->model))
        return cli_refuse(CLI_USAGE, "--model -: the page shows a command with the name of the model; give a file");
    const seg_options *o = &options->segment;
    if (options->start && (options->model || o->object || o->k || o->box.width))
        return cli_refuse(CLI_USAGE,
                          "a start is corrected by strokes alone; leave --model, --object, -k and --box out");
    CLI_TRY(cli_went(ctx, seg_options_check(ctx, &options->segment), CLI_COMPUTING));
    CLI_TRY(cli_start_limited(ctx, &options->common));
    if (options->model)
        CLI_TRY(cli_went(ctx, seg_model_read(ctx, options->model, model), CLI_READING));
    options->segment.model = *model; /* which excludes options, too */
    CLI_TRY(cli_went(ctx, seg_options_check(ctx, &options->segment), CLI_COMPUTING));
    CLI_TRY(find_images(ctx, options, &images));
    return serve(options, &images);
}

static cli_end work(seg_context *ctx, void *user) {
    cli_paint_options *options = user;
    seg_model *model = NULL;
    options->common.progress = CLI_PROGRESS_NONE;
    const cli_end end = paint(ctx, options, &model);
    seg_model_free(model);
    return end == CLI_OK ? cli_finish_output(end) : end;
}

CLI_COMMAND_RUNS(paint, cli_paint_options, .port = 0, work)
