#include "image/formats/tiff_write.h"
#include "base/base.h"
#include "image/file.h"

#include <zlib.h>

#define TILE        512 /* pixels, of images that are not smaller */
#define LEVEL       6   /* of deflate */
#define MOST_SIMPLE 3e9 /* labels in all: beyond, a BigTIFF */

enum { SHORT = 3, LONG = 4, LONG8 = 16 }; /* types of fields */
enum { FIELDS = 13, COLOURS = 768 };

typedef struct job {
    seg_writer *writer;
    uint64_t at, link; /* bytes written so far; place of the number that leads to the next page */
    int word;          /* bytes of such a number: 8 in a BigTIFF, else 4 */
    int width, height; /* of the image, or of a slice of a volume */
    int top;           /* first row of the slice */
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
    uint64_t *place; /* of each tile of the page, then the bytes of each */
} job;

/* --- The structure of the file: numbers with the lowest byte first. --- */

static void put(job *j, const void *bytes, size_t size) {
    seg_writer_put(j->writer, bytes, size);
    j->at += size;
}

static void number(job *j, uint64_t value, int bytes) {
    uint8_t b[8];
    for (int i = 0; i < bytes; i++)
        b[i] = (uint8_t)(value >> 8 * i);
    put(j, b, (size_t)bytes);
}

static void field(job *j, unsigned tag, int type, uint64_t count, uint64_t value) {
    number(j, tag, 2);
    number(j, (uint64_t)type, 2);
    number(j, count, j->word);
    number(j, value, j->word);
}

static int type_of(int value) {
    return value > UINT16_MAX ? LONG : SHORT;
}

/* Let the number at j->link lead to what comes next. */
static void link_page(job *j) {
    const uint64_t here = j->at;
    if (j->writer->error)
        return;
    if (fseeko(j->writer->file, (off_t)j->link, SEEK_SET) != 0)
        j->writer->error = errno;
    number(j, here, j->word);
    if (fseeko(j->writer->file, (off_t)here, SEEK_SET) != 0)
        j->writer->error = errno;
    j->at = here;
}

static void put_header(job *j) {
    put(j, "II", 2);
    number(j, j->word == 8 ? 43 : 42, 2);
    if (j->word == 8)
        number(j, 8, 4);
    j->link = j->at;
    number(j, 0, j->word);
}

/* The page's fields, in the order of their numbers, and the arrays that do not fit into them. */
static void put_directory(job *j, const seg_mask *form, size_t tiles) {
    const uint64_t word = (uint64_t)j->word, array = tiles > 1 ? tiles * word : 0;
    const int long_type = j->word == 8 ? LONG8 : LONG;
    if (j->at & 1)
        number(j, 0, 1);
    link_page(j);
    const uint64_t sizes = j->at + (word == 8 ? 8 : 2) + FIELDS * (4 + 2 * word) + word, places = sizes + array;
    number(j, FIELDS, word == 8 ? 8 : 2);
    field(j, 254, LONG, 1, j->step > 1); /* a reduced image */
    field(j, 256, type_of(j->page_width), 1, (uint64_t)j->page_width);
    field(j, 257, type_of(j->page_height), 1, (uint64_t)j->page_height);
    field(j, 258, SHORT, 1, 8); /* bits */
    field(j, 259, SHORT, 1, 8); /* compression: deflate */
    field(j, 262, SHORT, 1, 3); /* interpretation: palette */
    field(j, 277, SHORT, 1, 1); /* samples per pixel */
    field(j, 284, SHORT, 1, 1); /* samples side by side */
    field(j, 320, SHORT, COLOURS, places + array);
    field(j, 322, SHORT, 1, (uint64_t)j->tile);
    field(j, 323, SHORT, 1, (uint64_t)j->tile);
    field(j, 324, long_type, tiles, array ? places : j->place[0]);
    field(j, 325, long_type, tiles, array ? sizes : j->place[1]);
    j->link = j->at;
    number(j, 0, j->word);
    for (size_t i = 0; array && i < 2 * tiles; i++)
        number(j, j->place[i < tiles ? tiles + i : i - tiles], j->word);
    for (int i = 0; i < COLOURS; i++)
        number(j, 257u * form->colour[i % 256][i / 256], 2);
}

/* --- Pages. --- */

