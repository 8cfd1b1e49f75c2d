/* JSON (jansson) into files. */
#ifndef SEG_MASKS_EXPORTS_JSON_H
#define SEG_MASKS_EXPORTS_JSON_H

#include <segment/context.h>

#include <jansson.h>

/* Every byte of a text that is not UTF-8, or is a control character, becomes '?' (where it is not UTF-8: all outside
 * ASCII). */
void seg_json_make_text(char *text);

/* The name of an image without its folders, as UTF-8; null for NULL. A new reference, NULL without memory. */
json_t *seg_json_base_name(const char *path);

/* A number, written as a whole one where it is one. Likewise. */
json_t *seg_json_number(double value);
/* The value, or NULL where something failed: then it is released. */
json_t *seg_json_unless(json_t *value, int failed);
/* x, y as an array. A new reference, NULL without memory. */
json_t *seg_json_pair(double x, double y);

/* Write compactly, a line, and release. A NULL value is out of memory. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_json_write(seg_context *ctx, const char *path, json_t *value);

#endif
