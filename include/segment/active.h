/** @file active.h
 *  Active choice of constraints: which two samples to ask about next, so that few answers give the most information.
 *  A selector gives one question at a time and accepts its answer; the caller answers from known labels or asks
 *  a person. Pairs implied by earlier answers are never asked: must-links are transitive, and a cannot-link holds
 *  between all samples that must link its ends. Answers can therefore not contradict each other. */
#pragma once

#include <segment/constraints.h>

/** @addtogroup constraints Constraints and their active choice
 *  @{ */

/** How questions are chosen. Their names on the command line are "explore-consolidate", "explore", "minmax", "random",
 *  "npu" and "aipc". All but RANDOM and AIPC build neighbourhoods: sets of samples that must link; samples of two
 *  sets cannot link. */
typedef enum seg_active_strategy {
    SEG_ACTIVE_EXPLORE_CONSOLIDATE = 0, /**< Explore until there are k neighbourhoods, then Consolidate (samples drawn
                                           at random); without k the same as EXPLORE [basu2004active, Figures 2, 3] */
    SEG_ACTIVE_EXPLORE, /**< the sample farthest from all neighbourhoods, until the budget is used [basu2004active,
                           Figure 2] */
    SEG_ACTIVE_MINMAX,  /**< the sample whose largest similarity to a known one is smallest; most similar neighbourhoods
                             first [mallapragada2008minmax] */
    SEG_ACTIVE_RANDOM,  /**< pairs of samples drawn evenly, the baseline */
    SEG_ACTIVE_NPU,     /**< the sample of most uncertainty per expected question; probable
                             neighbourhoods first [xiong2014npu] */
    SEG_ACTIVE_AIPC     /**< the samples of largest entropy in a fuzzy clustering, one question each, with a
                             central sample of their second cluster; needs k; guesses must-links [zhong2019aipc] */
} seg_active_strategy;
#define SEG_ACTIVE_STRATEGIES 6 /**< number of strategies */

/** Must the two samples of a question link? */
typedef enum seg_answer { SEG_ANSWER_CANNOT = -1, SEG_ANSWER_UNKNOWN = 0, SEG_ANSWER_MUST = 1 } seg_answer;

/** One question that was answered, or a must-link that was not asked about. */
typedef struct seg_question {
    int32_t i;         /**< one sample */
    int32_t j;         /**< the other */
    seg_answer answer; /**< the answer */
    int inferred; /**< 1: not asked; sample i cannot link to k - 1 of the k neighbourhoods, so it must link to the last
                     one. 2: AIPC's guess; it cannot link to the second most similar cluster and is assumed
                     to belong to the first, which may be wrong */
} seg_question;

