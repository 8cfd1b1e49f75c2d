/* Reports of protocols that vary the number of constraints: means with intervals, methods compared pair by pair on the
 * same constraints, a figure with one panel per data set. */
#ifndef SEG_EVALUATION_EXPERIMENTS_CURVES_H
#define SEG_EVALUATION_EXPERIMENTS_CURVES_H

#include "evaluation/experiments/protocol.h"

struct seg_curve {
    const char *stem;  /* STEM.csv, STEM-compared.csv, STEM.svg, .pdf, .png */
    const char *title; /* of the figure; NULL: none */
    const char *x_label, *y_label;
    int more_is_better;
    int logarithmic; /* the y axis */
    int value;       /* which of an item's values is drawn, unless there is `reduce`: */
    /* One number for each of `count` realizations of a cell. */
    void (*reduce)(const seg_item *cell, int count, double *out);
};

/* STEM.csv: dataset,method,constraints,realizations,failed,mean,deviation,low,high, where low and high are the 95 %
 * bootstrap interval of the mean over realizations. STEM-compared.csv: dataset,a,b,mean_a,mean_b,a_better,b_better,
 * equal,p over all numbers of constraints and realizations, p by Wilcoxon's signed-rank test; dataset `all`: over the
 * means of every set and number of constraints. The note of the figure says how the run was made. */
seg_status seg_curve_report(seg_context *ctx, const seg_run *run, const seg_curve *curve);

#endif
