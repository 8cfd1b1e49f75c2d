/* The colours of strokes with soft edges, of JPEG-compressed ones, and of those on ground that is known nearly only.
 *
 * A core is where a pixel has neighbours like itself and no pixel near it is painted more strongly with what may be the
 * same colour: so the slopes of a soft brush have none, however broad it is, and a thin line has its middle. A sample
 * of the cores is then explained by few colours: again and again the colour is taken that explains most of what is
 * left, either opaque (the cores have it) or translucent (the cores are a fixed mixture of it and the changing ground).
 */
#include "base/base.h"
#include "base/random.h"
#include "scribbles/strokes.h"

#include <stdlib.h>

/* Where a pixel counts as core. */
#define REACH  2 /* pixels around that are looked at for a stronger one: a soft edge falls off over two or three */
#define INSIDE 8 /* neighbours alike that a JPEG's core has: all, since its edges ripple */
#define MOSTLY 5 /* likewise of a copy of 256 colours, whose pixels differ here and there */
#define ALONG  2 /* likewise of a lossless file: a thin line has two */

/* The sample and the colours found in it. */
#define MOST_SOFT    60
#define SAMPLE       2048 /* pixels of cores: every colour is tried on all of them, so the time grows with the square */
#define LEAST        4    /* of them, for a colour: fewer agree by chance */
#define LEAST_PIXELS 9    /* that those stand for: a dot of 3 x 3 is a stroke */
#define RARE_PART    250  /* of the sample: a colour has more: rarer ones are what compression left at edges */
#define APART        32   /* colours that people choose differ by more; nearer ones are one colour, compressed */
#define EXTREME      12   /* as near to 0 or 255 in a JPEG: is 0 or 255, what people paint with */
#define BESIDE       8    /* pixels from a weaker tone to the core it belongs to: the block of a JPEG */

/* Translucent strokes. */
#define TRIES         240  /* mixtures: one pair in ten that is of one stroke is met with near certainty */
#define TRY_REACH     64   /* of the sample in order: pixels of one stroke are near each other there */
#define CHANGING      24   /* contrast of the ground from which a mixture can be told: several times the noise */
#define MOST_THROUGH  0.8  /* of the ground: fainter strokes are not told from it */
#define LEAST_THROUGH 0.08 /* less is the noise of an opaque one */
#define BETTER        1.3  /* times as many pixels a mixture must explain to be preferred, which fits more freely */
#define STREAM        0x7374726fu /* "stro" */

/* ---- blends ---- */

#define CURVE_ERROR 5 /* of the square in place of sRGB's curve */

/* A sample as sRGB has it, or (linear) as light, taken as the square of that. */
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
    return s->label[other] && seg_colour_distance(seg_strokes_colour(s, other), own->colour) <= s->limits.alike;
}

/* Painted more strongly with what may be the same colour. */
static int is_stronger(const seg_strokes *s, size_t other, const void *arg) {
    const tone *own = arg;
    const uint32_t colour = seg_strokes_colour(s, other);
    return s->label[other] && seg_strokes_contrast(s, colour, own->ground) >= own->contrast + s->limits.slack &&
           seg_is_blend(own->colour, colour, own->ground, s->limits.off);
}

static int is_core(const seg_strokes *s, size_t pixel) {
    tone own = {.colour = seg_strokes_colour(s, pixel), .ground = seg_strokes_ground(s, pixel)};
    const size_t wanted = 1 + (s->raster->lossy ? INSIDE : s->ground->coarse ? MOSTLY : ALONG); /* itself included */
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
    int owner; /* place of what explains it, -1 where nothing does */
} core;

