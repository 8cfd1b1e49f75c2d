/* From patch scores to pixel labels. */
#pragma once

#include "image/formats/image_tiles.h"
#include "image/label_rows.h"
#include "masks/edges.h"

/* The strokes in the form that the stages after the clustering use. */

/* The strokes, as runs of labels. */
typedef struct seg_pixel_scribbles {
    const seg_label_rows *rows; /* NULL: nothing is marked */
    int16_t column[256];        /* per label: its column of the scores, -1 for unmarked */
    const uint8_t *label;       /* the same labels as an array, or NULL */
} seg_pixel_scribbles;

/* The column of the stroke at a pixel, -1 if the pixel is unmarked or there is no array. */
static inline int seg_mark_at(const seg_pixel_scribbles *scribbles, size_t pixel) {
    return scribbles->label ? scribbles->column[scribbles->label[pixel]] : -1;
}

/* Scores per pixel; each array that is not NULL is filled. */
typedef struct seg_pixel_scores {
    float *probability;   /* width * height * k, each pixel's sum is 1 */
    uint8_t *uncertainty; /* width * height, 255 (1 - (best - second best)) */
} seg_pixel_scores;

static inline int seg_wants_scores(const seg_pixel_scores *out) {
    return out->probability || out->uncertainty;
}

/* The input and parameters of the refinement. */
typedef struct seg_refining {
    const seg_image *image;
    seg_tiled_image *file;   /* the file that its pixels are read from; NULL: they are in the image */
    seg_edges *edges;        /* of the image; prepared as needed */
    const seg_matrix *score; /* patches x k */
    const seg_pixel_scribbles *scribbles;
    int reach; /* pixels from a border within which scores are smoothed; 0: every pixel gets its patch's */
    seg_pixel_scores out;
} seg_refining;

/* Smooth patch scores at pixel resolution, preserving the image's edges, and append the column of each pixel's largest
 * score, the first of equals, to `rows` (NULL: not wanted). Patches that an edge crosses (large spread of colour) have
 * less weight, so that the pixels in them follow the patches on their side of the edge; marked pixels keep their label.
 * Only pixels near a border between labels are smoothed, since an average of scores that are all largest in one column
 * is largest there too. SEG_ERR_LIMIT, before anything is allocated for the pixels, if the memory needed exceeds the
 * context's limit; *bytes is this memory, then and on success. SEG_OK, SEG_ERR_MEMORY; for a file, as seg_tiled_read.
 * Cost O(pixels), and O(k) and some 10 k + 30 bytes for each pixel near a border. */
seg_status seg_refine_pixels(seg_context *ctx, const seg_refining *of, size_t *bytes, seg_label_rows *rows);

#define SEG_REFINE_REACH 40 /* pixels from a border beyond which it has no effect (docs/history/speed.md) */

/* Confidences are relative to a patch of one colour; smoothing reaches about the root of the strength in pixels where
 * there is no edge, at most two patches. */
#define SEG_REFINE_SCRIBBLE_CONFIDENCE 20.0f
#define SEG_REFINE_STRENGTH            100.0f

/* Store the scores of one pixel, summing to one, in those arrays of `out` that are not NULL. */
void seg_pixel_scores_put(const seg_pixel_scores *out, size_t p, size_t k, const float *score);
