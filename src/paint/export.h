/* The mask for other programs, beside the mask. */
#ifndef PAINT_EXPORT_H
#define PAINT_EXPORT_H

#include "paint/work.h"

/* Write the mask of an image in a format of --export, or "overlay", or the "cutout" of a label. @return 200 and the
 * file's path, or the HTTP status and a sentence */
int paint_export(paint_work *work, int item, const char *kind, int label, char message[SEG_MESSAGE_SIZE]);

#endif
