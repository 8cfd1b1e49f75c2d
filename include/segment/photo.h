/** @file photo.h
 *  Segmentation of an image: from an image and a few scribbles to a mask at full resolution. */
#pragma once

#include <segment/methods.h>
#include <segment/version.h>

/** @addtogroup main_job From image to mask
 *  @{ */

struct seg_model;

/** Everything that determines the result besides the image, the scribbles, the listed pairs and the context's seed.
 *  Options have names and are set as texts: seg_options_set() and the table of segment/options.h. */
typedef struct seg_options seg_options;

/** Create options with their defaults.
 *  @param out  to be freed with seg_options_free; NULL on failure
 *  @return SEG_OK, SEG_ERR_MEMORY, SEG_ERR_USAGE (the program was compiled with headers of another major version, of a
 *  later minor version than the library's or, before 1.0, of another minor version: the message names both). */
#define seg_options_create(ctx, out) seg_options_create_for(ctx, SEG_VERSION_NUMBER, out)
/** seg_options_create() with the version of the headers that the program was compiled with.
 *  @param version  SEG_VERSION_NUMBER
 *  @param out  see there
 *  @return see there */
SEG_API seg_status seg_options_create_for(seg_context *ctx, int version, seg_options **out);
/** Release options.
 *  @param options  NULL is fine */
SEG_API void seg_options_free(seg_options *options);

/** Parts of a result besides the mask, or-ed. */
typedef enum seg_want {
    SEG_WANT_PROBABILITY = 1, /**< fill seg_result.probability */
    SEG_WANT_UNCERTAINTY = 2, /**< fill seg_result.uncertainty */
    SEG_WANT_FIXED = 4        /**< a memory limit (seg_call_settings.max_memory) does not
                                 change the result: a job that exceeds it is refused */
} seg_want;

/** Set the parts of a result; by default only the mask.
 *  @param options  are changed
 *  @param wants  seg_want, or-ed */
SEG_API void seg_options_want(seg_options *options, unsigned wants);
/** Set a model or a start mask; scribbles may then be missing. At most one of the two.
 *  @param options  are changed
 *  @param model  a model of a series (segment/model.h), which determines the features, `patch`, `reduce` and the
 *  regions: its labels and those of the scribbles. Borrowed while the options are used; NULL: none
 *  @param start  a mask of the image's size that strokes correct. It stays, pixel by pixel, where no stroke
 *  contradicts it; where one does, the similar area connected to the stroke changes. Pixels of 0 or SEG_VOID are one
 *  more region, whose label follows the largest. Two labels, the lower with less than a quarter of the image's frame,
 *  are corrected as with `object`. Refused with a box, k, or pairs. Borrowed while the options are used; NULL: none */
SEG_API void seg_options_set_known(seg_options *options, const struct seg_model *model, const seg_mask *start);
/** The graph settings of the options, for seg_graph_build() and seg_cluster_settings.
 *  @param options  as set
 *  @return owned by the options */
SEG_API const seg_graph_spec *seg_options_graph(const seg_options *options);
/** The parameters of the options' method, for seg_cluster().
 *  @param options  with "method" set
 *  @return of the options */
SEG_API const seg_params *seg_options_params(const seg_options *options);

/** How an image is divided into patches. By default patches have sides of 5 pixels (3 with `object`) up to 0.6
 *  megapixels, and beyond a multiple of 5 that keeps their number near 25,000, so the cost is linear in the number
 *  of pixels. Where strokes alone are given to the default method, an image of fewer than 250,000 pixels
 *  has patches of 4 pixels, below 150,000 of 3, which only the result's grid tells: listed pairs name the patches here.
 */
typedef struct seg_patch_layout {
    seg_patch_grid grid; /**< the patches */
    int reduced;         /**< features are computed on a copy of the image that many times smaller; 1: on the image */
    int cell;            /**< side in pixels of the cells from which borders are refined first if patches are
                              much larger; 0: borders are refined from the patches */
} seg_patch_layout;

/** The layout of an image's patches. Cost O(1).
 *  @param options  `patch`, `reduce`, `object`, `model`, slices and channels are used
 *  @param width  of the image in pixels, >= 1
 *  @param height  of the image in pixels, >= 1
 *  @return the layout; owns nothing */