/* Row y of the page, pixels left .. right-1: of the image, the middle one of those that each stands for. */
static void read_row(const job *j, int y, int left, int right, uint8_t *line, uint8_t *label) {
    const int half = j->step / 2, from = y * j->step + half < j->height ? y * j->step + half : j->height - 1;
    const int first = left * j->step, last = right * j->step < j->width ? right * j->step : j->width;
    j->reader(j->user, j->top + from, first, last, line);
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

static seg_status write_page(seg_context *ctx, job *j, const seg_mask *form, double begins, double ends) {
    const int down = (j->page_height + j->tile - 1) / j->tile;
    const size_t tiles = (size_t)j->across * (size_t)down;
    for (j->row = 0; j->row < down && !j->writer->error; j->row++) {
        SEG_TRY(seg_progress(ctx, begins + (ends - begins) * j->row / down, "writing"));
        SEG_TRY(seg_parallel_polled(ctx, (size_t)j->across, 1, pack_tiles, j));
        for (int i = 0; i < j->across; i++) {
            const size_t tile = (size_t)(j->row * j->across + i);
            if (!j->size[i])
                return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing '%s'", j->writer->path);
            j->place[tile] = j->at;
            j->place[tiles + tile] = j->size[i];
            put(j, j->packed + (size_t)i * j->most, j->size[i]);
        }
    }
    put_directory(j, form, tiles);
    return SEG_OK;
}

static seg_status write_slices(seg_context *ctx, job *j, const seg_mask *form) {
    j->step = 1;
    j->page_width = j->width;
    j->page_height = j->height;
    for (j->top = 0; j->top < form->height && !j->writer->error; j->top += j->height)
        SEG_TRY(write_page(ctx, j, form, (double)j->top / form->height, (double)(j->top + j->height) / form->height));
    return SEG_OK;
}

static seg_status write_pages(seg_context *ctx, job *j, const seg_mask *form) {
    double begins = 0;
    if (form->slices > 1)
        return write_slices(ctx, j, form);
    for (j->step = 1; !j->writer->error; j->step *= 2) {
        j->page_width = (j->width + j->step - 1) / j->step;
        j->page_height = (j->height + j->step - 1) / j->step;
        j->across = (j->page_width + j->tile - 1) / j->tile;
        const double ends = begins + 0.75 * (1 - begins);
        SEG_TRY(write_page(ctx, j, form, begins, ends));
        begins = ends;
        if (j->page_width <= j->tile && j->page_height <= j->tile)
            break;
    }
    return SEG_OK;
}

seg_status seg_tiff_write_labels(seg_context *ctx, const char *path, const seg_mask *form, seg_label_reader reader,
                                 const void *user) {
    const int width = form->width, height = form->height / (form->slices > 1 ? form->slices : 1),
              longer = width > height ? width : height;
    SEG_RELEASED(seg_writer_abandon) seg_writer writer = {0};
    job j = {.writer = &writer, .width = width, .height = height, .reader = reader, .user = user};
    j.word = (double)width * form->height > MOST_SIMPLE ? 8 : 4;
    j.tile = longer < TILE ? (longer + 15) / 16 * 16 : TILE;
    if (strcmp(path, "-") == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "a TIFF file cannot be written to standard output: name a file");
    SEG_TRY(seg_writer_open(ctx, path, &writer));
    if (!writer.temporary)
        return seg_fail(ctx, SEG_ERR_USAGE, "a TIFF file cannot be written to '%s', which is not a regular file", path);
    const size_t pixels = (size_t)j.tile * (size_t)j.tile, down = (size_t)((height + j.tile - 1) / j.tile);
    j.across = (width + j.tile - 1) / j.tile;
    j.most = compressBound((uLong)pixels);
    j.room_size = pixels + (size_t)width;
    const size_t across = (size_t)j.across;
    SEG_LOCAL_ARRAYS(ctx, SEG_TABLE(j.room, (size_t)seg_threads(ctx), j.room_size), SEG_TABLE(j.packed, across, j.most),
                     SEG_ARRAY(j.size, across), SEG_TABLE(j.place, across * down, 2));
    put_header(&j);
    SEG_TRY(write_pages(ctx, &j, form));
    return seg_writer_commit(ctx, &writer);
}

static void read_mask(const void *user, int y, int left, int right, uint8_t *label) {
    const seg_mask *mask = user;
    memcpy(label, mask->label + (size_t)y * (size_t)mask->width + (size_t)left, (size_t)(right - left));
}

seg_status seg_mask_write_tiff(seg_context *ctx, const char *path, const seg_mask *mask) {
    return seg_tiff_write_labels(ctx, path, mask, read_mask, mask);
}
