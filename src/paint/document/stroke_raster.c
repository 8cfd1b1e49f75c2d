#include "paint/document/stroke_raster.h"

#include <math.h>
#include <string.h>

typedef struct point {
    int64_t x, y;
} point;

/* Squares of areas of the largest images exceed 64 bits. */
__extension__ typedef __int128 wide;

/* Whether the point is within `radius` of the line from a to b. */
static int is_within(point p, point a, point b, int64_t radius) {
    const int64_t dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y, qx = p.x - b.x, qy = p.y - b.y;
    const int64_t along = px * dx + py * dy, length = dx * dx + dy * dy, across = px * dy - py * dx;
    if (along <= 0)
        return px * px + py * py <= radius * radius;
    return along >= length ? qx * qx + qy * qy <= radius * radius
                           : (wide)across * across <= (wide)(radius * radius) * length;
}

/* Extend [low, high] by the part of row y that a disc covers. */
static void reach_disc(point at, double radius, double y, double *low, double *high) {
    const double dy = y - (double)at.y, half = radius * radius - dy * dy;
    if (half < 0)
        return;
    *low = fmin(*low, (double)at.x - sqrt(half));
    *high = fmax(*high, (double)at.x + sqrt(half));
}

/* The same for the long sides of the band around a line. */
static void reach_band(point a, point b, double radius, double y, double *low, double *high) {
    const double dx = (double)(b.x - a.x), dy = (double)(b.y - a.y), length = sqrt(dx * dx + dy * dy);
    for (int side = -1; side <= 1 && length > 0; side += 2) {
        const double nx = -dy / length * radius * side, ny = dx / length * radius * side;
        const double t = dy != 0 ? (y - ny - (double)a.y) / dy : -1;
        if (t >= 0 && t <= 1) {
            *low = fmin(*low, (double)a.x + nx + t * dx);
            *high = fmax(*high, (double)a.x + nx + t * dx);
        }
    }
}

static int64_t clamp(double value, int64_t most) {
    return value < 0 ? 0 : value > (double)most ? most : (int64_t)value;
}

/* A brushed line is convex, so it covers one run of each row. The ends of the run are searched exactly, from slightly
 * outside the ends computed in floating point. */
static void draw_line(point a, point b, const paint_stroke *stroke, const paint_sheet *on, int above) {
    enum { MARGIN = 2 }; /* pixels */
    const int radius = stroke->radius;
    const int64_t top = (a.y < b.y ? a.y : b.y) - radius, bottom = (a.y > b.y ? a.y : b.y) + radius;
    const int64_t first = top < (int64_t)above * PAINT_UNIT ? above : top / PAINT_UNIT;
    for (int64_t row = first; row < above + on->height && row * PAINT_UNIT <= bottom; row++) {
        const int64_t y = row * PAINT_UNIT + PAINT_UNIT / 2;
        double low = INFINITY, high = -INFINITY;
        reach_disc(a, radius + 1, (double)y, &low, &high);
        reach_disc(b, radius + 1, (double)y, &low, &high);
        reach_band(a, b, radius + 1, (double)y, &low, &high);
        if (low > high)
            continue;
        int64_t from = clamp(floor(low / PAINT_UNIT) - MARGIN, on->width),
                to = clamp(ceil(high / PAINT_UNIT) + MARGIN, on->width);
        while (from < to && !is_within((point){from * PAINT_UNIT + PAINT_UNIT / 2, y}, a, b, radius))
            from++;
        while (to > from && !is_within((point){(to - 1) * PAINT_UNIT + PAINT_UNIT / 2, y}, a, b, radius))
            to--;
        if (from < to)
            memset(on->label + row * on->width + from, stroke->label, (size_t)(to - from));
    }
}

void paint_draw(const paint_stroke *stroke, paint_sheet on) {
    const int slices = on.slices > 1 ? on.slices : 1;
    on.height /= slices; /* of its slice from here on */
    const int slice = (int)clamp(floor((double)stroke->xy[1] / PAINT_UNIT / on.height), slices - 1);
    const int above = slice * on.height;
    for (int i = 0; i < stroke->count; i++) {
        const int last = i > 0 ? i - 1 : 0;
        const point a = {stroke->xy[2 * last], stroke->xy[2 * last + 1]},
                    b = {stroke->xy[2 * i], stroke->xy[2 * i + 1]};
        const int64_t x = b.x >= 0 ? b.x / PAINT_UNIT : -1, y = b.y >= 0 ? b.y / PAINT_UNIT : -1;
        if (i > 0 || stroke->count == 1)
            draw_line(a, b, stroke, &on, above);
        if (x >= 0 && x < on.width && y >= above && y < above + on.height)
            on.label[y * on.width + x] = (uint8_t)stroke->label;
    }
}
