/* Items of an evaluation: one image of a data set, segmented by every method under the same constraints, and scored. */
#pragma once

#include "base/json_read.h"
#include "evaluation/runner/runner.h"
#include "evaluation/sets/photo_set.h"
#include "evaluation/sets/simulated_user.h"
#include "pipeline/option_fields.h"

#include <segment/metrics.h>

/* Where the constraints come from. */
typedef enum seg_source {
    SEG_SOURCE_SCRIBBLES = 0, /* the strokes of the data set */
    SEG_SOURCE_PAIRS,         /* must-links and cannot-links drawn from the ground truth (seg_truth_pairs) */
    SEG_SOURCE_CLICKS         /* of a simulated user (simulated_user.h) */
} seg_source;

/* A method as requested: NAME or NAME:PARAMETER=VALUE:... */
typedef struct seg_compared {
    char label[128];    /* as requested; its name in the report */
    const char *method; /* name in the registry */
    seg_params params;
    int params_set;
} seg_compared;

typedef struct seg_plan {
    seg_source source;
    int pairs;                /* must-links and cannot-links per class */
    int clicks, object_first; /* of the simulated user (seg_simulation) */
    uint64_t seed;
    const seg_options *how; /* patch, features, graph and refinement of every method; borrowed; NULL: the defaults */
    const seg_compared *compared; /* borrowed */
    int compared_count;
    size_t max_memory; /* bytes that each process of an image may allocate, 0 for no limit */
    double timeout;    /* seconds that each image may take, 0 for no limit */
    const char *out;   /* folder for images, truths and masks; NULL: none */
} seg_plan;

/* Read "name:param=value:...". SEG_OK or SEG_ERR_USAGE. */
seg_status seg_compared_parse(seg_context *ctx, const char *text, seg_compared *out);

/* The result of one method. */
typedef struct seg_attempt {
    seg_status status; /* not SEG_OK: only `message` is set */
    char message[256];
    char ran[64];      /* the method that made the regions if this one chose or fell back to another, else "" */
    seg_scores scores; /* Dice and error rate under the best matching of labels if the constraints give no labels */
    double seconds;    /* processor time of the segmentation alone */
    size_t memory;     /* peak resident size of its process, bytes */
    int curve_count;   /* simulated user: clicks made; else 0 */
    double *curve;     /* IoU after 1, 2, ... clicks; owned */
} seg_attempt;

typedef enum seg_outcome {
    SEG_ITEM_SCORED = 0,
    SEG_ITEM_SKIPPED, /* fewer than two classes in the ground truth */
    SEG_ITEM_BROKEN   /* it could not be read, or no constraints could be made */
} seg_outcome;
extern const char *const seg_outcome_names[]; /* "scored", "skipped", "broken" */

/* The result of one item. */
typedef struct seg_item_result {
    seg_outcome outcome;
    char message[512]; /* why it is skipped or broken */
    int width, height, k;
    size_t marked;        /* pixels in strokes */
    size_t pairs;         /* must-links and cannot-links */
    int attempts;         /* the plan's methods, in their order */
    seg_attempt *attempt; /* owned */
} seg_item_result;

/* The share of the image that was scored. */
static inline double seg_scored_share(const seg_item_result *result, const seg_attempt *attempt) {
    const double pixels = (double)result->width * result->height;
    return pixels > 0 ? (double)attempt->scores.scored / pixels : 0;
}

void seg_item_result_free(seg_item_result *result);

/* A sample and the constraints that all methods get. */
typedef struct seg_task {
    const seg_plan *plan;      /* borrowed */
    const seg_sample *sample;  /* borrowed */
    seg_constraints pairs;     /* n is 0 if there are none */
    const seg_mask *scribbles; /* the sample's; NULL if they are not used */
} seg_task;

/* Make the constraints that the plan asks for: pairs, or scribbles, or neither (clicks). The caller ends it in every
 * case. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_INPUT (no strokes in the data; truth too fine). */
seg_status seg_task_begin(seg_context *ctx, const seg_plan *plan, const seg_sample *sample, seg_task *out);
void seg_task_end(seg_task *task);

/* Run one method on the task in this process and score it. `mask` gets the last mask. */
seg_status seg_attempt_make(seg_context *ctx, const seg_task *task, const seg_compared *compared, seg_attempt *out,
                            seg_mask *mask);

/* Draw must-links and cannot-links between patches from a ground truth, as in the papers' experiments: `per_cluster`
 * must-links within each true label and as many cannot-links from it to the others, by the context's seed
 * [chen2011npkl, Sec. 5.5]. A patch has the label of more than half of its pixels; patches without such a label are
 * never drawn. SEG_OK, SEG_ERR_INPUT (no pair can be drawn), SEG_ERR_MEMORY. */
seg_status seg_truth_pairs(seg_context *ctx, const seg_mask *truth, const seg_patch_grid *grid, int per_cluster,
                           seg_constraints *out);

/* All items of a data set as work for the runner. */
typedef struct seg_eval_run {
    const seg_photo_set *set;
    const seg_plan *plan;
    seg_jobs jobs;
} seg_eval_run;

/* Key of an item in the journal, from which its seed is made; to be freed, NULL if out of memory. */
char *seg_item_key(seg_context *ctx, const char *name);

/* Evaluate the items that the journal lacks. Failures, crashes included, are recorded. Returns as seg_work_run. */
seg_status seg_eval_run_all(seg_context *ctx, const seg_eval_run *run, size_t *done);

/* As JSON. New references, NULL if out of memory. */
json_t *seg_item_result_json(const seg_item_result *result);
json_t *seg_attempt_json(const seg_attempt *attempt);
/* Read it back; 0 if the object is not valid. */
int seg_attempt_parse(const json_t *object, seg_attempt *out);
/* As text, without line ends, and back. */
char *seg_item_result_text(const seg_item_result *result);
seg_status seg_item_result_parse(seg_context *ctx, const char *text, seg_item_result *out);
