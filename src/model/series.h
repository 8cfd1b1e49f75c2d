/* The images that a model learns from: their features, graphs and strokes, kept until it is released. */
#ifndef SEG_MODEL_SERIES_H
#define SEG_MODEL_SERIES_H

#include "model/model.h"

#include <segment/graph.h>

/* One image. It owns everything. */
typedef struct seg_series_image {
    char *name; /* for reports */
    seg_patch_grid grid;
    size_t columns;
    float *feature;   /* patches x columns, as seg_series_features makes them */
    seg_csr affinity; /* of the patches */
    uint8_t *label;   /* of each patch, 0 where it is not marked */
    size_t marked;    /* patches */
    /* Found by learning without the image: */
    seg_matrix score; /* of each patch for each label, smoothed; no rows if there was nothing to learn from */
    size_t judged;    /* marked patches whose label other images have too */
    double accuracy;  /* share of those that are right; NAN if there are none */
} seg_series_image;

struct seg_series {
    seg_series_image *image;
    int images;
    seg_graph_spec graph;
};

void seg_series_image_free(seg_series_image *image);

/* The features as a matrix, made here. */
seg_status seg_series_rows(seg_context *ctx, const seg_series_image *image, seg_matrix *F);

/* learn.c: leave images out, grow the forest on all images and set what else the model is made of: labels and series
 * are there. */
seg_status seg_model_grow(seg_context *ctx, struct seg_model *model);

/* samples.c: the marked patches of all images but those with image % parts == part (parts 0: of all), at most so many
 * of an image, evenly chosen. group: columns of the model's labels. SEG_OK, SEG_ERR_MEMORY. */
typedef struct seg_series_samples {
    seg_matrix F;
    int16_t *group;
    size_t of_label[SEG_MAX_LABELS];
} seg_series_samples;
seg_status seg_series_take(seg_context *ctx, const struct seg_model *model, int part, int parts,
                           seg_series_samples *out);
void seg_series_samples_free(seg_series_samples *samples);

/* folds.c: leave images out, one by one or in at most 20 parts: sharpness, prior, accuracy, and the images' scores. */
seg_status seg_model_cross_validate(seg_context *ctx, struct seg_model *model);

/* posterior.c: S = the posterior P smoothed over the graph: at each step a walk ends with the share `prior` of the
 * degree, in what P takes the patch for. laplacian: of W. S is made here. */
struct seg_laplacian;
seg_status seg_posterior_smooth(seg_context *ctx, const seg_csr *W, const struct seg_laplacian *laplacian,
                                const seg_matrix *P, double prior, seg_matrix *S);

seg_forest_options seg_model_forest_options(const struct seg_model *model);

#endif
