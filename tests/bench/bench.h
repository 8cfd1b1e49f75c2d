/* What the parts of segment_bench share. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "base/context.h"
#include "evaluation/sets/photo_set.h"
#include "scoped.h"

#include <segment/segment.h>

typedef struct bench_options {
    const char *folder;    /* of images; of full, scale and session: one image */
    const char *truth;     /* folder of ground truths, NULL where none was given */
    const char *segment;   /* the program */
    const char *data;      /* a table, the class in its last column */
    const char *scribbles; /* folder of strokes, NULL for the set's own */
    const char *figure;    /* name of a figure without its ending, NULL: none */
    int count, runs, threads;
    int every;            /* image, 1 = all */
    double percent, fall; /* of seeds on a wrong label; of the mean Dice, 0 asks nothing */
    double least, mean;   /* accuracy asked for; 0 asks nothing */
    int default_only, draw, small, together;
} bench_options;

/* The subcommands. @return the exit code */
int bench_processes(const bench_options *options);
int bench_solvers(const bench_options *options);
int bench_defaults(const bench_options *options);
int bench_accuracy(const bench_options *options);
int bench_scale(const bench_options *options);
int bench_curves(const bench_options *options);
int bench_session(const bench_options *options);
int bench_usps(const bench_options *options);
int bench_vectors(const bench_options *options);
int bench_wrong(const bench_options *options);
int bench_memory(const bench_options *options);

/* So many pairs of each kind a class, drawn from the labels. */
seg_status bench_pairs_draw(seg_context *ctx, const seg_labels *labels, size_t pairs, seg_constraints *out);

/* The truth of an item; of MSRC's black is void in every file. */
seg_status bench_truth_read(seg_context *ctx, const seg_photo_set *set, size_t item, seg_mask *out);

/* Draw strokes like a person's into every class of the truth that has 2 % of the scored pixels. out->labels: the
 * truth's; *classes: how many were drawn into. The same truth and seed give the same strokes. */
seg_status bench_strokes_draw(seg_context *ctx, const seg_mask *truth, uint64_t seed, seg_mask *out, int *classes);

/* An image "folder/name.jpg" of 8 bits with its strokes "folder/name-scribbles.png". 0, or 1 after a message. */
int bench_read_with_scribbles(seg_context *ctx, const char *path, seg_image *photo, seg_mask *scribbles);
/* Row y of the image scaled to width x height (bilinear), with noise; the strokes, to the nearest pixel. */
void bench_scaled_row(const seg_image *photo, int width, int height, int y, uint8_t *row);
/* The image scaled so, in a file. 0, or 1 after a message. */
int bench_write_jpeg(const char *path, const seg_image *photo, int width, int height, int progressive);
seg_status bench_scaled_scribbles(seg_context *ctx, const seg_mask *scribbles, int width, int height, seg_mask *out);

/* Sorts the values; the mean of the middle two where their number is even. */
double bench_median(double *value, size_t count);
/* Memory and text that end the program where there is no room. */
void *bench_alloc(size_t count, size_t size);
char *bench_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Print a sentence to standard error; returns 1, the exit code of a failure. */
int bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct seg_figure;
/* Write PATH.svg. */
seg_status bench_figure_write(seg_context *ctx, const struct seg_figure *figure, const char *path);

#endif
