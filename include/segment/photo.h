/** @file photo.h
 *  The main job: an image and a few scribbles give a mask at full resolution, and an image of it. */
#ifndef SEGMENT_PHOTO_H
#define SEGMENT_PHOTO_H

#include <segment/methods.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup main_job From image to mask
 *  @{ */

/** How patch labels become pixel labels. */
typedef enum seg_refine {
    SEG_REFINE_NONE = 0, /**< every pixel takes its patch's label: blocks */
    SEG_REFINE_FAST      /**< edge-aware smoothing of the patch scores at pixel resolution, near borders */
} seg_refine;

/** What becomes of islands: connected pieces of a region that no stroke of its label touches, and of which no listed
 * pair names a patch. Regions without strokes keep theirs. */
typedef enum seg_islands {
    SEG_ISLANDS_AUTO = 0, /**< of the default method with scribbles of two labels, an object and its background: those
                             whose scores do not stand out from what surrounds them join it; else all are kept */
    SEG_ISLANDS_KEEP,     /**< all are kept */
    SEG_ISLANDS_REMOVE    /**< all join the region that most of their border touches */
} seg_islands;

/** What becomes of strokes that are wider than the thin structures they mark: vessels, wires, cracks of up to 4 pixels.
 */
typedef enum seg_thin {
    SEG_THIN_AUTO = 0, /**< of the default method with scribbles of two labels, where the strokes themselves show it:
                          the structure is found pixel by pixel, and stroke pixels beside it get the other label */
    SEG_THIN_OFF,      /**< never */
    SEG_THIN_ON        /**< of two labels always, by the label and polarity that the strokes show best */
} seg_thin;

/** How much the scores of two labels count against each other. */
typedef enum seg_balance {
    SEG_BALANCE_AUTO = 0, /**< of the default method with scribbles of two labels: as far as the border that it makes
                             and the shares that the strokes cover speak for, and less for the object far beyond where
                             its background has strokes; else as they are */
    SEG_BALANCE_OFF       /**< as they are */
} seg_balance;

/** Two more columns of the patches, of which light and shade are taken out: a / (L + 16) and b / (L + 16) of the mean
 *  colour, with its weight [cie15]. None where the mean is off, the image grey, or the features a model's. */
typedef enum seg_chromaticity {
    SEG_CHROMATICITY_AUTO = 0, /**< for the default method with strokes, not for listed pairs alone */
    SEG_CHROMATICITY_OFF,      /**< never */
    SEG_CHROMATICITY_ON        /**< for every method */
} seg_chromaticity;

struct seg_model;

/** Everything that determines the result besides the image, the scribbles, the listed pairs and the context's seed. */
typedef struct seg_options {
    int k;              /**< regions, 0 = the number of labels marked */
    const char *method; /**< NULL = the default method; name of the registry, without a variant */
    seg_params params;  /**< of the method; used where params_set is 1 */
    int params_set;     /**< 1: params holds; 0: the method's defaults */
    int patch; /**< side of a patch in pixels, 1..64; 0, the default: as seg_patch_layout says, and smaller where the
                  strokes need it */
    seg_feature_spec features; /**< what the clustering and the graph see */
    seg_graph_spec graph;      /**< SEG_GRAPH_FULL is of the features where they have up to three columns, else
                                  of the patches' mean colours in CIELAB [chen2011npkl, Eq. 15] */
    int sample_pairs; /**< 0 = all pairs of the scribbles; else that many sampled must- and cannot-links per label */
    seg_contradictions contradictions; /**< what to do about them */
    int restarts;                      /**< of k-means, or of ncut's discretisation, >= 1 */
    seg_refine refine;                 /**< from patches to pixels */
    int reduce;             /**< features are computed on a copy of the image so many times smaller, 1..64, a divisor of
                               `patch`, which is then given too; 0, the default: as `patch` says */
    seg_islands islands;    /**< of labels that `contiguous` does not name */
    uint8_t contiguous[32]; /**< a bit for each label, that of label l being 1 << l % 8 of byte l / 8: the islands of
                               these labels go, whatever `islands` says */
    int fixed; /**< 1: a limit on memory (seg_call_settings.max_memory) changes nothing that makes the result: what does
                  not fit is refused */
    int probability; /**< 1: fill this array of the result */
    int uncertainty; /**< 1: fill this array of the result */
    int object; /**< not 0: the scribbles are of an object, the smaller label, and perhaps of its background: with few
                   strokes the frame of the image is evidence of the background, and the islands of the object
                   go, whatever `islands` says; refused for more labels. Strokes of one label alone always are
                   those of an object, unless k is 1 */
    seg_method_variant variant; /**< of the method; the parameters say what it does, this is for reports */
    int min_region; /**< pieces of a region of fewer pixels, which hold no mark, join the region around them, 0 .. 2^28;
                       0, the default: 4 patches, with refine none: of any size stay */
    /** A model of a series (segment/model.h), or NULL. It determines the features, `patch` and `reduce`, and the
     *  regions: its labels and those of the scribbles, which may be missing. Borrowed. */
    const struct seg_model *model;
    int no_unknown; /**< with a model: 1: every pixel gets a label; 0: pixels that no label fits are SEG_VOID in the
                       mask */
    seg_thin thin;  /**< for strokes wider than what they mark, with refine fast, in images of up to 2^20 pixels */
    seg_chromaticity chromaticity; /**< columns that shade does not change, beside `features` */
    seg_balance balance;           /**< of two labels' scores */
    int64_t reserved[6];           /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_options;

/** Set every field to its default.
 *  @param options  every field is set */
SEG_API void seg_options_default(seg_options *options);
/** Check every field.
 *  @param ctx  the call's context
 *  @param options  what is checked
 *  @return SEG_OK or SEG_ERR_USAGE: the message names the field and its legal range, or what `model` refuses. */
SEG_API seg_status seg_options_check(seg_context *ctx, const seg_options *options);

/** How an image is cut into patches. By default patches have 5 pixels a side up to 0.6 megapixels, and beyond it the
 *  multiple of 5 that keeps their number at 25,000 or so, so that the cost grows with the image's pixels and no faster.
 */
typedef struct seg_patch_layout {
    seg_patch_grid grid; /**< the patches */
    int reduced;         /**< features are computed on a copy of the image so many times smaller; 1: on the image */
    int cell; /**< side in pixels of the cells that borders are refined from first, where patches are much larger than
                   these; 0: borders are refined from the patches */
} seg_patch_layout;

/** The layout of an image's patches. Cost O(1).
 *  @param options  `patch` and `reduce` are used
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
    seg_options options; /**< as they will be used: those asked for, adapted where the limit asks for it */
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
 *  @param ctx      the call's context
 *  @param job      sizes
 *  @param options  as asked for
 *  @param out      the plan; it owns nothing
 *  @return SEG_OK, SEG_ERR_USAGE (options), SEG_ERR_LIMIT (the message names the least limit that would do). Cost O(1).
 */
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
    seg_mask mask;            /**< labels 1..k at full resolution; colours of the scribbles */
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
    seg_decision decided[SEG_DECISIONS];               /**< what the options left open, as it was decided */
    seg_ambiguous_region ambiguous[SEG_MAX_AMBIGUOUS]; /**< under-scribbled areas, the largest first */
    int ambiguous_count;                               /**< how many */
    /** 1 where the area is an island: a piece of its label in the mask that no stroke of the label touches and whose
     *  scores do not speak for it; the runner-up is the label around it, and the share is that of its pixels. */
    uint8_t ambiguous_island[SEG_MAX_AMBIGUOUS];
    double objective_bound; /**< seg_clustering.objective_bound */
} seg_result;

/** The patches of an image and their features, as seg_segment_photo sees them.
 *  @param ctx  the call's context
 *  @param photo  8 or 16 bits per sample
 *  @param grid  the patches that were taken
 *  @param options  patch and features are used
 *  @param out      patches x columns; free with seg_matrix_free
 *  @return SEG_OK, SEG_ERR_MEMORY, SEG_ERR_USAGE (nothing switched on), SEG_ERR_CANCELLED. Cost O(pixels), with texture
 *  O(pixels log pixels). The same bytes for any number of threads. */
SEG_API seg_status seg_photo_features(seg_context *ctx, const seg_image *photo, const seg_options *options,
                                      seg_patch_grid *grid, seg_matrix *out);

/** Segment an image.
 *  @param ctx  the call's context
 *  @param photo  8 or 16 bits per sample
 *  @param options  see seg_options_default
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

#ifdef __cplusplus
}
#endif
#endif
