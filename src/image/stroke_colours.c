/* The colours of strokes with soft edges, of JPEG-compressed ones, and of those on ground that is known nearly only.
 *
 * A core is where a pixel has neighbours like itself and no pixel near it is painted more strongly with what may be the
 * same colour: so the slopes of a soft brush have none, however broad it is, and a thin line has its middle. A sample
 * of the cores is then explained by few colours: again and again the colour is taken that explains most of what is
 * left, either opaque (the cores have it) or translucent (the cores are a fixed mixture of it and the changing ground).
 */
#include "base/base.h"
#include "base/random.h"
#include "image/strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH         2    /* pixels around that are looked at for a stronger one */
#define INSIDE        8    /* neighbours alike that a JPEG's core has */
#define MOSTLY        5    /* likewise of a copy of 256 colours */
#define ALONG         2    /* likewise of a lossless file: a thin line has two */
#define SAMPLE        2048 /* pixels of cores */
#define LEAST         4    /* of them, for a colour */
#define LEAST_PIXELS  9    /* that those stand for */
#define RARE_PART     250  /* of the sample: a colour has more */
#define APART         32   /* colours differ by more */
#define EXTREME       12   /* as near to 0 or 255 in a JPEG: is 0 or 255, what people paint with */
#define TRIES         240  /* mixtures that are tried */
#define TRY_REACH     64   /* of the sample in order: pixels of one stroke are near each other there */
#define CHANGING      24   /* contrast of the ground from which a mixture can be told */
#define MOST_THROUGH  0.8  /* of the ground: fainter strokes are not told from it */
#define LEAST_THROUGH 0.08
#define BETTER        1.3         /* times as many pixels a mixture must explain to be preferred to an opaque colour */
#define OTHERS        1000        /* set aside */
#define MANY          8           /* times as frequent */
#define BESIDE        8           /* pixels from a weaker tone to the core it belongs to */
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

/* The stroke whose mixture with the ground explains the samples that `like` explains, by least squares; `joined`: only
 * those set aside. 0 where that is not a stroke that shows. */
static int fit_mixture(const core *sample, size_t n, const seg_stroke_colour *like, int within, int joined,
                       seg_stroke_colour *out) {
    double count = 0, g[3] = {0}, x[3] = {0}, gg = 0, gx = 0, rgb[3];
    for (size_t i = 0; i < n; i++) {
        if (sample[i].owner >= 0 || (joined && sample[i].owner == -1))
            continue;
        if (!explains(like, &sample[i], within))
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
        core two[2] = {sample[a], sample[b]};
        seg_stroke_colour tried, any = {two[0].colour, 0, 0};
        if (!fit_mixture(two, 2, &any, 255, 0, &tried))
            continue;
        size_t count = count_explained(&tried, sample, n, within);
        for (int round = 0; round < 2 && count > best / 2; round++) {
            seg_stroke_colour better;
            if (!fit_mixture(sample, n, &tried, within, 0, &better))
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

/* Two opaque colours may be one translucent stroke over ground of two colours. */
static void join_mixtures(core *sample, size_t n, int within, seg_stroke_colour *list, size_t colours) {
    for (size_t a = 0; a < colours; a++)
        for (size_t b = 0; b < colours; b++) {
            const seg_stroke_colour any = {list[a].colour, 0, 0};
            seg_stroke_colour mixed;
            size_t kept[2] = {0}, all[2] = {0}, both = 0;
            if (a == b || !list[a].count || !list[b].count)
                continue;
            for (size_t i = 0; i < n; i++) { /* those that belong to neither are owned by others */
                const int mine = sample[i].owner == (int)a || sample[i].owner == (int)b;
                sample[i].owner += mine ? -OTHERS : 0;
                both += (size_t)mine;
            }
            const int fits = both && fit_mixture(sample, n, &any, 255, 1, &mixed);
            for (size_t i = 0; i < n; i++) {
                if (sample[i].owner >= -1)
                    continue;
                sample[i].owner += OTHERS;
                const int which = sample[i].owner == (int)b;
                all[which]++;
                kept[which] += fits && explains(&mixed, &sample[i], within);
            }
            if (!fits || 5 * kept[0] < 4 * all[0] || 5 * kept[1] < 4 * all[1])
                continue;
            mixed.count = list[a].count + list[b].count;
            list[a] = mixed;
            list[b].count = 0;
            for (size_t i = 0; i < n; i++)
                sample[i].owner = sample[i].owner == (int)b ? (int)a : sample[i].owner;
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

seg_status seg_stroke_colours_find(seg_context *ctx, seg_strokes *strokes, seg_stroke_colour **found, size_t *colours,
                                   double *unexplained) {
    const seg_stroke_limits limits = seg_stroke_limits_of(strokes);
    const int lossy = strokes->raster->lossy, copy = seg_ground_is_copy(strokes->ground);
    seg_random random;
    core *sample = seg_alloc(ctx, SAMPLE, sizeof *sample);
    seg_stroke_colour *list = *found = seg_alloc_zero(ctx, SEG_MOST_SOFT, sizeof *list);
    *colours = 0;
    *unexplained = 1;
    if (!sample || !list) {
        free(sample);
        free(list);
        *found = NULL;
        return SEG_ERR_MEMORY;
    }
    seg_random_seed(&random, 1, STREAM);
    const size_t cores = find_cores(strokes, &limits), n = take_sample(strokes, cores, sample);
    const double each = n ? (double)cores / (double)n : 1; /* pixels that one of the sample stands for */
    size_t least = n / RARE_PART, owned = 0;
    least = least < LEAST ? LEAST : least;
    while ((double)least * each < LEAST_PIXELS)
        least++;
    while (*colours < SEG_MOST_SOFT && n > 0) {
        seg_stroke_colour opaque = {0}, mixed = {0};
        size_t count = best_opaque(sample, n, limits.tight, lossy, &opaque);
        const size_t more = copy ? best_translucent(sample, n, limits.tight, &random, &mixed) : 0;
        seg_stroke_colour *next = &list[*colours];
        *next = (double)more > BETTER * (double)count ? mixed : opaque;
        count = next->through > 0 ? more : count;
        if (count < least)
            break;
        const int within = next->through > 0 ? limits.tight : APART;
        size_t taken = 0;
        for (size_t i = 0; i < n; i++)
            if (sample[i].owner < 0 && explains(next, &sample[i], within)) {
                sample[i].owner = (int)*colours;
                taken++;
            }
        if (taken == 0) /* the mean of several colours is none of them */
            break;
        owned += taken;
        next->count = (size_t)((double)taken * each + 0.5);
        ++*colours;
    }
    if (copy)
        join_mixtures(sample, n, limits.tight, list, *colours);
    /* Weaker tones come after what they belong to, since that explains more, or before it in a thin line. */
    for (size_t w = 0, kept = 0, all = *colours; w < all; w++) {
        int tone = 0;
        for (size_t o = 0; o < all && !tone && list[w].count; o++)
            tone = o != w && list[o].count && is_tone_of(strokes, sample, n, (int)w, &list[o], &limits);
        if (tone)
            list[w].count = 0;
        if (w + 1 == all) {
            for (size_t i = 0; i < all; i++)
                if (list[i].count)
                    list[kept++] = list[i];
            *colours = kept;
        }
    }
    *colours = merge_alike(list, *colours, lossy ? 64 : 40);
    *unexplained = n ? 1 - (double)owned / (double)n : 1;
    qsort(list, *colours, sizeof *list, by_colour);
    free(sample);
    return SEG_OK;
}
