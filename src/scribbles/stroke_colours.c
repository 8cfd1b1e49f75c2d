/* The colours of strokes with soft edges, in JPEGs, or on a ground that is known only approximately.
 *
 * A pixel belongs to the core of a stroke if it has neighbours of similar colour and no pixel near it is painted more
 * strongly in what may be the same colour. Thus the soft edges of a brush are not core, however broad they are, and a
 * thin line has a core in its middle. A sample of the core pixels is then explained by few colours, greedily: each time
 * by the colour that explains most of the rest. */
#include "base/base.h"
#include "scribbles/strokes.h"

/* Conditions for core pixels. */
#define REACH  2 /* radius in pixels of the search for a stronger pixel: a soft edge is two or three pixels wide */
#define MOSTLY 6 /* least similar neighbours of a core pixel in JPEGs and 256 colours, where single pixels differ */
#define ALONG  2 /* least similar neighbours where colours are exact: a thin line has two */

/* The sample and the colours found in it. */
#define MOST_SOFT    60
#define SAMPLE       2048 /* core pixels: every colour is compared with all of them, so the time is quadratic */
#define LEAST        4    /* least sampled pixels of a colour: fewer may agree by chance */
#define LEAST_PIXELS 9    /* least pixels that these represent: a dot of 3 x 3 is a stroke */
#define RARE_PART    250 /* a colour has at least 1 / 250 of the sample: rarer ones are compression artefacts at edges */
#define APART        32  /* colours that people choose differ by more; closer ones are one colour after compression */
#define EXTREME      12  /* values this close to 0 or 255 in a JPEG become 0 or 255, with which people paint */
#define BESIDE       8   /* largest distance in pixels of a weaker tone from its core: the block of a JPEG */

/* Translucent strokes, which are refused. */
#define VARIED  4   /* least variance of the ground for the test */
#define THROUGH 0.2 /* regression slope of the strokes' colours on the ground's: 0 for opaque strokes */

/* ---- blends ---- */

#define CURVE_ERROR 5 /* error of the square as an approximation of sRGB's curve */

/* A sample in sRGB, or (linear) as light, approximated by the square. */
static int64_t level(int value, int linear) {
    return linear ? value < 0 ? 0 : (int64_t)value * value : value;
}

static int is_mix(uint32_t x, uint32_t flat, uint32_t ground, int residual, int linear) {
    int64_t u[3], uu = 0, uv = 0; /* at most 3 * 255^4; their products with a level fit in 63 bits */
    for (int c = 0; c < 3; c++) {
        const int64_t under = level(seg_colour_channel(ground, c), linear);
        u[c] = level(seg_colour_channel(flat, c), linear) - under;
        uu += u[c] * u[c];
        uv += u[c] * (level(seg_colour_channel(x, c), linear) - under);
    }
    if (uv <= 0 || uv >= uu)
        return 0;
    for (int c = 0; c < 3; c++) {
        const int64_t mixed = level(seg_colour_channel(ground, c), linear) * uu + uv * u[c];
        if (mixed < level(seg_colour_channel(x, c) - residual, linear) * uu ||
            mixed > level(seg_colour_channel(x, c) + residual, linear) * uu)
            return 0;
    }
    return 1;
}

int seg_is_blend(uint32_t x, uint32_t flat, uint32_t ground, int residual) {
    return is_mix(x, flat, ground, residual, 0) || is_mix(x, flat, ground, residual + CURVE_ERROR, 1);
}

/* ---- cores ---- */

/* A pixel that others are compared with. */
typedef struct tone {
    uint32_t colour, ground;
    int contrast;
} tone;

static int is_alike(const seg_strokes *s, size_t other, const void *arg) {
    const tone *own = arg;
    return s->label[other] && seg_colour_distance(seg_strokes_colour(s, other), own->colour) <= s->limits.tight;
}

/* 1 where pixel `other` is painted more strongly in what may be the same colour. */
static int is_stronger(const seg_strokes *s, size_t other, const void *arg) {
    const tone *own = arg;
    const uint32_t colour = seg_strokes_colour(s, other);
    return s->label[other] && seg_strokes_contrast(s, colour, own->ground) >= own->contrast + s->limits.slack &&
           seg_is_blend(own->colour, colour, own->ground, s->limits.off);
}

