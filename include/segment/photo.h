/** @file photo.h
 *  The main job: an image and a few scribbles give a mask at full resolution, and an image of it. */
#pragma once

#include <segment/methods.h>
#include <segment/version.h>

/** @addtogroup main_job From image to mask
 *  @{ */

struct seg_model;

/** Everything that determines the result besides the image, the scribbles, the listed pairs and the context's seed.
 *  Options have names and are set as texts: seg_options_set() and the table of segment/options.h. */
typedef struct seg_options seg_options;

/** Options, each at its default.
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

/** What a result holds besides the mask, or-ed. */
typedef enum seg_want {
    SEG_WANT_PROBABILITY = 1, /**< fill seg_result.probability */
    SEG_WANT_UNCERTAINTY = 2, /**< fill seg_result.uncertainty */
    SEG_WANT_FIXED = 4        /**< a limit on memory (seg_call_settings.max_memory) changes nothing that makes the
                                 result: what does not fit is refused */
} seg_want;

/** Say what a result shall hold; nothing more than the mask by default.
 *  @param options  are changed
 *  @param wants  seg_want, or-ed */
SEG_API void seg_options_want(seg_options *options, unsigned wants);
/** Say what is known before there are strokes; scribbles may then be missing. At most one of both.
 *  @param options  are changed
 *  @param model  a model of a series (segment/model.h), which determines the features, `patch` and `reduce`, and the
 *  regions: its labels and those of the scribbles. Borrowed while the options are used; NULL: none
 *  @param start  a mask of the image's size that strokes correct. It stays, pixel by pixel, where no stroke contradicts
 *  it; where one does, what is connected to the stroke and looks like it changes. Pixels of 0 or SEG_VOID are one more
 *  region, whose label follows the largest. Refused with a box, with `object`, k, and pairs. Borrowed while the options
 *  are used; NULL: none */
SEG_API void seg_options_set_known(seg_options *options, const struct seg_model *model, const seg_mask *start);
/** What the options say of the graph, for seg_graph_build() and seg_cluster_settings.
 *  @param options  as set
 *  @return of the options */
SEG_API const seg_graph_spec *seg_options_graph(const seg_options *options);
/** The parameters of the options' method, for seg_cluster().
 *  @param options  whose "method" was set
 *  @return of the options */
SEG_API const seg_params *seg_options_params(const seg_options *options);

/** How an image is cut into patches. By default patches have 5 pixels a side up to 0.6 megapixels, with `object` 3, and
 *  beyond it the multiple of 5 that keeps their number at 25,000 or so, so the cost grows with the image's pixels and
 * no faster. */
typedef struct seg_patch_layout {
    seg_patch_grid grid; /**< the patches */
    int reduced;         /**< features are computed on a copy of the image so many times smaller; 1: on the image */
    int cell; /**< side in pixels of the cells that borders are refined from first, where patches are much larger than
                   these; 0: borders are refined from the patches */
} seg_patch_layout;

/** The layout of an image's patches. Cost O(1).
 *  @param options  `patch`, `reduce`, `object`, `model` and what the image is (slices, channels) are used
 *  @param width  of the image in pixels, >= 1
 *  @param height  of the image in pixels, >= 1
 *  @return the layout; owns nothing */
SEG_API seg_patch_layout seg_patch_layout_of(const seg_options *options, int width, int height);

/** What a job's constraints are made from, for a plan. */
typedef enum seg_plan_constraints {
    SEG_PLAN_SCRIBBLES = 0, /**< scribbles, with listed pairs or without */
    SEG_PLAN_PAIRS,         /**< listed pairs alone */
    SEG_PLAN_NONE           /**< there are none */
} seg_plan_constraints;

