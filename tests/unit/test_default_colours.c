/* The default colours of labels are what their rule gives. */
#include "check.h"

#define LEVELS 11 /* a channel: the colours that are chosen from */

static const uint8_t first_colours[8][3] = {{230, 159, 0},  {0, 114, 178}, {0, 158, 115},  {204, 121, 167},
                                            {86, 180, 233}, {213, 94, 0},  {240, 228, 66}, {128, 128, 128}};

/* How far apart two colours look: lightness counts most, blue against yellow more than red against green, which a part
 * of the readers do not see. Whole numbers: the same on every machine. */
static int32_t colour_distance(const uint8_t a[3], const uint8_t b[3]) {
    int32_t red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
    int32_t light = (3 * red + 6 * green + blue) / 10, blue_yellow = blue - (red + green) / 2, red_green = red - green;
    return 4 * light * light + 2 * blue_yellow * blue_yellow + red_green * red_green;
}

static void choose(uint8_t colour[256][3]) {
    static const uint8_t black[3] = {0, 0, 0}, white[3] = {255, 255, 255};
    uint8_t candidate[LEVELS * LEVELS * LEVELS][3];
    int32_t nearest[LEVELS * LEVELS * LEVELS]; /* distance to the nearest colour taken */
    const int candidates = LEVELS * LEVELS * LEVELS;
    for (int i = 0; i < candidates; i++) {
        int level[3] = {i / (LEVELS * LEVELS), i / LEVELS % LEVELS, i % LEVELS};
        for (int c = 0; c < 3; c++)
            candidate[i][c] = (uint8_t)(level[c] * 255 / (LEVELS - 1));
        int32_t from_black = colour_distance(candidate[i], black), from_white = colour_distance(candidate[i], white);
        nearest[i] = from_black < from_white ? from_black : from_white;
    }
    memcpy(colour[0], black, 3);
    memcpy(colour[SEG_VOID], white, 3);
    /* After the first eight, always the colour farthest from all taken so far. */
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        int best = 0;
        for (int i = 1; i < candidates; i++)
            best = nearest[i] > nearest[best] ? i : best;
        memcpy(colour[label], label <= 8 ? first_colours[label - 1] : candidate[best], 3);
        for (int i = 0; i < candidates; i++) {
            int32_t distance = colour_distance(candidate[i], colour[label]);
            nearest[i] = distance < nearest[i] ? distance : nearest[i];
        }
    }
}

TEST(colours_follow_the_rule) {
    uint8_t expected[256][3], colour[256][3];
    choose(expected);
    seg_mask_default_colours(colour);
    assert_memory_equal(colour, expected, sizeof colour);
}
