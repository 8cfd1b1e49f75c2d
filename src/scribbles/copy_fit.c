#include "scribbles/copy_fit.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

#define SAMPLE     2000
#define LEAST      64   /* sampled pixels; fewer are too few for a fit */
#define KEPT       0.60 /* of the sample that a fit must follow */
#define FIRST      (-128)
#define GREYS      4
#define FINEST     0.05 /* step of the saturation */
#define KNOT_LEAST 6    /* sampled pixels around a knot */
#define AGREE      10   /* distance from the median that most samples around a knot must keep */

typedef struct pair {
    double term[SEG_COPY_TERMS];
    double copy[3];
    double off; /* largest channel's distance from the fit */
} pair;

static void terms_of(uint32_t colour, double *term) {
    const double r = seg_colour_channel(colour, 0), g = seg_colour_channel(colour, 1),
                 b = seg_colour_channel(colour, 2);
    const double most = r > g ? r > b ? r : b : g > b ? g : b, least = r < g ? r < b ? r : b : g < b ? g : b;
    const double all[SEG_COPY_TERMS] = {r, g, b, most, least};
    memcpy(term, all, sizeof all);
}

/* The weighted sum of the terms, and the same with the curve. */
static double plain(const seg_copy_fit *fit, const double *term, int c) {
    double sum = 0;
    for (int t = 0; t < SEG_COPY_TERMS; t++)
        sum += fit->weight[c][t] * term[t];
    return sum;
}

/* The knot before a sum; *along: how far it is from there to the next one, 0..1. */
static int knot_before(double sum, double *along) {
    const double place = fmin(fmax((sum - FIRST) / SEG_COPY_SPAN, 0), SEG_COPY_KNOTS - 1);
    const int knot = (int)place > SEG_COPY_KNOTS - 2 ? SEG_COPY_KNOTS - 2 : (int)place;
    *along = place - knot;
    return knot;
}

static double apply(const seg_copy_fit *fit, const double *term, int c) {
    double sum = plain(fit, term, c), along;
    const double *shift = fit->shift[c] + knot_before(sum, &along);
    sum += shift[0] + along * (shift[1] - shift[0]);
    return sum < 0 ? 0 : sum > 255 ? 255 : sum;
}

uint32_t seg_copy_colour(const seg_copy_fit *fit, uint32_t colour) {
    double term[SEG_COPY_TERMS];
    unsigned rgb[3];
    terms_of(colour, term);
    for (int c = 0; c < 3; c++)
        rgb[c] = (unsigned)(apply(fit, term, c) + 0.5);
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

/* The value that would stand at `place` if the values were sorted; they change their order. */
static double value_at(double *value, size_t n, size_t place) {
    const ptrdiff_t wanted = (ptrdiff_t)place;
    for (ptrdiff_t low = 0, high = (ptrdiff_t)n - 1; low < high;) {
        const double pivot = value[wanted];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot)
                i++;
            while (value[j] > pivot)
                j--;
            if (i <= j) {
                const double kept = value[i];
                value[i++] = value[j];
                value[j--] = kept;
            }
        }
        low = j < wanted ? i : low;
        high = wanted < i ? j : high;
    }
    return value[wanted];
}

/* Take every sample's distance. @return the distance within which the share `part` of them is */
static double measure(const seg_copy_fit *fit, pair *sample, size_t n, double part, double *room) {
    for (size_t s = 0; s < n; s++) {
        double most = 0;
        for (int c = 0; c < 3; c++) {
            const double off = fabs(apply(fit, sample[s].term, c) - sample[s].copy[c]);
            most = off > most ? off : most;
        }
        room[s] = sample[s].off = most;
    }
    return value_at(room, n, (size_t)(part * (double)(n - 1)));
}

/* Interpolate the shifts of knots that are not known from the nearest that are. */
static void bridge(double *shift, const uint8_t *known) {
    int last = -1;
    for (int k = 0; k < SEG_COPY_KNOTS; k++) {
        if (!known[k])
            continue;
        for (int i = last + 1; i < k; i++)
            shift[i] = last < 0 ? shift[k] : shift[last] + (shift[k] - shift[last]) * (i - last) / (k - last);
        last = k;
    }
    for (int k = last + 1; k < SEG_COPY_KNOTS && last >= 0; k++)
        shift[k] = shift[last];
}

/* The curve: the median of all samples around a knot, where most of them agree. room: 3 n numbers. */
static void find_curve(const pair *sample, size_t n, double *room, seg_copy_fit *fit) {
    double *around = room, *place = room + n, *off = place + n;
    for (int c = 0; c < 3; c++) {
        uint8_t known[SEG_COPY_KNOTS] = {0};
        for (size_t s = 0; s < n; s++) {
            const double before = plain(fit, sample[s].term, c);
            place[s] = (before - FIRST) / SEG_COPY_SPAN;
            off[s] = sample[s].copy[c] - before;
        }
        for (int k = 0; k < SEG_COPY_KNOTS; k++) {
            size_t count = 0, agree = 0;
            for (size_t s = 0; s < n; s++)
                if (fabs(place[s] - k) <= 1)
                    around[count++] = off[s];
            if (count < KNOT_LEAST)
                continue;
            const double middle = value_at(around, count, count / 2);
            for (size_t i = 0; i < count; i++)
                agree += fabs(around[i] - middle) <= AGREE;
            known[k] = 5 * agree >= 3 * count;
            fit->shift[c][k] = known[k] ? middle : fit->shift[c][k];
        }
        bridge(fit->shift[c], known);
    }
}

