/* Data sets in the layout in which they are downloaded: which images there are, and their truths and strokes. Listing
 * looks at names only; files are read item by item, so that a damaged one affects no other. */
#pragma once

#include <segment/image.h>

/* One image and the files that belong to it. */
typedef struct seg_photo_item {
    char *name; /* first, for seg_by_name; unique and fit for a file name: the image's without folder and ending; owned,
                   as the others */
    char *photo;     /* path; NULL if the file that names it cannot be read */
    char *truth;     /* path; or NULL */
    char *scribbles; /* path; NULL if there are no strokes */
} seg_photo_item;

/* Everything of one item. */
typedef struct seg_sample {
    seg_image photo;
    seg_mask truth;     /* of the image's size; void is SEG_VOID */
    seg_mask scribbles; /* label is NULL if there are no strokes */
} seg_sample;

/* Where to look for the files of an item. */
typedef struct seg_photo_place {
    const char *photos, *truths; /* folders; NULL: there is none */
    const char *scribbles;       /* folder of the option, else the layout's; NULL: none */
    const char *file;            /* the listed file, without its folder */
    size_t length;               /* of its name without ending and dot */
} seg_photo_place;

/* How the layouts of data sets differ. */
typedef struct seg_photo_layout {
    const char *name, *title;
    const char *photos, *truths,
        *scribbles; /* folders that are tried, separated by commas, "." the set's own; NULL: none */
    const char *photo_endings, *truth_endings; /* of the files that such a folder holds; "": any */
    int lists_truths;                          /* 1: each truth is an item; 0: each image */
    int truths_beside;                         /* 1: truths may lie beside the images, without a folder */
    int names_scribbles;                       /* 1: the option for scribbles may name a folder inside the set */
    /* 1 if the folder has this layout; NULL: it has if its folders exist. */
    int (*detect)(const char *folder);
    /* 1 if a listed file is not an item; NULL: all are. */
    int (*skip)(const char *name, size_t length);
    /* Find the other files of an item, whose name and listed file are set. */
    seg_status (*fill)(seg_context *ctx, const seg_photo_place *place, seg_photo_item *item);
    /* The truth and strokes of an item whose image was read, into `sample`, which the caller frees. */
    seg_status (*read)(seg_context *ctx, const seg_photo_item *item, seg_sample *sample);
} seg_photo_layout;

/* In the order in which "auto" tries them: the plain folder is last, since any folder fits it. */
enum { SEG_PHOTO_MSRC, SEG_PHOTO_ICGBENCH, SEG_PHOTO_GRABCUT, SEG_PHOTO_FOLDER, SEG_PHOTO_LAYOUTS };
extern const seg_photo_layout seg_photo_layouts[SEG_PHOTO_LAYOUTS];

typedef struct seg_photo_set {
    const seg_photo_layout *layout;
    const char *folder;           /* borrowed, as are the next two */
    const char *truth_folder;     /* where the truths are, NULL for the layout's own place */
    const char *scribbles_folder; /* which strokes, NULL for the layout's own */
    seg_photo_item *item;         /* items, in the order of their names; owned */
    size_t items;
} seg_photo_set;

/* List a data set. Free it in every case. layout: a name, or "auto". SEG_ERR_USAGE (unknown layout), SEG_ERR_IO (no
 * such folder), SEG_ERR_INPUT (no layout fits, nothing in it, no truth at all, one name twice). */
seg_status seg_photo_set_open(seg_context *ctx, const char *layout, const char *folder, const char *truth_folder,
                              const char *scribbles_folder, seg_photo_set *out);
void seg_photo_set_free(seg_photo_set *set);

/* Read an item; free it in every case. SEG_ERR_IO, SEG_ERR_INPUT (damaged, other sizes, no truth), SEG_ERR_MEMORY. */
seg_status seg_photo_set_read(seg_context *ctx, const seg_photo_set *set, size_t item, seg_sample *out);
void seg_sample_free(seg_sample *sample);

/* Number of different labels in a truth, not counting void. */
int seg_truth_classes(const seg_mask *truth);
