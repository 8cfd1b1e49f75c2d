#include "base/base.h"
#include "features/grid.h"
#include "image/slices.h"
#include "masks/photo_passes.h"

enum { UNSEEN, SEEN, DECIDED }; /* DECIDED + the new label of a pixel */

/* A colour belongs to a label if about one in RARE of its stroke pixels has it. */
#define RARE 100

typedef struct search {
    const seg_image *photo;
    seg_patch_grid pixels; /* each a patch */
    const seg_pixel_scribbles *scribbles;
    const uint8_t *label;
    int32_t *queue;
    uint8_t *state;
} search;

static int is_alike(const seg_image *photo, size_t a, size_t b) {
    const size_t bytes = (size_t)photo->depth / 8 * 3;
    const uint8_t *at = photo->data;
    return memcmp(at + a * bytes, at + b * bytes, bytes) == 0;
}

/* Whether strokes mark a pixel's colour: then the result of the walk is more reliable than the area's border. */
static int is_colour_marked(const search *s, size_t pixel, size_t n) {
    size_t marked[256] = {0}, alike[256] = {0};
    for (size_t p = 0; p < n; p++) {
        const int c = seg_mark_at(s->scribbles, p);
        if (c >= 0) {
            marked[c]++;
            alike[c] += (size_t)is_alike(s->photo, p, pixel);
        }
    }
    for (int c = 0; c < 256; c++)
        if (alike[c] && alike[c] * RARE >= marked[c])
            return 1;
    return 0;
}

/* Find the area of a pixel, and decide its label if it meets the conditions of photo_passes.h. */
static void settle_area(const search *s, size_t first, size_t n) {
    const double least = SEG_PADDING_LEAST_SHARE * (double)n;
    size_t sides[256] = {0}, count = 0;
    int32_t near[SEG_TOUCHING];
    int is_marked = 0, is_cut = 0;
    s->queue[count++] = (int32_t)first;
    s->state[first] = SEEN;
    for (size_t at = 0; at < count; at++) {
        const size_t p = (size_t)s->queue[at];
        is_marked |= seg_mark_at(s->scribbles, p) >= 0;
        is_cut |= s->label[p] != s->label[first];
        for (int c = seg_patches_touching(&s->pixels, p, near); c-- > 0;)
            if (!is_alike(s->photo, p, (size_t)near[c])) {
                sides[s->label[near[c]]]++;
            } else if (s->state[near[c]] == UNSEEN) {
                s->state[near[c]] = SEEN;
                s->queue[count++] = near[c];
            }
    }
    uint8_t most = 0;
    for (int l = 1; l < 256; l++)
        if (sides[l] > sides[most])
            most = (uint8_t)l;
    if (is_marked || !is_cut || (double)count < least || !sides[most] || is_colour_marked(s, first, n))
        return;
    for (size_t at = 0; at < count; at++)
        s->state[s->queue[at]] = (uint8_t)(DECIDED + most);
}

seg_status seg_padding_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed) {
    const size_t width = (size_t)photo->width, height = (size_t)photo->height, n = width * height;
    *changed = 0;
    SEG_LOCAL(int32_t, queue, seg_alloc(ctx, n, sizeof *queue));
    SEG_LOCAL(uint8_t, state, seg_alloc_zero(ctx, n, 1));
    const search s = {photo, seg_patch_grid_make(photo->width, photo->height, 1), scribbles, label, queue, state};
    for (size_t y = 0; y < height; y++) {
        const int is_end = y == 0 || y + 1 == height;
        for (size_t x = 0; x < width; x += is_end || width == 1 ? 1 : width - 1)
            if (s.state[y * width + x] == UNSEEN)
                settle_area(&s, y * width + x, n);
        SEG_TRY(seg_poll(ctx));
    }
    for (size_t p = 0; p < n; p++)
        if (s.state[p] >= DECIDED && label[p] != s.state[p] - DECIDED) {
            label[p] = (uint8_t)(s.state[p] - DECIDED);
            (*changed)++;
        }
    return SEG_OK;
}