/** The input of a selector. */
typedef struct seg_active_spec {
    seg_active_strategy strategy;   /**< how questions are chosen */
    int k;                          /**< clusters, 1..SEG_MAX_LABELS; 0 = unknown */
    size_t budget;                  /**< maximum of questions, "unknown" ones included; SIZE_MAX: no limit */
    size_t n;                       /**< samples */
    const seg_matrix *features;     /**< n rows, compared by Euclidean distance; borrowed until the
                                         selector is freed. RANDOM also accepts NULL. */
    const seg_constraints *known;   /**< constraints known before the first question, or NULL; copied */
    const seg_constraints *unknown; /**< pairs (of any sign) that are never asked, or NULL; copied */
    int64_t reserved[8];            /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_active_spec;

/** A selector; opaque. */
typedef struct seg_active seg_active;

/** Create a selector. Random choices come from the context's seed: equal specs, seeds and answers give equal questions.
 *  @param spec  the samples and the strategy
 *  @param out  NULL on failure; free with seg_active_free
 *  @return SEG_OK, SEG_ERR_USAGE (k or strategy out of range, AIPC without k, sizes differ, no features), SEG_ERR_INPUT
 * (a feature that is not finite), SEG_ERR_CONTRADICTION (in `known`, or it needs more than k clusters), SEG_ERR_MEMORY.
 *  Cost O(n d + pairs) and O(n d) more for every sample that `known` puts into a neighbourhood; memory O(n + k d),
 *  O(n k) for NPU and AIPC. AIPC costs O(100 n k d + n k^2) here and O(1) per question. */
SEG_API seg_status seg_active_create(seg_context *ctx, const seg_active_spec *spec, seg_active **out);
/** Release the selector.
 *  @param active  NULL is fine */
SEG_API void seg_active_free(seg_active *active);

/** The next question; the same again until it is answered.
 *  @param active  the selector
 *  @param i  one sample of the question
 *  @param j  the other
 *  @param more  0 if no question is left: the budget is used up, or every answer is known or was "unknown"
 *  @return SEG_OK, SEG_ERR_CONTRADICTION (the constraints need more than k clusters), SEG_ERR_MEMORY; after a failure
 * the history and constraints of the selector can be read, and it can be freed. Cost: O(n d) for each sample put into a
 * neighbourhood by EXPLORE and MINMAX, O(n) else, times the neighbourhoods for NPU; never n x n. */
SEG_API seg_status seg_active_next(seg_context *ctx, seg_active *active, int32_t *i, int32_t *j, int *more);

/** Answer the question that seg_active_next gave. After UNKNOWN the pair is never asked again; the sample is compared
 * with other members and neighbourhoods, and no longer asked about after the second UNKNOWN. If the first sample gets
 *  two UNKNOWN before any other answer, another first sample is drawn.
 *  @param active  the selector
 *  @param answer  must, cannot or unknown
 *  @return SEG_OK, SEG_ERR_USAGE (no question is open, not an answer), SEG_ERR_CONTRADICTION (as seg_active_next),
 *  SEG_ERR_MEMORY */
SEG_API seg_status seg_active_answer(seg_context *ctx, seg_active *active, seg_answer answer);

/** Take the last answer back; its question is the next again.
 *  @param active  the selector
 *  @param undone  0 if there was no answer. Cost: that of all questions so far, which are replayed.
 *  @return SEG_OK or SEG_ERR_MEMORY */
SEG_API seg_status seg_active_undo(seg_context *ctx, seg_active *active, int *undone);

/** Questions and answers so far. */
typedef struct seg_active_tally {
    size_t asked;                /**< must + cannot + unknown */
    size_t must;                 /**< answers that two samples must link */
    size_t cannot;               /**< answers that they cannot link */
    size_t unknown;              /**< answers UNKNOWN */
    size_t inferred;             /**< must-links that followed from k, or that AIPC guessed */
    int neighbourhoods;          /**< clusters found so far; 0 for RANDOM and AIPC */
    const seg_question *history; /**< asked + inferred answers, in order; borrowed until the next call
                                    with the selector. NULL from seg_active_from_labels() */
} seg_active_tally;
/** Count the questions and answers so far.
 *  @param active  the selector
 *  @return the counts, and the answers themselves */
SEG_API seg_active_tally seg_active_about(const seg_active *active);

/** The present constraints: `known`, then the answers and the inferred must-links in order with weight 1.
 *  @param active  the selector
 *  @param out  pairs only; free with seg_constraints_free
 *  @return SEG_OK, SEG_ERR_MEMORY */
SEG_API seg_status seg_active_constraints(seg_context *ctx, const seg_active *active, seg_constraints *out);

/** Write all answers as a file that seg_constraints_read reads: the text `before`, then the answers.
 *  @param path  file to write
 *  @param active  the selector
 *  @param before  text that is written first, such as the present content of the file; NULL: none
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. Written beside `path` and renamed over it; `-` is standard output. */
SEG_API seg_status seg_active_write(seg_context *ctx, const char *path, const char *before, const seg_active *active);

/** Answers from labels, for experiments. */
typedef struct seg_label_oracle {
    const int32_t *label; /**< n labels; a negative label is unknown, as is every answer about its sample */
    double unknown_rate;  /**< share of questions answered by UNKNOWN, 0..1 */
    double wrong_rate;    /**< share of the other answers that are reversed, 0..1 */
} seg_label_oracle;

/** Ask all questions and answer them from labels.
 *  @param spec  as for seg_active_create
 *  @param oracle  the labels, and how reliable the answers are
 *  @param out  the final constraints; free with seg_constraints_free
 *  @param tally  may be NULL
 *  @return as seg_active_create and seg_active_next; SEG_ERR_USAGE (a rate out of range), SEG_ERR_CANCELLED */
SEG_API seg_status seg_active_from_labels(seg_context *ctx, const seg_active_spec *spec, const seg_label_oracle *oracle,
                                          seg_constraints *out, seg_active_tally *tally);

/** @} */
