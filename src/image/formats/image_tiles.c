#include "image/formats/image_tiles.h"
#include "base/base.h"
#include "image/formats/vips_image.h"

#include <fcntl.h>
#include <sys/stat.h>

#define LARGEST_BLOCK 268435456. /* bytes of a tile or strip */
#define STEP          64         /* rows that are fetched at a time where there are no tiles */

/* One thread's view of the file. */
typedef struct view {
    seg_tiff_bytes file;
    seg_vips_image image; /* without an image until it is needed */
} view;

struct seg_tiled_image {
    const char *path;
    seg_tiff_bytes file;
    seg_tiff_page page;
    seg_image_header about;
    seg_raster form; /* without arrays */
    view *views;     /* of tiles one a thread; strips come from the top down, through the first one */
    int count;
    int next;            /* of strips: the row that comes next */
    int band, band_rows; /* rows that are kept of them, from `band` on */
    unsigned char *kept;
    size_t line, room; /* bytes of a row; of what is kept */
};

/* --- Opening. --- */

static seg_status damaged(seg_context *ctx, const view *v, const char *path) {
    return v->file.error ? seg_file_unreadable(ctx, path, v->file.error) : seg_vips_failed(ctx, &v->image);
}

static seg_status open_view(seg_context *ctx, seg_tiled_image *t, view *v) {
    if (v->image.image)
        return SEG_OK;
    seg_vips_close(&v->image);
    v->file = t->file;
    const int order = t->page.tiled ? SEG_VIPS_RANDOM : SEG_VIPS_SEQUENTIAL;
    const seg_vips_file file = {&seg_formats[SEG_FORMAT_TIFF], t->path, NULL, 0, &v->file, &t->page, order};
    const seg_status status = seg_vips_open(ctx, &file, &v->image);
    return status != SEG_OK && v->file.error ? seg_file_unreadable(ctx, t->path, v->file.error) : status;
}

static seg_status refuse(seg_context *ctx, const seg_tiled_image *t, const char *what) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' %s, which is not read by tiles: save it as grey or RGB of 8 or 16 bits",
                    t->path, what);
}

/* Check the directory before libvips opens the file. */
static seg_status check_page(seg_context *ctx, seg_tiled_image *t) {
    const seg_tiff_page *p = &t->page;
    if (p->width > SEG_TILED_MAX_SIDE || p->height > SEG_TILED_MAX_SIDE)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %.0f x %.0f pixels; images of 1 to %d pixels a side are read",
                        t->path, (double)p->width, (double)p->height, SEG_TILED_MAX_SIDE);
    if (p->photometric > SEG_TIFF_PALETTE && p->photometric != SEG_TIFF_YCBCR)
        return refuse(ctx, t, "has colours of an unusual kind");
    const double block = (double)p->block_width * (double)p->block_height * p->samples * p->bits / 8;
    if (block > LARGEST_BLOCK)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %s of %.0f megabytes; save it with tiles of 256 x 256 pixels",
                        t->path, p->tiled ? "tiles" : "strips", 1e-6 * block);
    if (p->block_width < 1 || p->block_height < 1)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged TIFF (its tiles have no size): use a good copy",
                        t->path);
    return seg_tiff_check(ctx, &t->file, t->path, p);
}

static seg_status look_at_page(seg_context *ctx, seg_tiled_image *t) {
    const seg_tiff_page *p = &t->page;
    seg_vips_image *v = &t->views[0].image;
    if (v->call.vips_image_get_orientation(v->image) > 1)
        return refuse(ctx, t, "is stored turned or mirrored");
    seg_vips_form(v, p, &t->form);
    t->line = (size_t)v->width * v->pixel;
    t->about = (seg_image_header){.format = "TIFF",
                                  .pages = t->page.full,
                                  .channels = p->planes             ? p->planes
                                              : p->ome.channels > 1 ? p->ome.channels
                                                                    : 0,
                                  .slices = p->ome.slices,
                                  .spacing = p->ome.spacing,
                                  .width = v->width,
                                  .height = v->height,
                                  .depth = t->form.bits > 8 ? 16 : 8,
                                  .tiled = p->tiled,
                                  .tile_width = (int)p->block_width,
                                  .tile_height = (int)p->block_height,
                                  .file_bytes = t->file.size};
    return SEG_OK;
}

