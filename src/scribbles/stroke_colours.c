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

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a pixel counts as core. */
#define REACH  2 /* pixels around that are looked at for a stronger one: a soft edge falls off over two or three */
#define INSIDE 8 /* neighbours alike that a JPEG's core has: all, since its edges ripple */
#define MOSTLY 5 /* likewise of a copy of 256 colours, whose pixels differ here and there */
#define ALONG  2 /* likewise of a lossless file: a thin line has two */

/* The sample and the colours found in it. */
#define SAMPLE       2048 /* pixels of cores: every colour is tried on all of them, so the time grows with the square */
#define LEAST        4    /* of them, for a colour: fewer agree by chance */
#define LEAST_PIXELS 9    /* that those stand for: a dot of 3 x 3 is a stroke */
#define RARE_PART    250  /* of the sample: a colour has more: rarer ones are what compression left at edges */
#define APART        32   /* colours that people choose differ by more; nearer ones are one colour, compressed */
#define EXTREME      12   /* as near to 0 or 255 in a JPEG: is 0 or 255, what people paint with */
#define MANY         8    /* times as frequent is a stroke's colour as what compression made of it */
#define BESIDE       8    /* pixels from a weaker tone to the core it belongs to: the block of a JPEG */

/* Translucent strokes. */
#define TRIES         240  /* mixtures: one pair in ten that is of one stroke is met with near certainty */
#define TRY_REACH     64   /* of the sample in order: pixels of one stroke are near each other there */
#define CHANGING      24   /* contrast of the ground from which a mixture can be told: several times the noise */
#define MOST_THROUGH  0.8  /* of the ground: fainter strokes are not told from it */
#define LEAST_THROUGH 0.08 /* less is the noise of an opaque one */
#define BETTER        1.3  /* times as many pixels a mixture must explain to be preferred, which fits more freely */
#define STREAM        0x7374726fu /* "stro" */

seg_stroke_limits seg_stroke_limits_of(const seg_strokes *strokes) {
    const int tolerance = strokes->ground->tolerance, copy = seg_ground_is_copy(strokes->ground);
    const int contrast = 2 * tolerance > 40 ? 2 * tolerance : 40;
    if (strokes->raster->lossy)
        return (seg_stroke_limits){24, 24, 56, 40, 24, 48};
    if (strokes->ground->coarse)
        return (seg_stroke_limits){20, 20, 48, 24, 24, 64};
    if (copy && tolerance > 8)
        return (seg_stroke_limits){20, 20, 40, 20, 16, contrast > 64 ? 64 : contrast};
    return (seg_stroke_limits){10, 12, 32, 12, 8, strokes->ground->kind == SEG_GROUND_CHANGED ? 30 : 24};
}

/* 1 where the pixel is of a core. */
static int is_core(const seg_strokes *s, const seg_stroke_limits *limits, int x, int y) {
    const int width = s->raster->width, height = s->raster->height;
    const size_t pixel = (size_t)y * (size_t)width + (size_t)x;
    const uint32_t colour = seg_raster_colour(s->raster, pixel), ground = seg_strokes_ground(s, pixel);
    const int contrast = seg_strokes_contrast(s, colour, ground);
    const int wanted = s->raster->lossy ? INSIDE : s->ground->coarse ? MOSTLY : ALONG;
    int alike = 0;
    if (contrast < limits->contrast)
        return 0;
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++) {
            if (u < 0 || v < 0 || u >= width || v >= height || (u == x && v == y))
                continue;
            const size_t other = (size_t)v * (size_t)width + (size_t)u;
            alike +=
                s->label[other] && seg_colour_distance(seg_raster_colour(s->raster, other), colour) <= limits->alike;
        }
    if (alike < wanted)
        return 0;
    for (int v = y - REACH < 0 ? 0 : y - REACH; v <= y + REACH && v < height; v++)
        for (int u = x - REACH < 0 ? 0 : x - REACH; u <= x + REACH && u < width; u++) {
            const size_t other = (size_t)v * (size_t)width + (size_t)u;
            if (!s->label[other] || other == pixel)
                continue;
            const uint32_t stronger = seg_raster_colour(s->raster, other);
            if (seg_strokes_contrast(s, stronger, ground) >= contrast + limits->slack &&
                seg_is_blend(colour, stronger, ground, limits->off))
                return 0;
        }
    return 1;
}

