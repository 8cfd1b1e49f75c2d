/* The plan of a run: what seg_plan_photo makes, and what is found out on the way. */
#ifndef SEG_PIPELINE_PLAN_H
#define SEG_PIPELINE_PLAN_H

#include <segment/photo.h>

/* Log what was adapted, if anything. */
void seg_plan_say(seg_context *ctx, const seg_photo_plan *plan);

#endif
