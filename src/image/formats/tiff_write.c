#include "image/formats/tiff_write.h"

#include "base/base.h"
#include "base/parallel.h"
#include "image/file.h"
#include "image/formats/late_library.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>
#include <zlib.h>

#define TILE        512 /* pixels, of images that are not smaller */
#define LEVEL       6   /* of deflate */
#define MOST_SIMPLE 3e9 /* labels in all: beyond, a BigTIFF */

#define FUNCTIONS(X)                                                                                                   \
    X(TIFFClientOpenExt)                                                                                               \
    X(TIFFClose)                                                                                                       \
    X(TIFFGetField)                                                                                                    \
    X(TIFFOpenOptionsAlloc)                                                                                            \
    X(TIFFOpenOptionsFree)                                                                                             \
    X(TIFFOpenOptionsSetErrorHandlerExtR)                                                                              \
    X(TIFFOpenOptionsSetWarningHandlerExtR)                                                                            \
    X(TIFFSetField)                                                                                                    \
    X(TIFFUnsetField)                                                                                                  \
    X(TIFFWriteDirectory)                                                                                              \
    X(TIFFWriteRawTile)

typedef struct tiff_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} tiff_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_TIFF, SEG_PACKAGE_TIFF, sizeof names / sizeof *names, names};

typedef struct job {
    tiff_calls call;
    seg_writer *writer;
    off_t at;
    int width, height; /* of the image */
    int tile, across;  /* of a page: pixels of a tile's side, tiles side by side */
    int step;          /* pixels of the image per pixel of the page */
    int page_width, page_height, row;
    seg_label_reader reader;
    const void *user;
    uint8_t *room; /* of a worker: a tile, and a line of the image below it */
    size_t room_size;
    uint8_t *packed; /* of each tile of the row */
    size_t *size;    /* of these; 0 where zlib had no memory */
    size_t most;
} job;

/* --- libtiff's calls. --- */

static tmsize_t on_read(thandle_t handle, void *into,
                        tmsize_t length) { /* libtiff reads what it wrote, to link the pages */
    job *j = handle;
    const ssize_t got = pread(fileno(j->writer->file), into, (size_t)length, j->at);
    j->at += got > 0 ? got : 0;
    return got;
}
static tmsize_t on_write(thandle_t handle, void *from, tmsize_t length) {
    job *j = handle;
    tmsize_t done = 0;
    while (done < length && !j->writer->error) {
        const ssize_t got =
            pwrite(fileno(j->writer->file), (const char *)from + done, (size_t)(length - done), j->at + done);
        if (got < 0 && errno != EINTR)
            j->writer->error = errno;
        done += got > 0 ? got : 0;
    }
    j->at += done;
    return done;
}
static toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
    job *j = handle;
    struct stat about = {0};
    if (whence == SEEK_END)
        fstat(fileno(j->writer->file), &about);
    j->at = (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? j->at : about.st_size) + (off_t)offset;
    return (toff_t)j->at;
}
static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}
static toff_t on_size(thandle_t handle) {
    struct stat about = {0};
    fstat(fileno(((job *)handle)->writer->file), &about);
    return (toff_t)about.st_size;
}
/* libtiff does not report the kind of failure; errno is ENOMEM where an allocation failed. */
static void note_trouble(job *j) {
    if (!j->writer->error)
        j->writer->error = errno == ENOMEM ? ENOMEM : EIO;
}
static int on_trouble(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    job *j = user;
    (void)tiff, (void)module, (void)format, (void)arguments;
    note_trouble(j);
    return 1;
}
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static TIFF *open_tiff(job *j, const char *path, int big) {
    TIFFOpenOptions *options = j->call.TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    j->call.TIFFOpenOptionsSetErrorHandlerExtR(options, on_trouble, j);
    j->call.TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, j);
    TIFF *tiff = j->call.TIFFClientOpenExt(path, big ? "w8" : "w4", j, on_read, on_write, on_seek, on_close, on_size,
                                           NULL, NULL, options);
    j->call.TIFFOpenOptionsFree(options);
    return tiff;
}

