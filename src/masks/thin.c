/* Strokes wider than the thin structures that they mark, such as vessels, wires and cracks: the evidence for them, and
 * their pixels by the closing of the image (docs/results.md, "Strokes wider than what they mark"). */
#include "base/base.h"
#include "image/shown.h"
#include "masks/distance.h"
#include "masks/photo_passes.h"
#include "masks/pieces.h"

enum {
    MIDDLE = 14,      /* weights of the smoothing, 1 14 1 by 1 14 1 */
    GREY_LEVEL = 256, /* their sum; responses up to this, one grey level, are invisible */
    WHITE = 255 * GREY_LEVEL,
    WIDTHS = 4,           /* discs of 5, 9, 13 and 17 pixels */
    OUTSIDE = 4 * WIDTHS, /* by which the image is extended on each side (repeated border): the reach of the response */
    LEVELS = WHITE + 1,   /* of a response */
    STEP = 24,
    SIDE = 11, /* colours are quantised to this many values per channel */
    COLOURS = SIDE * SIDE * SIDE,
    SCALES = 2, /* scales of colours: a pixel, and a mean of 5 x 5 */
    RARE = 100, /* a colour belongs to a label if more than one in RARE of its stroke pixels have it */
    LEAST_PIECE = 12,
    BESIDE = 6,       /* pixels from a stroke that count as beside it; both where the disc has 5 pixels */
    LEAST_DISCS = 12, /* squares of the disc, but for the smallest, that the strokes of a label cover: dots do not */
    UNMARKED = 2
};

/* Chosen on eight data sets, to separate the pairs of strokes on vessels from all others. */
#define LEAST_SHARE    0.29
#define LEAST_CONTRAST 1.7
#define LEAST_ALIKE    0.77
#define LEAST_FOCUS    1.7
#define MOST_BY_REGION 4.0        /* bound on the factor of the regions, since the mask may be wrong */
#define EDGE           0.14       /* of the strong response under the strokes: beside a line it is weaker */
#define LARGEST        (1.0 / 32) /* disc, but for the smallest, in the image's side: organs are not thin */

int seg_thin_is_evident(const seg_thin_evidence *evidence) {
    return evidence->column >= 0 && evidence->share >= LEAST_SHARE && evidence->contrast >= LEAST_CONTRAST &&
           evidence->alike >= LEAST_ALIKE && evidence->focus >= LEAST_FOCUS;
}