static size_t find_cores(seg_strokes *s, const seg_stroke_limits *limits) {
    size_t cores = 0;
    for (int y = 0; y < s->raster->height; y++)
        for (int x = 0; x < s->raster->width; x++) {
            uint8_t *label = &s->label[(size_t)y * (size_t)s->raster->width + (size_t)x];
            if (*label && is_core(s, limits, x, y)) {
                *label = SEG_STROKE_CORE;
                cores++;
            } else if (*label) {
                *label = SEG_STROKE_PAINTED;
            }
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
            sample[taken++] = (core){seg_raster_colour(s->raster, i), seg_strokes_ground(s, i), i, -1};
        seen++;
    }
    return taken;
}

static int explains(const seg_stroke_colour *stroke, const core *c, int within) {
    return seg_colour_distance(c->colour, seg_stroke_over(stroke, c->ground)) <= within;
}

static size_t count_explained(const seg_stroke_colour *stroke, const core *sample, size_t n, int within) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += sample[i].owner < 0 && explains(stroke, &sample[i], within);
    return count;
}

/* The opaque colour that explains most. */
static size_t best_opaque(const core *sample, size_t n, int tight, int lossy, seg_stroke_colour *out) {
    size_t best = 0;
    uint32_t last = UINT32_MAX;
    *out = (seg_stroke_colour){0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        if (sample[i].owner >= 0 || sample[i].colour == last)
            continue;
        const seg_stroke_colour tried = {last = sample[i].colour, 0, 0};
        const size_t count = count_explained(&tried, sample, n, tight);
        if (count > best || (count == best && count && tried.colour < out->colour)) {
            best = count;
            *out = tried;
        }
    }
    if (best == 0)
        return 0;
    /* JPEG: the mean; else the most frequent of the colours around, which is what was painted with. */
    uint64_t sum[3] = {0}, used = 0;
    size_t most = 0;
    uint32_t frequent = out->colour;
    for (size_t i = 0; i < n; i++) {
        if (sample[i].owner >= 0 || !explains(out, &sample[i], tight))
            continue;
        used++;
        for (int c = 0; c < 3; c++)
            sum[c] += (uint64_t)seg_colour_channel(sample[i].colour, c);
        size_t same = 0;
        for (size_t j = 0; j < n && !lossy; j++)
            same += sample[j].owner < 0 && sample[j].colour == sample[i].colour;
        if (same > most || (same == most && sample[i].colour < frequent)) {
            most = same;
            frequent = sample[i].colour;
        }
    }
    if (lossy && used) {
        unsigned rgb[3];
        for (int c = 0; c < 3; c++) {
            rgb[c] = (unsigned)((sum[c] + used / 2) / used);
            rgb[c] = rgb[c] <= EXTREME ? 0 : rgb[c] >= 255 - EXTREME ? 255 : rgb[c];
        }
        frequent = seg_colour_pack(rgb[0], rgb[1], rgb[2]);
    }
    out->colour = frequent;
    return best;
}

/* The stroke whose mixture with the ground explains the samples without an owner that `like` explains (NULL: all of
 * them), by least squares. 0 where that is not a stroke that shows. */
