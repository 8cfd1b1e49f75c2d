/* The plan of a run: what seg_plan_photo makes, and what is found out on the way. */
#ifndef SEG_PIPELINE_PLAN_H
#define SEG_PIPELINE_PLAN_H

#include <segment/photo.h>

/* Add a sentence's part to plan->adapted. */
void seg_plan_note(seg_photo_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The process is known to hold so many bytes at some time: plan->predicted is no less. */
void seg_plan_raise(seg_photo_plan *plan, size_t bytes);

/* Log what was adapted, if anything. */
void seg_plan_say(seg_context *ctx, const seg_photo_plan *plan);

#endif
