/* The outline of regions by the colours on their two sides: local linear regression of each label on the colour
 * [he2013guided], of which only the largest matters. */
#include "base/base.h"
#include "base/lanes.h"
#include "image/shown.h"
#include "masks/photo_passes.h"

#define NOISE 10.0 /* added to the variances of colours, 0..255, so that small differences decide nothing */

/* Windows of an image, and of a volume, where a third direction has as many pixels again. */
enum { IMAGE_REACH = 5, IMAGE_ROUNDS = 2, VOLUME_REACH = 2, VOLUME_ROUNDS = 4, MOST_DEEP = 4 };

/* Squares of pixels are settled at once; what their windows cover. */
enum { TILE = 32, ACROSS = TILE + 2 * IMAGE_REACH };

/* Sums over the pixels of a window, exact in integers: how many have the label; then of each channel, its values, those
 * of the label, and its products with the channels up to itself. */
enum { SUMS = 13, GREY_SUMS = 4 };

typedef struct outlining {
    const seg_image *photo;
    int width, height; /* of a slice */
    int slices;
    uint32_t beside; /* weight of each slice beside, of 256 */
    int reach, deep; /* of a window to each side, in pixels and in slices */
    int channels;    /* 1: all pixels are grey */
    int sums;
    uint8_t *colour; /* as many bytes each as there are channels */
    const seg_pixel_scribbles *scribbles;
    const uint8_t *from;
    uint8_t *to;
    uint32_t *rooms; /* of each worker: a row of sums of colours and one of colours */
} outlining;

/* A square of a slice and what the labels so far say of its pixels. */
typedef struct tile {
    int left, top, right, bottom, slice;
    double best[TILE * TILE], rest[TILE * TILE]; /* the largest, and one minus all, which is the last label's */
    uint8_t winner[TILE * TILE];
} tile;

static size_t line_samples(const outlining *o) {
    return 3 * ((size_t)o->width + 4); /* two more at each end */
}

/* Colours; a volume's are binomial means over 5 x 5 pixels and three slices, since noise would be borders. */
SEG_WIDER_TOO static void read_rows(void *arg, size_t first, size_t last, int worker) {
    static const uint32_t binomial[5] = {1, 4, 6, 4, 1};
    const outlining *o = arg;
    const size_t c = (size_t)o->channels, line = line_samples(o), samples = c * (size_t)o->width;
    uint32_t *sum = o->rooms + (size_t)worker * 2 * line;
    uint8_t *shown = (uint8_t *)(sum + line);
    for (size_t row = first; row < last; row++) {
        const int slice = (int)row / o->height, y = (int)row % o->height;
        uint8_t *to = o->colour + row * samples;
        if (o->slices == 1) {
            seg_shown_row(o->photo, y, shown);
            for (size_t s = 0; s < samples; s++)
                to[s] = shown[c == 1 ? 3 * s : s];
            continue;
        }
        memset(sum, 0, line * sizeof *sum);
        for (int i = 0; i < 15; i++) {
            const uint32_t weight = binomial[i % 5] * (i / 5 == 1 ? 256 - 2 * o->beside : o->beside);
            seg_shown_row(o->photo,
                          seg_within(slice + i / 5 - 1, o->slices) * o->height + seg_within(y + i % 5 - 2, o->height),
                          shown);
            for (size_t s = 0; s < samples; s++)
                sum[2 * c + s] += weight * shown[c == 1 ? 3 * s : s];
        }
        for (size_t i = 0; i < 2 * c; i++) {
            sum[i] = sum[2 * c + i % c];
            sum[2 * c + samples + i] = sum[c + samples + i % c];
        }
        for (size_t s = 0; s < samples; s++)
            to[s] = (uint8_t)((sum[s] + 4 * sum[s + c] + 6 * sum[s + 2 * c] + 4 * sum[s + 3 * c] + sum[s + 4 * c] +
                               32768) >>
                              16);
    }
}

/* Sums of columns of pixels, one for each pixel that the windows of a row of a tile cover. */
typedef struct column_sums {
    int32_t of[SUMS][ACROSS];
} column_sums;

