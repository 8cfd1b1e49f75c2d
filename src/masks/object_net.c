/* A net that tells a marked object from its background: an encoder of the image, which is reduced to some 86,000
 * pixels, or enlarged to as many but at most three times as wide and high, and a decoder of its features, of the marks'
 * nearness and of their likeness to the features. */
#include "masks/object_net.h"

#include "base/lanes.h"
#include "image/shown.h"
#include "linalg/planes.h"

#define AREA     86016.0 /* pixels of the reduced image, whose sides are multiples of 16 */
#define ENLARGED 3.0     /* at most */
#define MOST     1024    /* of a side */
#define EMBED    16      /* channels that likeness is measured in */
#define MAPS     5 /* per label: nearness at two scales, the largest likeness and the mean, whether anything is marked */
#define NEAR     5.0 /* scales of nearness, in pixels of the reduced image */
#define FAR      40.0
#define BOUND    7.0 /* of the log odds */

/* The layers in the order of their weights. A block of three is relu(second(relu(first(x))) + beside(x)). At 1/2 of the
 * reduced image's size, 1/4, 1/8 and 1/16: what the encoder sees, coarser added to finer; then the decoder likewise. */
enum { STEM, SEEN2, SEEN4 = SEEN2 + 3, SEEN8 = SEEN4 + 3, SEEN16 = SEEN8 + 3, TO8 = SEEN16 + 3, JOIN8, TO4, JOIN4 };
enum { LIKENESS = JOIN4 + 1, ASKED4, ASKED8 = ASKED4 + 3, ASKED16 = ASKED8 + 3, WHOLE = ASKED16 + 3 };
enum { BACK8 = WHOLE + 1, MERGE8, BACK4, MERGE4, BACK2, MERGE2, LOGIT, LAYERS };
static const uint8_t shape[LAYERS][3] = {
    /* channels in, channels out, side */
    {12, 16, 3}, {16, 16, 3}, {16, 16, 3}, {16, 16, 1},  {16, 24, 3}, {24, 24, 3},  {16, 24, 1},
    {24, 40, 3}, {40, 40, 3}, {24, 40, 1}, {40, 64, 3},  {64, 64, 3}, {40, 64, 1},  {64, 40, 1},
    {40, 40, 3}, {40, 24, 1}, {24, 24, 3}, {24, 16, 1},  {34, 32, 3}, {32, 32, 3},  {34, 32, 1},
    {72, 48, 3}, {48, 48, 3}, {72, 48, 1}, {112, 64, 3}, {64, 64, 3}, {112, 64, 1}, {64, 64, 1},
    {64, 48, 1}, {48, 48, 3}, {48, 32, 1}, {32, 32, 3},  {32, 16, 1}, {16, 16, 3},  {16, 1, 1},
};

/* Per layer a scale of each output, its bias, and the weights in units of the scale, output by output; single precision
 * of IEEE 754, the least byte first, and signed bytes. Made of object_net.bin. */
extern const char seg_object_weights[];

struct seg_object_net {
    seg_arena arena;
    seg_layer layer[LAYERS];
    int width, height; /* of the reduced image */
    seg_planes seen2, likeness;
    seg_planes asked4, asked8, asked16; /* what the decoder's blocks are given; of it what is of the image stays */
};