static size_t take_sample(const seg_strokes *s, size_t cores, core *sample) {
    size_t taken = 0, seen = 0;
    for (size_t i = 0; i < s->pixels && taken < SAMPLE; i++) {
        if (s->label[i] != SEG_STROKE_CORE)
            continue;
        /* the next sample is due after its share of the cores */
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
    size_t n, owned; /* of the sample; of these, with an owner */
    double each;     /* pixels that one of the sample stands for */
    seg_random random;
} search;

/* Samples of one or two owners, of these, where `like` is not NULL, what that stroke explains. */
typedef struct part {
    int a, b;
    const seg_stroke_colour *like;
    int within;
} part;

static int is_in(const part *p, const core *c) {
    return (c->owner == p->a || c->owner == p->b) &&
           (!p->like || seg_colour_distance(c->colour, seg_stroke_over(p->like, c->ground)) <= p->within);
}

static size_t count_part(const search *f, const part *p) {
    size_t count = 0;
    for (size_t i = 0; i < f->n; i++)
        count += is_in(p, &f->sample[i]);
    return count;
}

static size_t count_explained(const search *f, const seg_stroke_colour *stroke) {
    return count_part(f, &(part){-1, -1, stroke, f->s->limits.tight});
}

/* JPEG: the mean; else the most frequent of the colours around, which is what was painted with. */
static uint32_t settle_opaque(const search *f, const seg_stroke_colour *best) {
    const part near = {-1, -1, best, f->s->limits.tight};
    uint64_t sum[3] = {0}, used = 0;
    uint32_t frequent = best->colour;
    size_t most = 0;
    for (size_t i = 0; i < f->n; i++) {
        const uint32_t colour = f->sample[i].colour;
        if (!is_in(&near, &f->sample[i]))
            continue;
        used++;
        for (int c = 0; c < 3; c++)
            sum[c] += (uint64_t)seg_colour_channel(colour, c);
        const seg_stroke_colour exact = {.colour = colour};
        const size_t same = f->s->raster->lossy ? 0 : count_part(f, &(part){-1, -1, &exact, 0});
        if (same > most || (same == most && colour < frequent)) {
            most = same;
            frequent = colour;
        }
    }
    unsigned rgb[3];
    for (int c = 0; c < 3 && used; c++) {
        rgb[c] = (unsigned)((sum[c] + used / 2) / used);
        rgb[c] = rgb[c] <= EXTREME ? 0 : rgb[c] >= 255 - EXTREME ? 255 : rgb[c];
    }
    return f->s->raster->lossy && used ? seg_colour_pack(rgb[0], rgb[1], rgb[2]) : frequent;
}

/* The opaque colour that explains most. */
static size_t best_opaque(const search *f, seg_stroke_colour *out) {
    size_t best = 0;
    uint32_t last = UINT32_MAX;
    *out = (seg_stroke_colour){0, 0, 0};
    for (size_t i = 0; i < f->n; i++) {
        if (f->sample[i].owner >= 0 || f->sample[i].colour == last)
            continue;
        const seg_stroke_colour tried = {last = f->sample[i].colour, 0, 0};
        const size_t count = count_explained(f, &tried);
        if (count > best || (count == best && count && tried.colour < out->colour)) {
            best = count;
            *out = tried;
        }
    }
    if (best)
        out->colour = settle_opaque(f, out);
    return best;
}

/* The stroke whose mixture with the ground explains a part of some samples, by least squares. 0 where that is not a
 * stroke that shows. */
static int fit_mixture(const core *sample, size_t n, const part *p, seg_stroke_colour *out) {
    double count = 0, g[3] = {0}, x[3] = {0}, gg = 0, gx = 0, rgb[3];
    for (size_t i = 0; i < n; i++) {
        if (!is_in(p, &sample[i]))
            continue;
        count++;
        for (int c = 0; c < 3; c++) {
            const double under = seg_colour_channel(sample[i].ground, c),
                         over = seg_colour_channel(sample[i].colour, c);
            g[c] += under;
            x[c] += over;
            gg += under * under;
            gx += under * over;
        }
    }
    if (count < 2)
        return 0;
    for (int c = 0; c < 3; c++) {
        gg -= g[c] * g[c] / count;
        gx -= g[c] * x[c] / count;
    }
    const double through = gg > 0 ? gx / gg : 0;
    if (through < LEAST_THROUGH || through > MOST_THROUGH)
        return 0;
    for (int c = 0; c < 3; c++) {
        rgb[c] = (x[c] - through * g[c]) / count / (1 - through);
        if (rgb[c] < -EXTREME || rgb[c] > 255 + EXTREME)
            return 0;
        rgb[c] = rgb[c] < 0 ? 0 : rgb[c] > 255 ? 255 : rgb[c];
    }
    *out = (seg_stroke_colour){
        seg_colour_pack((unsigned)(rgb[0] + 0.5), (unsigned)(rgb[1] + 0.5), (unsigned)(rgb[2] + 0.5)), 0, through};
    return 1;
}

/* The translucent colour that explains most: two pixels of a stroke over different ground tell it, as far as they are
 * exact; what it explains tells it better. */
static size_t best_translucent(search *f, seg_stroke_colour *out) {
    size_t best = 0;
    for (int t = 0; t < TRIES; t++) {
        const size_t a = (size_t)seg_random_below(&f->random, f->n);
        const size_t from = a > TRY_REACH ? a - TRY_REACH : 0, to = a + TRY_REACH < f->n ? a + TRY_REACH : f->n - 1;
        const size_t b = from + (size_t)seg_random_below(&f->random, to - from + 1);
        const core two[2] = {f->sample[a], f->sample[b]};
        seg_stroke_colour tried;
        if (two[0].owner >= 0 || two[1].owner >= 0 || seg_colour_distance(two[0].ground, two[1].ground) < CHANGING ||
            !fit_mixture(two, 2, &(part){-1, -1, NULL, 0}, &tried))
            continue;
        size_t count = count_explained(f, &tried);
        for (int round = 0; round < 2 && count > best / 2; round++) {
            seg_stroke_colour better;
            if (!fit_mixture(f->sample, f->n, &(part){-1, -1, &tried, f->s->limits.tight}, &better))
                break;
            const size_t more = count_explained(f, &better);
            if (more < count)
                break;
            tried = better;
            count = more;
        }
        if (count > best) {
            best = count;
            *out = tried;
        }
    }
    return best;
}

/* 1 where the stroke explains four in five of the samples of an owner. */
static int explains_most(const search *f, const seg_stroke_colour *stroke, int owner) {
    return 5 * count_part(f, &(part){owner, owner, stroke, f->s->limits.tight}) >=
           4 * count_part(f, &(part){owner, owner, NULL, 0});
}

/* Two opaque colours may be one translucent stroke over ground of two colours: then the mixture that is fitted to both
 * explains each of them. The first becomes that stroke, the second loses its count. */
static void join_mixtures(search *f) {
    seg_stroke_colour *list = f->s->colour, mixed;
    for (int a = 0; a < (int)f->s->colours; a++)
        for (int b = 0; b < (int)f->s->colours; b++) {
            if (a == b || !list[a].count || !list[b].count ||
                !fit_mixture(f->sample, f->n, &(part){a, b, NULL, 0}, &mixed) || !explains_most(f, &mixed, a) ||
                !explains_most(f, &mixed, b))
                continue;
            mixed.count = list[a].count + list[b].count;
            list[a] = mixed;
            list[b].count = 0;
            for (size_t i = 0; i < f->n; i++)
                f->sample[i].owner = f->sample[i].owner == b ? a : f->sample[i].owner;
        }
}

static int is_core_of(const seg_strokes *s, size_t pixel, const void *stroke) {
    return s->label[pixel] == SEG_STROKE_CORE &&
           seg_colour_distance(seg_strokes_colour(s, pixel), seg_stroke_over(stroke, seg_strokes_ground(s, pixel))) <=
               s->limits.tight;
}

/* 1 where nearly all samples of `weak` are blends of the ground and the core of `strong`, which is near: the tones of a
 * thin soft line, not a stroke. */
static int is_tone_of(const search *f, int weak, const seg_stroke_colour *strong) {
    size_t all = 0, tones = 0;
    for (size_t i = 0; i < f->n; i++) {
        const core *c = &f->sample[i];
        if (c->owner != weak)
            continue;
        const uint32_t over = seg_stroke_over(strong, c->ground);
        all++;
        tones += seg_colour_distance(over, c->ground) >= seg_colour_distance(c->colour, c->ground) &&
                 seg_is_blend(c->colour, over, c->ground, f->s->limits.off) &&
                 seg_strokes_around(f->s, c->pixel, BESIDE, 1, is_core_of, strong);
    }
    return 3 * tones >= 2 * all;
}

/* Leave out the tones of other colours, and those that were joined. Weaker tones come after what they belong to, since
 * that explains more, or before it in a thin line. */
static void drop_tones(search *f) {
    seg_stroke_colour *list = f->s->colour;
    const size_t colours = f->s->colours;
    for (size_t w = 0; w < colours; w++)
        for (size_t o = 0; o < colours && list[w].count; o++)
            if (o != w && list[o].count && is_tone_of(f, (int)w, &list[o]))
                list[w].count = 0;
    f->s->colours = 0;
    for (size_t i = 0; i < colours; i++)
        if (list[i].count)
            list[f->s->colours++] = list[i];
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
    for (s->colours = 0; s->colours < MOST_SOFT && f->n > 0; s->colours++) {
        seg_stroke_colour opaque = {0}, mixed = {0}, *next = &s->colour[s->colours];
        const size_t plain = best_opaque(f, &opaque);
        const size_t more = seg_ground_is_copy(s->ground) ? best_translucent(f, &mixed) : 0;
        *next = (double)more > BETTER * (double)plain ? mixed : opaque;
        if ((next->through > 0 ? more : plain) < least)
            break;
        const part owns = {-1, -1, next, next->through > 0 ? s->limits.tight : APART};
        size_t taken = 0;
        for (size_t i = 0; i < f->n; i++)
            if (is_in(&owns, &f->sample[i])) {
                f->sample[i].owner = (int)s->colours;
                taken++;
            }
        if (taken == 0) /* the mean of several colours is none of them */
            break;
        f->owned += taken;
        next->count = (size_t)((double)taken * f->each + 0.5);
    }
}

seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, double *unexplained) {
    SEG_FREED core *sample = seg_alloc(ctx, SAMPLE, sizeof *sample);
    search f = {.s = strokes, .sample = sample};
    if (!sample)
        return SEG_ERR_MEMORY;
    const size_t cores = find_cores(strokes);
    f.n = take_sample(strokes, cores, f.sample);
    f.each = f.n ? (double)cores / (double)f.n : 1;
    seg_random_seed(&f.random, 1, STREAM);
    explain(&f);
    if (seg_ground_is_copy(strokes->ground))
        join_mixtures(&f);
    drop_tones(&f);
    *unexplained = f.n ? 1 - (double)f.owned / (double)f.n : 1;
    qsort(strokes->colour, strokes->colours, sizeof *strokes->colour, by_colour);
    return SEG_OK;
}
