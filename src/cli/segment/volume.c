/* Volumes and channels on the command line: the pages of a TIFF file, the files of a folder, or an array. */
#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"

#include <fnmatch.h>

seg_image_header cli_tiff_header(seg_context *ctx, const char *path) {
    seg_image_header header = {0};
    if (path && cli_is_tiff(path) && seg_image_header_read(ctx, path, 1, &header) != SEG_OK)
        memset(&header, 0, sizeof header);
    return header;
}

char *cli_pages_path(seg_context *ctx, const char *path, int slices) {
    return slices == 1 || cli_tiff_header(ctx, path).pages != slices ? strdup(path)
                                                                     : seg_format(ctx, "%s[0-%d]", path, slices - 1);
}

/* An array; slices: 1 for an image, else those that a volume must have. */
static seg_status read_array(seg_context *ctx, const char *path, int slices, int *channels, seg_image *out) {
    int found = slices;
    SEG_TRY(seg_array_read_image(ctx, path, channels, slices > 1 ? &found : NULL, out));
    if (found == slices)
        return SEG_OK;
    seg_image_free(out);
    return seg_fail(ctx, SEG_ERR_USAGE, "'%s' has %d slices, not %d", path, found, slices);
}

seg_status cli_image_read(seg_context *ctx, const char *path, int slices, int *channels, seg_image *out) {
    if (seg_is_array_name(path))
        return read_array(ctx, path, slices, channels, out);
    SEG_LOCAL(char, pages, cli_pages_path(ctx, path, slices * (*channels ? *channels : 1)));
    return seg_slices_read_image(ctx, &(seg_slice_files){pages, NULL, 0, *channels > 1}, out);
}

int cli_volume_is_folder(const cli_photo_options *options) {
    return options->volume && cli_is_folder(options->photo);
}

int cli_masks_in_folder(const cli_photo_options *options) {
    return (cli_volume_is_folder(options) || options->paged) && options->mask && !cli_is_tiff(options->mask) &&
           !cli_is_stream(options->mask);
}

/* A folder, or a name without an ending. */
static int names_folder(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path && !cli_is_stream(path) && (cli_is_folder(path) || !strchr(slash ? slash : path, '.'));
}

