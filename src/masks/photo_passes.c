#include "masks/photo_passes.h"
#include "base/base.h"
#include "features/grid.h"
#include "image/shown.h"
#include "masks/distance.h"
#include "masks/pieces.h"

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

enum {
    MIDDLE = 14,      /* weights of the smoothing, 1 14 1 by 1 14 1 */
    GREY_LEVEL = 256, /* their sum; responses up to this, one grey level, are invisible */
    WHITE = 255 * GREY_LEVEL,
    OUTSIDE = 4, /* pixels by which the image is extended on each side (repeated border): the reach of the response */
    LEVELS = WHITE + 1, /* of a response */
    STEP = 24,
    SIDE = 11, /* colours are quantised to this many values per channel */
    COLOURS = SIDE * SIDE * SIDE,
    SCALES = 2, /* scales of colours: a pixel, and a mean of 5 x 5 */
    LEAST_PIECE = 12,
    BESIDE = 6 /* pixels from a stroke that count as beside it */
};

/* Chosen on eight data sets, to separate the pairs of strokes on vessels from all others. */
#define LEAST_SHARE    0.29
#define LEAST_CONTRAST 1.7
#define LEAST_ALIKE    0.77
#define LEAST_FOCUS    1.7
#define MOST_BY_REGION 4.0 /* bound on the factor of the regions, since the mask may be wrong */

int seg_thin_is_evident(const seg_thin_evidence *evidence) {
    return evidence->column >= 0 && evidence->share >= LEAST_SHARE && evidence->contrast >= LEAST_CONTRAST &&
           evidence->alike >= LEAST_ALIKE && evidence->focus >= LEAST_FOCUS;
}

/* The data of this stage. */
typedef struct work {
    int width, height;
    const seg_image *photo;
    const seg_pixel_scribbles *scribbles;
    int wide, high;                  /* size with the repeated border */
    uint16_t *grey, *rows, *best;    /* smoothed; extrema over the disc. best: the response, width * height */
    uint16_t *padded, *three, *five; /* a row with its ends repeated; five rows of extrema over 3 and 5 pixels */
    uint32_t *at;                    /* the pixels under strokes of both columns */
    uint8_t *beside;                 /* per pixel without a stroke: bit c is set where a stroke of column c is near */
    uint16_t *around[SCALES];        /* the colours around the pixels of `at`, at each scale */
    size_t marks;
    uint32_t *count; /* histograms of the responses under the strokes of each column */
    uint32_t colour[SCALES][2][COLOURS];
} work;

/* The quantised mean colour of the pixels at most `reach` away: of a single pixel, or with less noise. */
static uint16_t colour_around(const seg_image *photo, size_t pixel, int reach) {
    const unsigned count = (unsigned)((2 * reach + 1) * (2 * reach + 1));
    const int x = (int)(pixel % (size_t)photo->width), y = (int)(pixel / (size_t)photo->width);
    unsigned sum[3] = {0, 0, 0};
    for (int v = y - reach; v <= y + reach; v++)
        for (int u = x - reach; u <= x + reach; u++) {
            const size_t at =
                3 * ((size_t)seg_within(v, photo->height) * (size_t)photo->width + (size_t)seg_within(u, photo->width));
            for (size_t c = 0; c < 3; c++)
                sum[c] += seg_shown_sample(photo, at + c);
        }
    for (int c = 0; c < 3; c++)
        sum[c] = (sum[c] + count / 2) / count / STEP;
    return (uint16_t)((sum[0] * SIDE + sum[1]) * SIDE + sum[2]);
}

