#include "image/tiff_tiles.h"

#include "base/base.h"
#include "base/parallel.h"
#include "image/colour.h"
#include "image/raster.h"
#include "image/tiff_pages.h"
#include "image/tiff_samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_BLOCK ((tmsize_t)1 << 28) /* bytes of a tile or strip */

/* One thread's view of the file: libtiff's handles are of one thread each. */
typedef struct view {
    seg_tiled_image *image;
    TIFF *tiff;
    off_t at;
    uint8_t *block;
    char reason[128];
    int error;     /* errno of a read that failed */
    int no_memory; /* libtiff complained where there was none */
} view;

struct seg_tiled_image {
    const char *path;
    int descriptor;
    size_t size;
    void *map; /* of files without compression, else NULL */
    seg_tiled_about about;
    seg_tiff_kind kind;
    seg_raster form; /* without arrays */
    int planes;
    tmsize_t block_bytes, line;
    view *views; /* opened when they are needed */
    int count;
};

/* --- libtiff's calls. --- */

static tmsize_t on_read(thandle_t handle, void *into, tmsize_t length) {
    view *v = handle;
    tmsize_t done = 0;
    while (done < length) {
        const ssize_t got = pread(v->image->descriptor, (char *)into + done, (size_t)(length - done), v->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            v->error = errno;
        if (got <= 0)
            break;
        done += got;
        v->at += got;
    }
    return done;
}
static tmsize_t on_write(thandle_t handle, void *from, tmsize_t length) {
    (void)handle, (void)from, (void)length;
    return -1;
}
static toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
    view *v = handle;
    const off_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? v->at : (off_t)v->image->size;
    return (toff_t)(v->at = base + (off_t)offset);
}
static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}
static toff_t on_size(thandle_t handle) {
    return ((view *)handle)->image->size;
}
/* Files without compression alone are mapped: read by calls, tiles whose size is not a multiple of 1024 are refused by
 * libtiff 4.5. */
static int on_map(thandle_t handle, void **base, toff_t *size) {
    const view *v = handle;
    *base = v->image->map;
    *size = v->image->size;
    return v->image->map != NULL;
}
static void on_unmap(thandle_t handle, void *base, toff_t size) {
    (void)handle, (void)base, (void)size;
}
static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    view *v = user;
    (void)tiff, (void)module;
    v->no_memory |= errno == ENOMEM;
    if (!v->reason[0]) /* the first says most */
        vsnprintf(v->reason, sizeof v->reason, format, arguments);
    return 1;
}
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    return module && strstr(module, "JPEG") ? on_error(tiff, user, module, format, arguments) : 1;
}

/* --- Opening. --- */

static TIFF *open_tiff(view *v) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, LARGEST_BLOCK);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, v);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, v);
    TIFF *tiff = TIFFClientOpenExt(v->image->path, "r", v, on_read, on_write, on_seek, on_close, on_size, on_map,
                                   on_unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

static seg_status damaged(seg_context *ctx, const view *v) {
    char text[128];
    if (v->no_memory || errno == ENOMEM)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'", v->image->path);
    if (v->error)
        return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s': %s", v->image->path,
                        strerror_r(v->error, text, sizeof text));
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged or truncated TIFF (%s): copy or download it again",
                    v->image->path, v->reason[0] ? v->reason : "sizes do not agree");
}

static seg_status open_view(seg_context *ctx, view *v) {
    seg_tiled_image *t = v->image;
    int page;
    v->at = 0;
    errno = 0;
    v->tiff = open_tiff(v);
    if (!v->tiff)
        return errno == ENOMEM ? seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'", t->path)
                               : damaged(ctx, v);
    const seg_status status = seg_tiff_choose_page(ctx, v->tiff, t->path, &page);
    if (status != SEG_OK)
        return status;
    if (errno == ENOMEM) /* libtiff goes on without some fields */
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'", t->path);
    v->reason[0] = 0; /* what was wrong with pages that are not read does not matter */
    uint16_t photometric = 0, compression = 0;
    TIFFGetField(v->tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    TIFFGetField(v->tiff, TIFFTAG_COMPRESSION, &compression);
    if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG)
        TIFFSetField(v->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB); /* as libtiff's own pictures are made */
    return SEG_OK;
}

