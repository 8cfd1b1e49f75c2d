/* The images that a model learns from: their features, graphs and strokes, kept until the model is released. */
#pragma once

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
    /* Results of learning without the image: */
    seg_matrix score; /* patches x labels, smoothed; without rows if there was nothing to learn from */
    size_t judged;    /* marked patches whose label occurs in other images */
    double accuracy;  /* share of these that are right; NAN without such patches */
} seg_series_image;

struct seg_series {
    seg_series_image *image;
    int images;
    seg_graph_spec graph;
};

void seg_series_image_free(seg_series_image *image);

/* The features as a matrix, which is allocated here. */
seg_status seg_series_rows(seg_context *ctx, const seg_series_image *image, seg_matrix *F);

/* learn.c: cross-validate, grow the forest, set all fields of the model but labels and series, which must be set. */
seg_status seg_model_grow(seg_context *ctx, struct seg_model *model);

/* The marked patches of all images except those with image % parts == part (parts 0: of all images), at most
 * MOST_OF_AN_IMAGE per image, evenly chosen. group: columns of the model's labels. SEG_OK, SEG_ERR_MEMORY. */
typedef struct seg_series_samples {
    seg_matrix F;
    int16_t *group;
    size_t of_label[SEG_MAX_LABELS];
} seg_series_samples;
seg_status seg_series_take(seg_context *ctx, const struct seg_model *model, int part, int parts,
                           seg_series_samples *out);
void seg_series_samples_free(seg_series_samples *samples);

/* folds.c: cross-validate over the images in at most 20 parts; sets sharpness, prior, accuracy, the images' scores. */
seg_status seg_model_cross_validate(seg_context *ctx, struct seg_model *model);

/* S (allocated here) = the posterior P smoothed over the graph: a walk is absorbed at each patch with the
 * weight `prior` times the degree, by the labels in proportion to P. laplacian: of W. */
struct seg_laplacian;
seg_status seg_posterior_smooth(seg_context *ctx, const seg_csr *W, const struct seg_laplacian *laplacian,
                                const seg_matrix *P, double prior, seg_matrix *S);

seg_forest_options seg_model_forest_options(const struct seg_model *model);
