#include "evaluation/sets/listing.h"
#include "base/base.h"

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Compare by bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

seg_status seg_listing_read(seg_context *ctx, const char *folder, seg_listing *out) {
    memset(out, 0, sizeof *out);
    out->count = scandir(folder, &out->entry, is_shown, by_name);
    if (out->count >= 0)
        return SEG_OK;
    memset(out, 0, sizeof *out);
    if (errno == ENOMEM)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while listing the folder '%s'", folder);
    return seg_fail(ctx, SEG_ERR_IO, "cannot list the folder '%s': %s", folder, SEG_ERROR_TEXT(errno));
}

void seg_listing_free(seg_listing *listing) {
    for (int i = 0; i < listing->count; i++)
        free(listing->entry[i]);
    SEG_CLEAR(listing, listing->entry);
}

/* Take the next word from a comma-separated list. @return its length */
static size_t next_word(const char **list, const char **word) {
    size_t length = strcspn(*list, ",");
    *word = *list;
    *list += length + ((*list)[length] == ',');
    return length;
}

size_t seg_stem(const char *name, const char *endings) {
    const char *dot = strrchr(name, '.'), *word;
    while (dot && dot != name && *endings) {
        size_t length = next_word(&endings, &word);
        if (strlen(dot + 1) == length && strncasecmp(dot + 1, word, length) == 0)
            return (size_t)(dot - name);
    }
    return 0;
}

static int holds(const char *folder, const char *endings) {
    const int exhausted = errno == ENOMEM;
    SEG_RELEASED(seg_listing_free) seg_listing listing = {0};
    int found = 0;
    if (seg_listing_read(NULL, folder, &listing) == SEG_OK)
        for (int i = 0; i < listing.count && !found; i++)
            found = !*endings || seg_stem(listing.entry[i]->d_name, endings) > 0;
    if (exhausted) /* if memory ran out before, a folder that was not found may exist */
        errno = ENOMEM;
    return found;
}

char *seg_folder_first(seg_context *ctx, const char *folder, const char *insides, const char *endings) {
    while (*insides) {
        const char *word;
        size_t length = next_word(&insides, &word);
        char *path = length == 1 && *word == '.' ? seg_format(ctx, "%s", folder)
                                                 : seg_format(ctx, "%s/%.*s", folder, (int)length, word);
        if (!path || holds(path, endings))
            return path;
        free(path);
    }
    return NULL;
}

char *seg_find_beside(seg_context *ctx, const char *folder, const char *stem, size_t length, const char *infix,
                      const char *endings) {
    while (folder && *endings) {
        const char *word;
        size_t ending = next_word(&endings, &word);
        char *path = seg_format(ctx, "%s/%.*s%s.%.*s", folder, (int)length, stem, infix, (int)ending, word);
        if (!path || access(path, F_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}