static int is_core(const seg_strokes *s, size_t pixel) {
    tone own = {.colour = seg_strokes_colour(s, pixel), .ground = seg_strokes_ground(s, pixel)};
    const size_t wanted = 1 + (s->rough ? MOSTLY : ALONG); /* itself included */
    own.contrast = seg_strokes_contrast(s, own.colour, own.ground);
    return own.contrast >= s->limits.contrast && seg_strokes_around(s, pixel, 1, wanted, is_alike, &own) == wanted &&
           !seg_strokes_around(s, pixel, REACH, 1, is_stronger, &own);
}

static size_t find_cores(seg_strokes *s) {
    size_t cores = 0;
    for (size_t i = 0; i < s->pixels; i++)
        if (s->label[i]) {
            s->label[i] = is_core(s, i) ? SEG_STROKE_CORE : SEG_STROKE_PAINTED;
            cores += s->label[i] == SEG_STROKE_CORE;
        }
    return cores;
}

typedef struct core {
    uint32_t colour, ground;
    size_t pixel;
    int owner; /* index of the colour that explains it, -1 without one */
} core;

static size_t take_sample(const seg_strokes *s, size_t cores, core *sample) {
    size_t taken = 0, seen = 0;
    for (size_t i = 0; i < s->pixels && taken < SAMPLE; i++) {
        if (s->label[i] != SEG_STROKE_CORE)
            continue;
        /* samples are spread evenly over the core pixels */
        if (cores <= SAMPLE || (uint64_t)seen * SAMPLE >= (uint64_t)taken * cores)
            sample[taken++] = (core){seg_strokes_colour(s, i), seg_strokes_ground(s, i), i, -1};
        seen++;
    }
    return taken;
}

/* The search for colours. */
typedef struct search {
    seg_strokes *s;
    core *sample;
    size_t n, owned; /* size of the sample; those of it with an owner */
    double each;     /* core pixels per pixel of the sample */
} search;

/* 1 where a sampled pixel has no owner yet and is within `within` of the colour. */
static int is_free(const core *c, uint32_t colour, int within) {
    return c->owner < 0 && seg_colour_distance(c->colour, colour) <= within;
}

/* The colour of a free sample near `from` (UINT32_MAX: any) with most free samples within `within`. @return how many */
static size_t most_frequent(const search *f, uint32_t from, int within, uint32_t *colour) {
    size_t best = 0;
    uint32_t last = UINT32_MAX;
    *colour = 0;
    for (size_t i = 0; i < f->n; i++) {
        const core *c = &f->sample[i];
        if (c->colour == last || !is_free(c, from == UINT32_MAX ? c->colour : from, f->s->limits.tight))
            continue;
        last = c->colour;
        size_t count = 0;
        for (size_t j = 0; j < f->n; j++)
            count += is_free(&f->sample[j], last, within);
        if (count > best || (count == best && count && last < *colour)) {
            best = count;
            *colour = last;
        }
    }
    return best;
}

