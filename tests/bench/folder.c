/* Folders of images with what belongs to them. */
#include "bench.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* `path` where it can be read, else NULL; takes the text over. */
static char *readable(char *path) {
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

int bench_folder_list(const bench_options *options, bench_folder *out) {
    char *inside = bench_text("%s/Images", options->folder);
    const int msrc = access(inside, R_OK) == 0;
    const char *ending = msrc ? ".bmp" : ".jpg";
    const char *folder = msrc ? inside : options->folder;
    struct dirent **entry = NULL;
    memset(out, 0, sizeof *out);
    int entries = scandir(folder, &entry, NULL, by_name);
    if (entries < 0) {
        bench_fail("cannot list '%s': %s", folder, strerror(errno));
        free(inside);
        return -1;
    }
    out->image = bench_alloc((size_t)entries, sizeof *out->image);
    for (int e = 0; e < entries; e++) {
        const char *name = entry[e]->d_name;
        const size_t length = strlen(name);
        if (length > strlen(ending) && !strcmp(name + length - strlen(ending), ending)) {
            bench_image *image = &out->image[out->count++];
            image->msrc = msrc;
            image->name = bench_text("%.*s", (int)(length - strlen(ending)), name);
            image->photo = bench_text("%s/%s", folder, name);
            if (msrc)
                image->truth = readable(bench_text("%s/GroundTruth/%s_GT.bmp", options->folder, image->name));
            else if (options->truth)
                image->truth = readable(bench_text("%s/%s.png", options->truth, image->name));
            if (!msrc && !options->draw)
                image->scribbles = readable(bench_text("%s/%s-scribbles.png", folder, image->name));
        }
        free(entry[e]);
    }
    free(entry);
    if (out->count == 0)
        bench_fail("there is no NAME%s in '%s'", ending, folder);
    free(inside);
    return out->count ? 0 : -1;
}

void bench_folder_free(bench_folder *folder) {
    for (size_t i = 0; i < folder->count; i++) {
        free(folder->image[i].name);
        free(folder->image[i].photo);
        free(folder->image[i].scribbles);
        free(folder->image[i].truth);
    }
    free(folder->image);
    memset(folder, 0, sizeof *folder);
}

seg_status bench_truth_read(seg_context *ctx, const bench_image *image, seg_mask *out) {
    seg_image colours = {0};
    seg_status status = seg_truth_read(ctx, image->truth, out);
    if (status || !image->msrc)
        return status;
    /* A truth of one class and black would be read as two classes; here black is void in every file. */
    if ((status = seg_image_read(ctx, image->truth, &colours)) != SEG_OK) {
        seg_mask_free(out);
        return status;
    }
    const uint8_t *rgb = colours.data;
    for (size_t p = 0; p < (size_t)colours.width * (size_t)colours.height; p++)
        if (!rgb[3 * p] && !rgb[3 * p + 1] && !rgb[3 * p + 2])
            out->label[p] = SEG_VOID;
    seg_image_free(&colours);
    return SEG_OK;
}
