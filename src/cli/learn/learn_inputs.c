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
    char *beside = options->scribbles ? NULL : folder_of(photo), *base = cli_default_name(photo, "");
    const char *folder = options->scribbles ? options->scribbles : beside;
    cli_end end = base && folder ? CLI_GO_ON : cli_out_of_memory();
    *path = NULL;
    if (end == CLI_GO_ON)
        end = cli_find_file(&cli_scribble_files, folder, photo, base, path);
    free(beside);
    free(base);
    return end;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static cli_end find_all(const cli_learn_options *options, cli_files *all, cli_learn_inputs *out) {
    cli_end end = cli_list_photos(&options->common.words, all);
    const int one_file = options->scribbles && !cli_is_folder(options->scribbles);
    if (end == CLI_GO_ON && one_file && all->count > 1)
        return cli_refuse(CLI_USAGE,
                          "'%s' is not a folder: scribbles of several images are files of a folder, NAME-scribbles.png "
                          "for image NAME.jpg",
                          options->scribbles);
    if (end == CLI_GO_ON)
        qsort(all->at, (size_t)all->count, sizeof *all->at, by_name);
    for (int i = 0; i < all->count && end == CLI_GO_ON; i++) {
        char *path = one_file ? strdup(options->scribbles) : NULL;
        end = one_file ? (path ? CLI_GO_ON : cli_out_of_memory()) : find_scribbles(options, all->at[i], &path);
        if (end == CLI_GO_ON && !path) {
            out->without++;
            continue;
        }
        if (end == CLI_GO_ON)
            end = cli_files_append(&out->photos, strdup(all->at[i]));
        if (end == CLI_GO_ON)
            end = cli_files_append(&out->scribbles, path);
        else
            free(path);
    }
    if (end == CLI_GO_ON && !out->photos.count)
        return cli_refuse(
            CLI_INPUT, "none of the %d images has scribbles in '%s'; name them NAME-scribbles.png for image NAME.jpg",
            all->count, options->scribbles ? options->scribbles : "their folder");
    return end;
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
    seg_status status = SEG_OK;
    int coloured = 0;
    for (int i = 0; i < out->photos.count && status == SEG_OK; i++) {
        seg_scribbles_about about;
        seg_image photo;
        seg_mask scribbles = {0};
        status = seg_image_read(ctx, out->photos.at[i], &photo);
        if (status == SEG_OK)
            status = seg_scribbles_read(ctx, out->scribbles.at[i], &photo, NULL, &scribbles, &about);
        if (status == SEG_OK && (about.kind == SEG_SCRIBBLES_COLOURS || about.kind == SEG_SCRIBBLES_PAINTED ||
                                 about.kind == SEG_SCRIBBLES_SNAPPED)) {
            coloured++;
            for (int l = 1; l <= scribbles.labels; l++)
                enter_colour(&out->labelmap, scribbles.colour[l]);
        }
        seg_image_free(&photo);
        seg_mask_free(&scribbles);
    }
    if (status != SEG_OK)
        return cli_fail(ctx, status, CLI_READING);
    if (coloured && coloured < out->photos.count)
        return cli_refuse(CLI_INPUT, "some scribbles use colours and others label numbers; give a label map that "
                                     "assigns labels to colours (--labelmap FILE)");
    return CLI_GO_ON;
}

cli_end cli_learn_inputs_find(seg_context *ctx, const cli_learn_options *options, cli_learn_inputs *out) {
    cli_files all = {0};
    memset(out, 0, sizeof *out);
    cli_end end = find_all(options, &all, out);
    cli_files_free(&all);
    if (end != CLI_GO_ON || !options->labelmap)
        return end == CLI_GO_ON ? gather_colours(ctx, out) : end;
    const seg_status status = seg_labelmap_read(ctx, options->labelmap, &out->labelmap);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_READING);
}

void cli_learn_inputs_free(cli_learn_inputs *inputs) {
    cli_files_free(&inputs->photos);
    cli_files_free(&inputs->scribbles);
}

seg_status cli_learn_input_read(seg_context *ctx, const cli_learn_inputs *inputs, int i, seg_image *photo,
                                seg_mask *scribbles) {
    memset(scribbles, 0, sizeof *scribbles);
    SEG_TRY(seg_image_read(ctx, inputs->photos.at[i], photo));
    return seg_scribbles_read(ctx, inputs->scribbles.at[i], photo, inputs->labelmap.count ? &inputs->labelmap : NULL,
                              scribbles, NULL);
}