static float read_float(const char *at) {
    const uint8_t *byte = (const uint8_t *)at;
    const uint32_t bits = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static seg_status read_layer(seg_context *ctx, seg_object_net *net, int which, const char **from) {
    const int in = shape[which][0], out = shape[which][1], side = shape[which][2];
    const size_t outs = ((size_t)out + 3) / 4 * 4, each = (size_t)(in * side * side);
    float *bias = seg_arena_alloc_zero(ctx, &net->arena, outs * (each + 1), sizeof *bias);
    SEG_TRY(seg_allocated(bias));
    float *weight = bias + outs;
    for (int o = 0; o < out; o++) {
        const float scale = read_float(*from + 4 * o);
        const char *w = *from + 8 * out + (size_t)o * each;
        bias[o] = read_float(*from + 4 * (out + o));
        for (size_t e = 0; e < each; e++)
            weight[((size_t)(o / 4) * each + e) * 4 + (size_t)(o % 4)] = scale * (float)(int8_t)w[e];
    }
    net->layer[which] = (seg_layer){in, out, side, weight, bias};
    *from += (size_t)out * (8 + each);
    return SEG_OK;
}

static int reduced_side(int side, double factor) {
    const int whole = 16 * (int)lround(side * factor / 16);
    return whole < 16 ? 16 : whole > MOST ? MOST : whole;
}

typedef struct reducing {
    const seg_image *photo;
    const seg_object_net *net;
    const seg_planes *out;
} reducing;

/* The mean of the photo over a cell of the reduced image, -0.5..0.5. */
static void reduce_cell(const reducing *j, int column, int row, double *mean) {
    const seg_image *p = j->photo;
    const double left = (double)column * p->width / j->net->width, right = (column + 1.0) * p->width / j->net->width;
    const double top = (double)row * p->height / j->net->height, bottom = (row + 1.0) * p->height / j->net->height;
    mean[0] = mean[1] = mean[2] = 0;
    for (int y = (int)top; y < bottom; y++)
        for (int x = (int)left; x < right; x++) {
            const double share = (fmin(y + 1, bottom) - fmax(y, top)) * (fmin(x + 1, right) - fmax(x, left));
            for (int c = 0; c < 3; c++) {
                mean[c] += share * seg_shown_sample(p, 3 * ((size_t)y * (size_t)p->width + (size_t)x) + (size_t)c);
            }
        }
    for (int c = 0; c < 3; c++)
        mean[c] = mean[c] / ((right - left) * (bottom - top) * 255) - 0.5;
}

/* The four pixels of a square are channels of one. */
static void reduce_rows(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const reducing *j = arg;
    for (int y = (int)first; y < (int)last; y++)
        for (int x = 0; x < j->net->width; x++) {
            double mean[3];
            reduce_cell(j, x, y, mean);
            for (int c = 0; c < 3; c++)
                seg_plane_row(j->out, 4 * c + 2 * (y % 2) + x % 2, y / 2)[x / 2] = (float)mean[c];
        }
}

/* relu(second(relu(first(x))) + beside(x)) */
static seg_status block(seg_context *ctx, seg_arena *arena, const seg_layer *layer, const seg_planes *in,
                        const seg_planes *out) {
    seg_planes inner;
    SEG_TRY(seg_planes_create(ctx, arena, layer->out, in->width, in->height, &inner));
    seg_planes_convolve(ctx, layer, in, SEG_LAYER_CUTS, &inner);
    seg_planes_convolve(ctx, layer + 2, in, 0, out);
    seg_planes_convolve(ctx, layer + 1, &inner, SEG_LAYER_ADDS | SEG_LAYER_CUTS, out);
    return seg_poll(ctx);
}

/* The block of what is half as large. */
static seg_status block_of_half(seg_context *ctx, seg_arena *arena, const seg_layer *layer, const seg_planes *in,
                                const seg_planes *out) {
    seg_planes half;
    SEG_TRY(seg_planes_create(ctx, arena, in->channels, out->width, out->height, &half));
    seg_planes_halve(in, &half);
    return block(ctx, arena, layer, &half, out);
}

/* out = join(fine + to(coarse) enlarged); fine is changed. */
static seg_status join(seg_context *ctx, seg_arena *arena, const seg_layer *to_and_join, const seg_planes *coarse,
                       const seg_planes *fine, const seg_planes *out) {
    seg_planes passed;
    SEG_TRY(seg_planes_create(ctx, arena, to_and_join->out, coarse->width, coarse->height, &passed));
    seg_planes_convolve(ctx, to_and_join, coarse, 0, &passed);
    seg_planes_add_doubled(&passed, fine);
    seg_planes_convolve(ctx, to_and_join + 1, fine, SEG_LAYER_CUTS, out);
    return SEG_OK;
}

/* Scale the channels of each pixel to a norm of 1. */
static void normalise(const seg_planes *p) {
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            float sum = 0;
            for (int c = 0; c < p->channels; c++)
                sum += seg_plane_row(p, c, y)[x] * seg_plane_row(p, c, y)[x];
            for (int c = 0; c < p->channels; c++)
                seg_plane_row(p, c, y)[x] /= fmaxf(sqrtf(sum), 1e-12F);
        }
}

