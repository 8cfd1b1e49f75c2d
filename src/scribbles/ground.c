/* The ground of scribbles, by the first rule that applies:
 *
 * 1. A copy of the image: at least half of the pixels, and at least half of those that are not black (black ground
 *    also "equals" a dark image), have the image's colour. A file of few colours is a copy only if the
 *    image has few too, and their colours must be equal: otherwise labels 1, 2, 3 would be taken for a dark image.
 * 2. Transparency: at least half of the pixels are not opaque.
 * 3. The colour of at least half of the pixels, where that is black, white or a grey.
 * 4. A changed copy: the image after a change of saturation and a tone curve, fitted by medians over a sample of the
 *    pixels, so that strokes on up to two fifths of the pixels have no effect.
 * 5. Black. */
#include "scribbles/ground.h"
#include "base/base.h"

#define DECODERS_DIFFER 24 /* largest difference of two JPEG decoders, mostly at colour edges */
#define JPEG_DIFFERS    32 /* largest difference of a JPEG copy from its source */
#define JPEG_BLACK      40 /* tolerance of a JPEG's black ground, for compression artefacts */
#define JPEG_FLAT       24 /* likewise ground of another colour */
#define FEW_COLOURS     64
#define FIT_COLOURS     16 /* with fewer colours a fit may be a coincidence */
#define GREY            12 /* largest difference between the channels of a grey */

/* A changed copy. */
#define SAMPLE          2000
#define STEP            7919 /* pixels from one sample to the next */
#define LEAST           64   /* least sampled pixels for a fit */
#define KEPT            0.60 /* quantile of the distances of the sample by which fits are compared */
#define GREYS           4
#define FINEST          0.05 /* resolution of the search for the saturation */
#define SPAN            4    /* values between two knots of the curve */
#define KNOTS           65
#define KNOT_LEAST      6  /* sampled pixels around a knot */
#define AGREE           10 /* distance from the median within which three fifths of the samples around a knot must be */
#define CORRELATED      0.9 /* least correlation of a copy with the image; the correlation of a negative is below 0 */
#define MOST_NOISE      16  /* median distance from a fit */
#define LEAST_TOLERANCE 6
#define MOST_TOLERANCE  48
#define LEAST_FOLLOWING 0.55 /* least share of pixels within the tolerance of the fit */
#define MUCH_BETTER     1.15 /* least ratio of pixels that match a changed copy to those that match an unchanged one */

/* A raster, and the image of the same size of which it may be a copy. */
typedef struct pair {
    const seg_raster *raster;
    const seg_image *photo;
    unsigned least;
    size_t pixels;
} pair;

static int is_visible(const pair *p, size_t pixel) {
    return seg_raster_visible(p->raster, pixel, p->least);
}

/* ---- changed copies ---- */

/* The mixture of a channel and the grey. */
static double mixture(const seg_ground *ground, uint32_t colour, int channel) {
    const double r = seg_colour_channel(colour, 0), g = seg_colour_channel(colour, 1),
                 b = seg_colour_channel(colour, 2);
    const double most = fmax(r, fmax(g, b)), least = fmin(r, fmin(g, b));
    const double greys[GREYS] = {0.299 * r + 0.587 * g + 0.114 * b, (r + g + b) / 3, most, (most + least) / 2};
    return ground->keep * seg_colour_channel(colour, channel) + (1 - ground->keep) * greys[ground->grey];
}

