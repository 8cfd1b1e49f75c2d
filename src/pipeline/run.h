/* What the stages of one run share, and the stages in their order (photo.c). */
#ifndef SEG_PIPELINE_RUN_H
#define SEG_PIPELINE_RUN_H

#include <segment/session.h>

#include "graph/laplacian.h"
#include "masks/edges.h"
#include "pipeline/scan.h"

/* What depends on the image and the options alone. Filled when first needed; features, graph and laplacian are
 * there where their rows or pointers are. */
struct seg_session {
    const seg_image *photo; /* borrowed */
    seg_options options;
    seg_patch_grid grid;
    seg_matrix features;
    seg_chromaticity chromatic; /* whether the features have these columns; auto: not settled yet */
    seg_matrix context;
    seg_matrix posterior; /* of the options' model for its labels, before strokes and graph; no rows without one */
    double *misfit;       /* share of each patch that fits nothing the model knows; NULL without one */
    seg_csr affinity;
    seg_full_graph *full; /* a complete graph that is too large to be listed */
    double sigma;         /* of the affinity */
    size_t edges_of_graph;
    seg_laplacian *laplacian;
    seg_edges edges;
    seg_photo_plan plan; /* its options are those above */
    int once;            /* used for one mask: what is not needed any more is freed */
};

/* One run: what goes in, what the stages pass on, what comes out. Released in one place (session.c). */
typedef struct seg_run {
    seg_session *session;
    const seg_image *photo;
    const seg_mask *scribbles;    /* NULL: none */
    const seg_constraints *pairs; /* that were given; NULL: none */
    const seg_options *options;
    seg_scan scan;           /* of the scribbles */
    seg_constraints given;   /* groups of the scribbles and the pairs, closed */
    seg_constraints sampled; /* pairs drawn from the groups, where asked for */
    seg_matrix prior;        /* what the model knows, a column a cluster; no rows without one */
    seg_clustering clustering;
    double shift;        /* that was added to the log odds of column 0; 0: none */
    seg_photo_plan plan; /* the session's; more is predicted where the borders are long */
    seg_matrix fine;     /* scores of cells smaller than patches (finer.h); no rows without them */
    seg_patch_grid fine_grid;
    seg_label_rows *rows;   /* the mask of an image that is too large for an array of it, else NULL */
    const seg_image *whole; /* with rows: the image, where its reduced copy is as large; else NULL */
    int thin;               /* the mask is of a thin structure: its pieces need no stroke */
    seg_result *out;
} seg_run;

/* check.c: sizes, labels and k; out->grid and out->k. The second part: what was scanned. */
seg_status seg_run_check(seg_context *ctx, seg_run *r);
seg_status seg_run_check_scan(seg_context *ctx, seg_run *r);
/* gather.c: r->given and r->sampled, free of contradictions by the user's policy; the method that they call for. */
seg_status seg_run_constraints(seg_context *ctx, seg_run *r);
/* prepare.c: features, context features, graph and its hierarchy, as far as the method needs them and they are not
 * there yet. What was made of other features goes. */
seg_status seg_session_make(seg_context *ctx, seg_session *session, unsigned needs, int with_chromaticity);
/* Whether the features get columns of chromaticity. groups: whether the constraints are groups. */
int seg_wants_chromaticity(const seg_options *options, const seg_method *method, int groups);
int seg_run_wants_chromaticity(const seg_run *r);
void seg_session_free_graph(seg_session *session);
/* model_use.c: options whose features are the model's; what a model cannot be used with; the clusters of its labels,
 * behind those of the scribbles; its posterior, once for a session; r->prior. */
seg_options seg_options_with_model(const seg_options *options);
seg_status seg_model_check_use(seg_context *ctx, const seg_options *options, const seg_constraints *pairs);
seg_status seg_run_model_labels(seg_context *ctx, seg_run *r);
seg_status seg_session_ask_model(seg_context *ctx, seg_session *session);
seg_status seg_run_prior(seg_context *ctx, seg_run *r);
void seg_run_model_colours(seg_run *r); /* of labels that no stroke has */
/* The columns of the result in the order of their labels; those of r keep the strokes' labels in front. */
void seg_run_model_columns(seg_context *ctx, const seg_run *r);
/* clusters.c: r->clustering. */
seg_status seg_run_clustering(seg_context *ctx, seg_run *r);
/* mask.c: the mask at full resolution, probabilities and uncertainties, ambiguous regions. */
seg_status seg_run_mask(seg_context *ctx, seg_run *r);
/* Its parts behind the refinement: columns in the mask or in r->rows become labels without specks and islands. */
seg_status seg_run_tidy(seg_context *ctx, seg_run *r);
/* Whether it is done: of patches' blocks only where it was asked for. refine: as it was carried out. */
int seg_run_is_tidied(const seg_run *r, seg_refine refine);
seg_status seg_run_label(seg_context *ctx, seg_run *r);

/* finer.c: refinement near borders. SEG_OK, SEG_ERR_LIMIT, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status seg_run_refine_near(seg_context *ctx, seg_run *r, const seg_pixel_scores *pixels);

/* photo.c: all stages. */
seg_status seg_run_stages(seg_context *ctx, seg_run *r);

/* session.c: open a session whose options are those of the plan for the job. */
seg_status seg_session_plan(seg_context *ctx, const seg_image *photo, const seg_options *options,
                            const seg_plan_job *job, seg_session **out);

#endif