/* The sums of row y over the slices of the windows: an earlier row's leave `columns`, and these enter it. */
SEG_WIDER_TOO static void enter_row(const outlining *o, const tile *t, int y, int label, column_sums *row,
                                    column_sums *columns) {
    const int first = t->left > o->reach ? t->left - o->reach : 0;
    const int last = t->right + o->reach < o->width ? t->right + o->reach : o->width;
    for (int s = 0; s < o->sums; s++)
        for (int x = 0; x < ACROSS; x++)
            columns->of[s][x] -= row->of[s][x];
    memset(row, 0, (size_t)o->sums * sizeof *row->of);
    for (int z = t->slice - o->deep; y >= 0 && y < o->height && z <= t->slice + o->deep; z++) {
        int32_t own[ACROSS] = {0}, c[3][ACROSS] = {{0}}, (*of)[ACROSS] = row->of;
        for (int x = first; z >= 0 && z < o->slices && x < last; x++) {
            const size_t p = ((size_t)z * (size_t)o->height + (size_t)y) * (size_t)o->width + (size_t)x;
            own[x - t->left + o->reach] = o->from[p] == label;
            for (int i = 0; i < o->channels; i++)
                c[i][x - t->left + o->reach] = o->colour[p * (size_t)o->channels + (size_t)i];
        }
        for (int x = 0; x < ACROSS; x++)
            of[0][x] += own[x];
        for (int i = 0; i < o->channels; i++, of += i + 2) {
            for (int x = 0; x < ACROSS; x++) {
                of[1][x] += c[i][x];
                of[2][x] += own[x] * c[i][x];
            }
            for (int j = 0; j <= i; j++)
                for (int x = 0; x < ACROSS; x++)
                    of[3 + j][x] += c[i][x] * c[j][x];
        }
    }
    for (int s = 0; s < o->sums; s++)
        for (int x = 0; x < ACROSS; x++)
            columns->of[s][x] += row->of[s][x];
}

/* What the regression over n pixels with these sums says of a colour, about 1 for the label and 0 for others. The share
 * of the label plus v' C^-1 d, where v are the covariances of colours and label, C those of colours, and d is the
 * colour without the mean: with C = F F', the product of F^-1 v and F^-1 d. */
static inline double said_of(const int32_t *sums, double n, const uint8_t *colour, int channels) {
    const double share = sums[0] / n, noise = NOISE / (channels == 1 ? 3 : 1); /* a grey pixel has three equal values */
    double F[3][3], v[3], d[3], mean[3], said = share;
    for (int i = 0; share > 0 && share < 1 && i < channels; i++, sums += i + 2) {
        mean[i] = sums[1] / n;
        v[i] = sums[2] / n - share * mean[i];
        d[i] = colour[i] - mean[i];
        for (int j = 0; j <= i; j++) {
            F[i][j] = sums[3 + j] / n - mean[i] * mean[j] + (i == j ? noise : 0);
            for (int k = 0; k < j; k++)
                F[i][j] -= F[i][k] * F[j][k];
            F[i][j] = i == j ? sqrt(F[i][j]) : F[i][j] / F[j][j];
        }
        for (int j = 0; j < i; j++) {
            v[i] -= F[i][j] * v[j];
            d[i] -= F[i][j] * d[j];
        }
        v[i] /= F[i][i];
        d[i] /= F[i][i];
        said += v[i] * d[i];
    }
    return said;
}

/* Pixels from at - reach to at + reach that there are. */
static int span(int at, int reach, int count) {
    return seg_within(at + reach, count) - seg_within(at - reach, count) + 1;
}

/* The sums of the windows of a row of the tile. */
static void add_columns(const outlining *o, const column_sums *columns, int32_t sums[TILE][SUMS]) {
    for (int s = 0; s < o->sums; s++) {
        int32_t sum = 0;
        for (int x = 0; x < TILE + 2 * o->reach; x++) {
            sum += columns->of[s][x];
            if (x < 2 * o->reach)
                continue;
            sums[x - 2 * o->reach][s] = sum;
            sum -= columns->of[s][x - 2 * o->reach];
        }
    }
}

static void regress(const outlining *o, int label, tile *t) {
    column_sums columns = {{{0}}}, row[2 * IMAGE_REACH + 1] = {{{{0}}}}; /* of each row of the windows */
    const int deep = span(t->slice, o->deep, o->slices);
    for (int y = t->top - o->reach; y < t->bottom + o->reach; y++) {
        const int middle = y - o->reach, high = span(middle, o->reach, o->height) * deep;
        int32_t sums[TILE][SUMS];
        enter_row(o, t, y, label, &row[(y - t->top + o->reach) % (2 * o->reach + 1)], &columns);
        if (middle < t->top)
            continue;
        add_columns(o, &columns, sums);
        for (int x = t->left; x < t->right; x++) {
            const size_t p = ((size_t)t->slice * (size_t)o->height + (size_t)middle) * (size_t)o->width + (size_t)x;
            const int i = (middle - t->top) * TILE + x - t->left;
            const double n = high * span(x, o->reach, o->width);
            const double said = o->channels == 1 ? said_of(sums[x - t->left], n, o->colour + p, 1)
                                                 : said_of(sums[x - t->left], n, o->colour + 3 * p, 3);
            t->rest[i] -= said;
            if (said > t->best[i]) {
                t->best[i] = said;
                t->winner[i] = (uint8_t)label;
            }
        }
    }
}