static uint32_t changed_colour(const seg_ground *ground, uint32_t colour) {
    unsigned rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = ground->curve[c][(int)(mixture(ground, colour, c) + 0.5)];
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

uint32_t seg_ground_at(const seg_ground *ground, size_t pixel) {
    if (!seg_ground_is_copy(ground))
        return ground->colour;
    const uint32_t colour = seg_image_colour(ground->photo, pixel);
    return ground->kind == SEG_GROUND_COPY ? colour : changed_colour(ground, colour);
}

typedef struct sampled {
    uint32_t photo, copy;
} sampled;

/* A sample of the pixels, and the best fit so far. */
typedef struct fit {
    sampled sample[SAMPLE];
    size_t n;
    double room[SAMPLE], place[SAMPLE];
    double within; /* KEPT quantile of the distances of the sample from `best` */
    seg_ground best;
} fit;

/* The quantile `part` of the values, which are sorted here. */
static double quantile(double *value, size_t n, double part) {
    qsort(value, n, sizeof *value, seg_by_value);
    return value[(size_t)(part * (double)(n - 1))];
}

/* The quantile `part` of the distances of the sample from the fit. */
static double distance_of(fit *f, const seg_ground *ground, double part) {
    for (size_t s = 0; s < f->n; s++)
        f->room[s] = seg_colour_distance(changed_colour(ground, f->sample[s].photo), f->sample[s].copy);
    return quantile(f->room, f->n, part);
}

/* The curve from its shifts at the known knots: linear interpolation between them, constant shift beyond them. */
static void draw_curve(const double *shift, const uint8_t *known, uint8_t curve[256]) {
    for (int v = 0; v < 256; v++) {
        int a = v / SPAN, b = (v + SPAN - 1) / SPAN;
        while (a >= 0 && !known[a])
            a--;
        while (b < KNOTS && !known[b])
            b++;
        if (a < 0 || b == KNOTS)
            a = b = a >= 0 ? a : b < KNOTS ? b : 0;
        const double along = a == b ? 0 : (double)(v - SPAN * a) / (SPAN * (b - a));
        curve[v] = (uint8_t)(fmin(fmax(v + shift[a] + along * (shift[b] - shift[a]), 0), 255) + 0.5);
    }
}

/* Fit the curve of one channel: at each knot the median shift of the samples around it, if most of them agree. */
static void find_curve(fit *f, int channel, seg_ground *ground) {
    double shift[KNOTS] = {0};
    uint8_t known[KNOTS] = {0};
    for (size_t s = 0; s < f->n; s++)
        f->place[s] = mixture(ground, f->sample[s].photo, channel);
    for (int k = 0; k < KNOTS; k++) {
        size_t count = 0, agree = 0;
        for (size_t s = 0; s < f->n; s++)
            if (fabs(f->place[s] - SPAN * k) <= SPAN)
                f->room[count++] = seg_colour_channel(f->sample[s].copy, channel) - f->place[s];
        if (count < KNOT_LEAST)
            continue;
        shift[k] = quantile(f->room, count, 0.5);
        for (size_t i = 0; i < count; i++)
            agree += fabs(f->room[i] - shift[k]) <= AGREE;
        known[k] = 5 * agree >= 3 * count;
    }
    draw_curve(shift, known, ground->curve[channel]);
}

/* Fit a copy with the share `keep` of the colours (1: all), the rest being that grey; store it if it is the best. */
static void try_fit(fit *f, int grey, double keep) {
    seg_ground tried = f->best;
    tried.grey = grey;
    tried.keep = fmin(fmax(keep, 0), 1);
    for (int c = 0; c < 3; c++)
        find_curve(f, c, &tried);
    const double within = distance_of(f, &tried, KEPT);
    if (within >= f->within)
        return;
    f->within = within;
    f->best = tried;
}

/* The correlation of the colours of the copy and the image, over the samples that match the fit. */
static double correlation(const fit *f) {
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t s = 0; s < f->n; s++)
        for (int c = 0; c < 3; c++) {
            if (seg_colour_distance(changed_colour(&f->best, f->sample[s].photo), f->sample[s].copy) > f->within)
                continue;
            const double a = mixture(&f->best, f->sample[s].photo, c), b = seg_colour_channel(f->sample[s].copy, c);
            n++;
            x += a;
            y += b;
            xx += a * a;
            yy += b * b;
            xy += a * b;
        }
    const double spread = (n * xx - x * x) * (n * yy - y * y);
    return spread > 0 ? (n * xy - x * y) / sqrt(spread) : 0;
}

static void take_sample(const pair *p, fit *f) {
    for (size_t k = 0; k < p->pixels && f->n < SAMPLE; k++) {
        const size_t i = k * STEP % p->pixels;
        if (is_visible(p, i))
            f->sample[f->n++] = (sampled){seg_image_colour(p->photo, i), seg_raster_colour(p->raster, i)};
    }
}

