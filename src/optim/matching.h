/* The assignment problem: match rows with columns, each at most once, with the largest sum of matched entries. */
#pragma once

#include <segment/context.h>

/* @param gain   rows x cols, row by row, each below 2^40
 * @param match  the column of every row, -1 if none was left (rows > cols); may be NULL
 * @param best   the sum
 * Cost O(min(rows, cols)^2 max(rows, cols)). */
seg_status seg_matching_best(seg_context *ctx, const uint64_t *gain, size_t rows, size_t cols, int32_t *match,
                             uint64_t *best);
