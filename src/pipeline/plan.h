/* The plan of a run: seg_plan_photo makes it, and the run refines it. */
#ifndef SEG_PIPELINE_PLAN_H
#define SEG_PIPELINE_PLAN_H

#include "pipeline/option_fields.h"

/* As seg_plan_photo, and the options with what the model and the plan change. */
seg_status seg_plan_make(seg_context *ctx, const seg_plan_job *job, const seg_options *options, seg_photo_plan *out,
                         seg_options *adapted);

/* Log what was adapted, if anything. */
void seg_plan_say(seg_context *ctx, const seg_photo_plan *plan);

#endif