static seg_status look(seg_context *ctx, const seg_image *photo, seg_object_net *net, seg_arena *scratch) {
    const seg_layer *l = net->layer;
    const int w = net->width, h = net->height;
    const seg_planes seen16 = seg_planes_part(&net->asked16, l[ASKED8].out, l[SEEN16].out);
    const seg_planes seen8 = seg_planes_part(&net->asked8, l[ASKED4].out, l[JOIN8].out);
    const seg_planes seen4 = seg_planes_part(&net->asked4, 0, l[JOIN4].out);
    seg_planes reduced, stem, at4, at8;
    SEG_TRY(seg_planes_create(ctx, scratch, l[STEM].in, w / 2, h / 2, &reduced));
    SEG_TRY(seg_planes_create(ctx, scratch, l[STEM].out, w / 2, h / 2, &stem));
    SEG_TRY(seg_planes_create(ctx, scratch, l[SEEN4].out, w / 4, h / 4, &at4));
    SEG_TRY(seg_planes_create(ctx, scratch, l[SEEN8].out, w / 8, h / 8, &at8));
    seg_parallel(ctx, (size_t)h, 0, reduce_rows, &(reducing){photo, net, &reduced});
    seg_planes_convolve(ctx, &l[STEM], &reduced, SEG_LAYER_CUTS, &stem);
    SEG_TRY(block(ctx, scratch, &l[SEEN2], &stem, &net->seen2));
    SEG_TRY(block_of_half(ctx, scratch, &l[SEEN4], &net->seen2, &at4));
    SEG_TRY(block_of_half(ctx, scratch, &l[SEEN8], &at4, &at8));
    SEG_TRY(block_of_half(ctx, scratch, &l[SEEN16], &at8, &seen16));
    SEG_TRY(join(ctx, scratch, &l[TO8], &seen16, &at8, &seen8));
    SEG_TRY(join(ctx, scratch, &l[TO4], &seen8, &at4, &seen4));
    seg_planes_convolve(ctx, &l[LIKENESS], &seen4, 0, &net->likeness);
    normalise(&net->likeness);
    return SEG_OK;
}

seg_status seg_object_net_look(seg_context *ctx, const seg_image *photo, seg_object_net **out) {
    const double factor = fmin(ENLARGED, sqrt(AREA / ((double)photo->width * photo->height)));
    const char *from = seg_object_weights;
    SEG_RELEASED(seg_arena_free) seg_arena scratch = {0};
    seg_object_net *net = *out = seg_alloc_zero(ctx, 1, sizeof *net);
    SEG_TRY(seg_allocated(net));
    const int w = net->width = reduced_side(photo->width, factor),
              h = net->height = reduced_side(photo->height, factor);
    seg_status status = SEG_OK;
    for (int i = 0; i < LAYERS && !status; i++)
        status = read_layer(ctx, net, i, &from);
    const struct {
        seg_planes *planes;
        int channels, divisor;
    } kept[] = {{&net->seen2, shape[STEM][1], 2},
                {&net->likeness, EMBED, 4},
                {&net->asked4, shape[ASKED4][0], 4},
                {&net->asked8, shape[ASKED8][0], 8},
                {&net->asked16, shape[ASKED16][0], 16}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept && !status; i++)
        status = seg_planes_create(ctx, &net->arena, kept[i].channels, w / kept[i].divisor, h / kept[i].divisor,
                                   kept[i].planes);
    SEG_RETURN_OR(status ? status : look(ctx, photo, net, &scratch), seg_object_net_free(seg_taken(out)));
}

void seg_object_net_free(seg_object_net *net) {
    if (!net)
        return;
    seg_arena_free(&net->arena);
    free(net);
}

/* The middle of a patch in pixels of the reduced image. */
static void middle(const seg_object_net *net, const seg_patch_grid *grid, size_t patch, double *x, double *y) {
    const double left = (double)(patch % (size_t)grid->columns) * grid->side;
    const double top = (double)(patch / (size_t)grid->columns) * grid->side;
    *x = (left + fmin(left + grid->side, grid->width)) / 2 * net->width / grid->width;
    *y = (top + fmin(top + grid->side, grid->height)) / 2 * net->height / grid->height;
}