/* --- Pages. --- */

static seg_status no_memory(seg_context *ctx, const char *path) {
    return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'", path);
}

/* @return 0 where libtiff had no memory for the palette, which it does not report, and which would crash it later */
static int set_fields(TIFF *tiff, const job *j, const seg_mask *form) {
    uint16_t map[3][256];
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 256; i++)
            map[c][i] = (uint16_t)(257 * form->colour[i][c]);
    j->call.TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, j->step > 1 ? FILETYPE_REDUCEDIMAGE : 0);
    j->call.TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)j->page_width);
    j->call.TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)j->page_height);
    j->call.TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    j->call.TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    j->call.TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    j->call.TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
    j->call.TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    j->call.TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    j->call.TIFFSetField(tiff, TIFFTAG_TILEWIDTH, (uint32_t)j->tile);
    j->call.TIFFSetField(tiff, TIFFTAG_TILELENGTH, (uint32_t)j->tile);
    uint16_t *kept[3] = {NULL, NULL, NULL};
    const int good =
        j->call.TIFFGetField(tiff, TIFFTAG_COLORMAP, &kept[0], &kept[1], &kept[2]) && kept[0] && kept[1] && kept[2];
    if (!good)
        j->call.TIFFUnsetField(tiff, TIFFTAG_COLORMAP); /* closing the handle writes the fields that are set */
    return good;
}

/* Row y of the page, pixels left .. right-1: of the image, the middle one of those that each stands for. */
static void read_row(const job *j, int y, int left, int right, uint8_t *line, uint8_t *label) {
    const int half = j->step / 2, from = y * j->step + half < j->height ? y * j->step + half : j->height - 1;
    if (j->step == 1) {
        j->reader(j->user, y, left, right, label);
        return;
    }
    const int first = left * j->step, last = right * j->step < j->width ? right * j->step : j->width;
    j->reader(j->user, from, first, last, line);
    for (int x = 0; x < right - left; x++) {
        const int at = x * j->step + half;
        label[x] = line[at < last - first ? at : last - first - 1];
    }
}

static void pack_tiles(void *arg, size_t first, size_t last, int worker) {
    const job *j = arg;
    uint8_t *tile = j->room + (size_t)worker * j->room_size, *line = tile + (size_t)j->tile * (size_t)j->tile;
    for (size_t i = first; i < last; i++) {
        const int left = (int)i * j->tile, top = j->row * j->tile;
        const int right = left + j->tile < j->page_width ? left + j->tile : j->page_width;
        uLongf size = j->most;
        memset(tile, 0, (size_t)j->tile * (size_t)j->tile);
        for (int y = 0; y < j->tile && top + y < j->page_height; y++)
            read_row(j, top + y, left, right, line, tile + (size_t)y * (size_t)j->tile);
        j->size[i] =
            compress2(j->packed + i * j->most, &size, tile, (uLong)j->tile * (uLong)j->tile, LEVEL) == Z_OK ? size : 0;
    }
}

static seg_status write_page(seg_context *ctx, TIFF *tiff, job *j, const seg_mask *form, double begins, double ends) {
    const int down = (j->page_height + j->tile - 1) / j->tile;
    seg_status status = SEG_OK;
    if (!set_fields(tiff, j, form))
        return no_memory(ctx, j->writer->path);
    for (j->row = 0; j->row < down && status == SEG_OK && !j->writer->error; j->row++) {
        status = seg_progress(ctx, begins + (ends - begins) * j->row / down, "writing");
        if (status == SEG_OK)
            status = seg_parallel_polled(ctx, (size_t)j->across, 1, pack_tiles, j);
        for (int i = 0; i < j->across && status == SEG_OK && !j->writer->error; i++)
            if (!j->size[i])
                status = no_memory(ctx, j->writer->path);
            else if (j->call.TIFFWriteRawTile(tiff, (uint32_t)(j->row * j->across + i), j->packed + (size_t)i * j->most,
                                              (tmsize_t)j->size[i]) < 0)
                note_trouble(j);
    }
    if (status == SEG_OK && !j->writer->error && !j->call.TIFFWriteDirectory(tiff))
        note_trouble(j);
    return status;
}

