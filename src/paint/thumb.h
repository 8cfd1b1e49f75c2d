/* Small images of a folder's strip. */
#ifndef PAINT_THUMB_H
#define PAINT_THUMB_H

#include <stddef.h>
#include <stdint.h>

/* Width and height in a byte each, then red, green, blue and 255 of each pixel; NULL where the image cannot be read. To
 * be freed. */
uint8_t *paint_thumb(const char *photo, size_t *size);

/* The content of a file, NULL where it cannot be read. To be freed. */
uint8_t *paint_file_bytes(const char *path, size_t *size);

#endif
