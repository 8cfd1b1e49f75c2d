/** @file session.h
 *  An image that is segmented repeatedly while strokes are added and removed. Everything that does not depend on
 *  the strokes (features, graph, its hierarchy, the edges between pixels) is computed once. */
#pragma once

#include <segment/photo.h>

/** @addtogroup main_job From image to mask
 *  @{ */

/** An image that is being segmented. Used by one thread at a time. */
typedef struct seg_session seg_session;

/** Begin.
 *  @param out  the session; release with seg_session_close
 *  @param photo    borrowed until seg_session_close
 *  @param options  copied; they hold for every mask of the session
 *  @return SEG_OK, SEG_ERR_USAGE (options), SEG_ERR_MEMORY. *out is NULL on failure. Cost O(1): everything is
 * computed when it is first needed. */
SEG_API seg_status seg_session_open(seg_context *ctx, const seg_image *photo, const seg_options *options,
                                    seg_session **out);

/** Compute now everything that does not depend on the strokes, while the user draws the first one. Optional:
 *  otherwise the first seg_session_segment does it.
 *  @param session  the session
 *  @return SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED; the session stays usable after each. */
SEG_API seg_status seg_session_prepare(seg_context *ctx, seg_session *session);

/** Segment with these strokes. The result has the same bytes as seg_segment_photo of the same image, strokes,
 *  pairs, options and seed, for any earlier calls in the session. One exception: with the option object
 *  and without a box or a start, strokes added since the last mask change it only near them, so that the mask
 *  depends on the order of the strokes; the first mask, and one after strokes were removed from a patch, are
 *  those of seg_segment_photo.
 *  @param session  the session
 *  @param scribbles  as for seg_segment_photo
 *  @param pairs  as for seg_segment_photo
 *  @param out    as for seg_segment_photo
 *  @return as seg_segment_photo; the session stays usable after a failure. Cost after the first time: learning from
 *  the strokes, some 20 to 60 passes over the graph's edges, and the pixels near borders between labels; with pairs in
 *  an image of fewer than 250,000 pixels also its features and graph. The stages of
 *  the context say what was computed. */
SEG_API seg_status seg_session_segment(seg_context *ctx, seg_session *session, const seg_mask *scribbles,
                                       const seg_constraints *pairs, seg_result **out);

/** Release the session.
 *  @param session  NULL is fine */
SEG_API void seg_session_close(seg_session *session);

/** @} */
