/* The images named on the command line, and the files that belong to each. */
#pragma once

#include "cli/common/option_table.h"
#include "evaluation/sets/listing.h"

typedef struct cli_files {
    char **at; /* owned, each too */
    int count;
    size_t room;
} cli_files;

/* A kind of files in a folder, one per image: the name of the image, one of the stems and one of the extensions. */
typedef struct cli_file_kind {
    const char *option; /* that names the folder */
    const char *stem[3];
    const char *endings; /* "png,jpg" */
} cli_file_kind;

extern const cli_file_kind cli_scribble_files, cli_truth_files, cli_pair_files, cli_start_files;

int cli_is_folder(const char *path);

/* Append a path, which is then owned; NULL means out of memory. */
cli_end cli_files_append(cli_files *to, char *path);
void cli_files_free(cli_files *files);

/* Create a missing folder and its parents; those that were made are appended to `made`, which may be NULL. */
cli_end cli_make_folder(const char *path, cli_files *made);

/* List the images of all words: named files, and files in named folders except scribbles, ground truths and masks. Two
 * images of the same name are refused, since their outputs would be the same. each: a folder is one image, whose
 * channels are files in it. */
cli_end cli_list_photos(const seg_texts *words, int each, cli_files *out);

/* Find the file of an image in a folder; *path is NULL if there is none, else to be freed. `base` is the name of the
 * image without folder and extension. */
cli_end cli_find_file(const cli_file_kind *kind, const char *folder, const char *photo, const char *base, char **path);

/* List the names in a folder once, for many images; empty if the folder cannot be read. */
cli_end cli_list_names(const char *folder, seg_listing *out);
cli_end cli_find_name(const cli_file_kind *kind, const char *folder, const seg_listing *names, const char *photo,
                      const char *base, char **path);
