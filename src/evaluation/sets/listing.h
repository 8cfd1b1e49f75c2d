/* Find files in folders by name, for the layouts of data sets. */
#pragma once

#include "evaluation/report/text.h"

#include <dirent.h>

/* The entries of a folder except hidden ones, sorted by the bytes of their names. */
typedef struct seg_listing {
    struct dirent **entry;
    int count;
} seg_listing;

/* SEG_OK, SEG_ERR_IO or SEG_ERR_MEMORY. */
seg_status seg_listing_read(seg_context *ctx, const char *folder, seg_listing *out);
void seg_listing_free(seg_listing *listing);

/* Path of the first of the comma-separated sub-folders ("." is the folder itself) that contains a name with one of the
 * comma-separated endings (case is ignored; "" for any); NULL if none does (no message) or without memory (message). */
char *seg_folder_first(seg_context *ctx, const char *folder, const char *insides, const char *endings);

/* Length of the name without its ending, if that is one of the endings; else 0. */
size_t seg_stem(const char *name, const char *endings);
#define SEG_PHOTO_ENDINGS  SEG_IMAGE_FORMAT_ENDINGS
#define SEG_TRUTH_ENDINGS  SEG_IMAGE_FORMAT_ENDINGS ",npy,nrrd"
#define SEG_STROKE_ENDINGS SEG_TRUTH_ENDINGS ",json,geojson"

/* The path FOLDER/STEM + infix + . + ending with the first of the endings for which the file is readable; NULL if there
 * is none (no message) or if out of memory (message set). `folder` NULL gives NULL. */
char *seg_find_beside(seg_context *ctx, const char *folder, const char *stem, size_t length, const char *infix,
                      const char *endings);