/* Of each cell at 1/4: the squared distance to the nearest mark, the likeness to the one most alike, and whether one
 * is in it; the sum of the marks' channels; room for a row. */
typedef struct nearest {
    float *distance2, *alike, *has_mark, *dot, sum[EMBED];
    size_t marks;
} nearest;

SEG_WIDER_TOO static void enter_mark(const seg_planes *e, double x, double y, nearest *to) {
    const int column = (int)fmin(x / 4, e->width - 1), row = (int)fmin(y / 4, e->height - 1);
    const size_t width = (size_t)e->width, cell = (size_t)row * width + (size_t)column;
    const int again = to->has_mark[cell] > 0; /* equally alike */
    for (int v = 0; v < e->height; v++) {
        float *distance2 = to->distance2 + (size_t)v * width, *alike = to->alike + (size_t)v * width;
        const float dy = (float)(4 * v + 2 - y), left = (float)(2 - x);
        for (size_t u = 0; u < width; u++) {
            const float dx = left + (float)(4 * u), d = dx * dx + dy * dy;
            distance2[u] = d < distance2[u] ? d : distance2[u];
            to->dot[u] = 0;
        }
        for (int c = 0; c < EMBED && !again; c++)
            for (size_t u = 0; u < width; u++)
                to->dot[u] += seg_plane_row(e, c, row)[column] * seg_plane_row(e, c, v)[u];
        for (size_t u = 0; u < width && !again; u++)
            alike[u] = to->dot[u] > alike[u] ? to->dot[u] : alike[u];
    }
    for (int c = 0; c < EMBED; c++)
        to->sum[c] += seg_plane_row(e, c, row)[column];
    to->marks++;
    to->has_mark[cell] = 1;
}

seg_status seg_object_net_mark(seg_context *ctx, seg_object_net *net, const seg_patch_grid *grid, const int16_t *group,
                               int label) {
    const seg_planes *e = &net->likeness;
    const seg_planes maps = seg_planes_part(&net->asked4, net->layer[JOIN4].out + label * MAPS, MAPS);
    const size_t cells = (size_t)e->width * (size_t)e->height;
    SEG_LOCAL(double, exponent, seg_alloc(ctx, cells, 2 * sizeof *exponent));
    SEG_LOCAL(float, found, seg_alloc_zero(ctx, 4 * cells, sizeof *found));
    nearest to = {.distance2 = found, .alike = found + cells, .has_mark = found + 2 * cells, .dot = found + 3 * cells};
    for (size_t i = 0; i < cells; i++) {
        found[i] = 1e9F;
        found[cells + i] = -1;
    }
    for (size_t i = 0; i < (size_t)grid->columns * (size_t)grid->rows; i++)
        if (group[i] == label) {
            double x, y;
            middle(net, grid, i, &x, &y);
            enter_mark(e, x, y, &to);
        }
    for (size_t i = 0; i < cells; i++) {
        exponent[i] = to.distance2[i] / (2 * NEAR * NEAR);
        exponent[cells + i] = sqrt(to.distance2[i]) / FAR;
    }
    seg_exponentials(2 * cells, exponent);
    for (int y = 0; y < e->height; y++)
        for (int x = 0; x < e->width; x++) {
            const size_t i = (size_t)y * (size_t)e->width + (size_t)x;
            float mean = 0;
            for (int c = 0; c < EMBED; c++)
                mean += to.sum[c] * seg_plane_row(e, c, y)[x];
            const float value[MAPS] = {(float)exponent[i], (float)exponent[cells + i], to.alike[i],
                                       mean / (float)(to.marks ? to.marks : 1), to.marks > 0};
            for (int m = 0; m < MAPS; m++)
                seg_plane_row(&maps, m, y)[x] = value[m];
        }
    return SEG_OK;
}

/* Add to each channel what the layer makes of the channels' means. */
static seg_status add_whole(seg_context *ctx, seg_arena *arena, const seg_layer *layer, const seg_planes *p) {
    seg_planes mean, added;
    SEG_TRY(seg_planes_create(ctx, arena, layer->in, 1, 1, &mean));
    SEG_TRY(seg_planes_create(ctx, arena, layer->out, 1, 1, &added));
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < p->channels; c++)
            for (int y = 0; y < p->height; y++)
                for (int x = 0; x < p->width; x++)
                    if (pass)
                        seg_plane_row(p, c, y)[x] += *seg_plane_row(&added, c, 0);
                    else
                        *seg_plane_row(&mean, c, 0) += seg_plane_row(p, c, y)[x] / (float)(p->width * p->height);
        if (!pass)
            seg_planes_convolve(ctx, layer, &mean, 0, &added);
    }
    return SEG_OK;
}

