#include "evaluation/runner/report_folder.h"
#include "base/base.h"
#include "image/shown.h"
#include "image/shrink.h"

#include <dirent.h>
#include <sys/stat.h>

#define QUALITY 88

seg_status seg_folder_make(seg_context *ctx, const char *path) {
    SEG_FREED char *copy = seg_format(ctx, "%s", path);
    for (char *at = copy; at;) {
        struct stat about;
        char *slash = strchr(at + 1, '/');
        if (slash)
            *slash = 0;
        if (mkdir(copy, 0777) != 0 && (errno != EEXIST || stat(copy, &about) != 0 || !S_ISDIR(about.st_mode)))
            return seg_fail(ctx, SEG_ERR_IO, "cannot make the folder '%s': %s", copy,
                            errno == EEXIST ? "a file has this name" : SEG_ERROR_TEXT(errno));
        if (slash)
            *slash = '/';
        at = slash;
    }
    return copy ? SEG_OK : SEG_ERR_MEMORY;
}

char *seg_layout_mask(seg_context *ctx, const char *out, const char *label, const char *name) {
    return seg_format(ctx, "%s/masks/%s/%s.png", out, label, name);
}

static seg_status make(seg_context *ctx, const char *out, const char *inside, const char *name) {
    SEG_FREED char *path = seg_format(ctx, "%s/%s%s", out, inside, name);
    return path ? seg_folder_make(ctx, path) : SEG_ERR_MEMORY;
}

seg_status seg_layout_make(seg_context *ctx, const char *out, const char *const *label, int labels) {
    static const char *const fixed[] = {"photos", "figures", "masks/truth", "masks/scribbles"};
    for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++)
        SEG_TRY(make(ctx, out, fixed[f], ""));
    for (int l = 0; l < labels; l++)
        SEG_TRY(make(ctx, out, "masks/", label[l]));
    return SEG_OK;
}

/* Remove the files of unfinished writers (image/file.c) from the folder and, if `deeper`, from its
 * subfolders. Not by glob(): in glibc 2.41 it frees memory twice if out of memory. */
static void tidy_folder(const char *path, int deeper) {
    DIR *folder = opendir(path);
    for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        if (strncmp(entry->d_name, ".segment-", 9) == 0 && seg_ends_in(entry->d_name, ".tmp"))
            unlinkat(dirfd(folder), entry->d_name, 0);
        SEG_FREED char *inside =
            deeper && entry->d_name[0] != '.' ? seg_format(NULL, "%s/%s", path, entry->d_name) : NULL;
        if (inside)
            tidy_folder(inside, 0);
    }
    if (folder)
        closedir(folder);
}

void seg_layout_tidy(const char *out) {
    static const char *const places[] = {"", "/photos", "/figures", "/masks"};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        SEG_FREED char *folder = seg_format(NULL, "%s%s", out, places[p]);
        if (folder)
            tidy_folder(folder, p >= 3);
    }
}

/* Reduce the image by averaging until no side is longer than SEG_LAYOUT_SIDE, to 8 bits per sample. */
static seg_status reduce(seg_context *ctx, const seg_image *photo, seg_image *out) {
    const int longer = photo->width > photo->height ? photo->width : photo->height;
    SEG_TRY(seg_image_shrink(ctx, photo, (seg_stack){1, 1}, (longer + SEG_LAYOUT_SIDE - 1) / SEG_LAYOUT_SIDE, out));
    if (out->depth == 8)
        return SEG_OK;
    for (int y = 0; y < out->height; y++) /* each sample is read before its place is written */
        seg_shown_row(out, y, (uint8_t *)out->data + 3 * (size_t)out->width * (size_t)y);
    out->depth = 8;
    out->low = out->high = 0;
    return SEG_OK;
}

static seg_status write_photo(seg_context *ctx, const char *out, const char *name, const seg_image *photo) {
    SEG_FREED unsigned char *bytes = NULL;
    size_t size;
    SEG_RELEASED(seg_image_free) seg_image reduced = {0};
    SEG_LOCAL(char, path, seg_format(ctx, "%s/photos/%s.jpg", out, name));
    SEG_TRY(reduce(ctx, photo, &reduced));
    SEG_TRY(seg_jpeg_encode(ctx, &reduced, QUALITY, &bytes, &size));
    return seg_file_write(ctx, path, bytes, size);
}

static seg_status write_mask(seg_context *ctx, const char *out, const char *label, const char *name,
                             const seg_mask *mask) {
    SEG_FREED char *path = seg_layout_mask(ctx, out, label, name);
    return path ? seg_mask_write(ctx, path, mask, SEG_MASK_PNG) : SEG_ERR_MEMORY;
}

seg_status seg_layout_keep(seg_context *ctx, const char *out, const char *name, const seg_image *photo,
                           const seg_mask *truth, const seg_mask *scribbles) {
    SEG_TRY(write_photo(ctx, out, name, photo));
    SEG_TRY(write_mask(ctx, out, "truth", name, truth));
    return scribbles ? write_mask(ctx, out, "scribbles", name, scribbles) : SEG_OK;
}