/* Search the greys and saturations for the fit with the least KEPT quantile of distances. */
static void search(fit *f) {
    f->within = INFINITY;
    try_fit(f, 0, 1);
    for (int grey = 0; grey < GREYS; grey++)
        for (double keep = 0; keep < 1; keep += 0.5)
            try_fit(f, grey, keep);
    for (double step = 0.25; step > FINEST; step /= 2) {
        const double keep = f->best.keep;
        try_fit(f, f->best.grey, keep - step);
        try_fit(f, f->best.grey, keep + step);
    }
}

/* ---- counts over all pixels ---- */

/* Counted pixels; _COLOUR: only those that are not black. */
enum { ALL, COLOUR, EXACT, EXACT_COLOUR, CLOSE, CLOSE_COLOUR, FOLLOWING, COUNTS };

typedef struct comparison {
    const pair *pair;
    int near, black;           /* largest distance of a colour that is close or matches the fit; of black */
    const seg_ground *changed; /* NULL: none */
    int64_t count[COUNTS];     /* atomic */
} comparison;

static void compare(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    comparison *c = arg;
    int64_t count[COUNTS] = {0};
    for (size_t i = first; i < last; i++) {
        if (!is_visible(c->pair, i))
            continue;
        const uint32_t colour = seg_raster_colour(c->pair->raster, i), under = seg_image_colour(c->pair->photo, i);
        const int distance = seg_colour_distance(colour, under), coloured = seg_colour_distance(colour, 0) > c->black;
        count[ALL]++;
        count[COLOUR] += coloured;
        count[EXACT] += distance == 0;
        count[EXACT_COLOUR] += distance == 0 && coloured;
        count[CLOSE] += distance <= c->near;
        count[CLOSE_COLOUR] += distance <= c->near && coloured;
        count[FOLLOWING] += c->changed && seg_colour_distance(colour, changed_colour(c->changed, under)) <= c->near;
    }
    for (int k = 0; k < COUNTS; k++)
        __atomic_fetch_add(&c->count[k], count[k], __ATOMIC_RELAXED);
}

/* Count colours, up to FEW_COLOURS + 1. */
static seg_status count_colours(seg_context *ctx, const seg_colour_source *source, size_t *colours) {
    SEG_FREED seg_colour_count *list = NULL;
    return seg_colours_list(ctx, source, FEW_COLOURS, &list, colours);
}

/* Rule 1. */
static seg_status is_copy(seg_context *ctx, const pair *p, int few_colours, seg_ground *out, int *fits) {
    const int lossy = p->raster->lossy, near = lossy ? JPEG_DIFFERS : DECODERS_DIFFER;
    comparison c = {.pair = p, .near = near, .black = lossy ? JPEG_BLACK : 0};
    size_t colours = 0;
    *fits = 0;
    if (few_colours)
        SEG_TRY(count_colours(ctx, &(seg_colour_source){.image = p->photo}, &colours));
    if (colours > FEW_COLOURS)
        return SEG_OK;
    seg_parallel(ctx, p->pixels, 0, compare, &c);
    const int64_t close = c.count[few_colours ? EXACT : CLOSE];
    *fits = 2 * close >= (int64_t)p->pixels &&
            2 * c.count[few_colours ? EXACT_COLOUR : CLOSE_COLOUR] >= c.count[COLOUR] && c.count[COLOUR] > 0;
    if (*fits) {
        out->kind = SEG_GROUND_COPY;
        out->photo = p->photo;
        out->tolerance = !lossy && 100 * c.count[EXACT] >= 99 * close ? 0 : near;
    }
    return SEG_OK;
}

/* Rule 4, also tried where rule 1 applies with a tolerance. */
static seg_status try_changed_copy(seg_context *ctx, const pair *p, seg_ground *out) {
    SEG_LOCAL(fit, f, seg_alloc_zero(ctx, 1, sizeof *f));
    f->best.kind = SEG_GROUND_CHANGED;
    f->best.photo = p->photo;
    take_sample(p, f);
    if (f->n < LEAST)
        return SEG_OK;
    search(f);
    const double noise = distance_of(f, &f->best, 0.5), wanted = 4 * noise + 3;
    if (noise > MOST_NOISE || correlation(f) < CORRELATED)
        return SEG_OK;
    f->best.tolerance = (int)fmin(fmax(wanted, LEAST_TOLERANCE), MOST_TOLERANCE);
    comparison c = {.pair = p, .near = f->best.tolerance, .changed = &f->best};
    seg_parallel(ctx, p->pixels, 0, compare, &c);
    const double following = (double)c.count[FOLLOWING], all = (double)c.count[ALL];
    if (following >= LEAST_FOLLOWING * all && 2 * all >= (double)p->pixels &&
        (out->kind != SEG_GROUND_COPY ||
         (f->best.tolerance < out->tolerance && following > MUCH_BETTER * (double)c.count[CLOSE])))
        *out = f->best;
    return SEG_OK;
}