static seg_status make_room(seg_context *ctx, job *j) {
    const size_t pixels = (size_t)j->tile * (size_t)j->tile;
    const int longer = j->width > j->height ? j->width : j->height;
    int most_step = 1;
    while (most_step < longer)
        most_step *= 2;
    const size_t line = (size_t)j->tile * (size_t)most_step;
    j->across = (j->width + j->tile - 1) / j->tile;
    j->most = compressBound((uLong)pixels);
    j->room_size = pixels + (line < (size_t)j->width ? line : (size_t)j->width);
    j->room = seg_alloc(ctx, (size_t)seg_threads(ctx), j->room_size);
    j->packed = seg_alloc(ctx, (size_t)j->across, j->most);
    j->size = seg_alloc(ctx, (size_t)j->across, sizeof *j->size);
    return j->room && j->packed && j->size ? SEG_OK : SEG_ERR_MEMORY;
}

static seg_status write_pages(seg_context *ctx, TIFF *tiff, job *j, const seg_mask *form) {
    seg_status status = SEG_OK;
    double begins = 0;
    for (j->step = 1; status == SEG_OK && !j->writer->error; j->step *= 2) {
        j->page_width = (j->width + j->step - 1) / j->step;
        j->page_height = (j->height + j->step - 1) / j->step;
        j->across = (j->page_width + j->tile - 1) / j->tile;
        const double ends = begins + 0.75 * (1 - begins);
        status = write_page(ctx, tiff, j, form, begins, ends);
        begins = ends;
        if (j->page_width <= j->tile && j->page_height <= j->tile)
            break;
    }
    return status;
}

seg_status seg_tiff_write_labels(seg_context *ctx, const char *path, const seg_mask *form, seg_label_reader reader,
                                 const void *user) {
    const int width = form->width, height = form->height, longer = width > height ? width : height;
    seg_writer writer;
    job j = {.writer = &writer, .width = width, .height = height, .reader = reader, .user = user};
    j.tile = longer < TILE ? (longer + 15) / 16 * 16 : TILE;
    if (strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "a TIFF file cannot be written to standard output: name a file");
    const char *lacking = NULL;
    const seg_late_found found = seg_late_find(&library, &j.call, &lacking);
    if (found == SEG_LATE_NO_MEMORY)
        return no_memory(ctx, path);
    if (found != SEG_LATE_FOUND)
        return seg_fail(ctx, SEG_ERR_IO,
                        "'%s' cannot be written: %s, which writes TIFF files, is not installed or of another version: "
                        "install Debian's %s, or name a PNG file",
                        path, library.file, library.package);
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status != SEG_OK)
        return status;
    if (!writer.temporary) {
        status =
            seg_fail(ctx, SEG_ERR_USAGE, "a TIFF file cannot be written to '%s', which is not a regular file", path);
        seg_writer_abandon(&writer);
        return status;
    }
    status = make_room(ctx, &j);
    errno = 0;
    TIFF *tiff = status == SEG_OK ? open_tiff(&j, path, (double)width * height > MOST_SIMPLE) : NULL;
    if (status == SEG_OK && !tiff && !writer.error)
        status = no_memory(ctx, path);
    if (tiff) {
        status = write_pages(ctx, tiff, &j, form);
        j.call.TIFFClose(tiff);
    }
    free(j.room);
    free(j.packed);
    free(j.size);
    if (status == SEG_OK)
        return seg_writer_commit(ctx, &writer);
    seg_writer_abandon(&writer);
    return status;
}

static void read_mask(const void *user, int y, int left, int right, uint8_t *label) {
    const seg_mask *mask = user;
    memcpy(label, mask->label + (size_t)y * (size_t)mask->width + (size_t)left, (size_t)(right - left));
}

seg_status seg_mask_write_tiff(seg_context *ctx, const char *path, const seg_mask *mask) {
    return seg_tiff_write_labels(ctx, path, mask, read_mask, mask);
}