/* The data of this stage. */
typedef struct work {
    int width, height, factor;
    const seg_image *photo;
    const seg_pixel_scribbles *scribbles;
    uint8_t *row;                    /* of the mask */
    int wide, high;                  /* size with the repeated border */
    uint16_t *grey, *rows, *best;    /* smoothed; extrema over the disc. best: the response, width * height */
    uint16_t *padded, *three, *five; /* a row with its ends repeated; five rows of extrema over 3 and 5 pixels */
    uint32_t *at;                    /* the pixels under strokes of both columns */
    uint8_t *mark, *label;           /* the columns of the strokes, or UNMARKED, and of the mask */
    uint8_t *beside[2];              /* of each column: from how many times BESIDE on a pixel is beside its strokes */
    uint16_t *around[SCALES];        /* the colours around the pixels of `at`, at each scale */
    size_t marks, marked[2];
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

/* Compute the response into w->best, by a disc of 4 * times + 1 pixels: the small one, `times` times. */
static void respond(const work *w, int times, int bright) {
    for (int i = 0; i < 2 * times; i++) /* an opening of the image is the closing of the inverted image */
        extremum(w, i == 0 ? w->grey : i % 2 ? w->rows : w->best, (i < times) == bright, i % 2 ? w->best : w->rows);
    uint16_t *out = w->best;
    for (int y = 0; y < w->height; y++) {
        const size_t row = (size_t)(y + OUTSIDE) * (size_t)w->wide + OUTSIDE;
        for (size_t q = row; q < row + (size_t)w->width; q++) /* reads stay ahead of the writes */
            *out++ = (uint16_t)(bright ? w->grey[q] - w->best[q] : w->best[q] - w->grey[q]);
    }
}

/* The least value that at least `wanted` of the counted values do not exceed. */
static unsigned quantile(const uint32_t *count, double wanted) {
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
static double focus(const work *w, const seg_thin_evidence *e) {
    const size_t n = (size_t)w->width * (size_t)w->height;
    size_t region[2] = {0, 0}, in_region[2] = {0, 0}, beside = 0, in_beside = 0;
    for (size_t p = 0; p < n; p++) {
        const int passed = w->best[p] > e->bound, own = w->label[p] == e->column;
        const int near = w->beside[e->column][p] <= e->times;
        region[own]++;
        in_region[own] += (size_t)passed;
        beside += (size_t)near;
        in_beside += (size_t)(near && passed);
    }
    const double around = (double)(in_beside + 1) / (double)(beside + 1);
    const double own = (double)in_region[1] / (double)(region[1] + 1);
    const double other = (double)(in_region[0] + 1) / (double)(region[0] + 1);
    return (e->share / around - 1) * fmin(own / other, MOST_BY_REGION);
}

/* The evidence of the strokes of column c, assuming that those of the other column are clean. */
static seg_thin_evidence judge(const work *w, int c, int times, int bright) {
    const uint32_t *own = w->count + (size_t)c * LEVELS, *other = w->count + (size_t)!c * LEVELS;
    const unsigned clean = quantile(other, 0.95 * (double)w->marked[!c]),
                   bound = clean > GREY_LEVEL ? clean : GREY_LEVEL;
    size_t alike[SCALES] = {0}, rest = 0, passed = 0;
    for (unsigned v = bound + 1; v < LEVELS; v++)
        passed += own[v];
    const double below = (double)(w->marked[c] - passed), median = quantile(own, below + 0.5 * (double)passed);
    for (size_t m = 0; m < w->marks; m++) {
        const size_t p = w->at[m];
        if (w->mark[p] == c && w->best[p] <= bound) {
            rest++;
            for (int s = 0; s < SCALES; s++)
                alike[s] += (size_t)w->colour[s][!c][w->around[s][m]] * RARE > w->marked[!c];
        }
    }
    seg_thin_evidence e = {.column = c,
                           .times = times,
                           .bright = bright,
                           .share = (double)passed / (double)w->marked[c],
                           .contrast = fmax(median, bound) / bound,
                           .alike = rest ? (double)(alike[0] > alike[1] ? alike[0] : alike[1]) / (double)rest : 0,
                           .focus = LEAST_FOCUS,
                           .bound = bound,
                           .edge = (unsigned)fmax(bound, EDGE * quantile(own, below + 0.9 * (double)passed))};
    e.focus = seg_thin_is_evident(&e) ? focus(w, &e) : 0;
    return e;
}

/* Where there is a structure, the disc that shows it best is the one as wide. */
static int is_better(const seg_thin_evidence *a, const seg_thin_evidence *b) {
    const int evident = seg_thin_is_evident(a);
    return b->column < 0                       ? 1
           : evident != seg_thin_is_evident(b) ? evident
           : evident                           ? a->contrast > b->contrast
                                               : a->share > b->share;
}

/* Read the columns of the strokes and of the mask at the middle of each pixel's square. */
static void read_columns(work *w, const seg_label_rows *rows) {
    const seg_pixel_scribbles *scribbles = w->scribbles;
    const int factor = w->factor;
    uint8_t *row = w->row;
    for (int y = 0; y < w->height; y++) {
        const int middle = seg_within(y * factor + factor / 2, rows->height);
        uint8_t *mark = w->mark + (size_t)y * (size_t)w->width, *label = w->label + (mark - w->mark);
        seg_label_rows_read(scribbles->rows, middle, 0, rows->width, row);
        for (int x = 0; x < w->width; x++) {
            const int c = scribbles->column[row[seg_within(x * factor + factor / 2, rows->width)]];
            mark[x] = c == 0 || c == 1 ? (uint8_t)c : UNMARKED;
        }
        seg_label_rows_read(rows, middle, 0, rows->width, row);
        for (int x = 0; x < w->width; x++)
            label[x] = row[seg_within(x * factor + factor / 2, rows->width)];
    }
}

/* Fill in what the evidence is judged by. */
static seg_status look(seg_context *ctx, work *w) {
    const size_t n = (size_t)w->width * (size_t)w->height;
    SEG_LOCAL(double, distance2, seg_alloc(ctx, n, sizeof *distance2));
    for (size_t p = 0; p < n; p++) {
        const int c = w->mark[p];
        if (c != UNMARKED) {
            for (int s = 0; s < SCALES; s++) {
                w->around[s][w->marks] = colour_around(w->photo, p, 2 * s);
                w->colour[s][c][w->around[s][w->marks]]++;
            }
            w->at[w->marks++] = (uint32_t)p;
            w->marked[c]++;
        }
    }
    for (int c = 0; c < 2 && w->marked[0] && w->marked[1]; c++) {
        for (size_t p = 0; p < n; p++)
            w->beside[c][p] = w->mark[p] == c;
        SEG_TRY(seg_distance_to(ctx, w->beside[c], w->width, w->height, distance2));
        for (size_t p = 0; p < n; p++)
            w->beside[c][p] = w->mark[p] == UNMARKED && distance2[p] <= pow(BESIDE * WIDTHS, 2)
                                  ? (uint8_t)ceil(sqrt(distance2[p]) / BESIDE)
                                  : WIDTHS + 1;
    }
    return SEG_OK;
}

/* Whether a disc is small in the image, whose side is the root of its pixels, and beside the strokes of each label. */
static int is_small(const work *w, int times) {
    const double side = 4 * times + 1, marked = (double)(w->marked[0] < w->marked[1] ? w->marked[0] : w->marked[1]);
    return times == 1 ||
           (side * side <= LARGEST * LARGEST * w->width * w->height && side * side * LEAST_DISCS <= marked);
}

static seg_status find(seg_context *ctx, work *w, seg_thin_evidence *evidence) {
    SEG_TRY(look(ctx, w));
    if (!w->marked[0] || !w->marked[1])
        return SEG_OK;
    smooth(w);
    for (int times = 1; times <= WIDTHS && is_small(w, times); times++)
        for (int bright = 0; bright < 2; bright++) {
            SEG_TRY(seg_poll(ctx));
            respond(w, times, bright);
            memset(w->count, 0, 2 * (size_t)LEVELS * sizeof *w->count);
            for (size_t m = 0; m < w->marks; m++)
                w->count[w->mark[w->at[m]] * (size_t)LEVELS + w->best[w->at[m]]]++;
            for (int c = 0; c < 2; c++) {
                const seg_thin_evidence one = judge(w, c, times, bright);
                if (is_better(&one, evidence))
                    *evidence = one;
            }
        }
    return SEG_OK;
}

/* The response at the middle of a pixel of the mask, interpolated between the pixels of the image that was looked at;
 * times (2 * factor)^2, so exact. */
static inline uint64_t response_at(const work *w, int x, int y) {
    const int factor = w->factor, u = 2 * x + 1 + factor, v = 2 * y + 1 + factor,
              unit = 2 * factor; /* from one pixel before the first */
    const int left = seg_within(u / unit - 1, w->width), right = seg_within(u / unit, w->width);
    const uint16_t *above = w->best + (size_t)seg_within(v / unit - 1, w->height) * (size_t)w->width;
    const uint16_t *below = w->best + (size_t)seg_within(v / unit, w->height) * (size_t)w->width;
    const uint64_t a = (uint64_t)(u % unit), b = (uint64_t)(v % unit), whole = (uint64_t)unit;
    return (whole - b) * ((whole - a) * above[left] + a * above[right]) +
           b * ((whole - a) * below[left] + a * below[right]);
}

/* Replace the mask by the structure. */
static seg_status paint(seg_context *ctx, const work *w, const seg_thin_evidence *e, seg_label_rows *rows) {
    const int factor = w->factor;
    uint8_t *row = w->row;
    const uint64_t edge = (uint64_t)e->edge * (uint64_t)(4 * factor * factor);
    const int width = rows->width, across = e->times * factor;
    SEG_RELEASED(seg_label_rows_free) seg_label_rows made = {0};
    for (int y = 0; y < rows->height; y++) {
        if (y % 256 == 0)
            SEG_TRY(seg_poll(ctx));
        seg_label_rows_read(w->scribbles->rows, y, 0, width, row);
        for (int x = 0; x < width; x++) {
            const int is_thin = response_at(w, x, y) > edge && w->scribbles->column[row[x]] != !e->column;
            row[x] = (uint8_t)(is_thin ? e->column : !e->column);
        }
        SEG_TRY(seg_label_rows_append(ctx, width, 1, row, &made));
    }
    SEG_TRY(seg_specks_remove(ctx, w->scribbles, (size_t)LEAST_PIECE * (size_t)across * (size_t)across, &made));
    SEG_SWAP(seg_label_rows, made, *rows);
    return SEG_OK;
}

seg_status seg_thin_settle(seg_context *ctx, seg_photo_copy seen, const seg_pixel_scribbles *scribbles, int force,
                           seg_label_rows *rows, seg_thin_evidence *evidence) {
    const seg_image *photo = seen.image;
    const size_t n = (size_t)photo->width * (size_t)photo->height;
    const size_t wide = (size_t)photo->width + 2 * OUTSIDE, all = wide * ((size_t)photo->height + 2 * OUTSIDE);
    *evidence = (seg_thin_evidence){.column = -1};
    SEG_LOCAL(work, w, seg_alloc_zero(ctx, 1, sizeof *w));
    SEG_LOCAL(uint16_t, planes, seg_alloc(ctx, 3 * all + SCALES * n + 11 * wide + 4, sizeof *planes));
    SEG_LOCAL(uint32_t, at, seg_alloc(ctx, n, sizeof *at));
    SEG_LOCAL(uint32_t, count, seg_alloc(ctx, 2 * (size_t)LEVELS, sizeof *count));
    SEG_LOCAL(uint8_t, bytes, seg_alloc(ctx, 4 * n, 1));
    SEG_LOCAL(uint8_t, row, seg_alloc(ctx, (size_t)rows->width, 1));
    w->width = photo->width;
    w->height = photo->height;
    w->wide = photo->width + 2 * OUTSIDE;
    w->high = photo->height + 2 * OUTSIDE;
    w->photo = photo;
    w->factor = seen.factor;
    w->scribbles = scribbles;
    w->row = row;
    w->grey = planes;
    w->rows = planes + all;
    w->best = planes + 2 * all;
    w->three = planes + 3 * all;
    w->five = w->three + 5 * wide;
    w->padded = w->five + 5 * wide;
    for (int s = 0; s < SCALES; s++)
        w->around[s] = w->padded + wide + 4 + (size_t)s * n;
    w->at = at;
    w->mark = bytes;
    w->label = bytes + n;
    for (size_t c = 0; c < 2; c++)
        w->beside[c] = bytes + (2 + c) * n;
    w->count = count;
    read_columns(w, rows);
    SEG_TRY(find(ctx, w, evidence));
    evidence->found = seg_thin_is_evident(evidence) || (force && evidence->share > 0);
    if (!evidence->found)
        return SEG_OK;
    respond(w, evidence->times, evidence->bright);
    return paint(ctx, w, evidence, rows);
}