static void smooth(work *w) {
    const int width = w->width, height = w->height;
    for (int y = 0; y < height; y++) {
        uint16_t *grey = w->best + (size_t)y * (size_t)width, *out = w->rows + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            const size_t at = 3 * ((size_t)y * (size_t)width + (size_t)x);
            grey[x] = (uint16_t)((seg_shown_sample(w->photo, at) + seg_shown_sample(w->photo, at + 1) +
                                  seg_shown_sample(w->photo, at + 2) + 1) /
                                 3);
        }
        for (int x = 0; x < width; x++)
            out[x] = (uint16_t)(grey[seg_within(x - 1, width)] + MIDDLE * grey[x] + grey[seg_within(x + 1, width)]);
    }
    for (int v = 0; v < w->high; v++) {
        const int y = seg_within(v - OUTSIDE, height);
        const uint16_t *above = w->rows + (size_t)seg_within(y - 1, height) * (size_t)width,
                       *below = w->rows + (size_t)seg_within(y + 1, height) * (size_t)width,
                       *here = w->rows + (size_t)y * (size_t)width;
        uint16_t *out = w->grey + (size_t)v * (size_t)w->wide;
        for (int u = 0; u < w->wide; u++) {
            const int x = seg_within(u - OUTSIDE, width);
            out[u] = (uint16_t)(above[x] + MIDDLE * here[x] + below[x]);
        }
    }
}

static inline uint16_t larger(uint16_t a, uint16_t b) {
    return a > b ? a : b;
}

/* The largest of the 3 and of the 5 values around each value of a row. */
static void extrema_of_row(const work *w, const uint16_t *row, uint16_t flip, uint16_t *three, uint16_t *five) {
    const int width = w->wide;
    uint16_t *padded = w->padded;
    for (int x = 0; x < width; x++)
        padded[x + 2] = row[x] ^ flip;
    padded[0] = padded[1] = padded[2];
    padded[width + 2] = padded[width + 3] = padded[width + 1];
    for (int x = 0; x < width; x++) {
        three[x] = larger(larger(padded[x + 1], padded[x + 2]), padded[x + 3]);
        five[x] = larger(three[x], larger(padded[x], padded[x + 4]));
    }
}

/* The largest value within a disc of 21 pixels, 5 x 5 without its corners: of 5 pixels in the three middle rows, of 3
 * in the first and the last. With `least` the values are complemented before and after, which gives the least value. */
static void extremum(const work *w, const uint16_t *from, int least, uint16_t *to) {
    const int width = w->wide, height = w->high;
    const uint16_t flip = least ? 0xffff : 0;
    for (int y = 0, ready = 0; y < height; y++) {
        const uint16_t *three[5], *five[5];
        for (; ready < height && ready <= y + 2; ready++)
            extrema_of_row(w, from + (size_t)ready * (size_t)width, flip,
                           w->three + (size_t)(ready % 5) * (size_t)width,
                           w->five + (size_t)(ready % 5) * (size_t)width);
        for (int d = 0; d < 5; d++) {
            const size_t place = (size_t)(seg_within(y + d - 2, height) % 5) * (size_t)width;
            three[d] = w->three + place;
            five[d] = w->five + place;
        }
        uint16_t *out = to + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            const uint16_t ends = larger(three[0][x], three[4][x]), middle = larger(five[1][x], five[3][x]);
            out[x] = larger(larger(ends, middle), five[2][x]) ^ flip;
        }
    }
}

/* Compute the response into w->best. */
static void respond(const work *w, int bright) {
    extremum(w, w->grey, bright, w->rows); /* an opening of the image is the closing of the inverted image */
    extremum(w, w->rows, !bright, w->best);
    uint16_t *out = w->best;
    for (int y = 0; y < w->height; y++) {
        const size_t row = (size_t)(y + OUTSIDE) * (size_t)w->wide + OUTSIDE;
        for (size_t q = row; q < row + (size_t)w->width; q++) /* reads stay ahead of the writes */
            *out++ = (uint16_t)(bright ? w->grey[q] - w->best[q] : w->best[q] - w->grey[q]);
    }
}

/* The least value that at least `share` of the counted values do not exceed. */
static unsigned quantile(const uint32_t *count, size_t total, double share) {
    const double wanted = share * (double)total;
    size_t sum = 0;
    unsigned v = 0;
    for (; v < LEVELS - 1; v++) {
        sum += count[v];
        if ((double)sum >= wanted)
            break;
    }
    return v;
}

