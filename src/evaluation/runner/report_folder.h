/* Files in the folder of a report:
 *   journal                     results of every item; shard-I-of-N.journal of a part of the work
 *   photos/NAME.jpg             images, reduced to SEG_LAYOUT_SIDE pixels or less
 *   masks/truth/NAME.png        truths; masks/METHOD/NAME.png what the methods made; masks/scribbles/NAME.png strokes
 *   results.csv ... report.html figures/  the report */
#pragma once

#include "evaluation/report/text.h"

#define SEG_LAYOUT_SIDE 640

/* Make a folder, and its parents if they are missing. SEG_OK (also if it exists), SEG_ERR_IO. */
seg_status seg_folder_make(seg_context *ctx, const char *path);

/* Path of a mask; NULL if out of memory. `label` is a method's label, "truth" or "scribbles". */
char *seg_layout_mask(seg_context *ctx, const char *out, const char *label, const char *name);

/* Make the folders for these methods. */
seg_status seg_layout_make(seg_context *ctx, const char *out, const char *const *label, int labels);

/* Remove the half-written files of a killed run; only if no other process is writing. */
void seg_layout_tidy(const char *out);

/* Write the image, the truth and the strokes, if there are any. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_layout_keep(seg_context *ctx, const char *out, const char *name, const seg_image *photo,
                           const seg_mask *truth, const seg_mask *scribbles);