static seg_status refuse(seg_context *ctx, const seg_tiled_image *t, const char *what) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' %s, which is not read by tiles: save it as grey or RGB of 8 or 16 bits",
                    t->path, what);
}

static seg_status look_at_page(seg_context *ctx, seg_tiled_image *t) {
    TIFF *tiff = t->views[0].tiff;
    uint32_t width = 0, height = 0, across, down;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    seg_tiff_read_kind(tiff, &t->kind);
    if (width < 1 || height < 1 || width > SEG_TILED_MAX_SIDE || height > SEG_TILED_MAX_SIDE)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %u x %u pixels; images of 1 to %d pixels a side are read",
                        t->path, width, height, SEG_TILED_MAX_SIDE);
    if (!TIFFIsCODECConfigured(t->kind.compression))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is a TIFF compressed in a way that is not read (number %d): save it with LZW or deflate",
                        t->path, t->kind.compression);
    if (t->kind.photometric == PHOTOMETRIC_YCBCR && t->kind.compression == COMPRESSION_JPEG) {
        t->kind.photometric = PHOTOMETRIC_RGB;
        t->kind.colours = 3;
    }
    if (!seg_tiff_has_samples(&t->kind))
        return refuse(ctx, t, "has colours of an unusual kind");
    if (seg_tiff_is_wide(&t->kind))
        return refuse(ctx, t, "has signed, floating-point or 32-bit samples");
    if (t->kind.orientation > 1)
        return refuse(ctx, t, "is stored turned or mirrored");
    t->about = (seg_tiled_about){
        .width = (int)width, .height = (int)height, .tiled = TIFFIsTiled(tiff), .file_bytes = t->size};
    seg_tiff_form(&t->kind, &t->form);
    t->about.depth = t->form.bits > 8 ? 16 : 8;
    t->planes = t->kind.planar == PLANARCONFIG_SEPARATE ? t->kind.samples : 1;
    across = width;
    if (t->about.tiled) {
        across = down = 0;
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &across);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &down);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &down);
        down = down < height ? down : height;
    }
    t->block_bytes = t->about.tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    t->line = t->about.tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff);
    if (t->block_bytes > LARGEST_BLOCK)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %s of %.0f megabytes; save it with tiles of 256 x 256 pixels",
                        t->path, t->about.tiled ? "tiles" : "strips", 1e-6 * (double)t->block_bytes);
    if (across < 1 || down < 1 || t->line < 1 || t->block_bytes / t->line < (tmsize_t)down ||
        (uint64_t)t->line < (across * (uint64_t)(t->planes > 1 ? 1 : t->kind.samples) * t->kind.bits + 7) / 8)
        return damaged(ctx, &t->views[0]);
    /* Without compression every pixel has its bits. */
    if (t->kind.compression == COMPRESSION_NONE && (uint64_t)width * height * t->kind.bits / 8 > t->size)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a truncated TIFF, its end is missing: copy or download it again",
                        t->path);
    t->about.block_width = (int)across;
    t->about.block_height = (int)down;
    return SEG_OK;
}

static seg_status cannot_open(seg_context *ctx, const char *path, int error) {
    char text[128];
    return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s': %s; check the name and the permissions", path,
                    strerror_r(error, text, sizeof text));
}

static seg_status open_file(seg_context *ctx, seg_tiled_image *t) {
    unsigned char start[4] = {0};
    struct stat about;
    t->descriptor = open(t->path, O_RDONLY | O_CLOEXEC);
    if (t->descriptor < 0 || fstat(t->descriptor, &about) != 0)
        return cannot_open(ctx, t->path, errno);
    t->size = (size_t)about.st_size;
    if (!S_ISREG(about.st_mode) || pread(t->descriptor, start, 4, 0) != 4 ||
        (memcmp(start, "II*\0", 4) != 0 && memcmp(start, "MM\0*", 4) != 0 && memcmp(start, "II+\0", 4) != 0 &&
         memcmp(start, "MM\0+", 4) != 0))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' is not a TIFF file, and only those are read by tiles: convert it to a tiled TIFF",
                        t->path);
    return SEG_OK;
}

