/* The plan of a run: seg_plan_photo makes it, and the run refines it. */
#ifndef SEG_PIPELINE_PLAN_H
#define SEG_PIPELINE_PLAN_H

#include <segment/photo.h>

/* Append a part to the text plan->adapted. */
void seg_plan_note(seg_photo_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Raise plan->predicted to at least this number of bytes. */
void seg_plan_raise(seg_photo_plan *plan, size_t bytes);

/* Log what was adapted, if anything. */
void seg_plan_say(seg_context *ctx, const seg_photo_plan *plan);

#endif
