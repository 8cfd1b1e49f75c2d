/* Volumes on the command line: TIFF files with a page for each slice. */
#include "base/base.h"
#include "cli/common/process.h"
#include "cli/segment/photo_run.h"
#include "evaluation/report/text.h"

int cli_pages_of(seg_context *ctx, const char *path) {
    seg_image_header header = {0};
    return path && cli_is_tiff(path) && seg_image_header_read(ctx, path, 1, &header) == SEG_OK ? header.pages : 0;
}

cli_end cli_volume_find(seg_context *ctx, cli_photo_options *options) {
    const int pages = options->scribbles ? cli_pages_of(ctx, options->photo) : 0, slices = options->segment.slices;
    const int marked = pages > 1 ? cli_pages_of(ctx, options->scribbles) : 0;
    if (pages > 1 && marked > 1 && marked != pages)
        return cli_refuse(CLI_INPUT,
                          "'%s' has %d pages and '%s' %d; the scribbles of a volume have a page for each slice",
                          options->photo, pages, options->scribbles, marked);
    if (pages > 1 && slices > 1 && slices != pages)
        return cli_refuse(CLI_USAGE, "'%s' has %d pages, not %d; leave --slices out", options->photo, pages, slices);
    if (marked > 1)
        options->segment.slices = pages;
    return CLI_GO_ON;
}

char *cli_pages_path(seg_context *ctx, const char *path, int slices) {
    return slices == 1 || cli_pages_of(ctx, path) != slices ? strdup(path)
                                                            : seg_format(ctx, "%s[0-%d]", path, slices - 1);
}

char *cli_volume_path(seg_context *ctx, const cli_photo_options *options, const char *path) {
    return cli_pages_path(ctx, path, options->segment.slices);
}

cli_end cli_volume_check(const cli_photo_options *options) {
    static const char *const others[] = {"constraints", "table", "export", "cutout-labels", "overlay"};
    for (size_t i = 0; options->segment.slices > 1 && i < sizeof others / sizeof *others; i++)
        if (cli_given(&cli_photo_table, options, others[i]))
            return cli_refuse(CLI_USAGE, "--%s is for images, and '%s' is a volume of %d slices; leave it out",
                              others[i], options->photo, options->segment.slices);
    return CLI_GO_ON;
}