/* The logits at 1/2. */
static seg_status decode(seg_context *ctx, const seg_object_net *net, seg_arena *scratch, seg_planes *logit) {
    const seg_layer *l = net->layer;
    const int w = net->width, h = net->height;
    const seg_planes half4 = seg_planes_part(&net->asked8, 0, l[ASKED4].out);
    const seg_planes half8 = seg_planes_part(&net->asked16, 0, l[ASKED8].out);
    seg_planes at2, at4, at8, at16, merged2, merged4, merged8;
    SEG_TRY(seg_planes_create(ctx, scratch, l[MERGE2].in, w / 2, h / 2, &at2));
    SEG_TRY(seg_planes_create(ctx, scratch, l[MERGE2].out, w / 2, h / 2, &merged2));
    SEG_TRY(seg_planes_create(ctx, scratch, 1, w / 2, h / 2, logit));
    SEG_TRY(seg_planes_create(ctx, scratch, l[ASKED4].out, w / 4, h / 4, &at4));
    SEG_TRY(seg_planes_create(ctx, scratch, l[MERGE4].out, w / 4, h / 4, &merged4));
    SEG_TRY(seg_planes_create(ctx, scratch, l[ASKED8].out, w / 8, h / 8, &at8));
    SEG_TRY(seg_planes_create(ctx, scratch, l[MERGE8].out, w / 8, h / 8, &merged8));
    SEG_TRY(seg_planes_create(ctx, scratch, l[ASKED16].out, w / 16, h / 16, &at16));
    SEG_TRY(block(ctx, scratch, &l[ASKED4], &net->asked4, &at4));
    seg_planes_halve(&at4, &half4);
    SEG_TRY(block(ctx, scratch, &l[ASKED8], &net->asked8, &at8));
    seg_planes_halve(&at8, &half8);
    SEG_TRY(block(ctx, scratch, &l[ASKED16], &net->asked16, &at16));
    SEG_TRY(add_whole(ctx, scratch, &l[WHOLE], &at16));
    SEG_TRY(join(ctx, scratch, &l[BACK8], &at16, &at8, &merged8));
    SEG_TRY(join(ctx, scratch, &l[BACK4], &merged8, &at4, &merged4));
    memcpy(at2.at, net->seen2.at, (size_t)at2.channels * at2.plane * sizeof *at2.at);
    SEG_TRY(join(ctx, scratch, &l[BACK2], &merged4, &at2, &merged2));
    seg_planes_convolve(ctx, &l[LOGIT], &merged2, 0, logit);
    return SEG_OK;
}

/* Bilinear, the middle of pixel 0 at 0.5. */
static double sample(const seg_planes *p, double x, double y) {
    const double u = fmin(fmax(x - 0.5, 0), p->width - 1), v = fmin(fmax(y - 0.5, 0), p->height - 1);
    const int left = (int)u, top = (int)v;
    const int right = left + 1 < p->width ? left + 1 : left, bottom = top + 1 < p->height ? top + 1 : top;
    const float *a = seg_plane_row(p, 0, top), *b = seg_plane_row(p, 0, bottom);
    const double s = u - left, t = v - top;
    return (1 - t) * ((1 - s) * a[left] + s * a[right]) + t * ((1 - s) * b[left] + s * b[right]);
}

seg_status seg_object_net_odds(seg_context *ctx, seg_object_net *net, const seg_patch_grid *grid, double *odds) {
    SEG_RELEASED(seg_arena_free) seg_arena scratch = {0};
    seg_planes logit;
    SEG_TRY(decode(ctx, net, &scratch, &logit));
    for (size_t i = 0; i < (size_t)grid->columns * (size_t)grid->rows; i++) {
        double x, y;
        middle(net, grid, i, &x, &y);
        odds[i] = fmin(fmax(sample(&logit, x / 2, y / 2), -BOUND), BOUND);
    }
    return SEG_OK;
}
