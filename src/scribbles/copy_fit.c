#include "scribbles/copy_fit.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE     6000
#define LEAST      64   /* sampled pixels: fewer tell nothing */
#define KEPT       0.60 /* of the sample that a fit must follow */
#define STEPS      12   /* of concentration */
#define CURVES     4    /* rounds of curve and concentration */
#define FIRST      (-128)
#define KNOT_LEAST 6    /* sampled pixels around a knot */
#define AGREE      10   /* samples around a knot that are as near to their median have one shift */
#define KEEP_SHIFT 0.05 /* smaller gains end the concentration */

typedef struct pair {
    double term[SEG_COPY_TERMS];
    double copy[3];
    double off; /* largest channel's distance from the fit */
} pair;

static void terms_of(uint32_t colour, double *term) {
    const double r = seg_colour_channel(colour, 0), g = seg_colour_channel(colour, 1),
                 b = seg_colour_channel(colour, 2);
    const double most = r > g ? r > b ? r : b : g > b ? g : b, least = r < g ? r < b ? r : b : g < b ? g : b;
    const double all[SEG_COPY_TERMS] = {r, g, b, most, least, 255};
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

/* Solve a x = b for three right-hand sides in place; a little is added to the diagonal, for terms that are equal
 * (a grey image) and for samples of few colours. */
static void solve(double a[SEG_COPY_TERMS][SEG_COPY_TERMS], double b[SEG_COPY_TERMS][3]) {
    for (int i = 0; i < SEG_COPY_TERMS; i++)
        a[i][i] += 1e-6 * a[i][i] + 1;
    for (int i = 0; i < SEG_COPY_TERMS; i++) /* positive definite: no pivots */
        for (int j = i + 1; j < SEG_COPY_TERMS; j++) {
            const double f = a[j][i] / a[i][i];
            for (int k = i; k < SEG_COPY_TERMS; k++)
                a[j][k] -= f * a[i][k];
            for (int c = 0; c < 3; c++)
                b[j][c] -= f * b[i][c];
        }
    for (int i = SEG_COPY_TERMS - 1; i >= 0; i--)
        for (int c = 0; c < 3; c++) {
            for (int k = i + 1; k < SEG_COPY_TERMS; k++)
                b[i][c] -= a[i][k] * b[k][c];
            b[i][c] /= a[i][i];
        }
}

/* Least squares over the sampled pixels that are at most `within` off. A sample that is cut off at black or white says
 * nothing of the slope. */
static void fit_weights(const pair *sample, size_t n, double within, seg_copy_fit *fit) {
    double a[SEG_COPY_TERMS][SEG_COPY_TERMS] = {{0}}, b[SEG_COPY_TERMS][3] = {{0}};
    for (size_t s = 0; s < n; s++) {
        const pair *p = &sample[s];
        if (p->off > within)
            continue;
        for (int i = 0; i < SEG_COPY_TERMS; i++) {
            for (int j = 0; j < SEG_COPY_TERMS; j++)
                a[i][j] += p->term[i] * p->term[j];
            for (int c = 0; c < 3; c++)
                b[i][c] += p->term[i] * p->copy[c];
        }
    }
    solve(a, b);
    for (int c = 0; c < 3; c++)
        for (int t = 0; t < SEG_COPY_TERMS; t++)
            fit->weight[c][t] = b[t][c];
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

/* Give the knots without a shift of their own one between those of the next that have one. */
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

/* The curve: around each knot the mean of what the followed pixels are off, each with its weight there. */
static void fit_curve(const pair *sample, size_t n, double within, seg_copy_fit *fit) {
    for (int c = 0; c < 3; c++) {
        double sum[SEG_COPY_KNOTS] = {0}, weight[SEG_COPY_KNOTS] = {0}, *shift = fit->shift[c], along;
        uint8_t known[SEG_COPY_KNOTS];
        for (size_t s = 0; s < n; s++) {
            if (sample[s].off > within)
                continue;
            const double before = plain(fit, sample[s].term, c);
            const int knot = knot_before(before, &along);
            for (int k = 0; k < 2; k++) {
                const double w = k ? along : 1 - along;
                sum[knot + k] += w * (sample[s].copy[c] - before);
                weight[knot + k] += w;
            }
        }
        for (int k = 0; k < SEG_COPY_KNOTS; k++) {
            known[k] = weight[k] >= KNOT_LEAST;
            shift[k] = known[k] ? sum[k] / weight[k] : 0;
        }
        bridge(shift, known);
    }
}

/* The curve where the better part says nothing (the darkest, the brightest): the median of all samples around a knot,
 * where most of them agree. room: 3 n numbers. */
static void complete_curve(const pair *sample, size_t n, double *room, seg_copy_fit *fit) {
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

/* One start of the search, concentrated: fit what lies within the better part, again and again. */
static double concentrate(pair *sample, size_t n, double *room, seg_copy_fit *fit) {
    double within = measure(fit, sample, n, KEPT, room);
    for (int step = 0; step < STEPS; step++) {
        const double before = within;
        memset(fit->shift, 0, sizeof fit->shift);
        fit_weights(sample, n, within, fit);
        within = measure(fit, sample, n, KEPT, room);
        if (fabs(within - before) < KEEP_SHIFT)
            break;
    }
    for (int round = 0; round < CURVES; round++) {
        const seg_copy_fit kept = *fit;
        fit_curve(sample, n, within, fit);
        const double curved = measure(fit, sample, n, KEPT, room);
        if (curved >= within) {
            *fit = kept;
            within = measure(fit, sample, n, KEPT, room);
            break;
        }
        within = curved;
    }
    return within;
}

/* Identity, grey, and everything as it is. */
static void start_from(int start, pair *sample, size_t n, seg_copy_fit *fit) {
    static const double luma[3] = {0.299, 0.587, 0.114};
    memset(fit, 0, sizeof *fit);
    for (size_t s = 0; s < n; s++)
        sample[s].off = 0;
    if (start == 0)
        fit_weights(sample, n, 1, fit);
    for (int c = 0; start > 0 && c < 3; c++)
        for (int t = 0; t < 3; t++)
            fit->weight[c][t] = start == 1 ? t == c : start == 2 ? luma[t] : 0.5 * (t == c) + 0.5 * luma[t];
}

static double share_explained(const pair *sample, size_t n, double within) {
    double sum[3] = {0}, square[3] = {0}, rest = 0, all = 0, kept = 0;
    for (size_t s = 0; s < n; s++) {
        if (sample[s].off > within)
            continue;
        kept++;
        rest += 3 * sample[s].off * sample[s].off;
        for (int c = 0; c < 3; c++) {
            sum[c] += sample[s].copy[c];
            square[c] += sample[s].copy[c] * sample[s].copy[c];
        }
    }
    for (int c = 0; c < 3; c++)
        all += kept > 0 ? square[c] - sum[c] * sum[c] / kept : 0;
    return all > 0 && rest < all ? 1 - rest / all : 0;
}

static size_t take_sample(const seg_copy_pair *of, pair *sample) {
    const size_t pixels = (size_t)of->raster->width * (size_t)of->raster->height;
    size_t taken = 0, eligible = 0;
    for (int round = 0; round < 2; round++) { /* first they are counted */
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

seg_status seg_copy_fit_find(seg_context *ctx, const seg_copy_pair *of, seg_copy_fit *out, double *noise,
                             double *explained) {
    pair *sample = seg_alloc(ctx, SAMPLE, sizeof *sample);
    double *room = seg_alloc(ctx, SAMPLE, 3 * sizeof *room), best = INFINITY;
    const seg_status status = sample && room ? SEG_OK : SEG_ERR_MEMORY;
    memset(out, 0, sizeof *out);
    *noise = INFINITY;
    *explained = 0;
    const size_t n = status == SEG_OK ? take_sample(of, sample) : 0;
    for (int start = 0; n >= LEAST && start < 7; start++) {
        seg_copy_fit fit;
        double within;
        start_from(start < 4 ? start : start - 3, sample, n, &fit);
        if (start < 4) {
            within = concentrate(sample, n, room, &fit);
        } else { /* the terms as they are, and a curve: what gamma does */
            complete_curve(sample, n, room, &fit);
            within = measure(&fit, sample, n, KEPT, room);
        }
        if (within < best) {
            best = within;
            *out = fit;
        }
    }
    if (best < INFINITY) {
        const seg_copy_fit kept = *out;
        const double usual = measure(out, sample, n, KEPT, room);
        complete_curve(sample, n, room, out);
        if (measure(out, sample, n, KEPT, room) > usual + 1)
            *out = kept;
        *noise = measure(out, sample, n, 0.5, room);
        *explained = share_explained(sample, n, best);
    }
    free(sample);
    free(room);
    return status;
}
