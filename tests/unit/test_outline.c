/* The outline by the colours on its sides: against ridge regression pixel by pixel, and where it must go. */
#include "toy.h"

#include "base/base.h"
#include "masks/photo_passes.h"

enum { MOST = 900 };

typedef struct shape {
    int width, height, slices, reach, deep;
} shape;

static int is_near(const shape *s, int p, int q) {
    const int size = s->width * s->height;
    return abs(q % s->width - p % s->width) <= s->reach && abs(q / size - p / size) <= s->deep &&
           abs(q % size / s->width - p % size / s->width) <= s->reach;
}

/* (Z'Z + 10 n diag(1, 1, 1, 0)) a = Z't over the window of p, Z the colours and ones, t whether the label is l; z a. */
static double said_of(const shape *s, const uint8_t *colour, const uint8_t *label, int p, int l) {
    double A[4][5] = {{0}}, said = 0;
    for (int q = 0; q < s->width * s->height * s->slices; q++)
        if (is_near(s, p, q)) {
            const double z[] = {colour[3 * q], colour[3 * q + 1], colour[3 * q + 2], 1, label[q] == l};
            for (int e = 0; e < 20; e++)
                A[e / 5][e % 5] += z[e / 5] * z[e % 5] + (e / 5 == e % 5 && e / 5 < 3 ? 10 : 0);
        }
    for (int i = 0; i < 4; i++)
        for (int r = 0; r < 4; r++)
            for (int c = 4; r != i && c >= i; c--)
                A[r][c] -= A[r][i] / A[i][i] * A[i][c];
    for (int i = 0; i < 4; i++)
        said += (i < 3 ? colour[3 * p + i] : 1) * A[i][4] / A[i][i];
    return said;
}

/* The label of three that most is said of. */
static uint8_t slowly(const shape *s, const uint8_t *colour, const uint8_t *label, int p) {
    const double said[3] = {said_of(s, colour, label, p, 0), said_of(s, colour, label, p, 1),
                            said_of(s, colour, label, p, 2)};
    return (uint8_t)seg_largest_of(3, said);
}

/* Two colours or greys with noise, the border two pixels off; of any size and depth. Marks stay. */
TEST(the_border_goes_to_where_colours_meet) {
    static const int sides[][2] = {{30, 30}, {1, 1}, {MOST, 1}, {1, MOST}, {7, 11}, {30, 30}, {30, 30}, {23, 19}};
    static uint8_t colour[3 * MOST], label[MOST], slow[3][MOST], marks[MOST];
    static uint16_t deep[3 * MOST];
    for (int i = 0; i < 8; i++) {
        const int width = sides[i][0], high = sides[i][1], n = width * high;
        const seg_image photo = {.width = width,
                                 .height = high,
                                 .depth = i == 5 ? 16 : 8,
                                 .grey = i >= 6,
                                 .data = i == 5 ? (void *)deep : colour};
        const seg_pixel_scribbles scribbles = {.label = marks, .column = {-1, 0}};
        size_t changed, different = 0;
        for (int p = 0; p < n; p++) {
            const int from_meeting = width > 1 ? p % width - width / 2 : p - high / 2;
            for (int c = 0; c < 3; c++)
                colour[3 * p + c] =
                    (uint8_t)((from_meeting < 0 ? 60 : 90 + 9 * c * (i < 6)) + p * (7 + c * (i < 6)) % 13);
            for (int c = 0; c < 3; c++)
                deep[3 * p + c] = (uint16_t)(257 * colour[3 * p + c]);
            marks[p] = p == n - 1;
            label[p] = slow[0][p] = from_meeting >= 2 && !marks[p];
        }
        for (int e = 0; e < 2 * n; e++)
            slow[1 + e / n][e % n] =
                marks[e % n] ? 0 : slowly(&(shape){width, high, 1, 5, 0}, colour, slow[e / n], e % n);
        ctx.threads = 1 + i % 3;
        assert_ok(&ctx, seg_outline_settle(&ctx, &(seg_photo_slices){&photo, 1, 1}, &scribbles, label, &changed));
        for (int p = 0; p < n; p++) {
            different |= slow[1][p] != slow[0][p] || slow[2][p] != slow[1][p];
            assert_true(label[p] == slow[2][p] && (width != 30 || label[p] == (p % width >= width / 2 && p < n - 1)));
        }
        assert_int_equal(changed, different);
    }
}

