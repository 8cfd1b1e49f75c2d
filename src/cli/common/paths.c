#include "cli/common/paths.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int cli_is_stream(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* "folder/coffee.jpg" gives "coffee" + ending; standard input gives "stdin" + ending. NULL if out of memory. */
char *cli_default_name(const char *photo, const char *ending) {
    const char *slash = strrchr(photo, '/');
    const char *base = cli_is_stream(photo) ? "stdin" : slash ? slash + 1 : photo;
    const char *dot = strrchr(base, '.');
    int length = (int)(dot && dot != base ? dot - base : (ptrdiff_t)strlen(base));
    char *name = NULL;
    return asprintf(&name, "%.*s%s", length, base, ending) < 0 ? NULL : name;
}

char *cli_mask_stem(const char *photo, const char *mask) {
    if (cli_is_stream(mask) || cli_is_special(mask))
        return cli_default_name(photo, "-mask");
    char *stem = strdup(mask), *slash = stem ? strrchr(stem, '/') : NULL, *base = slash ? slash + 1 : stem;
    char *dot = base ? strrchr(base, '.') : NULL;
    if (dot && dot != base)
        *dot = 0;
    return stem;
}

int cli_is_special(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

const char *cli_split_path(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (!slash || length >= PATH_MAX) {
        memcpy(folder, ".", 2);
        return path;
    }
    memcpy(folder, slash == path ? "/" : path, slash == path ? 1 : length);
    folder[slash == path ? 1 : length] = 0;
    return slash + 1;
}
