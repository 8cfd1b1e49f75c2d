/* Requests of the page. Every function may be called by any thread. */
#ifndef PAINT_REQUESTS_H
#define PAINT_REQUESTS_H

#include "paint/queue.h"

/* Show an image, and wait until it is open: its size, tiles, acts and options. NULL with a sentence. */
json_t *paint_request_open(paint_queue *queue, int item, char message[SEG_MESSAGE_SIZE]);

/* Apply an edit to that revision. @return 200; or 409 (the page is out of date), 400, 410, 412 or 500 with a sentence
 */
int paint_request_edit(paint_queue *queue, int item, int64_t revision, const json_t *edit,
                       char message[SEG_MESSAGE_SIZE]);
/* Show an unfinished stroke, which is not stored; NULL: remove it. Ignored if the revision is not the current one.
 * @return 200; 400 with a sentence */
int paint_request_pen(paint_queue *queue, int item, int64_t revision, const json_t *stroke,
                      char message[SEG_MESSAGE_SIZE]);
/* Tell whether the page shows the uncertainty. */
void paint_request_show_uncertainty(paint_queue *queue, int shown);
/* Tell whether the page shows questions. @return 0 with a sentence if questions are impossible */
int paint_request_ask(paint_queue *queue, int asking, char message[SEG_MESSAGE_SIZE]);

/* The state of an image, once its number is not `after` any more, or after 20 seconds; a new reference. */
json_t *paint_request_news(paint_queue *queue, int item, int64_t after);

/* The labels. */
json_t *paint_request_labels(paint_queue *queue);
seg_labelmap paint_request_labelmap(paint_queue *queue);

/* A tile of an open image; free it. NULL if there is none. */
typedef enum paint_tiles { PAINT_PHOTO, PAINT_MASK, PAINT_UNCERTAINTY } paint_tiles;
uint8_t *paint_request_tile(paint_queue *queue, int item, paint_tiles kind, const paint_tile *at, size_t *size);

/* The mask of everything drawn; release it. NULL if it is not computed yet. */
paint_layer *paint_request_mask(paint_queue *queue, int item);

/* {"name", "drawn", "broken"} of each image. */
json_t *paint_request_states(paint_queue *queue);

#endif
