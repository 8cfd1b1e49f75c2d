/* Two patches of an image, marked for a person who is asked about them. */
#include "base/base.h"
#include "image/shown.h"

#include <segment/overlay.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGER = 1000,      /* pixels of the image's longer side in the image, or somewhat less where it is enlarged */
    INSET = 320,        /* side of a magnified piece */
    INSET_PATCHES = 15, /* patches across it */
    GAP = 20,
    LINE = 4,
    REACH = 14, /* least distance of a mark from its patch's middle */
    CELL = 4,   /* pixels of a letter's dot */
    BACKGROUND = 48
};

/* Orange and sky blue of Okabe & Ito. */
static const uint8_t colours[2][3] = {{230, 159, 0}, {86, 180, 233}};
static const uint8_t black[3] = {0, 0, 0};

typedef struct square {
    double left, top, side; /* in pixels of the image */
} square;

typedef struct frame {
    int left, top, width, height; /* in pixels of the image */
} frame;

static void put(seg_image *picture, int x, int y, const uint8_t colour[3]) {
    if (x >= 0 && y >= 0 && x < picture->width && y < picture->height)
        memcpy((uint8_t *)picture->data + 3 * ((size_t)y * (size_t)picture->width + (size_t)x), colour, 3);
}

/* The mean colour of the image's pixels from (x0, y0) up to (x1, y1), at least one; black outside. */
static void mean_colour(const seg_image *photo, double x0, double y0, double x1, double y1, uint8_t colour[3]) {
    const int left = (int)floor(x0), top = (int)floor(y0);
    const int right = (int)fmax(ceil(x1 - 1e-9), left + 1), bottom = (int)fmax(ceil(y1 - 1e-9), top + 1);
    uint64_t sum[3] = {0, 0, 0}, count = 0;
    int least, most;
    seg_image_ends(photo, &least, &most);
    for (int y = top < 0 ? 0 : top; y < bottom && y < photo->height; y++)
        for (int x = left < 0 ? 0 : left; x < right && x < photo->width; x++, count++)
            for (int c = 0; c < 3; c++) {
                const size_t at = 3 * ((size_t)y * (size_t)photo->width + (size_t)x) + (size_t)c;
                sum[c] += photo->depth == 8 ? ((const uint8_t *)photo->data)[at]
                                            : seg_shown(((const uint16_t *)photo->data)[at], least, most);
            }
    for (int c = 0; c < 3; c++)
        colour[c] = (uint8_t)(count ? (sum[c] + count / 2) / count : BACKGROUND);
}

/* Fill a frame of the image with a piece of the image. */
static void copy_piece(const seg_image *photo, double left, double top, double scale, const frame *to,
                       seg_image *picture) {
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            uint8_t colour[3];
            mean_colour(photo, left + x / scale, top + y / scale, left + (x + 1) / scale, top + (y + 1) / scale,
                        colour);
            put(picture, to->left + x, to->top + y, colour);
        }
}

/* A ring of a square (mark 0) or a circle (mark 1): what lies within half of `width` of the shape of radius `r`. */
static void ring(seg_image *picture, int mark, double x, double y, double r, double width, const uint8_t colour[3]) {
    const int reach = (int)(r + width) + 1;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            const double away = mark ? hypot(dx, dy) : fmax(abs(dx), abs(dy));
            if (fabs(away - r) <= width / 2)
                put(picture, (int)lround(x) + dx, (int)lround(y) + dy, colour);
        }
}

static void outlined_ring(seg_image *picture, int mark, double x, double y, double r) {
    ring(picture, mark, x, y, r, LINE + 4, black);
    ring(picture, mark, x, y, r, LINE, colours[mark]);
}

/* A line from (x0, y0) to (x1, y1). */
static void line(seg_image *picture, double x0, double y0, double x1, double y1, double width,
                 const uint8_t colour[3]) {
    const double length = fmax(hypot(x1 - x0, y1 - y0), 1);
    for (double t = 0; t <= length; t += 0.5)
        for (double across = -width / 2; across <= width / 2; across += 0.5)
            put(picture, (int)lround(x0 + (x1 - x0) * t / length - (y1 - y0) * across / length),
                (int)lround(y0 + (y1 - y0) * t / length + (x1 - x0) * across / length), colour);
}

/* The letter A or B, 5 x 7 dots, on a square or a disc of its colour around (x, y). */
static void letter(seg_image *picture, int mark, int x, int y) {
    static const uint8_t dots[2][7] = {{0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11},
                                       {0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e}};
    const int radius = 5 * CELL;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            const double away = mark ? hypot(dx, dy) : fmax(abs(dx), abs(dy));
            if (away <= radius)
                put(picture, x + dx, y + dy, away > radius - 2 ? black : colours[mark]);
        }
    for (int dot = 0; dot < 35; dot++)
        if (dots[mark][dot / 5] >> (4 - dot % 5) & 1)
            for (int pixel = 0; pixel < CELL * CELL; pixel++)
                put(picture, x + (2 * (dot % 5) - 5) * CELL / 2 + pixel % CELL,
                    y + (2 * (dot / 5) - 7) * CELL / 2 + pixel / CELL, black);
}

