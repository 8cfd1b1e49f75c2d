/* Data sets in the layout in which they are downloaded: which images there are, and their truths and strokes.
 * Listing looks at names only; files are read item by item, so that a damaged one costs no other. */
#ifndef SEG_EVALUATION_SETS_PHOTO_SET_H
#define SEG_EVALUATION_SETS_PHOTO_SET_H

#include <segment/image.h>

/* One image and the files that belong to it. */
typedef struct seg_photo_item {
    char *name;      /* unique in the set and fit for a file name: the image's without folder and ending; owned, as the
                        others */
    char *photo;     /* path; NULL where the file that names it cannot be read */
    char *truth;     /* path of a file, or of a folder of files, one per annotator; or NULL */
    char *scribbles; /* path; NULL where there are no strokes */
} seg_photo_item;

typedef struct seg_photo_set seg_photo_set;

/* Everything of one item. */
typedef struct seg_sample {
    seg_image photo;
    seg_mask *truth;    /* `truths` masks, one per annotator, all of the image's size; void is SEG_VOID */
    int truths;         /* >= 1 */
    seg_mask scribbles; /* label is NULL where there are no strokes */
} seg_sample;

/* What tells data sets apart. One row per layout, one file each. */
typedef struct seg_photo_layout {
    const char *name, *title;
    /* 1 where the folder looks like it. */
    int (*detect)(const char *folder);
    /* Fill in set->item; the set knows its folder and the folders of --truth and --scribbles. */
    seg_status (*list)(seg_context *ctx, seg_photo_set *set);
    /* The truths and strokes of an item whose image was read. */
    seg_status (*read)(seg_context *ctx, const seg_photo_item *item, seg_sample *sample);
} seg_photo_layout;

struct seg_photo_set {
    const seg_photo_layout *layout;
    const char *folder;           /* borrowed, as the next two */
    const char *truth_folder;     /* where the truths are, NULL for the layout's own place */
    const char *scribbles_folder; /* which strokes, NULL for the layout's own */
    seg_photo_item *item;         /* items, in the order of their names; owned */
    size_t items, room;
};

/* "msrc", "icgbench", ...; NULL behind the last. */
const seg_photo_layout *seg_photo_form_at(int i);

/* List a data set.
 * layout: a name, or "auto". SEG_ERR_USAGE (unknown layout), SEG_ERR_IO (no such folder), SEG_ERR_INPUT (no layout
 * fits, nothing in it, no truth at all, one name twice). */
seg_status seg_photo_set_open(seg_context *ctx, const char *layout, const char *folder, const char *truth_folder,
                              const char *scribbles_folder, seg_photo_set *out);
void seg_photo_set_free(seg_photo_set *set);

/* Read an item. SEG_ERR_IO, SEG_ERR_INPUT (damaged, sizes that differ, no truth), SEG_ERR_MEMORY. */
seg_status seg_photo_set_read(seg_context *ctx, const seg_photo_set *set, size_t item, seg_sample *out);
void seg_sample_free(seg_sample *sample);

/* Make void pixels of every truth a class of their own, after its largest label; nothing where there are none.
 * SEG_ERR_INPUT where labels run out. */
seg_status seg_sample_void_as_class(seg_context *ctx, seg_sample *sample);

/* Different labels in a truth, void left out. */
int seg_truth_classes(const seg_mask *truth);

extern const seg_photo_layout seg_photo_set_msrc, seg_photo_set_icgbench, seg_photo_set_grabcut, seg_photo_set_bsds,
    seg_photo_set_folder;

/* For the layouts. */

/* Append an item; takes the texts over. A NULL name is lack of memory: SEG_ERR_MEMORY. */
seg_status seg_photo_set_add(seg_context *ctx, seg_photo_set *set, seg_photo_item item);

/* Append a truth of the image's size to the sample, taking it over. SEG_ERR_INPUT where sizes differ. */
seg_status seg_sample_add_truth(seg_context *ctx, seg_sample *sample, const char *path, seg_mask *truth);

/* Read the truth and, where there are any, the strokes by the rules of segment itself. */
seg_status seg_sample_read_plain(seg_context *ctx, const seg_photo_item *item, seg_sample *sample);

#endif
