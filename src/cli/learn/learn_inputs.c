#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/learn/learn.h"

#include <stdlib.h>
#include <string.h>

/* The folder that an image lies in. */
static char *folder_of(const char *photo) {
    const char *slash = strrchr(photo, '/');
    return slash ? strndup(photo, slash == photo ? 1 : (size_t)(slash - photo)) : strdup(".");
}

/* Find the scribbles of an image; *path is NULL if it has none. */
static cli_end find_scribbles(const cli_learn_options *options, const char *photo, char **path) {
    SEG_FREED char *beside = options->scribbles ? NULL : folder_of(photo), *base = cli_default_name(photo, "");
    const char *folder = options->scribbles ? options->scribbles : beside;
    return base && folder ? cli_find_file(&cli_scribble_files, folder, photo, base, path) : cli_out_of_memory();
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static cli_end find_all(const cli_learn_options *options, cli_learn_inputs *out) {
    SEG_RELEASED(cli_files_free) cli_files all = {0};
    const int one_file = options->scribbles && !cli_is_folder(options->scribbles);
    CLI_TRY(cli_list_photos(&options->common.words, &all));
    if (one_file && all.count > 1)
        return cli_refuse(CLI_USAGE,
                          "'%s' is not a folder: scribbles of several images are files of a folder, NAME-scribbles.png "
                          "for image NAME.jpg",
                          options->scribbles);
    qsort(all.at, (size_t)all.count, sizeof *all.at, by_name);
    for (int i = 0; i < all.count; i++) {
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

/* Colours are labels in the order of their values among those of all images, since one image may lack some. */
static cli_end gather_colours(seg_context *ctx, cli_learn_inputs *out) {
    int coloured = 0;
    for (int i = 0; i < out->photos.count; i++) {
        seg_scribbles_about about;
        SEG_RELEASED(seg_image_free) seg_image photo = {0};
        SEG_RELEASED(seg_mask_free) seg_mask scribbles = {0};
        CLI_TRY(cli_went(ctx, seg_image_read(ctx, out->photos.at[i], &photo), CLI_READING));
        CLI_TRY(cli_went(ctx, seg_scribbles_read(ctx, out->scribbles.at[i], &photo, NULL, &scribbles, &about),
                         CLI_READING));
        if (about.kind < SEG_SCRIBBLES_COLOURS || about.kind > SEG_SCRIBBLES_SNAPPED)
            continue;
        coloured++;
        for (int l = 1; l <= scribbles.labels; l++)
            enter_colour(&out->labelmap, scribbles.colour[l]);
    }
    if (coloured && coloured < out->photos.count)
        return cli_refuse(CLI_INPUT, "some scribbles use colours and others label numbers; give a label map that "
                                     "assigns labels to colours (--labelmap FILE)");
    return CLI_GO_ON;
}

cli_end cli_learn_inputs_find(seg_context *ctx, const cli_learn_options *options, cli_learn_inputs *out) {
    memset(out, 0, sizeof *out);
    CLI_TRY(find_all(options, out));
    return options->labelmap ? cli_went(ctx, seg_labelmap_read(ctx, options->labelmap, &out->labelmap), CLI_READING)
                             : gather_colours(ctx, out);
}

void cli_learn_inputs_free(cli_learn_inputs *inputs) {
    cli_files_free(&inputs->photos);
    cli_files_free(&inputs->scribbles);
}
