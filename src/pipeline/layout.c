/* How an image is cut into patches. */
#include "pipeline/option_fields.h"

#include "features/grid.h"

#define LARGEST_SIDE 64    /* pixels of a patch whose borders are refined in one step */
#define FAR          1e6   /* apart: no layer has several slices */
#define FINEST_SIDE  3     /* of a patch when an object is sought, or the image is small */
#define PATCHES      12500 /* that a small image should have (docs/history/scale.md) */

/* The side of a patch that is smaller than the papers' where that is better: the number of patches is as near to
 * PATCHES as it can be, by its ratio. */
static int finer_side(const seg_options *o, int width, int height) {
    int side = o->object ? FINEST_SIDE : SEG_PATCH_SIDE;
    while (o->free_patches && side > FINEST_SIDE && width * (int64_t)height < PATCHES * (int64_t)(side * (side - 1)))
        side--;
    return side;
}

/* Patches larger than the papers' because the image is large are seen on a copy reduced to the papers' size: its
 * patches are the same ones, and the cost stays that of 0.6 megapixels. Those of a volume are as deep as wide. One
 * object has narrow parts: patches of 3 pixels in place of 5 show them (docs/history/first-clicks.md, "Finer patches"),
 * and so they do in a small image; but not to a model, which knows patches as they are without the option. */
seg_patch_layout seg_patch_layout_of(const seg_options *o, int width, int height) {
    const double apart = o->video ? FAR : o->spacing; /* frames are not mixed */
    const int usual = o->patch ? o->patch : seg_patch_side_auto(width, height, o->slices, apart);
    const int may = usual == SEG_PATCH_SIDE && !o->patch && !o->model && o->slices == 1 && o->channels == 1;
    const int side = may ? finer_side(o, width, height) : usual;
    const int reduced = o->reduce ? o->reduce : o->patch ? 1 : usual / SEG_PATCH_SIDE;
    const int deep = seg_patch_deep_of(o->slices, apart, reduced);
    seg_patch_grid grid = seg_patch_grid_stack(width, height, o->slices, deep, side);
    grid.apart = o->spacing * seg_patch_deep(&grid);
    return (seg_patch_layout){grid, reduced, o->slices == 1 && !o->patch && side > LARGEST_SIDE ? reduced : 0};
}
