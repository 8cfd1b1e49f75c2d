#include "cli/segment/output_names.h"
#include "cli/common/errors.h"
#include "cli/common/extensions.h"
#include "cli/common/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Check beforehand that an output can be written. */
static cli_end check_writable(const char *path) {
    char folder[PATH_MAX], *target = NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat there;
    if (strlen(name) > NAME_MAX)
        return cli_refuse(
            CLI_FAILED,
            "cannot write '%.40s...': its name exceeds the %d bytes that a file name may have; name the output", name,
            NAME_MAX);
    int known = stat(path, &there) == 0;
    if (cli_is_stream(path) || (known && cli_is_special(path)))
        return CLI_GO_ON;
    if (known && S_ISDIR(there.st_mode))
        return cli_refuse(CLI_FAILED, "cannot write '%s': it is a folder; name a file in it", path);
    target = known ? realpath(path, NULL) : NULL; /* files are written beside what a link leads to */
    if (!*cli_split_path(target ? target : path, folder)) {
        cli_say("cannot write '%s': it is not a file name", path);
        free(target);
        return CLI_FAILED;
    }
    free(target);
    if (access(folder, W_OK | X_OK) != 0)
        return cli_refuse(CLI_FAILED, "cannot write '%s': folder '%s': %s", path, folder, strerror(errno));
    return CLI_GO_ON;
}

cli_end cli_check_output(const char *output, const char *const *inputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (inputs[i] && !cli_is_stream(inputs[i]) && !cli_is_stream(output) && same_file(output, inputs[i]))
            return cli_refuse(
                CLI_USAGE, "'%s' would be overwritten, and it is an input; choose another name for the output", output);
    }
    return check_writable(output);
}

cli_end cli_check_inputs(const char *const *inputs, size_t count) {
    int reads = 0;
    for (size_t i = 0; i < count; i++)
        reads += cli_is_stream(inputs[i]);
    if (reads > 1)
        return cli_refuse(CLI_USAGE, "only one of the inputs can be standard input (-)");
    return CLI_GO_ON;
}

/* An output and its name in messages. */
typedef struct output {
    const char *name, *path, *endings;
    int folder;
} output;

static cli_end check_streams(const cli_photo_options *options, const output *outputs, int count) {
    int writes = 0;
    for (int i = 0; i < count; i++)
        writes += cli_is_stream(outputs[i].path);
    if (writes + options->common.json > 1 || (writes && options->truth && !options->common.json))
        return cli_refuse(
            CLI_USAGE, "only one output can be written to standard output: the mask, another output, the scores or the "
                       "JSON report");
    return CLI_GO_ON;
}

/* Check a folder to write files into, which is created if missing. */
static cli_end check_folder(const char *path) {
    struct stat there;
    if (stat(path, &there) != 0)
        return check_writable(path);
    if (!S_ISDIR(there.st_mode) || access(path, W_OK | X_OK) != 0)
        return cli_refuse(CLI_FAILED, "cannot write into '%s': %s", path,
                          S_ISDIR(there.st_mode) ? strerror(errno) : "it is not a folder");
    return CLI_GO_ON;
}

static cli_end check_outputs(const cli_photo_options *options, const output *outputs, int count) {
    const char *const inputs[] = {options->photo,    options->scribbles, options->constraints,
                                  options->labelmap, options->truth,     options->model};
    const size_t input_count = sizeof inputs / sizeof *inputs;
    cli_end end = cli_check_inputs(inputs, input_count);
    end = end == CLI_GO_ON ? check_streams(options, outputs, count) : end;
    for (int i = 0; i < count && end == CLI_GO_ON; i++) {
        end =
            outputs[i].folder ? check_folder(outputs[i].path) : cli_check_output(outputs[i].path, inputs, input_count);
    }
    return end;
}

