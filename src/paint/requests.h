/* What requests ask of the images. They come from several threads; everything here may be called by any of them. */
#ifndef PAINT_REQUESTS_H
#define PAINT_REQUESTS_H

#include "paint/queue.h"

/* Make an image the one that is shown, and wait until it is open: size, tiles, acts, options. NULL with a sentence. */
json_t *paint_request_open(paint_queue *queue, int item, char message[SEG_MESSAGE_SIZE]);

/* An edit, of the acts of that revision. @return 200; 409: the page is behind; 400 and 500 with a sentence */
int paint_request_edit(paint_queue *queue, int item, int64_t revision, const json_t *edit,
                       char message[SEG_MESSAGE_SIZE]);
/* The stroke under the pen, which is not kept; NULL: the pen was lifted without one. Nothing happens where
 * an edit came first. @return 200; 400 with a sentence */
int paint_request_pen(paint_queue *queue, int item, int64_t revision, const json_t *stroke,
                      char message[SEG_MESSAGE_SIZE]);
/* Whether the page shows the uncertainty. */
void paint_request_show_uncertainty(paint_queue *queue, int shown);
/* Whether it shows questions. @return 0 where none can be asked, with a sentence */
int paint_request_ask(paint_queue *queue, int asking, char message[SEG_MESSAGE_SIZE]);

/* What is known of an image, as soon as it is newer than `after`; a new reference. Waits a while at most. */
json_t *paint_request_news(paint_queue *queue, int item, int64_t after);

/* Labels of all images. */
json_t *paint_request_labels(paint_queue *queue);
seg_labelmap paint_request_labelmap(paint_queue *queue);

/* A tile of an image that is open; or NULL. To be freed. */
typedef enum paint_tiles { PAINT_PHOTO, PAINT_MASK, PAINT_UNCERTAINTY } paint_tiles;
uint8_t *paint_request_tile(paint_queue *queue, int item, paint_tiles kind, const paint_tile *at, size_t *size);

/* The mask of everything that is drawn, once it is there and no stroke is newer; to be released. NULL where it is not.
 */
paint_layer *paint_request_mask(paint_queue *queue, int item);

/* {"name", "drawn", "broken"} of each image, for the strip of a folder. */
json_t *paint_request_states(paint_queue *queue);

#endif
