/* Where listed pairs were read from, so that messages name them as in the file. Entries are looked up by pair and sign:
 * a list of pairs may be copied, sorted and thinned independently. */
#pragma once

#include "constraints/closed.h"

typedef struct seg_pair_origin {
    seg_pair pair;
    size_t line;    /* from 1 */
    int file;       /* index of its name */
    int pixels;     /* 1: the file gives x and y, else i and j */
    int base;       /* number of the first sample in the file */
    int x[2], y[2]; /* of i and j */
} seg_pair_origin;

typedef struct seg_pair_origins {
    char **file;
    int files;
    seg_pair_origin *entry; /* in the order of reading */
    size_t entries;
    size_t next;          /* where a search begins; it wraps around */
    const uint8_t *label; /* borrowed: label of each group made from scribbles, NULL if none */
} seg_pair_origins;

/* Begin a file: entries added from now on belong to it. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_origins_begin(seg_context *ctx, seg_constraints *constraints, const char *file);
/* Add a pair of the file begun last. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_origins_add(seg_context *ctx, seg_constraints *constraints, const seg_pair_origin *origin);
/* Keep only the first `files` files and `entries` entries. */
void seg_origins_cut(seg_constraints *constraints, int files, size_t entries);
void seg_origins_free(seg_pair_origins *origins);

/* The first entry from `next` on of the unordered pair with that sign; or NULL. */
const seg_pair_origin *seg_origins_find(const seg_constraints *constraints, const seg_pair *pair);

/* "3 = 17", "3 != 17" or where the file gives pixels "(10,20) != (30,40)", with the place: " (pairs.csv, line 3)". */
void seg_origin_pair(const seg_constraints *constraints, const seg_pair *pair, char *text, size_t size);

/* The label of a group in the scribbles. */
int seg_origin_label(const seg_constraints *constraints, int group);
