#include "paint/document/source.h"

#include <string.h>

int paint_source_read(const char *path, paint_source *source) {
    paint_source now = {.number = source->number};
    if (stat(path, &now.file) != 0 || !S_ISREG(now.file.st_mode) || cli_hash_file(path, now.hash) != CLI_GO_ON)
        return 0;
    const int changed = source->hash[0] && strcmp(source->hash, now.hash) != 0;
    now.number += changed;
    now.is_unseen = changed || (source->is_unseen && source->hash[0]);
    *source = now;
    return changed;
}

/* The time of the last change of anything, which no program sets: others keep the time of writing when they copy. */
static int is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

paint_source_state paint_source_check(const char *path, paint_source *source) {
    struct stat now;
    char hash[CLI_HASH_SIZE];
    if (!source->hash[0])
        return PAINT_SOURCE_SAME;
    if (stat(path, &now) != 0)
        return PAINT_SOURCE_GONE;
    if (is_same_file(&now, &source->file))
        return PAINT_SOURCE_SAME;
    if (!S_ISREG(now.st_mode) || cli_hash_file(path, hash) != CLI_GO_ON || strcmp(hash, source->hash) != 0)
        return PAINT_SOURCE_CHANGED;
    source->file = now;
    return PAINT_SOURCE_SAME;
}
