/** @file constraints.h
 *  Must-link and cannot-link constraints among n samples. Two sources that may be combined:
 *  groups  - samples with the same group number must link, samples of different groups cannot link. This stands for
 *            all such pairs, which are never listed: methods work with sums over groups;
 *  pairs   - listed one by one, each with a weight.
 */
#pragma once

#include <segment/features.h>

/** @addtogroup constraints Constraints and their active choice
 *  @{ */

#define SEG_LEAST_WEIGHT   1e-100 /**< of a pair: the square of a weight is above 0 */
#define SEG_LARGEST_WEIGHT 1e100  /**< of a pair: the squares of weights and their sums are finite */

/** One listed constraint. */
typedef struct seg_pair {
    int32_t i;     /**< index of one sample */
    int32_t j;     /**< index of the other, not i */
    int sign;      /**< +1 must-link, -1 cannot-link */
    double weight; /**< SEG_LEAST_WEIGHT to SEG_LARGEST_WEIGHT; default 1 */
} seg_pair;

/** Groups and listed pairs among n samples. Constraints in memory: seg_constraints_create(), then set `groups` and the
 *  entries of `group`, and seg_constraints_add() each pair. The struct keeps its size. */
typedef struct seg_constraints {
    size_t n;       /**< samples */
    int groups;     /**< groups, 0..254 */
    int16_t *group; /**< n entries: -1 unconstrained by groups, else 0..groups-1 (group g is label g + 1); owned */
    seg_pair *pair; /**< pairs entries; owned */
    size_t pairs;   /**< number of listed pairs */
    struct seg_constraints_notes *notes; /**< internal: files of the pairs, closure; initially NULL; owned */
} seg_constraints;

/** Create an empty set of constraints on n samples.
 *  @param n  samples
 *  @param out  free with seg_constraints_free; zeroed on failure
 *  @return SEG_OK or SEG_ERR_MEMORY. */
SEG_API seg_status seg_constraints_create(seg_context *ctx, size_t n, seg_constraints *out);
/** Release what the constraints own and zero them.
 *  @param constraints  NULL and zeroed ones are fine */
SEG_API void seg_constraints_free(seg_constraints *constraints);

/** Groups from scribbles: a patch gets the label of most of its marked pixels (ties: the smaller label).
 *  Labels are 1..scribbles->labels; group = label - 1; a label without any pixel leaves its group empty.
 *  @param scribbles  scribbles, of the grid's size
 *  @param grid  patches of the image, the samples
 *  @param out  groups only; free with seg_constraints_free
 *  @return SEG_OK, SEG_ERR_INPUT (sizes differ), SEG_ERR_MEMORY. Cost O(pixels). */
SEG_API seg_status seg_constraints_from_scribbles(seg_context *ctx, const seg_mask *scribbles,
                                                  const seg_patch_grid *grid, seg_constraints *out);

/** Append one pair; a computed closure is discarded.
 *  @param constraints  gets the pair
 *  @param pair  the pair, copied
 *  @return SEG_OK, SEG_ERR_USAGE (i or j out of range or equal, sign not +-1, weight outside
 * SEG_LEAST_WEIGHT..SEG_LARGEST_WEIGHT), SEG_ERR_MEMORY. */
SEG_API seg_status seg_constraints_add(seg_context *ctx, seg_constraints *constraints, seg_pair pair);

/** Append the pairs of a CSV file, of samples or, with a grid, of pixels (docs/formats.md). Inside one
 *  patch a must-link is skipped and a cannot-link refused. A comment that states another number of samples
 *  is refused.
 *  @param path  file to read
 *  @param grid  NULL if the samples are not patches
 *  @param base  number of the first sample in the file, 0 or 1; messages about the pairs count as the file does
 *  @param constraints  gets the must-links and cannot-links, with indices from 0; its number of samples must
 *  be set
 *  @param unknown  gets the pairs of sign 0, with sign 1; has as many samples. NULL: they are ignored
 *  @return SEG_OK, SEG_ERR_USAGE (another base), SEG_ERR_IO, SEG_ERR_INPUT (with the line's number), SEG_ERR_MEMORY. */
SEG_API seg_status seg_constraints_read(seg_context *ctx, const char *path, const seg_patch_grid *grid, int base,
                                        seg_constraints *constraints, seg_constraints *unknown);

/** Write the listed pairs: lines i,j,sign,weight for seg_constraints_read or, if the name ends in .npy,
 *  float64 of pairs x 4. Groups are not written.
 *  @param path  file to write
 *  @param base  number of the first sample in the file, 0 or 1
 *  @param constraints  the pairs
 *  @return SEG_OK, SEG_ERR_USAGE (base), SEG_ERR_IO, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
SEG_API seg_status seg_constraints_write(seg_context *ctx, const char *path, int base,
                                         const seg_constraints *constraints);

/** Draw `per_cluster` must-links inside each group and `per_cluster` cannot-links from each group to the others at
 *  random (context's seed), as listed pairs, for methods without group sums. Fewer if fewer exist; none twice.
 *  @param groups  constraints with groups; their pairs are ignored
 *  @param per_cluster  number of each kind per group; 0: none
 *  @param out  pairs only (groups = 0), same n
 *  @return SEG_OK or SEG_ERR_MEMORY */
SEG_API seg_status seg_constraints_sample(seg_context *ctx, const seg_constraints *groups, size_t per_cluster,
                                          seg_constraints *out);

/** Handling of contradictions. */
typedef enum seg_contradictions {
    SEG_CONTRADICTIONS_REFUSE = 0, /**< end with SEG_ERR_CONTRADICTION, the pair in the message */
    SEG_CONTRADICTIONS_DROP        /**< drop pairs (later ones first) until no contradiction is left; each is logged */
} seg_contradictions;

/** Compute the transitive closure of the constraints, if not done yet: components of samples joined by
 *  must-links (groups and pairs), and the cannot-links between the components. It is stored with the constraints,
 *  and calls that take them use it; seg_constraints_add() discards it. Do not change groups and pairs in
 *  other ways afterwards.
 *  A contradiction is a cannot-link inside a component, or a component with two groups; the first pair
 *  that contradicts those before it is reported, e.g. "3 != 22". A pair from a file is named with the
 *  file, line and pixels: "(10,10) != (20,20) (pairs.csv, line 1)".
 *  @param constraints  with DROP, contradicting pairs are removed (must-link pairs that join two groups, then
 *  cannot-links inside a component)
 *  @param policy  refuse contradictions, or drop pairs
 *  @return SEG_OK, SEG_ERR_CONTRADICTION, SEG_ERR_MEMORY. Cost about O(n + pairs). */
SEG_API seg_status seg_constraints_close(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy);

/** @} */
