/* Data that the stages of a run share, and the stages in their order (photo.c). */
#pragma once

#include "graph/laplacian.h"
#include "masks/object_net.h"
#include "pipeline/decide.h"
#include "pipeline/scan.h"

/* What a session remembers of its last mask with the option object (steady.c); all zero: nothing. */
struct seg_last_mask {
    int16_t *group;   /* of each patch: the column that its stroke marks, -1 for none */
    seg_matrix score; /* of the patches */
};

/* Data that depend only on the image and the options. Filled when first needed; features, graph and laplacian exist if
 * their rows or pointers are set. */
struct seg_session {
    const seg_image *photo;       /* `seen`, or `part`; without pixels where they are read from a file: */
    seg_image seen;               /* the caller's, or `part`, and the samples that count as black and white */
    struct seg_tiled_image *file; /* borrowed, else NULL */
    const seg_image *copy;        /* of it, on which features are computed: `reduced`, or borrowed */
    seg_image reduced;
    int view; /* of it: side of the squares of pixels of which the mask has one */
    seg_options options;
    seg_patch_layout layout;
    seg_matrix features;
    seg_chromaticity chromatic; /* whether the features have these columns; auto: not decided yet */
    seg_matrix context;
    seg_matrix posterior; /* posterior of the model for its labels, before strokes and graph; no rows without a model */
    double *misfit;       /* share of each patch that fits nothing the model knows; NULL without one */
    seg_csr affinity;
    double sigma; /* of the affinity */
    size_t edges_of_graph;
    seg_laplacian *laplacian;
    seg_edges *edges; /* of each slice, or of the image; NULL: none yet */
    seg_photo_plan plan;
    seg_last_mask last;
    seg_object_net *net;           /* what it sees of the image; NULL: not asked yet */
    const struct seg_start *start; /* what the options' start has become for the run; NULL: none */
    int once;                      /* used for one mask: data are freed as soon as possible */
    int too_coarse;                /* the last strokes need smaller patches */
    const seg_image *whole;        /* with the option region, the image, borrowed; else NULL */
    seg_image part;                /* its pixels in the region, or what is seen of its channels */
    seg_channels channels;         /* no stack: the image has none */
    seg_image shell;               /* of an image with channels: the size of one */
    seg_mask part_of_start;        /* likewise */
};

/* One run: inputs, intermediate data and outputs. Freed in one place (session.c). */
typedef struct seg_run {
    seg_session *session;
    const seg_image *photo;
    const seg_mask *scribbles;    /* NULL: none */
    const seg_label_rows *marks;  /* their labels, where they have no array of them */
    const seg_constraints *pairs; /* listed pairs, or NULL */
    const seg_options *options;
    seg_scan scan;           /* of the scribbles */
    seg_constraints given;   /* groups of the scribbles and the pairs, closed */
    seg_constraints sampled; /* pairs sampled from the groups, if requested */
    seg_matrix prior;        /* prior of the model, one column per cluster; no rows without a model */
    seg_clustering clustering;
    double shift;        /* added to the log odds of column 0; 0: none */
    double object;       /* degree to which column 0 is the object (masks/object.c) */
    seg_photo_plan plan; /* that of the session; the refinement may change it */
    seg_matrix fine;     /* scores of cells smaller than patches; no rows if there are none */
    seg_patch_grid fine_grid;
    seg_label_rows *rows; /* columns of the pixels; at the end their labels */
    uint8_t *covered;     /* of each patch: 1 where a reported island has pixels; of mask.c */
    int thin;             /* the mask is a thin structure: its pieces need no stroke */
    seg_result *out;
} seg_run;

/* The grid that pixels are refined from: cells if there are any, else patches. */
static inline const seg_patch_grid *seg_run_cells(const seg_run *r) {
    return r->fine.rows ? &r->fine_grid : &r->session->layout.grid;
}
static inline const seg_matrix *seg_run_cell_scores(const seg_run *r) {
    return r->fine.rows ? &r->fine : &r->clustering.score;
}

/* check.c: sizes, labels and k; out->grid and out->k. */
seg_status seg_run_check(seg_context *ctx, seg_run *r);
seg_status seg_run_check_size(seg_context *ctx, const char *what, const seg_mask *mask, const seg_image *photo);
/* constraints.c: r->given and r->sampled, without contradictions; the method, and out->decided. */
seg_status seg_run_constraints(seg_context *ctx, seg_run *r);
/* prepare.c: features, context features, graph and its hierarchy, as far as the method needs them and they do not
 * exist. Parts made from other features are freed. */