/* The colour of more than half of the visible pixels, if there is one, and the share of pixels within `near` of it. */
static uint32_t majority(const pair *p, int near, double *share) {
    size_t lead = 0, visible = 0, close = 0;
    uint32_t colour = 0;
    for (size_t i = 0; i < p->pixels; i++) { /* majority vote (Boyer and Moore) */
        if (!is_visible(p, i))
            continue;
        const uint32_t here = seg_raster_colour(p->raster, i);
        colour = lead ? colour : here;
        lead = here == colour ? lead + 1 : lead - 1;
    }
    for (size_t i = 0; i < p->pixels; i++) {
        visible += (size_t)is_visible(p, i);
        close += is_visible(p, i) && seg_colour_distance(seg_raster_colour(p->raster, i), colour) <= near;
    }
    *share = visible ? (double)close / (double)visible : 0;
    return colour;
}

static int is_grey(uint32_t colour) {
    const int r = seg_colour_channel(colour, 0), g = seg_colour_channel(colour, 1), b = seg_colour_channel(colour, 2);
    return abs(r - g) <= GREY && abs(g - b) <= GREY && abs(r - b) <= GREY;
}

seg_status seg_ground_find(seg_context *ctx, const seg_raster *raster, const seg_image *photo, unsigned least,
                           seg_ground *out) {
    const pair p = {raster, photo, least, (size_t)raster->width * (size_t)raster->height};
    const int lossy = raster->lossy;
    size_t clear = 0, colours = FEW_COLOURS + 1;
    double share = 0;
    int fits = 0;
    memset(out, 0, sizeof *out);
    out->tolerance = lossy ? JPEG_BLACK : 0;
    if (!lossy)
        SEG_TRY(count_colours(ctx, &(seg_colour_source){.raster = raster, .least = least}, &colours));
    const int few = colours <= FEW_COLOURS, enough = colours >= FIT_COLOURS; /* for a fit */
    if (photo && !(few && raster->kind == SEG_RASTER_PALETTE)) /* with few colours the index is the label */
        SEG_TRY(is_copy(ctx, &p, few, out, &fits));
    if (fits) /* a changed copy may match better */
        return out->tolerance && enough ? try_changed_copy(ctx, &p, out) : SEG_OK;
    for (size_t i = 0; i < p.pixels; i++)
        clear += !is_visible(&p, i);
    if (2 * clear >= p.pixels) {
        out->kind = SEG_GROUND_CLEAR;
        return SEG_OK;
    }
    const uint32_t colour = majority(&p, lossy ? JPEG_FLAT : 0, &share);
    if (share >= 0.5 && is_grey(colour)) {
        if (seg_colour_distance(colour, 0) > out->tolerance) {
            out->colour = colour;
            out->tolerance = lossy ? JPEG_FLAT : 0;
        }
        return SEG_OK;
    }
    return photo && enough ? try_changed_copy(ctx, &p, out) : SEG_OK;
}

void seg_ground_name(const seg_ground *ground, char *text, size_t size) {
    if (ground->kind == SEG_GROUND_CLEAR)
        snprintf(text, size, "transparent ground");
    else if (seg_ground_is_copy(ground))
        snprintf(text, size, "a copy of the image%s",
                 ground->kind == SEG_GROUND_CHANGED ? " with changed colours" : "");
    else
        snprintf(text, size, "%s ground (#%06x)",
                 ground->colour == 0          ? "black"
                 : ground->colour == 0xffffff ? "white"
                                              : "grey",
                 (unsigned)ground->colour);
}
