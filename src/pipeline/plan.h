/* The plan of a run: what seg_plan_photo makes, and what is found out on the way. */
#ifndef SEG_PIPELINE_PLAN_H
#define SEG_PIPELINE_PLAN_H

#include <segment/photo.h>

/* Add a sentence's part to plan->adapted. */
void seg_plan_note(seg_photo_plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A stage takes so many bytes at least; plan->predicted follows. */
void seg_plan_raise(seg_photo_plan *plan, const char *stage, size_t bytes);

#endif