/* Find the labels of the windows of a tile's pixels. @return the largest */
static int find_labels(const outlining *o, const tile *t, uint8_t there[256]) {
    const int left = seg_within(t->left - o->reach, o->width), right = seg_within(t->right - 1 + o->reach, o->width);
    int largest = 0;
    for (int z = seg_within(t->slice - o->deep, o->slices); z <= seg_within(t->slice + o->deep, o->slices); z++)
        for (int y = seg_within(t->top - o->reach, o->height); y <= seg_within(t->bottom - 1 + o->reach, o->height);
             y++) {
            const uint8_t *row = o->from + ((size_t)z * (size_t)o->height + (size_t)y) * (size_t)o->width;
            for (int x = left, alike = !memcmp(row + left, row + left + 1, (size_t)(right - left));
                 x <= (alike ? left : right); x++) {
                there[row[x]] = 1;
                largest = row[x] > largest ? row[x] : largest;
            }
        }
    return largest;
}

static void settle_tiles(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const outlining *o = arg;
    const size_t across = (size_t)(o->width + TILE - 1) / TILE, down = (size_t)(o->height + TILE - 1) / TILE;
    for (size_t number = first; number < last; number++) {
        tile t = {.left = (int)(number % across) * TILE,
                  .top = (int)(number / across % down) * TILE,
                  .slice = (int)(number / across / down)};
        uint8_t there[256] = {0};
        t.right = t.left + TILE < o->width ? t.left + TILE : o->width;
        t.bottom = t.top + TILE < o->height ? t.top + TILE : o->height;
        const int largest = find_labels(o, &t, there);
        if (memchr(there, 1, (size_t)largest) == NULL)
            continue;
        for (int i = 0; i < TILE * TILE; i++) {
            t.best[i] = -HUGE_VAL;
            t.rest[i] = 1;
        }
        for (int label = 0; label < largest; label++)
            if (there[label])
                regress(o, label, &t);
        for (int y = t.top; y < t.bottom; y++)
            for (int x = t.left; x < t.right; x++) {
                const size_t p = ((size_t)t.slice * (size_t)o->height + (size_t)y) * (size_t)o->width + (size_t)x;
                const int i = (y - t.top) * TILE + x - t.left;
                if (seg_mark_at(o->scribbles, p) < 0)
                    o->to[p] = t.rest[i] < t.best[i] ? t.winner[i] : (uint8_t)largest;
            }
    }
}

seg_status seg_outline_settle(seg_context *ctx, const seg_photo_slices *photo, const seg_pixel_scribbles *scribbles,
                              uint8_t *label, size_t *changed) {
    const int slices = photo->slices, height = photo->image->height / slices, width = photo->image->width;
    const size_t n = (size_t)width * (size_t)photo->image->height;
    const size_t tiles = ((size_t)width + TILE - 1) / TILE * (((size_t)height + TILE - 1) / TILE) * (size_t)slices;
    const long deep = lround(VOLUME_REACH / photo->spacing);
    outlining o = {photo->image, width, height, slices, seg_slice_beside(photo->spacing), .scribbles = scribbles};
    o.reach = slices > 1 ? VOLUME_REACH : IMAGE_REACH;
    o.deep = slices == 1 ? 0 : deep < MOST_DEEP ? (int)deep : MOST_DEEP;
    o.channels = photo->image->grey ? 1 : 3;
    o.sums = o.channels == 1 ? GREY_SUMS : SUMS;
    SEG_LOCAL(uint8_t, colour, seg_alloc(ctx, n, (size_t)o.channels));
    SEG_LOCAL(uint8_t, from, seg_alloc(ctx, n, 1));
    SEG_LOCAL(uint32_t, rooms, seg_alloc(ctx, (size_t)seg_threads(ctx), 2 * line_samples(&o) * sizeof *rooms));
    o.colour = colour;
    o.from = from;
    o.to = label;
    o.rooms = rooms;
    SEG_TRY(seg_parallel_polled(ctx, (size_t)photo->image->height, 0, read_rows, &o));
    *changed = 0;
    for (int round = 0; round < (slices > 1 ? VOLUME_ROUNDS : IMAGE_ROUNDS); round++) {
        memcpy(from, label, n);
        SEG_TRY(seg_parallel_polled(ctx, tiles, 0, settle_tiles, &o));
        *changed |= memcmp(from, label, n) != 0;
    }
    return SEG_OK;
}
