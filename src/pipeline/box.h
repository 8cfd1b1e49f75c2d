/* A box around an object in place of strokes. What lies outside of it is background. Which patches inside it are the
 * object's says the net (masks/object_net.h): it is asked with dots of the background around the box and with few dots
 * of the object in it, at the places whose answers fill the box best. The surest patches are marked. Strokes are
 * heard near them only. */
#pragma once

#include "pipeline/run.h"

/* Strokes, which may be missing, and what the box makes of the other pixels. The session has features. The object is
 * label 1 and its background 2, unless strokes have other labels: then the smaller one is the object's. out: all zero
 * before, to be freed in any case. SEG_OK; SEG_ERR_USAGE (no such box in this image), SEG_ERR_INPUT (labels),
 * SEG_ERR_MEMORY. Cost: 18 answers of the net, 27 with strokes. */
seg_status seg_box_mark(seg_context *ctx, seg_session *session, const seg_mask *scribbles, seg_mask *out);