static seg_status open_page(seg_context *ctx, seg_tiled_image *t) {
    unsigned char start[4] = {0};
    struct stat about;
    t->file.descriptor = open(t->path, O_RDONLY | O_CLOEXEC);
    if (t->file.descriptor < 0 || fstat(t->file.descriptor, &about) != 0)
        return seg_file_unreadable(ctx, t->path, errno);
    t->file.size = (size_t)about.st_size;
    if (!S_ISREG(about.st_mode) || seg_tiff_bytes_read(&t->file, 0, start, 4) != 4 ||
        seg_format_of(start, 4) != &seg_formats[SEG_FORMAT_TIFF])
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is not a TIFF file, and only those are read by tiles: convert it to a tiled TIFF",
                        t->path);
    SEG_TRY(seg_tiff_choose(ctx, &t->file, t->path, -1, &t->page));
    SEG_TRY(check_page(ctx, t));
    SEG_TRY(open_view(ctx, t, &t->views[0]));
    return look_at_page(ctx, t);
}

seg_status seg_tiled_open(seg_context *ctx, const char *path, seg_tiled_image **out) {
    seg_tiled_image *t = *out = seg_alloc_zero(ctx, 1, sizeof *t);
    SEG_TRY(seg_allocated(t));
    t->path = path;
    t->file.descriptor = -1;
    t->count = seg_threads(ctx);
    t->views = seg_alloc_zero(ctx, (size_t)t->count, sizeof *t->views);
    SEG_RETURN_OR(t->views ? open_page(ctx, t) : SEG_ERR_MEMORY, seg_tiled_close(seg_taken(out)));
}

void seg_tiled_close(seg_tiled_image *t) {
    if (!t)
        return;
    for (int i = 0; t->views && i < t->count; i++)
        seg_vips_close(&t->views[i].image);
    free(t->views);
    free(t->kept);
    if (t->file.descriptor >= 0)
        close(t->file.descriptor);
    free(t);
}

const seg_image_header *seg_tiled_about(const seg_tiled_image *image) {
    return &image->about;
}

/* --- Tiles, by all threads. --- */

typedef struct reading {
    seg_tiled_image *image;
    seg_area all;              /* that are wanted */
    int first_column, columns; /* blocks */
    int first_row;
    seg_tiled_wanted wanted;
    const void *user;
    seg_raster *out;
    int failed; /* worker + 1 whose view says why; written atomically */
} reading;

/* Samples of an area, `stride` bytes a row. */
static void put(const reading *r, const unsigned char *samples, size_t stride, const seg_area *to) {
    const size_t line = (size_t)(r->all.right - r->all.left);
    for (int y = to->top; y < to->bottom; y++)
        seg_vips_put(&r->image->views[0].image, samples + (size_t)(y - to->top) * stride,
                     (size_t)(to->right - to->left), (size_t)(y - r->all.top) * line + (size_t)(to->left - r->all.left),
                     r->out);
}

static void read_blocks(void *arg, size_t first, size_t last, int worker) {
    reading *r = arg;
    const seg_image_header *a = &r->image->about;
    view *v = &r->image->views[worker];
    for (size_t i = first; i < last; i++) {
        const int x = (r->first_column + (int)i % r->columns) * a->tile_width;
        const int y = (r->first_row + (int)i / r->columns) * a->tile_height;
        const seg_area part = {x > r->all.left ? x : r->all.left, y > r->all.top ? y : r->all.top,
                               seg_smaller(x + a->tile_width, r->all.right),
                               seg_smaller(y + a->tile_height, r->all.bottom)};
        if (__atomic_load_n(&r->failed, __ATOMIC_RELAXED))
            return;
        if (r->wanted && !r->wanted(r->user, &part))
            continue;
        const int width = part.right - part.left;
        void *samples = seg_vips_fetch(&v->image, part.left, part.top, width, part.bottom - part.top);
        if (samples)
            put(r, samples, (size_t)width * v->image.pixel, &part);
        else
            __atomic_store_n(&r->failed, worker + 1, __ATOMIC_RELAXED);
        v->image.call.g_free(samples);
    }
}

