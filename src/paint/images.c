#include "paint/images.h"

#include "cli/fail.h"
#include "cli/paths.h"
#include "cli/photo_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "FOLDER/NAME" and what follows it; in the working folder the name alone. NULL without memory. */
static char *join(const char *folder, const char *name, const char *tail) {
    char *path = NULL;
    if (!folder)
        return asprintf(&path, "%s%s", name, tail) < 0 ? NULL : path;
    const size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s%s", folder, slash, name, tail) < 0 ? NULL : path;
}

/* The image's file of an option that names a file or a folder; *out stays NULL where there is none. */
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
    return *out ? CLI_GO_ON : cli_out_of_memory();
}

static cli_end name_files(const cli_paint_options *options, const char *photo, int of, paint_paths *out) {
    out->photo = strdup(photo);
    out->name = cli_default_name(photo, "");
    if (!out->photo || !out->name)
        return cli_out_of_memory();
    out->scribbles = join(options->output, out->name, "-scribbles.png");
    out->mask = join(options->output, out->name, "-mask.png");
    out->pairs = join(options->output, out->name, "-pairs.csv");
    out->journal = join(options->output, out->name, "-strokes.jsonl");
    if (!out->scribbles || !out->pairs || !out->mask || !out->journal)
        return cli_out_of_memory();
    if (access(photo, R_OK) != 0)
        return cli_refuse(CLI_INPUT, "cannot read '%s': %s", photo, strerror(errno));
    cli_end end = find_given(options->scribbles, &cli_scribble_files, out, of, &out->given);
    end = end == CLI_GO_ON ? find_given(options->constraints, &cli_pair_files, out, of, &out->given_pairs) : end;
    return end == CLI_GO_ON ? find_given(options->truth, &cli_truth_files, out, of, &out->truth) : end;
}

/* The folder of the output and those above it. */
static cli_end make_folder(const char *path) {
    char *at = strdup(path);
    cli_end end = at ? CLI_GO_ON : cli_out_of_memory();
    for (char *slash = at; end == CLI_GO_ON && slash;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = 0;
        if (!cli_is_folder(at) && mkdir(at, 0777) != 0)
            end = cli_refuse(CLI_FAILED, "cannot make the folder '%s': %s", at, strerror(errno));
        if (slash)
            *slash = '/';
    }
    free(at);
    return end;
}

cli_end paint_images_find(const cli_paint_options *options, paint_images *out) {
    cli_files photos = {0};
    memset(out, 0, sizeof *out);
    cli_end end = cli_list_photos(&options->common.words, &photos);
    if (end == CLI_GO_ON && options->output)
        end = make_folder(options->output);
    out->paths = calloc((size_t)photos.count + 1, sizeof *out->paths);
    out->labels = join(options->output, "segment-labels", ".txt");
    if (end == CLI_GO_ON && (!out->paths || !out->labels))
        end = cli_out_of_memory();
    for (int i = 0; i < photos.count && end == CLI_GO_ON; i++) {
        out->count++;
        end = name_files(options, photos.at[i], photos.count, &out->paths[i]);
    }
    cli_files_free(&photos);
    if (end == CLI_GO_ON && access(options->output ? options->output : ".", W_OK | X_OK) != 0)
        end = cli_refuse(CLI_FAILED, "cannot write into '%s': %s", options->output ? options->output : ".",
                         strerror(errno));
    return end;
}

void paint_images_free(paint_images *images) {
    for (int i = 0; i < images->count; i++) {
        paint_paths *p = &images->paths[i];
        char *const texts[] = {p->photo, p->given, p->given_pairs, p->name, p->scribbles,
                               p->pairs, p->mask,  p->journal,     p->truth};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            free(texts[t]);
    }
    free(images->paths);
    free(images->labels);
    memset(images, 0, sizeof *images);
}