seg_status seg_session_make(seg_context *ctx, seg_session *session, unsigned needs, int with_chromaticity);
void seg_session_free_graph(seg_session *session);
/* Features and graph alone, for a model to learn from. */
seg_status seg_session_make_graph(seg_context *ctx, seg_session *session);
/* model_use.c: options with the features of the model; refusal of options that a model excludes; clusters for the
 * labels of the model, after those of the scribbles; the features that models are of, made from those of the session;
 * its posterior, once per session; r->prior. */
seg_options seg_options_with_model(const seg_options *options);
seg_status seg_model_check_use(seg_context *ctx, const seg_options *options, const seg_constraints *pairs);
seg_status seg_run_model_labels(seg_context *ctx, seg_run *r);
seg_status seg_session_model_features(seg_context *ctx, const seg_session *session, seg_matrix *out);
seg_status seg_session_ask_model(seg_context *ctx, seg_session *session);
seg_status seg_run_prior(seg_context *ctx, seg_run *r);
/* The minimum (sign 1) or maximum (-1) of each patch and its neighbours. */
void seg_patches_around(const seg_patch_grid *grid, double sign, const double *from, double *to);
void seg_run_model_colours(seg_run *r); /* of labels that no stroke has */
/* Sort the columns of the result by label; in r the labels of the strokes stay first. */
void seg_run_model_columns(seg_context *ctx, const seg_run *r);
/* passes.c: of each column of features, 1 for a colour or texture, 0 for a position; to be freed. NULL: no memory. */
uint8_t *seg_session_appearance(seg_context *ctx, const seg_session *session);
/* object_odds.c: the log odds of column 0 in each patch by a net, freed by the caller, and how much they count, 0..1.
 * *odds: NULL if not at all. */
seg_status seg_run_object_odds(seg_context *ctx, const seg_run *r, double **odds, double *trust);
/* clustering.c: r->clustering. */
seg_status seg_run_clustering(seg_context *ctx, seg_run *r);
/* mask.c: the mask at full resolution, probabilities and uncertainties, ambiguous regions. */
seg_status seg_run_mask(seg_context *ctx, seg_run *r);

/* session.c: what a run owns, but for its result. */
void seg_run_free(seg_run *r);

/* photo.c: an empty result with a copy of the options; NULL: no memory. */
seg_result *seg_result_create(seg_context *ctx, const seg_options *options);
/* photo.c: all stages. */
seg_status seg_run_stages(seg_context *ctx, seg_run *r);

/* What the options, of which a model or the kind of job decides some, are for a job. */
seg_options seg_options_for(const seg_plan_job *job, const seg_options *options);

/* As seg_plan_photo, and the options with what the model and the plan change. */
seg_status seg_plan_make(seg_context *ctx, const seg_plan_job *job, const seg_options *options, seg_photo_plan *out,
                         seg_options *adapted);

/* Log what was adapted, if anything. */
void seg_plan_say(seg_context *ctx, const seg_photo_plan *plan);

/* --- From the scores of the patches to the labels of the pixels. --- */

/* Run all passes that were decided on. Input: r->clustering; outputs: r->rows and the other results that the options
 * request, by columns of the scores. SEG_OK, or the error of a pass. */
seg_status seg_run_passes(seg_context *ctx, seg_run *r);

/* steady.c: with the option object, keep the last mask away from strokes added since; remember this when finished. */
seg_status seg_run_steady(seg_context *ctx, seg_run *r);
seg_status seg_run_remember(seg_context *ctx, const seg_run *r);
void seg_last_mask_free(seg_last_mask *last);

/* refine_pass.c: the columns of the pixels by the chosen refinement, in r->rows. */
seg_status seg_run_refine(seg_context *ctx, seg_run *r);

/* Its first step on very large images: r->fine, the scores of cells (seg_patch_layout.cell), from the reduced copy. */
seg_status seg_run_make_cells(seg_context *ctx, seg_run *r);

/* The arrays that the refinement fills, as far as they are requested. */
static inline seg_pixel_scores seg_run_pixels(const seg_run *r) {
    return (seg_pixel_scores){r->out->probability, r->out->uncertainty};
}

/* --- Ambiguous regions (ambiguous.c): two labels fit nearly equally well. --- */

#define SEG_AMBIGUOUS_MARGIN 0.25 /* best minus second best score below which a patch is ambiguous */
#define SEG_AMBIGUOUS_SHARE  0.01 /* of the image: smaller areas are not worth a stroke */

/* Insert a region into the list, the largest first. */
void seg_ambiguous_enter(const seg_ambiguous_region *region, int is_island, seg_result *out);

/* Add the ambiguous regions of the scores of the patches to out->ambiguous; constraints->group: the marked patches;
 * out->column_label is set. covered: 1 for patches of an island that is listed already; a region mostly within one is
 * not listed again. SEG_OK, SEG_ERR_MEMORY. */
seg_status seg_ambiguous_find(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                              const seg_constraints *constraints, const uint8_t *covered, seg_result *out);
