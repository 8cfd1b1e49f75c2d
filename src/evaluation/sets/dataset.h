/* The labelled data that protocols run on. */
#pragma once

#include <segment/options.h>
#include <segment/vectors.h>

#define SEG_CANDIDATES       9 /* candidate graphs of a set, from which the papers choose */
#define SEG_CANDIDATE_MIDDLE 4 /* the one whose width is r itself */

typedef struct seg_dataset {
    char name[64];     /* of the file without its extension; letters, digits, '.', '-' and '_' */
    seg_matrix X;      /* without rows for a graph or kernel, whose graph is candidate[0], for all uses */
    seg_matrix kernel; /* without rows unless it was read */
    seg_labels labels;
    uint64_t checksum; /* of numbers and labels */
    /* Made if a protocol needs them (seg_dataset_prepare). */
    double width[SEG_CANDIDATES];      /* of the candidates, multiples of r; set before they are made */
    int widths;                        /* 0: the papers' nine, 0.1 .. 1 .. 10 */
    seg_csr knn;                       /* 20 nearest neighbours, width 1.5 times the mean distance to them */
    seg_csr complete;                  /* every pair, width the mean distance [chen2011npkl, Eq. 15, Sec. 5] */
    seg_csr paper;                     /* 20 nearest neighbours, width r, the mean distance to the 20th */
    seg_csr candidate[SEG_CANDIDATES]; /* [li2009ccskl, Sec. 5.2] */
} seg_dataset;

enum { SEG_DATASET_KNN = 1, SEG_DATASET_COMPLETE = 2, SEG_DATASET_CANDIDATES = 4, SEG_DATASET_PAPER = 8 };

/* Where sets come from. */
typedef struct seg_dataset_source {
    seg_texts tables; /* each a table (CSV, gzip, NPY) whose last column is the class, or a folder whose .csv and
                         .csv.gz files are taken in the order of their names */
    seg_texts graphs, kernels; /* files of edges, of matrices */
    seg_texts labels;          /* files of labels: one for each graph, then for each kernel */
    int base;                  /* number of the graphs' first node, or SEG_BASE_DETECT */
    const char *const *names;  /* without files: these synthetic sets are made from `seed`; NULL-terminated */
    uint64_t seed;
    seg_scaling columns; /* of tables */
} seg_dataset_source;

/* Free the sets in every case. @return SEG_OK, SEG_ERR_INPUT (missing or unreadable; fewer than two classes or more
 * than 255; two sets of one name; a folder without tables), SEG_ERR_MEMORY. */
seg_status seg_datasets_load(seg_context *ctx, const seg_dataset_source *from, seg_dataset **out, size_t *sets);
void seg_datasets_free(seg_dataset *sets, size_t count);

/* Make the graphs (SEG_DATASET_KNN and so on, or-ed) that are missing. The candidates are 20-nearest-neighbour graphs
 * with widths 0.1 r .. r and r .. 10 r in equal steps, r the mean distance to the twentieth [li2009ccskl, Sec. 5.2], or
 * with those of set->width. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_dataset_prepare(seg_context *ctx, seg_dataset *set, unsigned graphs);
