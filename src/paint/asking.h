/* The questions of the image that is shown: found by the computing thread, told with the news. */
#ifndef PAINT_ASKING_H
#define PAINT_ASKING_H

#include "paint/queue.h"

/* Whether a question is to be found; `quick`: one that takes no time, before the mask. The lock is held. */
int paint_wants_question(const paint_app *app, const paint_item *item, int quick);
/* Find it: called with the lock, which is released meanwhile. */
void paint_pose(paint_app *app, paint_item *item);
/* The question, and how many answers there are; a new reference. The lock is held. */
json_t *paint_question_json(const paint_item *item);

#endif