/* The colour of the brush: the most frequent exact colour near `colour`; JPEG values near 0 or 255 become 0 or 255. */
static uint32_t settle(const search *f, uint32_t colour) {
    unsigned rgb[3];
    most_frequent(f, colour, 0, &colour);
    for (int c = 0; c < 3; c++) {
        const int value = seg_colour_channel(colour, c);
        rgb[c] = (unsigned)(!f->s->raster->lossy ? value : value <= EXTREME ? 0 : value >= 255 - EXTREME ? 255 : value);
    }
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

static int is_core_of(const seg_strokes *s, size_t pixel, const void *colour) {
    return s->label[pixel] == SEG_STROKE_CORE &&
           seg_colour_distance(seg_strokes_colour(s, pixel), *(const uint32_t *)colour) <= s->limits.tight;
}

/* 1 where at least two thirds of the samples of `weak` are blends of the ground and a core of `strong` near them: the
 * tones of a thin soft line, not a stroke of its own. */
static int is_tone_of(const search *f, int weak, uint32_t strong) {
    size_t all = 0, tones = 0;
    for (size_t i = 0; i < f->n; i++) {
        const core *c = &f->sample[i];
        if (c->owner != weak)
            continue;
        all++;
        tones += seg_colour_distance(strong, c->ground) >= seg_colour_distance(c->colour, c->ground) &&
                 seg_is_blend(c->colour, strong, c->ground, f->s->limits.off) &&
                 seg_strokes_around(f->s, c->pixel, BESIDE, 1, is_core_of, &strong);
    }
    return 3 * tones >= 2 * all;
}

/* Set the count of tones of other colours to 0. A tone mostly comes after its colour, which explains more samples, but
 * before it in a thin line. */
static void drop_tones(search *f) {
    seg_stroke_colour *list = f->s->colour;
    const size_t colours = f->s->colours;
    for (size_t w = 0; w < colours; w++)
        for (size_t o = 0; o < colours && list[w].count; o++)
            if (o != w && list[o].count && is_tone_of(f, (int)w, list[o].colour))
                list[w].count = 0;
}

static int by_colour(const void *a, const void *b) {
    const seg_stroke_colour *x = a, *y = b;
    return x->colour < y->colour ? -1 : x->colour > y->colour;
}

/* Explain the sample by colours, the one that explains most first. */
static void explain(search *f) {
    seg_strokes *s = f->s;
    size_t least = f->n / RARE_PART < LEAST ? LEAST : f->n / RARE_PART;
    while ((double)least * f->each < LEAST_PIXELS)
        least++;
    for (s->colours = 0; s->colours < MOST_SOFT; s->colours++) {
        seg_stroke_colour *next = &s->colour[s->colours];
        if (most_frequent(f, UINT32_MAX, s->limits.tight, &next->colour) < least)
            break;
        next->colour = settle(f, next->colour);
        const size_t before = f->owned;
        for (size_t i = 0; i < f->n; i++)
            if (is_free(&f->sample[i], next->colour, APART)) {
                f->sample[i].owner = (int)s->colours;
                f->owned++;
            }
        next->count = (size_t)((double)(f->owned - before) * f->each + 0.5);
    }
}

/* 1 where the core colour of some stroke varies with the ground under it: the brush is translucent. */
static int shows_ground(const search *f) {
    for (int owner = 0; owner < (int)f->s->colours; owner++) {
        double count = 0, g[3] = {0}, x[3] = {0}, gg = 0, gx = 0;
        for (size_t i = 0; i < f->n; i++)
            for (int c = 0; c < 3 && f->sample[i].owner == owner; c++) {
                const double under = seg_colour_channel(f->sample[i].ground, c);
                const double over = seg_colour_channel(f->sample[i].colour, c);
                count += c == 0;
                g[c] += under;
                x[c] += over;
                gg += under * under;
                gx += under * over;
            }
        for (int c = 0; c < 3; c++) {
            gg -= g[c] * g[c] / count;
            gx -= g[c] * x[c] / count;
        }
        if (f->s->colour[owner].count && count >= LEAST && gg > VARIED * count && gx > THROUGH * gg)
            return 1;
    }
    return 0;
}

seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, double *unexplained) {
    SEG_LOCAL(core, sample, seg_alloc(ctx, SAMPLE, sizeof *sample));
    search f = {.s = strokes, .sample = sample};
    const size_t cores = find_cores(strokes);
    f.n = take_sample(strokes, cores, f.sample);
    f.each = f.n ? (double)cores / (double)f.n : 1;
    explain(&f);
    drop_tones(&f);
    strokes->translucent = seg_ground_is_copy(strokes->ground) && shows_ground(&f);
    *unexplained = f.n ? 1 - (double)f.owned / (double)f.n : 1;
    const size_t found = strokes->colours;
    strokes->colours = 0;
    for (size_t i = 0; i < found; i++)
        if (strokes->colour[i].count)
            strokes->colour[strokes->colours++] = strokes->colour[i];
    qsort(strokes->colour, strokes->colours, sizeof *strokes->colour, by_colour);
    return SEG_OK;
}
