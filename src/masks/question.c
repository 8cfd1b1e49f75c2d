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

/* Where a mark is: a square (mark 0) or a circle (mark 1). */
typedef struct circle {
    int mark;
    double x, y, radius;
} circle;

/* What lies within half of `width` of the shape. */
static void ring(seg_image *picture, const circle *of, double width, const uint8_t colour[3]) {
    const int reach = (int)(of->radius + width) + 1;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            const double away = of->mark ? hypot(dx, dy) : fmax(abs(dx), abs(dy));
            if (fabs(away - of->radius) <= width / 2)
                put(picture, (int)lround(of->x) + dx, (int)lround(of->y) + dy, colour);
        }
}

static void outlined_ring(seg_image *picture, const circle *of) {
    ring(picture, of, LINE + 4, black);
    ring(picture, of, LINE, colours[of->mark]);
}

static void line(seg_image *picture, const double from[2], const double to[2], double width, const uint8_t colour[3]) {
    const double dx = to[0] - from[0], dy = to[1] - from[1], length = fmax(hypot(dx, dy), 1);
    for (double t = 0; t <= length; t += 0.5)
        for (double across = -width / 2; across <= width / 2; across += 0.5)
            put(picture, (int)lround(from[0] + dx * t / length - dy * across / length),
                (int)lround(from[1] + dy * t / length + dx * across / length), colour);
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
static void draw_inset(const seg_image *photo, const square *patch, const circle *of, const frame *to,
                       seg_image *picture) {
    const double scale = (double)to->width / (INSET_PATCHES * patch->side), half = INSET_PATCHES * patch->side / 2;
    const double middle_x = to->left + to->width / 2.0, middle_y = to->top + to->height / 2.0;
    const double away = hypot(to->left - of->x, middle_y - of->y);
    const int mark = of->mark;
    copy_piece(photo, patch->left + patch->side / 2 - half, patch->top + patch->side / 2 - half, scale, to, picture);
    ring(picture, &(circle){0, middle_x, middle_y, to->width / 2.0}, LINE + 2, colours[mark]);
    outlined_ring(picture, &(circle){mark, middle_x, middle_y, patch->side * scale / 2 * (mark ? sqrt(2) : 1) + LINE});
    if (away > of->radius) {
        const double end[2] = {to->left, middle_y};
        const double begin[2] = {of->x + (to->left - of->x) * of->radius / away,
                                 of->y + (middle_y - of->y) * of->radius / away};
        line(picture, begin, end, LINE, black);
        line(picture, begin, end, LINE / 2.0, colours[mark]);
    }
    letter(picture, mark, to->left + 6 * CELL, to->top + 6 * CELL);
}

/* The letter at a corner of its mark: the first of the four that is inside the image and clear of the other mark.
 */
static void draw_letter_beside(seg_image *picture, const circle *of, const circle *other, const frame *whole) {
    const double half = 5 * CELL, aside = of->radius + half + CELL;
    double to_x = of->x + aside, to_y = of->y - aside; /* where no corner will do */
    for (int corner = 3; corner >= 0; corner--) {
        const double at_x = of->x + (corner & 1 ? aside : -aside), at_y = of->y + (corner & 2 ? aside : -aside);
        const double away = fmax(fabs(at_x - other->x), fabs(at_y - other->y));
        if (at_x >= whole->left + half && at_x <= whole->left + whole->width - half && at_y >= whole->top + half &&
            at_y <= whole->top + whole->height - half && away > of->radius + half) {
            to_x = at_x;
            to_y = at_y;
        }
    }
    letter(picture, of->mark, (int)to_x, (int)to_y);
}

static void draw(const seg_image *photo, const square patch[2], double scale, const frame *whole, seg_image *picture) {
    circle at[2];
    copy_piece(photo, 0, 0, scale, whole, picture);
    for (int mark = 0; mark < 2; mark++) {
        /* The upper patch's inset is the upper one, so that the lines do not cross. */
        const int below = patch[mark].top > patch[1 - mark].top || (mark && patch[0].top == patch[1].top);
        const frame to = {whole->left + whole->width + GAP, GAP + below * (INSET + GAP), INSET, INSET};
        at[mark] = (circle){mark, whole->left + (patch[mark].left + patch[mark].side / 2) * scale,
                            whole->top + (patch[mark].top + patch[mark].side / 2) * scale,
                            fmax(patch[0].side * scale * 0.75 + LINE, REACH)};
        draw_inset(photo, &patch[mark], &at[mark], &to, picture);
    }
    for (int mark = 0; mark < 2; mark++)
        outlined_ring(picture, &at[mark]);
    for (int mark = 0; mark < 2; mark++)
        draw_letter_beside(picture, &at[mark], &at[1 - mark], whole);
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