static int fit_mixture(const core *sample, size_t n, const seg_stroke_colour *like, int within,
                       seg_stroke_colour *out) {
    double count = 0, g[3] = {0}, x[3] = {0}, gg = 0, gx = 0, rgb[3];
    for (size_t i = 0; i < n; i++) {
        if (sample[i].owner >= 0 || (like && !explains(like, &sample[i], within)))
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
static size_t best_translucent(const core *sample, size_t n, int within, seg_random *random, seg_stroke_colour *out) {
    size_t best = 0;
    for (int t = 0; t < TRIES; t++) {
        const size_t a = (size_t)seg_random_below(random, n);
        const size_t from = a > TRY_REACH ? a - TRY_REACH : 0, to = a + TRY_REACH < n ? a + TRY_REACH : n - 1;
        const size_t b = from + (size_t)seg_random_below(random, to - from + 1);
        if (sample[a].owner >= 0 || sample[b].owner >= 0 ||
            seg_colour_distance(sample[a].ground, sample[b].ground) < CHANGING)
            continue;
        const core two[2] = {sample[a], sample[b]};
        seg_stroke_colour tried;
        if (!fit_mixture(two, 2, NULL, 0, &tried))
            continue;
        size_t count = count_explained(&tried, sample, n, within);
        for (int round = 0; round < 2 && count > best / 2; round++) {
            seg_stroke_colour better;
            if (!fit_mixture(sample, n, &tried, within, &better))
                break;
            const size_t more = count_explained(&better, sample, n, within);
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

/* Copy the samples of two owners, as nobody's. @return how many */
static size_t copy_owned(const core *sample, size_t n, int a, int b, core *to) {
    size_t copied = 0;
    for (size_t i = 0; i < n; i++)
        if (sample[i].owner == a || sample[i].owner == b) {
            to[copied] = sample[i];
            to[copied++].owner = -1;
        }
    return copied;
}

/* 1 where the stroke explains four in five of the samples of an owner. */
static int explains_most(const seg_stroke_colour *stroke, const core *sample, size_t n, int owner, int within) {
    size_t all = 0, explained = 0;
    for (size_t i = 0; i < n; i++)
        if (sample[i].owner == owner) {
            all++;
            explained += explains(stroke, &sample[i], within);
        }
    return 5 * explained >= 4 * all;
}

/* Two opaque colours may be one translucent stroke over ground of two colours: then the mixture that is fitted to both
 * explains each of them. The first becomes that stroke, the second loses its count. `both` has room for n. */
static void join_mixtures(core *sample, size_t n, int within, seg_stroke_colour *list, size_t colours, core *both) {
    for (int a = 0; a < (int)colours; a++)
        for (int b = 0; b < (int)colours; b++) {
            seg_stroke_colour mixed;
            if (a == b || !list[a].count || !list[b].count)
                continue;
            if (!fit_mixture(both, copy_owned(sample, n, a, b, both), NULL, 0, &mixed) ||
                !explains_most(&mixed, sample, n, a, within) || !explains_most(&mixed, sample, n, b, within))
                continue;
            mixed.count = list[a].count + list[b].count;
            list[a] = mixed;
            list[b].count = 0;
            for (size_t i = 0; i < n; i++)
                sample[i].owner = sample[i].owner == b ? a : sample[i].owner;
        }
}

/* 1 where nearly all samples of `weak` are blends of the ground and the core of `strong`, which is near: the tones of a
 * thin soft line, not a stroke. */
static int is_tone_of(const seg_strokes *s, const core *sample, size_t n, int weak, const seg_stroke_colour *strong,
                      const seg_stroke_limits *limits) {
    const int width = s->raster->width, height = s->raster->height;
    size_t all = 0, tones = 0;
    for (size_t i = 0; i < n; i++) {
        if (sample[i].owner != weak)
            continue;
        const uint32_t over = seg_stroke_over(strong, sample[i].ground);
        all++;
        if (seg_colour_distance(over, sample[i].ground) < seg_colour_distance(sample[i].colour, sample[i].ground) ||
            !seg_is_blend(sample[i].colour, over, sample[i].ground, limits->off))
            continue;
        const int x = (int)(sample[i].pixel % (size_t)width), y = (int)(sample[i].pixel / (size_t)width);
        int found = 0;
        for (int v = y - BESIDE < 0 ? 0 : y - BESIDE; v <= y + BESIDE && v < height && !found; v++)
            for (int u = x - BESIDE < 0 ? 0 : x - BESIDE; u <= x + BESIDE && u < width && !found; u++) {
                const size_t other = (size_t)v * (size_t)width + (size_t)u;
                found = s->label[other] == SEG_STROKE_CORE &&
                        seg_colour_distance(seg_raster_colour(s->raster, other),
                                            seg_stroke_over(strong, seg_strokes_ground(s, other))) <= limits->tight;
            }
        tones += (size_t)found;
    }
    return 3 * tones >= 2 * all;
}

/* Leave out the tones of other colours, and those that were joined. Weaker tones come after what they belong to, since
 * that explains more, or before it in a thin line. @return how many are left */
static size_t drop_tones(const seg_strokes *s, const core *sample, size_t n, const seg_stroke_limits *limits,
                         seg_stroke_colour *list, size_t colours) {
    size_t kept = 0;
    for (size_t w = 0; w < colours; w++)
        for (size_t o = 0; o < colours && list[w].count; o++)
            if (o != w && list[o].count && is_tone_of(s, sample, n, (int)w, &list[o], limits))
                list[w].count = 0;
    for (size_t i = 0; i < colours; i++)
        if (list[i].count)
            list[kept++] = list[i];
    return kept;
}

/* A colour that hardly differs from one that is many times more frequent is that one, moved by compression or by the
 * rounding of a mixture. */
static size_t merge_alike(seg_stroke_colour *list, size_t colours, int alike) {
    size_t kept = 0;
    for (size_t a = 0; a < colours; a++) {
        int same = 0;
        for (size_t b = 0; b < colours && !same; b++)
            same = MANY * list[a].count <= list[b].count && seg_colour_distance(list[a].colour, list[b].colour) < alike;
        if (!same)
            list[kept++] = list[a];
    }
    return kept;
}

static int by_colour(const void *a, const void *b) {
    const seg_stroke_colour *x = a, *y = b;
    return x->colour < y->colour ? -1 : x->colour > y->colour;
}

/* Explain the sample by colours, the one that explains most first. `each`: pixels that one of the sample stands for.
 * *owned: samples that are explained. @return how many colours */
static size_t explain(const seg_strokes *s, const seg_stroke_limits *limits, core *sample, size_t n, double each,
                      seg_stroke_colour *list, size_t *owned) {
    const int copy = seg_ground_is_copy(s->ground);
    size_t colours = 0, least = n / RARE_PART;
    seg_random random;
    seg_random_seed(&random, 1, STREAM);
    least = least < LEAST ? LEAST : least;
    while ((double)least * each < LEAST_PIXELS)
        least++;
    while (colours < SEG_MOST_SOFT && n > 0) {
        seg_stroke_colour opaque = {0}, mixed = {0};
        size_t count = best_opaque(sample, n, limits->tight, s->raster->lossy, &opaque);
        const size_t more = copy ? best_translucent(sample, n, limits->tight, &random, &mixed) : 0;
        seg_stroke_colour *next = &list[colours];
        *next = (double)more > BETTER * (double)count ? mixed : opaque;
        count = next->through > 0 ? more : count;
        if (count < least)
            break;
        const int within = next->through > 0 ? limits->tight : APART;
        size_t taken = 0;
        for (size_t i = 0; i < n; i++)
            if (sample[i].owner < 0 && explains(next, &sample[i], within)) {
                sample[i].owner = (int)colours;
                taken++;
            }
        if (taken == 0) /* the mean of several colours is none of them */
            break;
        *owned += taken;
        next->count = (size_t)((double)taken * each + 0.5);
        colours++;
    }
    return colours;
}

seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, seg_stroke_colour **found, size_t *colours,
                                   double *unexplained) {
    const seg_stroke_limits limits = seg_stroke_limits_of(strokes);
    core *sample = seg_alloc(ctx, SAMPLE, sizeof *sample), *both = seg_alloc(ctx, SAMPLE, sizeof *both);
    seg_stroke_colour *list = *found = seg_alloc_zero(ctx, SEG_MOST_SOFT, sizeof *list);
    seg_status status = sample && both && list ? SEG_OK : SEG_ERR_MEMORY;
    *colours = 0;
    *unexplained = 1;
    if (status) {
        free(list);
        *found = NULL;
        goto done;
    }
    const size_t cores = find_cores(strokes, &limits), n = take_sample(strokes, cores, sample);
    size_t owned = 0;
    *colours = explain(strokes, &limits, sample, n, n ? (double)cores / (double)n : 1, list, &owned);
    if (seg_ground_is_copy(strokes->ground))
        join_mixtures(sample, n, limits.tight, list, *colours, both);
    *colours = drop_tones(strokes, sample, n, &limits, list, *colours);
    *colours = merge_alike(list, *colours, strokes->raster->lossy ? 64 : 40);
    *unexplained = n ? 1 - (double)owned / (double)n : 1;
    qsort(list, *colours, sizeof *list, by_colour);
done:
    free(sample);
    free(both);
    return status;
}
