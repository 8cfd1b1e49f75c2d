/* The images that are named on a command's line, and the files that belong to each. */
#ifndef CLI_PHOTO_FILES_H
#define CLI_PHOTO_FILES_H

#include "common_options.h"
#include "exit_codes.h"

typedef struct cli_files {
    char **at; /* owned, each too */
    int count;
} cli_files;

/* Files that lie in a folder, one an image: that of image NAME is NAME, one of the stems and one of the endings. */
typedef struct cli_file_kind {
    const char *option; /* that names the folder */
    const char *stem[3];
    const char *endings; /* "png,jpg" */
} cli_file_kind;

extern const cli_file_kind cli_scribble_files, cli_truth_files, cli_pair_files;

int cli_is_folder(const char *path);

/* Append a path, which is taken over; NULL is out of memory. */
cli_end cli_files_append(cli_files *to, char *path);
void cli_files_free(cli_files *files);

/* The images of all words: files as they are named, and of folders what lies in them, but no scribbles, truths and
 * masks. Two images of one name are refused: their files would be the same. */
cli_end cli_list_photos(const seg_texts *words, cli_files *out);

/* An image's file in a folder; *path is NULL where there is none, else to be freed. `base` is the image's name without
 * folder and ending. */
cli_end cli_find_file(const cli_file_kind *kind, const char *folder, const char *photo, const char *base, char **path);

/* The same for many images: the folder's names are listed once, in the order of their bytes; none of a folder that
 * cannot be read. */
cli_end cli_list_names(const char *folder, cli_files *out);
cli_end cli_find_name(const cli_file_kind *kind, const char *folder, const cli_files *names, const char *photo,
                      const char *base, char **path);

#endif
