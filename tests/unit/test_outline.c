/* The outline by the colours on its two sides: against ridge regression pixel by pixel, and where it must go. */
#include "toy.h"

#include "masks/photo_passes.h"

enum { MOST = 900 };

/* (Z'Z + 10 n diag(1, 1, 1, 0)) a = Z't over the window of p, Z the colours and ones; whether z a > 1/2. */
static uint8_t slowly(const uint8_t *colour, const uint8_t *label, int width, int height, int p) {
    double A[4][5] = {{0}}, said = 0;
    for (int q = 0; q < width * height; q++)
        if (abs(q % width - p % width) <= 5 && abs(q / width - p / width) <= 5) {
            const double z[] = {colour[3 * q], colour[3 * q + 1], colour[3 * q + 2], 1, label[q] == 0};
            for (int e = 0; e < 20; e++)
                A[e / 5][e % 5] += z[e / 5] * z[e % 5] + (e / 5 == e % 5 && e / 5 < 3 ? 10 : 0);
        }
    for (int i = 0; i < 4; i++)
        for (int r = 0; r < 4; r++)
            for (int c = 4; r != i && c >= i; c--)
                A[r][c] -= A[r][i] / A[i][i] * A[i][c];
    for (int i = 0; i < 4; i++)
        said += (i < 3 ? colour[3 * p + i] : 1) * A[i][4] / A[i][i];
    return said > 0.5 ? 0 : 1;
}

/* Two colours with noise, the border two pixels off; of any size and depth. Marks stay. */
TEST(the_border_goes_to_where_colours_meet) {
    static const int sides[][2] = {{30, 30}, {1, 1}, {MOST, 1}, {1, MOST}, {7, 11}, {30, 30}};
    static uint8_t colour[3 * MOST], label[MOST], slow[3][MOST], marks[MOST];
    static uint16_t deep[3 * MOST];
    for (int i = 0; i < 6; i++) {
        const int width = sides[i][0], high = sides[i][1], n = width * high;
        const seg_image photo = {
            .width = width, .height = high, .depth = i < 5 ? 8 : 16, .data = i < 5 ? (void *)colour : deep};
        const seg_pixel_scribbles scribbles = {.label = marks, .column = {-1, 0}};
        size_t changed, different = 0;
        for (int p = 0; p < n; p++) {
            const int from_meeting = width > 1 ? p % width - width / 2 : p - high / 2;
            for (int c = 0; c < 3; c++)
                colour[3 * p + c] = (uint8_t)((from_meeting < 0 ? 60 : 90 + 9 * c) + p * (7 + c) % 13);
            for (int c = 0; c < 3; c++)
                deep[3 * p + c] = (uint16_t)(257 * colour[3 * p + c]);
            marks[p] = p == n - 1;
            label[p] = slow[0][p] = from_meeting >= 2 && !marks[p];
        }
        for (int e = 0; e < 2 * n; e++)
            slow[1 + e / n][e % n] = marks[e % n] ? 0 : slowly(colour, slow[e / n], width, high, e % n);
        ctx.threads = 1 + i % 3;
        assert_ok(&ctx, seg_outline_settle(&ctx, &photo, &scribbles, label, &changed));
        for (int p = 0; p < n; p++) {
            different += label[p] != slow[0][p];
            assert_true(label[p] == slow[2][p] && (width != 30 || label[p] == (p % width >= width / 2 && p < n - 1)));
        }
        assert_int_equal(changed, different);
    }
}