/* How much of the variance of the samples within that distance the fit explains; 0 where what is brighter in the image
 * is darker in the copy, for a negative is another image. */
static double share_explained(const seg_copy_fit *fit, const pair *sample, size_t n, double within) {
    double rest = 0, all = 0;
    for (int c = 0; c < 3; c++) {
        double kept = 0, sum = 0, square = 0, below = 0, product = 0;
        for (size_t s = 0; s < n; s++) {
            if (sample[s].off > within)
                continue;
            const double before = plain(fit, sample[s].term, c), copy = sample[s].copy[c];
            kept++;
            rest += sample[s].off * sample[s].off;
            sum += copy;
            square += copy * copy;
            below += before;
            product += before * copy;
        }
        if (kept * product <= sum * below)
            return 0;
        all += square - sum * sum / kept;
    }
    return rest < all ? 1 - rest / all : 0;
}

static size_t take_sample(const seg_copy_pair *of, pair *sample) {
    const size_t pixels = (size_t)of->raster->width * (size_t)of->raster->height;
    size_t taken = 0, eligible = 0;
    for (int round = 0; round < 2; round++) { /* the first round counts them */
        const size_t step = round ? eligible / SAMPLE + 1 : 1;
        size_t seen = 0;
        for (size_t i = 0; i < pixels && taken < SAMPLE; i++) {
            if (!seg_copy_counts(of, i))
                continue;
            if (round &&
                seen % step == seen / step * 7919 % step) { /* one of every `step`, not always in the same column */
                pair *p = &sample[taken++];
                terms_of(seg_image_colour(of->photo, i), p->term);
                for (int c = 0; c < 3; c++)
                    p->copy[c] = seg_colour_channel(seg_raster_colour(of->raster, i), c);
            }
            seen++;
        }
        eligible = seen;
    }
    return taken;
}

typedef struct search {
    pair *sample;
    size_t n;
    double *room;        /* for 3 n numbers */
    double within, keep; /* of the best fit: distance of most samples, and its saturation */
    int grey;            /* and its kind of grey */
    seg_copy_fit *best;
} search;

/* Try a copy with so much of the colours left (1: all), the rest a grey of that kind. */
static void try_fit(search *f, int grey, double keep) {
    static const double greys[GREYS][SEG_COPY_TERMS] = {
        {0.299, 0.587, 0.114}, {1 / 3., 1 / 3., 1 / 3.}, {0, 0, 0, 1}, {0, 0, 0, 0.5, 0.5}};
    seg_copy_fit fit = {{{0}}};
    for (int c = 0; c < 3; c++)
        for (int t = 0; t < SEG_COPY_TERMS; t++)
            fit.weight[c][t] = keep * (t == c) + (1 - keep) * greys[grey][t];
    find_curve(f->sample, f->n, f->room, &fit);
    const double within = measure(&fit, f->sample, f->n, KEPT, f->room);
    if (within >= f->within)
        return;
    f->within = within;
    f->keep = keep;
    f->grey = grey;
    *f->best = fit;
}

seg_status seg_copy_fit_find(seg_context *ctx, const seg_copy_pair *of, seg_copy_fit *out, double *noise,
                             double *explained) {
    SEG_FREED pair *sample = seg_alloc(ctx, SAMPLE, sizeof *sample);
    SEG_FREED double *room = seg_alloc(ctx, SAMPLE, 3 * sizeof *room);
    search f = {.sample = sample, .room = room, .within = INFINITY, .best = out};
    memset(out, 0, sizeof *out);
    *noise = INFINITY;
    *explained = 0;
    if (!sample || !room)
        return SEG_ERR_MEMORY;
    f.n = take_sample(of, sample);
    if (f.n >= LEAST) {
        try_fit(&f, 0, 1);
        for (int grey = 0; grey < GREYS; grey++)
            for (double keep = 0; keep < 2; keep += keep ? 1 : 0.5)
                try_fit(&f, grey, keep);
        for (double step = 0.25; step > FINEST; step /= 2) {
            const double keep = f.keep;
            try_fit(&f, f.grey, keep - step);
            try_fit(&f, f.grey, keep + step);
        }
        const double within = measure(out, f.sample, f.n, KEPT, f.room);
        *noise = measure(out, f.sample, f.n, 0.5, f.room);
        *explained = share_explained(out, f.sample, f.n, within);
    }
    return SEG_OK;
}
