/* Where listed pairs were read from, so that messages name them as their writer knows them. Entries are found by the
 * pair and its sign: a list of pairs may be copied, sorted and thinned without them. */
#ifndef SEG_CONSTRAINTS_ORIGINS_H
#define SEG_CONSTRAINTS_ORIGINS_H

#include <segment/constraints.h>

typedef struct seg_pair_origin {
    seg_pair pair;
    size_t line;    /* from 1 */
    int file;       /* index of its name */
    int pixels;     /* 1: the file gives x and y, else i and j */
    int base;       /* number of the first sample in the file */
    int x[2], y[2]; /* of i and j */
} seg_pair_origin;

struct seg_pair_origins {
    char **file;
    int files;
    seg_pair_origin *entry; /* in the order of reading */
    size_t entries;
    size_t next;                /* where a search begins; it goes round */
    const seg_mask *scribbles;  /* borrowed: strokes that the groups came from, NULL none */
    const seg_patch_grid *grid; /* borrowed: patches that the samples are, NULL none */
    const uint8_t *label;       /* borrowed, with scribbles: label of each group */
};

/* Another file begins: what is added from now on is of it. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_origins_begin(seg_context *ctx, seg_constraints *constraints, const char *file);
/* One pair of the file begun last. SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_origins_add(seg_context *ctx, seg_constraints *constraints, const seg_pair_origin *origin);
/* Forget the files and entries behind the first ones. */
void seg_origins_cut(seg_constraints *constraints, int files, size_t entries);
void seg_origins_free(seg_pair_origins *origins);

/* An entry of the unordered pair with that sign, the first from `next` on; or NULL. */
const seg_pair_origin *seg_origins_find(const seg_constraints *constraints, const seg_pair *pair);

enum { SEG_END_SIZE = 40, SEG_PLACE_SIZE = 192 };
/* "3", or "(10,20)" where the file gives pixels; sample is one end of the origin's pair. origin may be NULL. */
void seg_origin_end(const seg_pair_origin *origin, int32_t sample, char text[SEG_END_SIZE]);
/* " (pairs.csv, line 3)", or " (line 3)" where *file is its file already; "" of no origin. */
void seg_origin_place(const seg_constraints *constraints, const seg_pair_origin *origin, int *file,
                      char text[SEG_PLACE_SIZE]);
/* "3 = 17", "3 != 17" or "(10,20) != (30,40)", with the place. */
void seg_origin_pair(const seg_constraints *constraints, const seg_pair *pair, int *file, char *text, size_t size);

/* Label number of a group, as the scribbles have it. */
int seg_origin_label(const seg_constraints *constraints, int group);
/* A pixel of that label in the patch, "(10,20)"; its number where there are no scribbles. */
void seg_origin_stroke(const seg_constraints *constraints, int32_t sample, char text[SEG_END_SIZE]);

/* Why two samples must link: the shortest chain of must-links between them, in words (chain.c). */

/* A cannot-link whose ends must link. Members of a group count as linked.
 * Leaves the sentence and returns SEG_ERR_CONTRADICTION (SEG_ERR_MEMORY where there is no room to search). */
seg_status seg_chain_of_pair(seg_context *ctx, const seg_constraints *constraints, const seg_pair *cannot);

/* A component that holds two groups: the first `pairs` listed pairs lead from a sample of `group` to one of another. */
seg_status seg_chain_of_group(seg_context *ctx, const seg_constraints *constraints, size_t pairs, int group);

#endif