/* The focus of the evidence (photo_passes.h). A stroke along a thin structure stays on it: there is less of the
 * structure beside the strokes, and most of it lies in the label's region. A texture continues beside the strokes and
 * all over the image. */
static double focus(const work *w, int c, unsigned bound, double share, const uint8_t *label) {
    const size_t n = (size_t)w->width * (size_t)w->height;
    size_t region[2] = {0, 0}, in_region[2] = {0, 0}, beside = 0, in_beside = 0;
    for (size_t p = 0; p < n; p++) {
        const int passed = w->best[p] > bound, own = label[p] == c, near = w->beside[p] >> c & 1;
        region[own]++;
        in_region[own] += (size_t)passed;
        beside += (size_t)near;
        in_beside += (size_t)(near && passed);
    }
    const double around = (double)(in_beside + 1) / (double)(beside + 1);
    const double own = (double)in_region[1] / (double)(region[1] + 1);
    const double other = (double)(in_region[0] + 1) / (double)(region[0] + 1);
    return (share / around - 1) * fmin(own / other, MOST_BY_REGION);
}

/* The evidence of the strokes of column c, assuming that those of the other column are clean. */
static void judge(const work *w, int c, int bright, const size_t marked[2], const uint8_t *label,
                  seg_thin_evidence *out) {
    const uint32_t *own = w->count + (size_t)c * LEVELS, *other = w->count + (size_t)!c * LEVELS;
    const unsigned clean = quantile(other, marked[!c], 0.95), bound = clean > GREY_LEVEL ? clean : GREY_LEVEL;
    size_t alike[SCALES] = {0}, rest = 0, passed = 0;
    unsigned median = bound;
    for (unsigned v = bound + 1; v < LEVELS; v++)
        passed += own[v];
    size_t before = marked[c] - passed;
    while (median < LEVELS - 1 && 2 * (before - (marked[c] - passed)) < passed)
        before += own[++median];
    for (size_t m = 0; m < w->marks; m++) {
        const size_t p = w->at[m];
        if (seg_mark_at(w->scribbles, p) == c && w->best[p] <= bound) {
            rest++;
            for (int s = 0; s < SCALES; s++)
                alike[s] += (size_t)w->colour[s][!c][w->around[s][m]] * RARE > marked[!c];
        }
    }
    const double share = (double)passed / (double)marked[c];
    *out = (seg_thin_evidence){.column = c,
                               .bright = bright,
                               .share = share,
                               .contrast = (double)median / bound,
                               .alike = rest ? (double)(alike[0] > alike[1] ? alike[0] : alike[1]) / (double)rest : 0,
                               .focus = focus(w, c, bound, share, label),
                               .bound = bound};
}

/* Compute w->beside for both columns. */
static seg_status look_beside(seg_context *ctx, const work *w) {
    const size_t n = (size_t)w->width * (size_t)w->height;
    SEG_LOCAL(double, distance2, seg_alloc(ctx, n, sizeof *distance2));
    SEG_LOCAL(uint8_t, marked, seg_alloc(ctx, n, 1));
    for (int c = 0; c < 2; c++) {
        for (size_t p = 0; p < n; p++)
            marked[p] = seg_mark_at(w->scribbles, p) == c;
        SEG_TRY(seg_distance_to(ctx, marked, w->width, w->height, distance2));
        for (size_t p = 0; p < n; p++)
            if (seg_mark_at(w->scribbles, p) < 0 && distance2[p] <= BESIDE * BESIDE)
                w->beside[p] |= (uint8_t)(1 << c);
    }
    return SEG_OK;
}