/* The colours of a volume: weights 1, 4, 6, 4, 1 in a slice, those of the slices beside by their spacing. */
static uint8_t smooth(const shape *s, const uint8_t *colour, int at, uint32_t beside) {
    static const uint32_t binomial[] = {1, 4, 6, 4, 1};
    const int p = at / 3, size = s->width * s->height, x = p % s->width, y = p % size / s->width, z = p / size;
    uint32_t sum = 32768;
    for (int i = 0; i < 75; i++) {
        const int u = x + i % 5 - 2, v = y + i / 5 % 5 - 2, w = z + i / 25 - 1;
        const int column = u < 0          ? 0
                           : u < s->width ? u
                                          : s->width - 1,
                  row = v < 0           ? 0
                        : v < s->height ? v
                                        : s->height - 1;
        const int slice = w < 0 ? 0 : w < s->slices ? w : s->slices - 1;
        sum += binomial[i % 5] * binomial[i / 5 % 5] * (w == z ? 256 - 2 * beside : beside) *
               colour[3 * (slice * size + row * s->width + column) + at % 3];
    }
    return (uint8_t)(sum >> 16);
}

/* Volumes of three labels, in colour and grey, near and far slices: what each voxel becomes in four rounds; marks stay.
 */
TEST(volumes_have_windows_of_several_slices) {
    static const struct {
        shape of;
        double spacing;
        uint32_t beside;
    } cases[] = {{{9, 10, 10, 2, 2}, 1, 64},
                 {{40, 5, 4, 2, 1}, 2, 25},
                 {{5, 9, 20, 2, 4}, 0.5, 102},
                 {{35, 1, 25, 2, 0}, 10, 1},
                 {{1, 1, 900, 2, 4}, 0.1, 126}};
    static uint8_t colour[3 * MOST], seen[3 * MOST], label[MOST], slow[5][MOST], marks[MOST];
    for (int i = 0; i < 10; i++) {
        const shape *s = &cases[i % 5].of;
        const int n = s->width * s->height * s->slices;
        const seg_image photo = {
            .width = s->width, .height = s->height * s->slices, .depth = 8, .grey = i >= 5, .data = colour};
        const seg_pixel_scribbles scribbles = {.label = marks, .column = {-1, 0, 1, 2}};
        size_t changed, different = 0;
        for (int p = 0; p < n; p++) {
            const int truth = 3 * p / n;
            for (int c = 0; c < 3; c++)
                colour[3 * p + c] = (uint8_t)(60 + 50 * truth + p * (17 + 4 * c * (i < 5)) % 37);
            label[p] = slow[0][p] = (uint8_t)(p < n - n / 9 ? 3 * (p + n / 9) / n : 2);
            marks[p] = p % 50 ? 0 : (uint8_t)(1 + label[p]);
        }
        for (int e = 0; e < 3 * n; e++)
            seen[e] = smooth(s, colour, e, cases[i % 5].beside);
        for (int e = 0; e < 4 * n; e++)
            slow[1 + e / n][e % n] = marks[e % n] ? slow[0][e % n] : slowly(s, seen, slow[e / n], e % n);
        ctx.threads = 1 + i % 3;
        const seg_photo_slices slices = {&photo, s->slices, cases[i % 5].spacing};
        assert_ok(&ctx, seg_outline_settle(&ctx, &slices, &scribbles, label, &changed));
        for (int p = 0; p < n; p++) {
            for (int round = 0; round < 4; round++)
                different |= slow[round + 1][p] != slow[round][p];
            assert_int_equal(label[p], slow[4][p]);
        }
        assert_int_equal(changed, different);
        assert_true(changed > 0 || i == 8); /* there windows have five pixels */
    }
}