size_t cli_list_uses(const cli_photo_options *options, cli_use *out) {
    const cli_use fixed[] = {{.name = "the image", .path = options->photo},
                             {.name = "--scribbles", .path = options->scribbles},
                             {.name = "--constraints", .path = options->constraints},
                             {.name = "--labelmap", .path = options->labelmap},
                             {.name = "--truth", .path = options->truth},
                             {.name = "--model", .path = options->model},
                             {.name = "the mask", .path = options->mask, .writes = 1},
                             {.name = "the overlay", .path = options->overlay, .writes = 1},
                             {.name = "--prob", .path = options->probability, .writes = 1},
                             {.name = "--uncertainty", .path = options->uncertainty, .writes = 1},
                             {.name = "--save-run", .path = options->save_run, .writes = 1},
                             {.name = "--table", .path = options->table, .writes = 1}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].path)
            out[count++] = fixed[i];
    for (int i = 0; i < options->exports.count; i++) {
        const cli_export *one = &options->exports.at[i];
        out[count++] =
            (cli_use){.name = one->format->name, .path = one->path, .writes = 1, .folder = one->format->folder};
    }
    return count;
}

static cli_end check_uses(const cli_photo_options *options) {
    cli_use *uses = calloc((size_t)(CLI_FIXED_USES + options->exports.count), sizeof *uses);
    if (!uses)
        return cli_out_of_memory();
    const cli_end end = cli_check_uses(uses, cli_list_uses(options, uses));
    free(uses);
    return end;
}

/* "out/m.png" gives "out/m-overlay.png", "out/coffee-mask.png" gives "out/coffee-overlay.png". NULL if out of memory.
 */
static char *overlay_name(const char *photo, const char *mask) {
    static const char part[] = "-mask";
    char *stem = cli_mask_stem(photo, mask), *name = NULL;
    const size_t length = stem ? strlen(stem) : 0, own = sizeof part - 1;
    if (length > own && strcmp(stem + length - own, part) == 0 && stem[length - own - 1] != '/')
        stem[length - own] = 0;
    const int made = stem ? asprintf(&name, "%s-overlay.png", stem) : -1;
    free(stem);
    return made < 0 ? NULL : name;
}

cli_end cli_output_names(cli_photo_options *options) {
    if (options->no_overlay && options->overlay)
        return cli_refuse(CLI_USAGE, "--overlay and --no-overlay exclude each other");
    const char *const inputs[] = {options->photo,    options->scribbles, options->constraints,
                                  options->labelmap, options->truth,     options->model};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs && options->save_run; i++) {
        if (cli_is_stream(inputs[i]))
            return cli_refuse(CLI_USAGE, "--save-run needs inputs that can be read again; standard input cannot");
    }
    if (!options->mask)
        options->mask = cli_photo_own(options, cli_default_name(options->photo, "-mask.png"));
    if (options->mask && !options->overlay && !options->no_overlay)
        options->overlay = cli_photo_own(options, overlay_name(options->photo, options->mask));
    cli_end end;
    int count = 0;
    if (!options->mask || (!options->overlay && !options->no_overlay))
        return CLI_FAILED;
    end = cli_exports_read(&options->export_texts, options->photo, options->mask, &options->exports);
    if (end != CLI_GO_ON)
        return end;
    const output fixed[] = {
        {"the mask", options->mask, "png,tif,tiff", 0}, {"the overlay", options->overlay, "png", 0},
        {"--prob", options->probability, "npy", 0},     {"--uncertainty", options->uncertainty, "png", 0},
        {"--save-run", options->save_run, "json", 0},   {"--table", options->table, "csv", 0}};
    const int fixed_count = sizeof fixed / sizeof *fixed;
    output *outputs = calloc((size_t)(fixed_count + options->exports.count), sizeof *outputs);
    if (!outputs)
        return cli_out_of_memory();
    for (int i = 0; i < fixed_count; i++)
        if (fixed[i].path)
            outputs[count++] = fixed[i];
    for (int i = 0; i < options->exports.count; i++) {
        const cli_export *one = &options->exports.at[i];
        const char *dot = strrchr(one->format->ending, '.'), *last = dot ? dot + 1 : one->format->ending;
        const char *endings = one->format->folder ? "" : strcmp(last, "geojson") == 0 ? "geojson,json" : last;
        outputs[count++] = (output){one->format->name, one->path, endings, one->format->folder};
    }
    end = check_outputs(options, outputs, count);
    end = end == CLI_GO_ON ? check_uses(options) : end;
    for (int i = 0; i < count && end == CLI_GO_ON; i++)
        end = cli_check_extension(outputs[i].name, outputs[i].path, outputs[i].endings);
    free(outputs);
    return end;
}