static seg_status find(seg_context *ctx, work *w, int force, uint8_t *label, seg_thin_evidence *evidence) {
    const size_t n = (size_t)w->width * (size_t)w->height;
    size_t marked[2] = {0, 0};
    for (size_t p = 0; p < n; p++) {
        const int c = seg_mark_at(w->scribbles, p);
        if (c == 0 || c == 1) {
            for (int s = 0; s < SCALES; s++) {
                w->around[s][w->marks] = colour_around(w->photo, p, 2 * s);
                w->colour[s][c][w->around[s][w->marks]]++;
            }
            w->at[w->marks++] = (uint32_t)p;
            marked[c]++;
        }
    }
    if (!marked[0] || !marked[1])
        return SEG_OK;
    smooth(w);
    SEG_TRY(look_beside(ctx, w));
    for (int bright = 0; bright < 2; bright++) {
        SEG_TRY(seg_poll(ctx));
        respond(w, bright);
        memset(w->count, 0, 2 * (size_t)LEVELS * sizeof *w->count);
        for (size_t m = 0; m < w->marks; m++)
            w->count[(size_t)seg_mark_at(w->scribbles, w->at[m]) * LEVELS + w->best[w->at[m]]]++;
        for (int c = 0; c < 2; c++) {
            seg_thin_evidence one;
            judge(w, c, bright, marked, label, &one);
            const int evident = seg_thin_is_evident(&one), was = seg_thin_is_evident(evidence);
            if (evidence->column < 0 || evident > was || (evident == was && one.share > evidence->share))
                *evidence = one;
        }
    }
    if (!(force && evidence->share > 0) && !seg_thin_is_evident(evidence))
        return SEG_OK;
    if (!evidence->bright) /* w->best has the response of bright structures */
        respond(w, 0);
    const uint8_t own = (uint8_t)evidence->column, other = !own;
    for (size_t p = 0; p < n; p++)
        label[p] = w->best[p] > evidence->bound && seg_mark_at(w->scribbles, p) != other ? own : other;
    evidence->found = 1;
    SEG_RELEASED(seg_label_rows_free) seg_label_rows rows = {0};
    SEG_TRY(seg_label_rows_append(ctx, w->width, w->height, label, &rows));
    SEG_TRY(seg_specks_remove(ctx, w->scribbles, LEAST_PIECE, &rows));
    seg_label_rows_paint(&rows, label);
    return SEG_OK;
}

seg_status seg_thin_settle(seg_context *ctx, const seg_image *photo, const seg_pixel_scribbles *scribbles, int force,
                           uint8_t *label, seg_thin_evidence *evidence) {
    const size_t n = (size_t)photo->width * (size_t)photo->height;
    *evidence = (seg_thin_evidence){.column = -1};
    if (n > SEG_THIN_MOST_PIXELS || !scribbles->label)
        return SEG_OK;
    const size_t wide = (size_t)photo->width + 2 * OUTSIDE, all = wide * ((size_t)photo->height + 2 * OUTSIDE);
    SEG_LOCAL(work, w, seg_alloc_zero(ctx, 1, sizeof *w));
    SEG_LOCAL(uint16_t, planes, seg_alloc(ctx, 3 * all + SCALES * n + 11 * wide + 4, sizeof *planes));
    SEG_LOCAL(uint32_t, at, seg_alloc(ctx, n, sizeof *at));
    SEG_LOCAL(uint32_t, count, seg_alloc(ctx, 2 * (size_t)LEVELS, sizeof *count));
    SEG_LOCAL(uint8_t, beside, seg_alloc_zero(ctx, n, 1));
    w->width = photo->width;
    w->height = photo->height;
    w->wide = photo->width + 2 * OUTSIDE;
    w->high = photo->height + 2 * OUTSIDE;
    w->photo = photo;
    w->scribbles = scribbles;
    w->grey = planes;
    w->rows = planes + all;
    w->best = planes + 2 * all;
    w->three = planes + 3 * all;
    w->five = w->three + 5 * wide;
    w->padded = w->five + 5 * wide;
    for (int s = 0; s < SCALES; s++)
        w->around[s] = w->padded + wide + 4 + (size_t)s * n;
    w->at = at;
    w->beside = beside;
    w->count = count;
    return find(ctx, w, force, label, evidence);
}
