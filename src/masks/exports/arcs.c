#include "masks/exports/arcs.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static const int step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};

/* The label of a pixel: 0 for void, for unmarked and outside of the image. */
static int label_at(const seg_mask *mask, int x, int y) {
    if (x < 0 || y < 0 || x >= mask->width || y >= mask->height)
        return 0;
    const int label = mask->label[(size_t)y * (size_t)mask->width + (size_t)x];
    return label == SEG_VOID ? 0 : label;
}

/* The directions in which borders leave the corner, a bit each. */
static int borders_at(const seg_mask *mask, int x, int y) {
    const int nw = label_at(mask, x - 1, y - 1), ne = label_at(mask, x, y - 1), sw = label_at(mask, x - 1, y),
              se = label_at(mask, x, y);
    return (ne != se) << SEG_EAST | (sw != se) << SEG_SOUTH | (nw != sw) << SEG_WEST | (nw != ne) << SEG_NORTH;
}

static int is_straight(int borders) {
    return borders == (1 << SEG_EAST | 1 << SEG_WEST) || borders == (1 << SEG_SOUTH | 1 << SEG_NORTH);
}

int seg_is_junction(const seg_mask *mask, int x, int y) {
    static const int count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const int borders = borders_at(mask, x, y);
    const int at_edge = x == 0 || y == 0 || x == mask->width || y == mask->height;
    return count[borders] > 2 || (at_edge && borders && !is_straight(borders));
}

uint64_t seg_arc_key(const seg_mask *mask, int x, int y, int direction) {
    const int back = direction == SEG_WEST || direction == SEG_NORTH, upright = direction % 2;
    const uint64_t at = (uint64_t)(y - (direction == SEG_NORTH)) * ((uint64_t)mask->width + 1) +
                        (uint64_t)(x - (direction == SEG_WEST));
    return 4 * at + 2 * (uint64_t)upright + (uint64_t)back;
}

typedef struct finding {
    seg_context *ctx;
    const seg_mask *mask;
    uint8_t *done; /* of each corner: the side to the east (1) and the one to the south (2) are part of an arc */
    seg_arcs *out;
    size_t corner_room, arc_room;
} finding;

static int is_done(const finding *f, uint64_t key) {
    return f->done[key / 4] >> (key / 2 & 1) & 1;
}

static void mark_done(finding *f, uint64_t key) {
    f->done[key / 4] |= (uint8_t)(1 << (key / 2 & 1));
}

static seg_status put_corner(finding *f, int x, int y) {
    seg_arcs *out = f->out;
    const seg_status status = seg_grow(f->ctx, &out->corner, out->corners, &f->corner_room, sizeof *out->corner);
    if (status == SEG_OK)
        out->corner[out->corners++] = (seg_half){2 * x, 2 * y};
    return status;
}

/* Follow a border from a corner until the next junction, or back to where a loop began. */
static seg_status follow(finding *f, int x, int y, int direction, int loop) {
    const seg_mask *mask = f->mask;
    const int start_x = x, start_y = y;
    seg_arc arc = {.first = f->out->corners, .loop = loop, .start = seg_arc_key(mask, x, y, direction)};
    seg_status status = put_corner(f, x, y);
    while (status == SEG_OK) {
        mark_done(f, seg_arc_key(mask, x, y, direction));
        x += step_x[direction];
        y += step_y[direction];
        const int back = (direction + 2) % 4;
        arc.end = seg_arc_key(mask, x, y, back);
        if (loop ? x == start_x && y == start_y : seg_is_junction(mask, x, y))
            break;
        const int onward = borders_at(mask, x, y) & ~(1 << back);
        int next = 0;
        while (!(onward >> next & 1))
            next++;
        if (next != direction)
            status = put_corner(f, x, y);
        direction = next;
    }
    if (status == SEG_OK && !loop)
        status = put_corner(f, x, y);
    if (status == SEG_OK)
        status = seg_grow(f->ctx, &f->out->arc, f->out->arcs, &f->arc_room, sizeof *f->out->arc);
    arc.count = f->out->corners - arc.first;
    if (status == SEG_OK)
        f->out->arc[f->out->arcs++] = arc;
    return status;
}

/* Arcs that begin at a junction, or what is left: loops, found at their first corner. */
static seg_status find_at(finding *f, int x, int y, int loops) {
    const seg_mask *mask = f->mask;
    seg_status status = SEG_OK;
    if (loops) {
        if (borders_at(mask, x, y) >> SEG_EAST & 1 && !is_done(f, seg_arc_key(mask, x, y, SEG_EAST)))
            status = follow(f, x, y, SEG_EAST, 1);
        return status;
    }
    if (!seg_is_junction(mask, x, y))
        return SEG_OK;
    for (int d = SEG_EAST; d <= SEG_NORTH && status == SEG_OK; d++)
        if (borders_at(mask, x, y) >> d & 1 && !is_done(f, seg_arc_key(mask, x, y, d)))
            status = follow(f, x, y, d, 0);
    return status;
}

seg_status seg_arcs_find(seg_context *ctx, const seg_mask *mask, seg_arcs *out) {
    const size_t corners = ((size_t)mask->width + 1) * ((size_t)mask->height + 1);
    finding f = {.ctx = ctx, .mask = mask, .out = out};
    memset(out, 0, sizeof *out);
    f.done = seg_alloc_zero(ctx, corners, 1);
    seg_status status = f.done ? SEG_OK : SEG_ERR_MEMORY;
    for (int loops = 0; loops < 2; loops++)
        for (int y = 0; y <= mask->height && status == SEG_OK; y++) {
            for (int x = 0; x <= mask->width && status == SEG_OK; x++)
                status = find_at(&f, x, y, loops);
            if (status == SEG_OK)
                status = seg_poll(ctx);
        }
    free(f.done);
    if (status != SEG_OK)
        seg_arcs_free(out);
    return status;
}

void seg_arcs_free(seg_arcs *arcs) {
    free(arcs->corner);
    free(arcs->arc);
    memset(arcs, 0, sizeof *arcs);
}