static int by_number(const void *a, const void *b) {
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

int cli_slices_of(seg_context *ctx, const char *path, int channels) {
    if (path && seg_is_array_name(path))
        return seg_array_slices(ctx, path, NULL);
    const seg_image_header about = cli_tiff_header(ctx, path);
    seg_pages range;
    return path && seg_pages_of(path, &range) ? range.last - range.first + 1
           : channels > 1                     ? about.slices
                                              : about.pages;
}

double cli_spacing_of(seg_context *ctx, const char *path) {
    SEG_FREED char *file = seg_pages_file(path); /* some pages are as far apart as all */
    double apart = cli_tiff_header(ctx, file).spacing;
    if (file && seg_ends_in(file, ".nrrd"))
        seg_array_slices(ctx, file, &apart);
    if (apart >= 0.01 && apart <= 100)
        return apart;
    if (apart > 0)
        cli_say("warning: '%s' has slices %g times as far apart as pixels, which is not from 0.01 to 100; 1 is taken",
                path, apart);
    return 1;
}

/* Each page of a TIFF file as a file of its own: NAME[3], or another name with the page's number. */
static cli_end split_pages(seg_slice_files *files, const char *name, int first, int pages, const char *open,
                           const char *shut) {
    seg_pages range = {.first = first, .stem = strlen(name)};
    seg_pages_of(name, &range);
    files->count = pages;
    files->path = calloc((size_t)pages, sizeof *files->path);
    for (int i = 0; files->path && i < pages; i++)
        if (!(files->path[i] = seg_format(NULL, "%.*s%s%d%s", (int)range.stem, name, open, range.first + i, shut)))
            return cli_out_of_memory();
    return cli_allocated(files->path);
}

/* The file, or the files of a folder: slices, or what is named after some of the given ones. */
static cli_end find_files(const cli_photo_options *options, const char *path, const seg_slice_files *slices,
                          seg_slice_files *out) {
    SEG_RELEASED(cli_files_free) cli_files found = {0};
    out->name = strdup(path);
    CLI_TRY(cli_allocated(out->name));
    if (!options->volume || !cli_is_folder(path) || out->path || (slices && !slices->path))
        return CLI_GO_ON;
    CLI_TRY(cli_list_photos(&(seg_texts){.at = &path, .count = 1}, NULL, &found));
    qsort(found.at, (size_t)found.count, sizeof *found.at, by_number);
    out->count = slices ? slices->count : found.count;
    out->path = calloc((size_t)out->count, sizeof *out->path);
    CLI_TRY(cli_allocated(out->path));
    for (int f = 0, i = 0; f < found.count; f++, i++) {
        int others = 0; /* the next slice in most cases */
        for (; slices && others < slices->count && cli_by_base(slices->path[i % out->count], found.at[f]); others++)
            i++;
        i %= out->count;
        if (slices && others == out->count)
            return cli_refuse(CLI_INPUT,
                              "'%s' has the name of no slice; name it after one, as '%s' is, or take it away",
                              found.at[f], slices->path[0]);
        out->path[i] = found.at[f];
        found.at[f] = NULL;
    }
    return CLI_GO_ON;
}

/* All pages of the one file, where it has one for each slice. */
static cli_end name_pages(seg_context *ctx, int slices, seg_slice_files *files) {
    char *one = files->name;
    files->name = one && !files->path ? cli_pages_path(ctx, one, slices) : strdup(one ? one : "");
    free(one);
    return cli_allocated(files->name);
}

/* Whether a file has the name, with wildcards or with `what` in place of the star. */
static int fits(const char *file, const char *name, const char *what) {
    const size_t before = strcspn(name, "*"), length = strlen(what);
    return !*what ? fnmatch(name, file, 0) == 0
                  : name[before] && !strncmp(file, name, before) && !strncmp(file + before, what, length) &&
                        fnmatch(name + before + 1, file + before + length, 0) == 0;
}

/* Append the one file of the folder that a name stands for. */
static cli_end append_file(const char *folder, const char *what, const seg_listing *names, const char *name,
                           seg_slice_files *out) {
    const char *found = NULL;
    for (int i = 0; i < names->count; i++) {
        const char *one = names->entry[i]->d_name;
        if (!fits(one, name, what))
            continue;
        if (found)
            return cli_refuse(CLI_INPUT,
                              "'%s' and '%s' both have the name '%s' of --channels in '%s'; a channel is one file",
                              found, one, name, folder);
        found = one;
    }
    if (!found)
        return cli_refuse(CLI_INPUT, "no file of '%s' has the name '%s' of --channels%s%s", folder, name,
                          *what ? " with " : "", what);
    out->path[out->count] = seg_format(NULL, "%s/%s", folder, found);
    return out->path[out->count++] ? CLI_GO_ON : cli_out_of_memory();
}

cli_end cli_channels_find(const char *path, const char *files, seg_slice_files *out) {
    SEG_RELEASED(seg_listing_free) seg_listing names = {0};
    char *next = NULL, folder[PATH_MAX] = "";
    const char *what = "";
    if (!cli_is_folder(path) && access(path, F_OK) != 0 && strchr(files, '*') && *path)
        what = cli_split_path(path, folder);
    else if (cli_is_folder(path))
        snprintf(folder, sizeof folder, "%s", path);
    if (!cli_is_folder(folder))
        return cli_refuse(CLI_USAGE,
                          "--channels takes a number or, with folders and without --volume, names of files in each "
                          "folder, not '%s'",
                          files);
    CLI_TRY(cli_list_names(folder, &names));
    SEG_FREED char *copy = strdup(files);
    out->path = calloc(strlen(files) + 1, sizeof *out->path);
    CLI_TRY(cli_allocated(out->path && copy));
    for (char *name = strtok_r(copy, ",", &next); name; name = strtok_r(NULL, ",", &next))
        CLI_TRY(append_file(folder, what, &names, name, out));
    return CLI_GO_ON;
}

static cli_end check_pages(const char *path, const seg_image_header *about, int channels, int slices) {
    if (channels <= 1 || about->pages <= 1 || about->pages == channels * slices)
        return CLI_GO_ON;
    if (slices > 1)
        return cli_refuse(CLI_USAGE, "'%s' has %d pages, not %d slices of %d channels", path, about->pages, slices,
                          channels);
    return cli_refuse(CLI_USAGE, "'%s' has %d %s, not %d channels", path,
                      about->channels ? about->channels : about->pages, about->channels ? "channels" : "pages",
                      channels);
}

cli_end cli_series_read(seg_context *ctx, const char *path, const char *files, int *channels, seg_image *out) {
    const seg_image_header about = cli_tiff_header(ctx, path);
    SEG_RELEASED(cli_volume_free) cli_volume own = {.image.apart = 1};
    if (!*channels && !files && !seg_is_array_name(path))
        *channels = about.channels ? about.channels : 1;
    if (about.slices > 1)
        return cli_refuse(CLI_INPUT, "'%s' is a volume of %d slices; a model is learned from images", path,
                          about.slices);
    CLI_TRY(check_pages(path, &about, *channels, 1));
    if (!files)
        return cli_went(ctx, cli_image_read(ctx, path, 1, channels, out), CLI_READING);
    CLI_TRY(cli_channels_find(path, files, &own.image));
    *channels = own.image.count;
    return cli_went(ctx, seg_slices_read_image(ctx, &own.image, out), CLI_READING);
}

/* As given, else those of the model; 0: any. */
static int wanted_channels(const cli_photo_options *options, const seg_model *model) {
    seg_model_info about = {.channels = 0};
    if (cli_given(&cli_photo_table, options, "channels"))
        return options->segment.channels;
    if (model)
        seg_model_about(model, 0, &about);
    return (int)about.channels;
}

/* How many channels there are, and which of them are shown. */
static cli_end find_channels(seg_context *ctx, cli_photo_options *options, cli_photo_run *run) {
    const seg_image_header about = cli_tiff_header(ctx, options->photo);
    const int wanted = wanted_channels(options, run->model);
    int used = 0, *show = options->shown, slices = about.slices;
    if (options->common.files) {
        CLI_TRY(cli_channels_find(options->volume ? "" : options->photo, options->common.files, &run->volume.image));
        options->segment.channels = run->volume.image.count;
    } else if (seg_is_array_name(options->photo)) {
        const int marked = cli_slices_of(ctx, options->scribbles, 1);
        slices = options->volume || marked > 1 || (marked && seg_is_array_name(options->scribbles)) ? 2 : 1;
        slices = wanted < 2 ? slices : 1;
        options->segment.channels = wanted;
        CLI_TRY(cli_went(ctx,
                         seg_array_read_image(ctx, options->photo, &options->segment.channels, &slices, &run->photo),
                         CLI_READING));
    } else if (about.channels && !cli_given(&cli_photo_table, options, "channels")) {
        options->segment.channels = about.channels;
    } else if (about.pages > 1 && wanted) {
        options->segment.channels = wanted;
    }
    if (slices > 1 && cli_given(&cli_photo_table, options, "slices") && options->segment.slices != slices)
        return cli_refuse(CLI_USAGE, "'%s' has %d slices, not %d; leave --slices out", options->photo, slices,
                          options->segment.slices);
    if (slices > 1 && (options->segment.channels > 1 || seg_is_array_name(options->photo)))
        options->segment.slices = slices;
    if (!cli_given(&cli_photo_table, options, "spacing"))
        options->segment.spacing = cli_spacing_of(ctx, options->photo);
    const int channels = options->segment.channels;
    CLI_TRY(check_pages(options->photo, &about, channels, options->segment.slices));
    for (int i = 0; i < 3; i++)
        show[i] = i < channels ? i + 1 : 0;
    if (options->show &&
        (sscanf(options->show, "%d,%d,%d%n", &show[0], &show[1], &show[2], &used) != 3 || options->show[used]))
        show[0] = -1;
    for (int i = 0; i < 3; i++)
        if (show[i] < 0 || show[i] > channels || (options->show && channels == 1))
            return cli_refuse(CLI_USAGE, "--show takes three numbers of channels, 0 to %d, as in 2,1,0, not '%s'",
                              channels, options->show);
    return CLI_GO_ON;
}

cli_end cli_volume_find(seg_context *ctx, cli_photo_options *options, cli_photo_run *run) {
    cli_volume *out = &run->volume;
    CLI_TRY(find_channels(ctx, options, run));
    const int slices = options->segment.slices, channels = options->segment.channels;
    const char *what = cli_volume_is_folder(options) ? "slices" : "pages";
    out->image.apart = channels > 1;
    if (options->volume && (options->common.words.count > 1 || options->jobs >= 0 || options->shard || options->resume))
        return cli_refuse(CLI_USAGE,
                          "--volume takes one folder of slices or one TIFF file, without --jobs, --shard and "
                          "--resume; segment volumes one by one");
    CLI_TRY(find_files(options, options->photo, NULL, &out->image));
    SEG_RELEASED(cli_volume_free) cli_volume called = {.image.apart = 1}; /* as the masks of pages: stack-3 */
    const int own = options->volume && !out->image.path ? cli_slices_of(ctx, options->photo, channels) : 0;
    seg_pages range = {.first = 0};
    seg_pages_of(options->photo, &range);
    SEG_FREED char *base = cli_default_name(options->photo, "");
    CLI_TRY(cli_allocated(base));
    if (own > 1)
        CLI_TRY(split_pages(&called.image, base, range.first, own, "-", ".png"));
    const seg_slice_files *names = own > 1 ? &called.image : &out->image;
    const char *const given[] = {options->scribbles, options->truth, options->start};
    seg_slice_files *const beside[] = {&out->scribbles, &out->truth, &out->start};
    for (int i = 0; i < 3; i++)
        if (given[i])
            CLI_TRY(find_files(options, given[i], names, beside[i]));
    for (int i = 0; out->start.path && i < out->start.count; i++)
        if (!out->start.path[i])
            return cli_refuse(CLI_INPUT, "'%s' has no mask of '%s'; a mask to correct is one of all slices",
                              options->start, names->path[i]);
    const int looks = options->volume || (options->scribbles && channels == 1);
    const int pages = out->image.path && options->volume ? out->image.count
                      : looks                            ? cli_slices_of(ctx, options->photo, channels)
                                                         : 0;
    const int marked = pages > 1 ? cli_slices_of(ctx, options->scribbles, 1) : 0;
    if (pages > 1 && marked > 1 && marked != pages)
        return cli_refuse(CLI_INPUT, "'%s' has %d %s and '%s' %d; the scribbles of a volume have a page for each slice",
                          options->photo, pages, what, options->scribbles, marked);
    if (pages > 1 && slices > 1 && slices != pages)
        return cli_refuse(CLI_USAGE, "'%s' has %d %s, not %d; leave --slices out", options->photo, pages, what, slices);
    if (marked > 1 || (pages && options->volume))
        options->segment.slices = pages;
    options->paged = options->volume && !out->image.path && pages > 1 && names_folder(options->mask);
    if (options->paged && (channels > 1 || seg_is_array_name(options->photo)))
        return cli_refuse(CLI_USAGE,
                          "the mask of a volume that is an array or has channels is one TIFF file, not a folder: "
                          "-o mask.tif");
    if (options->paged)
        CLI_TRY(split_pages(&out->image, out->image.name, 0, pages, "[", "]"));
    if (options->paged && marked > 1)
        CLI_TRY(split_pages(&out->scribbles, out->scribbles.name, 0, pages, "[", "]"));
    for (int i = 0; i < 3; i++)
        CLI_TRY(name_pages(ctx, options->segment.slices, beside[i]));
    return name_pages(ctx, options->segment.slices * channels, &out->image);
}

cli_end cli_volume_check_files(const cli_photo_options *options, const cli_volume *volume) {
    const seg_slice_files *const inputs[] = {&volume->image, &volume->scribbles, &volume->truth, &volume->start};
    SEG_RELEASED(cli_uses_free) cli_uses all = {0};
    SEG_FREED cli_use *own = NULL;
    size_t count = 0;
    CLI_TRY(cli_list_uses(options, &own, &count));
    for (size_t u = 0; u < count; u++)
        if (own[u].writes)
            CLI_TRY(cli_uses_add(&all, own[u]));
    for (int f = 0; f < 4; f++)
        for (int i = 0; inputs[f]->path && i < inputs[f]->count; i++)
            if (inputs[f]->path[i])
                CLI_TRY(cli_uses_add(&all, (cli_use){.name = "an input", .path = inputs[f]->path[i]}));
    return cli_check_uses(all.at, all.count);
}

void cli_volume_free(cli_volume *volume) {
    seg_slice_files *const all[] = {&volume->image, &volume->scribbles, &volume->truth, &volume->start};
    for (int f = 0; f < 4; f++) {
        for (int i = 0; all[f]->path && i < all[f]->count; i++)
            free(all[f]->path[i]);
        free(all[f]->path);
        free(all[f]->name);
    }
}

char *cli_slice_path(seg_context *ctx, const cli_photo_options *options, const char *image) {
    const char *page = seg_ends_in(image, "]") ? strrchr(image, '[') : NULL; /* as in stack.tif[3] */
    SEG_FREED char *ending = page ? seg_format(ctx, "-%d.png", atoi(page + 1)) : strdup(".png");
    SEG_FREED char *name = ending ? cli_default_name(image, ending) : NULL;
    return name ? seg_format(ctx, "%s/%s", options->mask, name) : NULL;
}

seg_status cli_slice_write(seg_context *ctx, const cli_photo_options *options, const char *image, const seg_mask *mask,
                           int i) {
    SEG_FREED char *path = cli_slice_path(ctx, options, image);
    seg_mask slice = *mask;
    slice.height /= mask->slices;
    slice.slices = 1;
    slice.label += (size_t)i * (size_t)slice.width * (size_t)slice.height;
    return path ? seg_mask_write(ctx, path, &slice, SEG_MASK_PNG) : SEG_ERR_MEMORY;
}

seg_status cli_volume_write(seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run) {
    if (cli_make_folder(options->mask, NULL) != CLI_GO_ON)
        return seg_fail(ctx, SEG_ERR_IO, "no mask is written");
    for (int i = 0; i < run->result->mask.slices; i++)
        SEG_TRY(cli_slice_write(ctx, options, run->volume.image.path[i], &run->result->mask, i));
    return SEG_OK;
}

cli_end cli_volume_check(const cli_photo_options *options) {
    static const char *const others[] = {"constraints", "cutout-labels", "box"};
    for (size_t i = 0; options->segment.slices > 1 && i < sizeof others / sizeof *others; i++)
        if (cli_given(&cli_photo_table, options, others[i]))
            return cli_refuse(CLI_USAGE, "--%s is for images, and '%s' is a volume of %d slices; leave it out",
                              others[i], options->photo, options->segment.slices);
    for (int e = 0; options->segment.slices > 1 && e < options->export_texts.count; e++)
        if (strncasecmp(options->export_texts.at[e], "npy", 3) != 0 &&
            strncasecmp(options->export_texts.at[e], "nrrd", 4) != 0)
            return cli_refuse(CLI_USAGE,
                              "--export %s is for images, and '%s' is a volume of %d slices; export npy or nrrd",
                              options->export_texts.at[e], options->photo, options->segment.slices);
    if (options->segment.slices > 1 && options->gather && cli_makes_table(options))
        return cli_refuse(CLI_USAGE,
                          "a table of several images has no columns for '%s', a volume: segment it by itself",
                          options->photo);
    if ((cli_volume_is_folder(options) || options->common.files) && options->save_run)
        return cli_refuse(CLI_USAGE, "--save-run records files, and '%s' is a folder; give one TIFF file of all %s",
                          options->photo, options->volume ? "slices" : "channels");
    return CLI_GO_ON;
}