seg_status seg_tiled_open(seg_context *ctx, const char *path, seg_tiled_image **out) {
    seg_tiled_image *t = *out = seg_alloc_zero(ctx, 1, sizeof *t);
    if (!t)
        return SEG_ERR_MEMORY;
    t->path = path;
    t->descriptor = -1;
    t->count = seg_threads(ctx);
    t->views = seg_alloc_zero(ctx, (size_t)t->count, sizeof *t->views);
    seg_status status = t->views ? open_file(ctx, t) : SEG_ERR_MEMORY;
    for (int i = 0; t->views && i < t->count; i++)
        t->views[i].image = t;
    if (status == SEG_OK && (status = open_view(ctx, &t->views[0])) == SEG_OK)
        status = look_at_page(ctx, t);
    if (status == SEG_OK && t->kind.compression == COMPRESSION_NONE) {
        TIFFClose(t->views[0].tiff);
        t->views[0].tiff = NULL;
        t->map = mmap(NULL, t->size, PROT_READ, MAP_SHARED, t->descriptor, 0);
        if (t->map == MAP_FAILED) {
            t->map = NULL;
            status = cannot_open(ctx, path, errno);
        }
    }
    if (status != SEG_OK) {
        seg_tiled_close(t);
        *out = NULL;
    }
    return status;
}

void seg_tiled_close(seg_tiled_image *t) {
    if (!t)
        return;
    for (int i = 0; t->views && i < t->count; i++) {
        if (t->views[i].tiff)
            TIFFClose(t->views[i].tiff);
        free(t->views[i].block);
    }
    free(t->views);
    if (t->map)
        munmap(t->map, t->size);
    if (t->descriptor >= 0)
        close(t->descriptor);
    free(t);
}

const seg_tiled_about *seg_tiled_about_of(const seg_tiled_image *image) {
    return &image->about;
}

/* --- Reading. --- */

typedef struct reading {
    seg_tiled_image *image;
    int left, top, right, bottom; /* pixels */
    int first_column, columns;    /* blocks */
    int first_row;
    seg_tiled_wanted wanted;
    const void *user;
    seg_raster *out;
    int failed; /* worker + 1 whose view says why; written atomically */
} reading;

static int larger(int a, int b) {
    return a > b ? a : b;
}
static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int read_block(const reading *r, view *v, int column, int row, int plane) {
    const seg_tiled_image *t = r->image;
    const seg_tiled_about *a = &t->about;
    const int x = column * a->block_width, y = row * a->block_height, there = smaller(a->block_height, a->height - y);
    const int left = larger(x, r->left), right = smaller(x + a->block_width, r->right);
    const int top = larger(y, r->top), bottom = smaller(y + a->block_height, r->bottom);
    const tmsize_t bytes = a->tiled ? t->block_bytes : t->line * there;
    const tmsize_t got =
        a->tiled
            ? TIFFReadEncodedTile(v->tiff, TIFFComputeTile(v->tiff, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane),
                                  v->block, bytes)
            : TIFFReadEncodedStrip(v->tiff, TIFFComputeStrip(v->tiff, (uint32_t)y, (uint16_t)plane), v->block, bytes);
    if (got != bytes || v->reason[0])
        return 0;
    for (int line = top; line < bottom; line++)
        seg_tiff_put_row(&t->kind, v->block + (size_t)(line - y) * (size_t)t->line, plane, (size_t)(left - x),
                         (size_t)(line - r->top) * (size_t)(r->right - r->left) + (size_t)(left - r->left),
                         (size_t)(right - left), r->out);
    return 1;
}