static square patch_square(const seg_patch_grid *grid, int32_t patch) {
    return (square){(double)(patch % grid->columns) * grid->side, (double)(patch / grid->columns) * grid->side,
                    grid->side};
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

/* The patch magnified, in a frame of its colour, with a line from its mark on the image. */
static void draw_inset(const seg_image *photo, const square *patch, int mark, double x, double y, double radius,
                       const frame *to, seg_image *picture) {
    const double scale = (double)to->width / (INSET_PATCHES * patch->side), half = INSET_PATCHES * patch->side / 2;
    const double middle_x = to->left + to->width / 2.0, middle_y = to->top + to->height / 2.0;
    const double away = hypot(to->left - x, middle_y - y);
    copy_piece(photo, patch->left + patch->side / 2 - half, patch->top + patch->side / 2 - half, scale, to, picture);
    ring(picture, 0, middle_x, middle_y, to->width / 2.0, LINE + 2, colours[mark]);
    outlined_ring(picture, mark, middle_x, middle_y, patch->side * scale / 2 * (mark ? sqrt(2) : 1) + LINE);
    if (away > radius) {
        const double from_x = x + (to->left - x) * radius / away, from_y = y + (middle_y - y) * radius / away;
        line(picture, from_x, from_y, to->left, middle_y, LINE, black);
        line(picture, from_x, from_y, to->left, middle_y, LINE / 2.0, colours[mark]);
    }
    letter(picture, mark, to->left + 6 * CELL, to->top + 6 * CELL);
}

/* The letter at a corner of its mark: the first of the four that is inside the image and clear of the other mark.
 */
static void draw_letter_beside(seg_image *picture, int mark, const double x[2], const double y[2], double radius,
                               const frame *whole) {
    const double half = 5 * CELL, aside = radius + half + CELL;
    double to_x = x[mark] + aside, to_y = y[mark] - aside; /* where no corner will do */
    for (int corner = 3; corner >= 0; corner--) {
        const double at_x = x[mark] + (corner & 1 ? aside : -aside), at_y = y[mark] + (corner & 2 ? aside : -aside);
        const double away = fmax(fabs(at_x - x[1 - mark]), fabs(at_y - y[1 - mark]));
        if (at_x >= whole->left + half && at_x <= whole->left + whole->width - half && at_y >= whole->top + half &&
            at_y <= whole->top + whole->height - half && away > radius + half) {
            to_x = at_x;
            to_y = at_y;
        }
    }
    letter(picture, mark, (int)to_x, (int)to_y);
}

static void draw(const seg_image *photo, const square patch[2], double scale, const frame *whole, seg_image *picture) {
    double x[2], y[2], radius = fmax(patch[0].side * scale * 0.75 + LINE, REACH);
    copy_piece(photo, 0, 0, scale, whole, picture);
    for (int mark = 0; mark < 2; mark++) {
        /* The upper patch's inset is the upper one, so that the lines do not cross. */
        const int below = patch[mark].top > patch[1 - mark].top || (mark && patch[0].top == patch[1].top);
        const frame to = {whole->left + whole->width + GAP, GAP + below * (INSET + GAP), INSET, INSET};
        x[mark] = whole->left + (patch[mark].left + patch[mark].side / 2) * scale;
        y[mark] = whole->top + (patch[mark].top + patch[mark].side / 2) * scale;
        draw_inset(photo, &patch[mark], mark, x[mark], y[mark], radius, &to, picture);
    }
    for (int mark = 0; mark < 2; mark++)
        outlined_ring(picture, mark, x[mark], y[mark], radius);
    for (int mark = 0; mark < 2; mark++)
        draw_letter_beside(picture, mark, x, y, radius, whole);
}

seg_status seg_question_draw(seg_context *ctx, const seg_image *photo, const seg_patch_grid *grid, int32_t a, int32_t b,
                             seg_image *out) {
    memset(out, 0, sizeof *out);
    if (grid->width != photo->width || grid->height != photo->height)
        return seg_fail(ctx, SEG_ERR_USAGE, "the grid is of an image of %d x %d pixels, this one has %d x %d",
                        grid->width, grid->height, photo->width, photo->height);
    if (a < 0 || b < 0 || a >= grid->columns * grid->rows || b >= grid->columns * grid->rows)
        return seg_fail(ctx, SEG_ERR_USAGE, "patches %d and %d: there are %d, counted from 0", a, b,
                        grid->columns * grid->rows);
    const int longer = photo->width > photo->height ? photo->width : photo->height;
    const double scale = longer > LONGER ? (double)LONGER / longer : clamp(LONGER / longer, 1, 8);
    const frame whole = {GAP, GAP, clamp((int)(photo->width * scale), 1, LONGER),
                         clamp((int)(photo->height * scale), 1, LONGER)};
    const int insets = 2 * INSET + GAP;
    const square patch[2] = {patch_square(grid, a), patch_square(grid, b)};
    seg_image picture = {.width = whole.width + INSET + 3 * GAP,
                         .height = (whole.height > insets ? whole.height : insets) + 2 * GAP,
                         .depth = 8};
    const size_t bytes = 3 * (size_t)picture.width * (size_t)picture.height;
    picture.data = seg_alloc(ctx, bytes, 1);
    if (!picture.data)
        return SEG_ERR_MEMORY;
    memset(picture.data, BACKGROUND, bytes);
    draw(photo, patch, scale, &whole, &picture);
    *out = picture;
    return SEG_OK;
}
