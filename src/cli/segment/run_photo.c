/* segment PHOTO... */
#include "cli/batch/batch.h"
#include "cli/common/commands.h"
#include "cli/common/messages.h"
#include "cli/common/process.h"
#include "cli/help/help.h"
#include "cli/segment/photo_run.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static int is_there(const char *path) {
    struct stat about;
    return strcmp(path, "-") == 0 || stat(path, &about) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* The first word resembles the name of a command and is not a file. */
static const char *nearest_command(const char *word) {
    const char *nearest = NULL;
    int distance = 0;
    for (int i = 1; cli_command_at(i) && !strchr(word, '/') && !strchr(word, '.'); i++)
        cli_suggest(word, cli_command_at(i)->name, &nearest, &distance);
    return nearest;
}

/* "photo-scribbles.png", "scribbles.png", ... */
static int sounds_like_scribbles(const char *path) {
    static const char *const words[] = {"mark", "scribble", "stroke", "seed", "label"};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(slash ? slash + 1 : path, words[i]))
            return 1;
    return 0;
}

/* Refuse a mistyped command or option, a missing image, and scribbles without their option, with a suggestion. */
static cli_end explain(const cli_photo_options *options) {
    const seg_texts *photos = &options->common.words;
    const char *first = photos->at[0], *command = is_there(first) ? NULL : nearest_command(first);
    if (command)
        return cli_refuse(CLI_USAGE, "there is no image '%s'; did you mean the command 'segment %s'?", first, command);
    if (photos->count == 1 && !is_there(first))
        return cli_refuse(CLI_INPUT, "there is no file '%s'; name an image, or a folder of images", first);
    struct stat about;
    if (photos->count == 1 && strcmp(first, "-") != 0 && stat(first, &about) != 0)
        return cli_refuse(CLI_INPUT, "cannot read '%.60s%s': %s", first, strlen(first) > 60 ? "..." : "",
                          strerror(errno));
    if (photos->count != 2 || options->scribbles || options->model || options->segment.k)
        return CLI_GO_ON;
    for (int i = 0; i < 2; i++) {
        if (!is_there(photos->at[i]))
            return cli_refuse(CLI_INPUT, "there is no file '%s'; name images, or folders of images", photos->at[i]);
    }
    const int scribbles = sounds_like_scribbles(first) && !sounds_like_scribbles(photos->at[1]) ? 0 : 1;
    return cli_refuse(CLI_USAGE,
                      "'%s' is taken as a second image; did you mean --scribbles %s? (Without scribbles the number of "
                      "regions is needed: -k K)",
                      photos->at[scribbles], photos->at[scribbles]);
}

cli_end cli_run_photo(int argc, char **argv) {
    cli_photo_options options;
    cli_end end = cli_photo_options_read(argc, argv, &options);
    end = end == CLI_GO_ON ? explain(&options) : end;
    if (end == CLI_GO_ON && options.tiled && cli_is_batch(&options))
        end = cli_refuse(CLI_USAGE, "--tiled takes one image; segment them one by one");
    if (end == CLI_GO_ON)
        end = cli_is_batch(&options) ? cli_run_batch(&options, argv) : cli_photo_job(&options, NULL, 0);
    cli_photo_options_free(&options);
    return end;
}