static seg_status read_tiles(seg_context *ctx, reading *r) {
    seg_tiled_image *t = r->image;
    const seg_image_header *a = &t->about;
    r->first_column = r->all.left / a->tile_width;
    r->first_row = r->all.top / a->tile_height;
    r->columns = (r->all.right - 1) / a->tile_width - r->first_column + 1;
    const int rows = (r->all.bottom - 1) / a->tile_height - r->first_row + 1;
    for (int i = 0; i < t->count; i++)
        SEG_TRY(open_view(ctx, t, &t->views[i]));
    seg_status status = seg_parallel_polled(ctx, (size_t)r->columns * (size_t)rows, 1, read_blocks, r);
    if (status == SEG_OK && r->failed)
        status = damaged(ctx, &t->views[r->failed - 1], t->path);
    for (int i = 0; i < t->count; i++) /* libvips keeps rows of tiles otherwise */
        if (t->views[i].image.image)
            t->views[i].image.call.vips_image_minimise_all(t->views[i].image.image);
    return status;
}

/* --- Strips: whole rows from the top down, of which those that may be asked for again are kept. --- */

static seg_status begin_band(seg_context *ctx, seg_tiled_image *t, int top, int bottom) {
    if (top < t->band) { /* from the top again */
        seg_vips_close(&t->views[0].image);
        t->band = t->band_rows = t->next = 0;
    }
    const int gone = seg_smaller(top - t->band, t->band_rows);
    if (gone > 0)
        memmove(t->kept, t->kept + (size_t)gone * t->line, (size_t)(t->band_rows - gone) * t->line);
    t->band = top;
    t->band_rows -= gone;
    const size_t wanted = (size_t)(bottom - top) * t->line;
    if (wanted > t->room) {
        unsigned char *larger_room = seg_realloc(ctx, t->kept, wanted, 1);
        SEG_TRY(seg_allocated(larger_room));
        t->kept = larger_room;
        t->room = wanted;
    }
    return open_view(ctx, t, &t->views[0]);
}

static seg_status read_strips(seg_context *ctx, reading *r) {
    seg_tiled_image *t = r->image;
    seg_vips_image *v = &t->views[0].image;
    SEG_TRY(begin_band(ctx, t, r->all.top, r->all.bottom));
    while (t->next < r->all.bottom) {
        const int end = seg_smaller(t->next + STEP, t->next < r->all.top ? r->all.top : r->all.bottom),
                  rows = end - t->next;
        unsigned char *samples = seg_vips_fetch(v, 0, t->next, v->width, rows);
        if (!samples)
            return damaged(ctx, &t->views[0], t->path);
        if (t->next >= r->all.top) {
            memcpy(t->kept + (size_t)t->band_rows * t->line, samples, (size_t)rows * t->line);
            t->band_rows += rows;
        }
        v->call.g_free(samples);
        t->next = end;
        SEG_TRY(seg_poll(ctx));
    }
    put(r, t->kept + (size_t)r->all.left * v->pixel, t->line, &r->all);
    return SEG_OK;
}

seg_status seg_tiled_read(seg_context *ctx, seg_tiled_image *t, const seg_area *part, seg_tiled_wanted wanted,
                          const void *user, seg_image *out) {
    if (t->views[0].image.wide)
        return refuse(ctx, t, "has a kind of samples (floats, signed or of 32 bits)");
    SEG_RELEASED(seg_raster_free) seg_raster raster = t->form;
    reading r = {.image = t, .all = *part, .wanted = wanted, .user = user, .out = &raster};
    memset(out, 0, sizeof *out);
    raster.width = part->right - part->left;
    raster.height = part->bottom - part->top;
    SEG_TRY(seg_raster_allocate(ctx, &raster, t->views[0].image.alpha > 0));
    SEG_TRY(t->about.tiled ? read_tiles(ctx, &r) : read_strips(ctx, &r));
    SEG_TRY(seg_vips_keep_profile(ctx, &t->views[0].image, &raster));
    return seg_image_take_part(ctx, t->path, &raster, out);
}
