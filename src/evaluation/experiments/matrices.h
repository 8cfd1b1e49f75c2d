/* Reports of protocols that show matrices over all samples, the samples ordered by class. An item leaves its matrix in
 * the run's folder (SET-VARIANT.npy), from which the figure is drawn. */
#ifndef SEG_EVALUATION_EXPERIMENTS_MATRICES_H
#define SEG_EVALUATION_EXPERIMENTS_MATRICES_H

#include "evaluation/experiments/protocol.h"
#include "evaluation/figures/plot.h"

/* Entry (i, j) of a matrix over the rows of Z. */
typedef double (*seg_entry_fn)(const seg_matrix *Z, size_t i, size_t j);
double seg_entry_distance(const seg_matrix *Z, size_t i, size_t j); /* Euclidean */
double seg_entry_cosine(const seg_matrix *Z, size_t i, size_t j);   /* of the angle; 0 for a row of zeros */

/* Write the item's matrix, at most 400 x 400 (averages over blocks), and measure the mean entry of pairs of samples
 * within classes and between them (i != j). */
seg_status seg_matrix_item(seg_context *ctx, const seg_run *run, const seg_item *item, const seg_matrix *Z,
                           seg_entry_fn entry, double *within, double *between);

typedef struct seg_matrix_figure {
    const char *stem;
    seg_colours colours;
    double low, high; /* equal: each matrix its own range */
    int scatter;      /* 1: two-dimensional sets are shown as points first */
    /* The caption of an item's matrix. */
    void (*caption)(const seg_item *item, char *text, size_t size);
} seg_matrix_figure;

/* One figure a set: STEM-SET.svg, .pdf, .png. */
seg_status seg_matrix_report(seg_context *ctx, const seg_run *run, const seg_matrix_figure *figure);

#endif