/** A job as a plan needs it, besides its options. */
typedef struct seg_plan_job {
    int width;                        /**< of the image, pixels */
    int height;                       /**< likewise */
    int depth;                        /**< bits per sample, 8 or 16 */
    int k;                            /**< labels, 0 where they are not known yet: 8 are counted with */
    seg_plan_constraints constraints; /**< with the options' method they decide which method runs */
    int fixed_patches; /**< 1: constraints are listed for the patches of the options, which therefore stay */
    size_t
        inputs; /**< bytes of inputs that are still to be read: the image's samples, one byte per pixel of scribbles */
    size_t reading;      /**< bytes held at most while that is done, besides what the process holds now; 0 likewise */
    size_t writing;      /**< bytes that writing takes besides the image, the scribbles and the result */
    int64_t reserved[8]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_plan_job;

/** How a job is carried out, and an estimate of what that takes. */
typedef struct seg_photo_plan {
    int threads;         /**< as many as the context has */
    size_t asked;        /**< bytes that the options asked for would take, about */
    size_t predicted;    /**< bytes that the process holds at most by the plan, about */
    char adapted[256];   /**< what was adapted, as in "patches of 15 pixels in place of 10"; empty where nothing was */
    int64_t reserved[8]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_photo_plan;

/** Estimate what a job takes, and adapt it to the context's max_memory: patches are made as much larger as the limit
 *  needs, unless `fixed`, a model or listed constraints determine their side. A result made by the plan's options has
 *  the same bytes wherever they are given, whatever the limit there. The limit does not rest on the estimate:
 *  allocations are counted while the job runs, and one that would pass it fails with SEG_ERR_LIMIT.
 *  @param job      sizes
 *  @param options  as asked for
 *  @param out      the plan; it owns nothing
 *  @return SEG_OK, SEG_ERR_USAGE (options), SEG_ERR_LIMIT (the message names the least that would do). Cost O(1). */
SEG_API seg_status seg_plan_photo(seg_context *ctx, const seg_plan_job *job, const seg_options *options,
                                  seg_photo_plan *out);

#define SEG_MAX_AMBIGUOUS 8 /**< areas that a result can warn of */

/** An area with too few strokes: connected patches, none of them marked, in which a second label fits nearly as well
 *  as the one that was chosen. */
typedef struct seg_ambiguous_region {
    int label;     /**< of most of the area */
    int runner_up; /**< that fits nearly as well */
    int left;      /**< of the area, in pixels */
    int top;       /**< of the area, in pixels */
    int right;     /**< just beyond it */
    int bottom;    /**< just beyond it */
    double share;  /**< of the image's area */
} seg_ambiguous_region;

/** Decisions that the options leave to the library, in the order of the result's list. */
typedef enum seg_decision_kind {
    SEG_DECIDED_CHROMATICITY = 0, /**< columns of the features that shade does not change */
    SEG_DECIDED_FRAME,            /**< the frame of the image counts as background while strokes are few */
    SEG_DECIDED_BALANCE,          /**< the odds of two labels are shifted by evidence */
    SEG_DECIDED_EXTENT,           /**< the object's odds fall far beyond its background's strokes */
    SEG_DECIDED_SPECKS,           /**< small pieces join what surrounds them */
    SEG_DECIDED_THIN,             /**< strokes wider than a thin structure are looked for */
    SEG_DECIDED_PADDING,          /**< areas of one colour at the frame get one label each */
    SEG_DECIDED_ISLANDS,          /**< islands are judged by their scores */
    SEG_DECISIONS                 /**< how many there are */
} seg_decision_kind;

/** One decision. */
typedef struct seg_decision {
    const char *name; /**< as "balance" */
    int on;           /**< 1: it is done */
    const char *why;  /**< as "the default method, two labels"; static */
} seg_decision;

/** The result of a segmentation. Pixels of the mask may differ from the largest probability where a speck or an island
 * joined the region around it. Only the library makes results, and programs read them through the pointer: later
 * versions may add fields at the end. The mask may be kept longer: copy the struct, zero it in the result, and free the
 * copy. */
typedef struct seg_result {
    seg_mask mask;            /**< labels 1..k at full resolution, 0 outside of a region; colours of the scribbles */
    int k;                    /**< regions that were asked for */
    int regions;              /**< regions that the mask has; fewer than k are logged as a warning */
    seg_patch_grid grid;      /**< the patches */
    size_t feature_columns;   /**< numbers per patch */
    size_t graph_edges;       /**< each counted once; 0 where no graph was listed */
    double sigma;             /**< width of the Gaussian weights, 0 where no graph was built */
    size_t marked_pixels;     /**< of the strokes */
    size_t marked_patches;    /**< with a group */
    size_t pairs;             /**< listed pairs used */
    seg_kept kept;            /**< of the pairs that were given, by the patches' clusters before refinement */
    const seg_method *method; /**< as used */
    seg_params params;        /**< as used */
    const char *ran;          /**< what made the regions: that method, or another (seg_clustering.ran) */
    double objective;         /**< of the method, NAN where it has none */
    int iterations;           /**< of the method's own solver */
    int converged;            /**< 0 where an iteration limit ended it */
    uint8_t column_label[SEG_MAX_LABELS]; /**< label of each of the k columns of the scores below, ascending */
    float *probability;   /**< width * height * k, the k scores of a pixel side by side, each 0..1, sum 1, in the
                               order of column_label; NULL where options did not ask; owned */
    uint8_t *uncertainty; /**< width * height, 255 (1 - (best - second best score)), rounded; NULL likewise; owned */
    seg_photo_plan plan;  /**< as it was carried out, also without a limit */
    const seg_options *options; /**< as they were used: those given, with what the model and the plan changed; owned */
    seg_decision decided[SEG_DECISIONS];               /**< what the options left open, as it was decided */
    seg_ambiguous_region ambiguous[SEG_MAX_AMBIGUOUS]; /**< under-scribbled areas, the largest first */
    int ambiguous_count;                               /**< how many */
    /** 1 where the area is an island: a piece of its label in the mask that no stroke of the label touches and whose
     *  scores do not speak for it; the runner-up is the label around it, and the share is that of its pixels. */
    uint8_t ambiguous_island[SEG_MAX_AMBIGUOUS];
    double objective_bound; /**< seg_clustering.objective_bound */
} seg_result;

/** The patches of an image and their features, as seg_segment_photo sees them.
 *  @param photo  8 or 16 bits per sample
 *  @param grid  the patches that were taken
 *  @param options  patch and features are used
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
 * Where the context has a limit on memory the options are adapted to it (seg_plan_photo), which is logged as a warning
 * and stands in out->plan. The context's
 * stages then tell what each stage cost. */
SEG_API seg_status seg_segment_photo(seg_context *ctx, const seg_image *photo, const seg_mask *scribbles,
                                     const seg_constraints *pairs, const seg_options *options, seg_result **out);
/** Release the result and what it owns.
 *  @param result  NULL is fine */
SEG_API void seg_result_free(seg_result *result);

/** @} */