static void read_blocks(void *arg, size_t first, size_t last, int worker) {
    reading *r = arg;
    const seg_tiled_about *a = &r->image->about;
    for (size_t i = first; i < last; i++) {
        const int column = r->first_column + (int)i % r->columns, row = r->first_row + (int)i / r->columns;
        const int x = column * a->block_width, y = row * a->block_height;
        if (__atomic_load_n(&r->failed, __ATOMIC_RELAXED))
            return;
        if (r->wanted && !r->wanted(r->user, larger(x, r->left), larger(y, r->top),
                                    smaller(x + a->block_width, r->right), smaller(y + a->block_height, r->bottom)))
            continue;
        for (int plane = 0; plane < r->image->planes; plane++)
            if (!read_block(r, &r->image->views[worker], column, row, plane))
                __atomic_store_n(&r->failed, worker + 1, __ATOMIC_RELAXED);
    }
}

/* A handle and a block for every thread. */
static seg_status open_views(seg_context *ctx, seg_tiled_image *t) {
    seg_status status = SEG_OK;
    for (int i = 0; i < t->count && status == SEG_OK; i++) {
        view *v = &t->views[i];
        v->reason[0] = 0;
        if (!v->tiff)
            status = open_view(ctx, v);
        if (status == SEG_OK && !v->block && !(v->block = seg_alloc(ctx, (size_t)t->block_bytes, 1)))
            status = SEG_ERR_MEMORY;
    }
    return status;
}

static seg_status make_raster(seg_context *ctx, const seg_tiled_image *t, int width, int height, seg_raster *out) {
    const size_t pixels = (size_t)width * (size_t)height;
    *out = t->form;
    out->width = width;
    out->height = height;
    void *samples = seg_alloc_zero(ctx, pixels * (size_t)t->kind.colours, out->bits > 8 ? 2 : 1);
    if (out->bits > 8)
        out->sample16 = samples;
    else
        out->sample8 = samples;
    if (t->kind.alpha)
        out->alpha = seg_alloc_zero(ctx, pixels, sizeof *out->alpha);
    return samples && (!t->kind.alpha || out->alpha) ? SEG_OK : SEG_ERR_MEMORY;
}

seg_status seg_tiled_read(seg_context *ctx, seg_tiled_image *t, int left, int top, int width, int height,
                          seg_tiled_wanted wanted, const void *user, seg_image *out) {
    const seg_tiled_about *a = &t->about;
    seg_raster raster = {0};
    reading r = {.image = t,
                 .left = left,
                 .top = top,
                 .right = left + width,
                 .bottom = top + height,
                 .first_column = left / a->block_width,
                 .first_row = top / a->block_height,
                 .wanted = wanted,
                 .user = user,
                 .out = &raster};
    const int rows = (r.bottom - 1) / a->block_height - r.first_row + 1;
    uint32_t size = 0;
    const void *profile = NULL;
    memset(out, 0, sizeof *out);
    errno = 0;
    r.columns = (r.right - 1) / a->block_width - r.first_column + 1;
    seg_status status = open_views(ctx, t);
    if (status == SEG_OK)
        status = make_raster(ctx, t, width, height, &raster);
    if (status == SEG_OK)
        status = seg_parallel_polled(ctx, (size_t)r.columns * (size_t)rows, 1, read_blocks, &r);
    if (status == SEG_OK && r.failed)
        status = damaged(ctx, &t->views[r.failed - 1]);
    if (status == SEG_OK && !seg_tiff_finish(t->views[0].tiff, &t->kind, &raster))
        status = damaged(ctx, &t->views[0]);
    if (status == SEG_OK && TIFFGetField(t->views[0].tiff, TIFFTAG_ICCPROFILE, &size, &profile) && profile)
        status = seg_raster_keep_profile(ctx, t->path, profile, size, &raster);
    if (status == SEG_OK)
        status = seg_image_take_part(ctx, t->path, &raster, out);
    if (t->map) /* the pages are the kernel's, and would count as ours */
        madvise(t->map, t->size, MADV_DONTNEED);
    seg_raster_free(&raster);
    return status;
}