SEG_API seg_patch_layout seg_patch_layout_of(const seg_options *options, int width, int height);

/** The source of a job's constraints, for a plan. */
typedef enum seg_plan_constraints {
    SEG_PLAN_SCRIBBLES = 0, /**< scribbles, with or without listed pairs */
    SEG_PLAN_PAIRS,         /**< only listed pairs */
    SEG_PLAN_NONE           /**< no constraints */
} seg_plan_constraints;

/** The data of a job for a plan, besides its options. */
typedef struct seg_plan_job {
    int width;                        /**< of the image, pixels */
    int height;                       /**< likewise */
    int depth;                        /**< bits per sample, 8 or 16 */
    int k;                            /**< labels; 0 if not known yet: 8 are assumed */
    seg_plan_constraints constraints; /**< with the options' method they decide which method runs */
    int fixed_patches;   /**< 1: constraints are listed for the patches of the options, which are therefore fixed */
    size_t inputs;       /**< bytes of inputs that will be read: the image's samples, one byte per pixel of scribbles */
    size_t reading;      /**< peak of additional bytes while reading; 0 likewise */
    size_t writing;      /**< bytes needed for writing besides the image, the scribbles and the result */
    int64_t reserved[8]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_plan_job;

/** The plan of a job with an estimate of its memory. */
typedef struct seg_photo_plan {
    int threads;         /**< those of the context */
    size_t asked;        /**< estimated bytes with the requested options */
    size_t predicted;    /**< estimated peak bytes of the process with the plan */
    char adapted[256];   /**< what was adapted, as in "patches of 15 pixels in place of 10"; empty if nothing was */
    int64_t reserved[8]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_photo_plan;

/** Estimate the memory of a job, and adapt it to the context's max_memory: patches are made as large as
 *  the limit requires, unless SEG_WANT_FIXED, a model or listed constraints fix their side. The plan's options
 *  give the same bytes under any limit. The limit does not depend on the estimate: allocations are
 *  counted while the job runs, and one that would exceed the limit fails with SEG_ERR_LIMIT.
 *  @param job      sizes
 *  @param options  as requested
 *  @param out      the plan; owns nothing
 *  @return SEG_OK, SEG_ERR_USAGE (options), SEG_ERR_LIMIT (the message names a sufficient limit). Cost O(1). */
SEG_API seg_status seg_plan_photo(seg_context *ctx, const seg_plan_job *job, const seg_options *options,
                                  seg_photo_plan *out);

#define SEG_MAX_AMBIGUOUS 8 /**< maximum of ambiguous regions in a result */

/** An ambiguous region: connected patches, none of them marked, in which a second label fits nearly
 *  as well as the chosen one. */
typedef struct seg_ambiguous_region {
    int label;     /**< label of most of the area */
    int runner_up; /**< label that fits nearly as well */
    int left;      /**< of the area, in pixels */
    int top;       /**< of the area, in pixels */
    int right;     /**< just beyond it */
    int bottom;    /**< just beyond it */
    double share;  /**< of the image's area */
} seg_ambiguous_region;

/** Decisions that options set to `auto` leave to the library, in the order of the result's list. */
typedef enum seg_decision_kind {
    SEG_DECIDED_CHROMATICITY = 0, /**< feature columns that do not depend on shade */
    SEG_DECIDED_FRAME,            /**< the frame of the image counts as background while strokes are few */
    SEG_DECIDED_BALANCE,          /**< the odds of two labels are shifted by evidence */
    SEG_DECIDED_EXTENT,           /**< the object's odds fall far beyond the strokes of the background */
    SEG_DECIDED_SPECKS,           /**< small pieces join the surrounding region */
    SEG_DECIDED_THIN,             /**< strokes wider than a thin structure are detected */
    SEG_DECIDED_PADDING,          /**< areas of one colour at the frame get one label each */
    SEG_DECIDED_ISLANDS,          /**< islands are judged by their scores */
    SEG_DECISIONS                 /**< number of decisions */
} seg_decision_kind;

/** One decision. */
typedef struct seg_decision {
    const char *name; /**< such as "balance" */
    int on;           /**< 1: it is done */
    const char *why;  /**< such as "the default method, two labels"; static */
} seg_decision;

/** The result of a segmentation. Pixels of the mask may not have the label of largest probability where a speck or an
 *  island joined the region around it. Only the library creates results, and programs read them through the pointer:
 *  later versions may add fields at the end. To keep the mask longer, copy the struct, zero it in the result, and free
 *  the copy. */
typedef struct seg_result {
    seg_mask mask;       /**< labels 1..k at full resolution, 0 outside the option `region`; colours of the scribbles */
    int k;               /**< requested regions */
    int regions;         /**< regions in the mask; fewer than k are logged as a warning */
    seg_patch_grid grid; /**< the patches */
    size_t feature_columns;   /**< numbers per patch */
    size_t graph_edges;       /**< each counted once; 0 if no graph was built */
    double sigma;             /**< width of the Gaussian weights, 0 if no graph was built */
    size_t marked_pixels;     /**< pixels of the strokes */
    size_t marked_patches;    /**< patches with a group */
    size_t pairs;             /**< listed pairs used */
    seg_kept kept;            /**< counts of the given pairs, by the clusters of the patches before refinement */
    const seg_method *method; /**< as used */
    seg_params params;        /**< as used */
    const char *ran;          /**< the method that made the regions (seg_clustering.ran) */
    double objective;         /**< of the method, NAN if it has none */
    int iterations;           /**< of the method's own solver */
    int converged;            /**< 0 if an iteration limit ended it */
    uint8_t column_label[SEG_MAX_LABELS]; /**< label of each of the k columns of the scores below, ascending */
    float *probability;                   /**< width * height * k, the k scores of a pixel side by side, each 0..1,
                                               sum 1, in the order of column_label; NULL if not requested; owned */
    uint8_t *uncertainty; /**< width * height, 255 (1 - (best - second best score)), rounded; NULL likewise; owned */
    seg_photo_plan plan;  /**< the plan used, also without a limit */
    const seg_options *options;          /**< as used: those given, with the changes by the model and the plan; owned */
    seg_decision decided[SEG_DECISIONS]; /**< what was decided for options set to `auto` */
    seg_ambiguous_region ambiguous[SEG_MAX_AMBIGUOUS]; /**< the ambiguous regions, the largest first */
    int ambiguous_count;                               /**< their number */
    /** 1 if the area is an island: a piece of its label in the mask that no stroke of the label touches
     *  and whose scores are low; the runner-up is the label around it, and the share is that of its pixels. */
    uint8_t ambiguous_island[SEG_MAX_AMBIGUOUS];
    double objective_bound; /**< seg_clustering.objective_bound */
} seg_result;

/** The patches of an image, those of seg_patch_layout_of(), and their features, as seg_segment_photo sees them there.
 *  @param photo  8 or 16 bits per sample
 *  @param grid  the patches that were taken
 *  @param options  patch, object and features are used, the features as they are given
 *  @param out      patches x columns; free with seg_matrix_free
 *  @return SEG_OK, SEG_ERR_MEMORY, SEG_ERR_USAGE (nothing switched on), SEG_ERR_CANCELLED. Cost O(pixels), with texture
 *  O(pixels log pixels). The same bytes for any number of threads. */
SEG_API seg_status seg_photo_features(seg_context *ctx, const seg_image *photo, const seg_options *options,
                                      seg_patch_grid *grid, seg_matrix *out);

/** Segment an image.
 *  @param photo  8 or 16 bits per sample
 *  @param options  see seg_options_create
 *  @param scribbles  scribbles of the same size, or NULL (then options->k is needed and the regions are found without
 * strokes)
 *  @param pairs  further constraints on the patches of seg_patch_layout_of(), or NULL
 *  @param out    the result, to be freed with seg_result_free; NULL on failure
 *  @return SEG_OK, SEG_ERR_USAGE (options; k below the number of labels; neither scribbles nor k), SEG_ERR_INPUT (sizes
 * differ, nothing marked), SEG_ERR_CONTRADICTION, SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_LIMIT, SEG_ERR_CANCELLED.
 *  If the context has a memory limit, the options are adapted to it (seg_plan_photo), which is logged as a warning
 *  and stated in out->plan. The stages of the context then have the costs. */
SEG_API seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles,
                                     const seg_constraints *pairs, const seg_options *options, seg_result **out);
/** Release the result and what it owns.
 *  @param result  NULL is fine */
SEG_API void seg_result_free(seg_result *result);

/** @} */
