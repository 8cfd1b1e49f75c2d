/* A model learned from a series of images: a forest over the features of patches, the calibration of its votes, the
 * strength of their smoothing over the graph, and the distance from all samples up to which a patch is known. */
#pragma once

#include "likelihood/forest.h"

#include <segment/constraints.h>

#define SEG_MODEL_TEXT   64 /* bytes of a label's name and of the version, the final 0 included */
#define SEG_MODEL_FLOOR  1e-3
#define SEG_NOVELTY_MOST 256 /* samples */

/* A subset of the samples: a patch farther than `reach` from the nearest of them fits none of the labels. */
typedef struct seg_novelty {
    size_t count, columns; /* columns: the first ones of the features */
    float *row;            /* count x columns, each divided by its scale; owned, with the next */
    double *scale;         /* of each column */
    double reach;          /* root mean square of the columns' differences; 0: everything fits */
} seg_novelty;

/* The accuracy of predicting the strokes of held-out images. */
typedef struct seg_model_accuracy {
    int images;   /* images that could be judged */
    double mean;  /* share of the marked patches that are right, averaged over the images; NAN without images */
    int worst;    /* image with the least share, -1 without images */
    double least; /* its share; NAN without images */
} seg_model_accuracy;

typedef struct seg_series seg_series;

struct seg_model {
    seg_feature_spec features;
    int patch, reduce, channels; /* as in seg_options */
    int labels;
    uint8_t number[SEG_MAX_LABELS]; /* ascending */
    uint8_t colour[SEG_MAX_LABELS][3];
    char name[SEG_MAX_LABELS][SEG_MODEL_TEXT]; /* UTF-8, may be empty */
    seg_forest forest;                         /* without trees before learning */
    double sharpness;                          /* the votes are raised to this power: calibration */
    double prior; /* weight of the votes at each step of the walk, as a share of the degree */
    seg_novelty novelty;
    seg_model_accuracy accuracy;
    int images;
    uint64_t seed;
    char version[SEG_MODEL_TEXT]; /* of the library that learned it */
    seg_series *series;           /* its training images; NULL in a model that was read */
};

/* P (rows x labels, allocated here): label probabilities from the features of seg_series_features; rows
 * sum to one. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_model_posterior(seg_context *ctx, const struct seg_model *model, const seg_matrix *F, seg_matrix *P);
/* Votes to the power of `sharpness`, rows with sum one again. */
void seg_sharpen(double sharpness, seg_matrix *P);

/* novelty.c: choose at most 256 samples evenly of the rows of F and scale the columns; reach is 0 until it is set. */
seg_status seg_novelty_learn(seg_context *ctx, const seg_matrix *F, size_t columns, seg_novelty *out);
/* distance[i] of each row of F to the nearest sample: root mean square of the scaled columns' differences. */
seg_status seg_novelty_distance(seg_context *ctx, const seg_novelty *novelty, const seg_matrix *F, double *distance);
void seg_novelty_free(seg_novelty *novelty);
/* The novelty of a patch at that distance, 0..1: one half at the reach, rising steeply beyond. */
double seg_novelty_share(const seg_novelty *novelty, double distance);

/* model_bytes.c: a model's file (docs/model-file.md): */
#define SEG_MODEL_MAGIC  "SEGMODEL"
#define SEG_MODEL_FORMAT 1 /* and 2 with the number of channels, where the images have several */
enum {
    SEG_MODEL_HEADER = 20, /* magic, format, size of the file */
    SEG_MODEL_CHECK = 4,   /* CRC-32 of everything before, at the end */
    SEG_MODEL_NODE = 10    /* child, column, threshold */
};

/* The bytes of a model's file, allocated. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_model_encode(seg_context *ctx, const struct seg_model *model, void **bytes, size_t *size);
/* The model from those bytes; `out` is zeroed first, and must be freed with seg_model_free even on failure. SEG_OK,
 * SEG_ERR_INPUT (one sentence), SEG_ERR_MEMORY. */
seg_status seg_model_decode(seg_context *ctx, const void *bytes, size_t size, const char *name, struct seg_model *out);

/* The column of a label's number, -1 if the model does not know it. */
int seg_model_column(const struct seg_model *model, int number);

/* As seg_model_read from bytes in memory. @return as seg_model_read */
seg_status seg_model_read_memory(seg_context *ctx, const void *bytes, size_t size, const char *name,
                                 struct seg_model **out);
