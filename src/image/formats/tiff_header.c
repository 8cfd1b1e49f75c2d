#include "image/formats/vips_image.h"

#include "base/base.h"

#define MOST_PAGES  4096 /* that are read */
#define MOST_FIELDS 1024

enum { WIDTH = 256, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC = 262, SAMPLES = 277, ROWS_PER_STRIP };
enum { KIND = 254, OLD_KIND, PLANAR = 284, COLOUR_MAP = 320, TILE_WIDTH = 322, TILE_HEIGHT };
enum { DESCRIPTION = 270, RESOLUTION = 282, MOST_TEXT = 1 << 20 };
enum { EXTRA_SAMPLES = 338, SAMPLE_FORMAT, DNG_VERSION = 50706 };
enum { COLOUR_FILTERS = 32803, LINEAR_RAW = 34892 }; /* photometric interpretations of raw files */

typedef struct reader {
    seg_tiff_bytes *from;
    int swapped, big; /* the highest byte first; BigTIFF */
} reader;

typedef struct field {
    unsigned type;
    uint64_t count, at;
} field;

int64_t seg_tiff_bytes_read(seg_tiff_bytes *from, uint64_t at, void *to, size_t count) {
    size_t done = 0;
    if (at >= from->size)
        return 0;
    count = count < from->size - at ? count : from->size - (size_t)at;
    if (from->bytes) {
        memcpy(to, from->bytes + at, count);
        done = count;
    }
    while (done < count) {
        const ssize_t got = pread(from->descriptor, (char *)to + done, count - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            from->error = errno;
            return -1;
        }
        if (got == 0)
            break;
        done += (size_t)got;
    }
    if (from->patched && from->patched >= at && from->patched - at < done)
        ((unsigned char *)to)[from->patched - at] = from->patch;
    return (int64_t)done;
}

/* The number of `bytes` bytes at a place; 0 beyond the end. */
static uint64_t number(const reader *r, uint64_t at, unsigned bytes) {
    unsigned char b[8] = {0};
    uint64_t value = 0;
    if (seg_tiff_bytes_read(r->from, at, b, bytes) != (int64_t)bytes)
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)b[i] << 8 * (r->swapped ? bytes - 1 - i : i);
    return value;
}

static unsigned bytes_of(unsigned type) {
    static const uint8_t bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof bytes ? bytes[type] : 0;
}

/* Places in a directory of fields: how many it has, where the first is, how long each is. */
static uint64_t fields_of(const reader *r, uint64_t directory) {
    const uint64_t count = number(r, directory, r->big ? 8 : 2);
    return count < MOST_FIELDS ? count : 0;
}
static uint64_t field_at(const reader *r, uint64_t directory, uint64_t i) {
    return directory + (r->big ? 8 + 20 * i : 2 + 12 * i);
}

/* 1 where the directory has the field. */
static int find(const reader *r, uint64_t directory, unsigned tag, field *out) {
    const uint64_t count = fields_of(r, directory);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = field_at(r, directory, i), place = at + (r->big ? 12 : 8);
        if (number(r, at, 2) != tag)
            continue;
        out->type = (unsigned)number(r, at + 2, 2);
        out->count = number(r, at + 4, r->big ? 8 : 4);
        const unsigned bytes = bytes_of(out->type), room = r->big ? 8 : 4;
        out->at = bytes && out->count <= room / bytes ? place : number(r, place, room);
        return bytes > 0 && out->count > 0;
    }
    return 0;
}

static uint64_t value_of(const reader *r, const field *f, uint64_t i) {
    return i < f->count ? number(r, f->at + i * bytes_of(f->type), bytes_of(f->type)) : 0;
}

static uint64_t get(const reader *r, uint64_t directory, unsigned tag, uint64_t otherwise) {
    field f;
    return find(r, directory, tag, &f) ? value_of(r, &f, 0) : otherwise;
}

/* 1 where an image is a preview of another or its mask. */
static int is_reduced(const reader *r, uint64_t directory) {
    field f;
    return find(r, directory, KIND, &f) ? (value_of(r, &f, 0) & 5) != 0 : get(r, directory, OLD_KIND, 0) == 2;
}

/* 1 for what cameras write: digital negatives, and pages whose pixels have one colour each. */
static int is_raw(const reader *r, uint64_t directory) {
    const uint64_t kind = get(r, directory, PHOTOMETRIC, 0);
    field f;
    return kind == COLOUR_FILTERS || kind == LINEAR_RAW || find(r, directory, DNG_VERSION, &f);
}

static void take_palette(const reader *r, uint64_t directory, seg_tiff_page *out) {
    field f;
    int shift = 0; /* old programs wrote 8 bits where 16 belong */
    unsigned char bytes[3 * 256 * 8];
    const uint64_t count = (uint64_t)1 << (out->bits & 15);
    if (out->bits > 8 || !find(r, directory, COLOUR_MAP, &f) || f.count < 3 * count || f.at + 6 * count > r->from->size)
        return;
    const int64_t got = seg_tiff_bytes_read(r->from, f.at, bytes, 3 * count * bytes_of(f.type)); /* at once */
    seg_tiff_bytes all = {.bytes = bytes, .size = got > 0 ? (size_t)got : 0};
    const reader inner = {.from = &all, .swapped = r->swapped};
    f.at = 0;
    for (uint64_t i = 0; i < 3 * count; i++)
        shift = value_of(&inner, &f, i) > 255 ? 8 : shift;
    out->palette_count = (int)count;
    for (uint64_t i = 0; i < 3 * count; i++)
        out->palette[i % count][i / count] = (uint8_t)(value_of(&inner, &f, i) >> shift);
}

/* Let the value i of a field read as a small number. */
static void patch(const reader *r, const field *f, uint64_t i, unsigned char value) {
    const unsigned bytes = bytes_of(f->type);
    r->from->patched = (size_t)(f->at + i * bytes + (r->swapped ? bytes - 1 : 0));
    r->from->patch = value;
}

static void take_opacity(const reader *r, const field *f, unsigned colours, seg_tiff_page *out) {
    enum { ASSOCIATED = 1, UNASSOCIATED = 2 };
    for (unsigned i = 0; i < f->count && f->count < out->samples; i++) {
        const uint64_t kind = value_of(r, f, i);
        if (kind != ASSOCIATED && kind != UNASSOCIATED)
            continue;
        const unsigned place = out->samples - (unsigned)f->count + i;
        if (kind == ASSOCIATED)
            patch(r, f, i, UNASSOCIATED);
        if (place >= colours) { /* else the numbers do not agree */
            out->alpha = (int)place;
            out->associated = kind == ASSOCIATED;
        }
        return;
    }
}

static void describe(const reader *r, uint64_t directory, seg_tiff_page *out) {
    static const uint16_t lossy[] = {6, SEG_TIFF_JPEG, 33003, 33005, 34712, 34892, 50001, 50002};
    field f;
    out->width = get(r, directory, WIDTH, 0);
    out->height = get(r, directory, HEIGHT, 0);
    out->bits = (unsigned)get(r, directory, BITS, 1);
    out->samples = (unsigned)get(r, directory, SAMPLES, 1);
    out->photometric = (unsigned)get(r, directory, PHOTOMETRIC, SEG_TIFF_BLACK_IS_ZERO);
    out->compression = (unsigned)get(r, directory, COMPRESSION, SEG_TIFF_UNCOMPRESSED);
    out->planar = (unsigned)get(r, directory, PLANAR, 1);
    out->format = (unsigned)get(r, directory, SAMPLE_FORMAT, SEG_TIFF_UNSIGNED);
    out->tiled = find(r, directory, TILE_WIDTH, &f);
    out->block_width = out->tiled ? value_of(r, &f, 0) : out->width;
    out->block_height = get(r, directory, out->tiled ? TILE_HEIGHT : ROWS_PER_STRIP, out->height);
    if (out->block_height > out->height && !out->tiled)
        out->block_height = out->height;
    for (size_t i = 0; i < sizeof lossy / sizeof *lossy; i++)
        out->lossy |= out->compression == lossy[i];
    const unsigned colours = out->photometric == SEG_TIFF_RGB ? 3 : out->photometric <= SEG_TIFF_PALETTE ? 1 : 3;
    if (find(r, directory, EXTRA_SAMPLES, &f))
        take_opacity(r, &f, colours, out);
    if (out->photometric <= SEG_TIFF_RGB && out->samples > colours + (out->alpha > 0))
        out->planes = (int)out->samples;
    if (out->photometric == SEG_TIFF_PALETTE)
        take_palette(r, directory, out);
    if (out->palette_count && find(r, directory, PHOTOMETRIC, &f)) {
        patch(r, &f, 0, SEG_TIFF_BLACK_IS_ZERO);
        out->associated = 0;
    }
    /* libvips puts planes together for colours only, and takes those of grey for pixels side by side. */
    if (out->photometric == SEG_TIFF_BLACK_IS_ZERO && out->planar != 1 && out->samples > 2 &&
        find(r, directory, PHOTOMETRIC, &f))
        patch(r, &f, 0, SEG_TIFF_RGB);
}

static seg_status fault(seg_context *ctx, const seg_tiff_bytes *from, const char *name) {
    if (from->error)
        return seg_fail(ctx, SEG_ERR_IO, "cannot read '%s': %s; check the disk", name, SEG_ERROR_TEXT(from->error));
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is a damaged TIFF (its directory cannot be read): use a good copy", name);
}

static seg_status read_ome(seg_context *ctx, const reader *r, uint64_t directory, const char *name, seg_ome *out) {
    field f;
    if (!find(r, directory, DESCRIPTION, &f) || f.count < 16)
        return SEG_OK;
    const size_t size = f.count < MOST_TEXT ? (size_t)f.count : MOST_TEXT;
    SEG_LOCAL(char, text, seg_alloc_zero(ctx, size + 1, 1));
    seg_tiff_bytes_read(r->from, f.at, text, size);
    const int known = find(r, directory, RESOLUTION, &f); /* two numbers */
    const double below = known ? (double)number(r, f.at + 4, 4) : 0;
    const char *fault_of = seg_ome_read(text, below > 0 ? (double)number(r, f.at, 4) / below : 0, out);
    return fault_of ? seg_fail(ctx, SEG_ERR_INPUT, "'%s': its OME-XML %s; save it anew, or without a description", name,
                               fault_of)
                    : SEG_OK;
}

seg_status seg_tiff_choose(seg_context *ctx, seg_tiff_bytes *from, const char *name, int wanted, seg_tiff_page *out) {
    unsigned char start[4] = {0};
    reader r = {.from = from};
    memset(out, 0, sizeof *out);
    seg_tiff_bytes_read(from, 0, start, 4);
    r.swapped = start[0] == 'M';
    r.big = start[2] == 43 || start[3] == 43;
    const uint64_t first = number(&r, r.big ? 8 : 4, r.big ? 8 : 4);
    if (!first || !fields_of(&r, first))
        return fault(ctx, from, name);
    uint64_t chosen = 0, only = 0;
    SEG_TRY(read_ome(ctx, &r, first, name, &out->ome));
    const int samples = (int)get(&r, first, SAMPLES, 1);
    if (samples > 1 && out->ome.channels % samples == 0) /* OME counts those of a colour */
        out->ome.channels /= samples;
    const int c = out->ome.channels, z = out->ome.slices;
    if (out->ome.channels_first && wanted >= 0 && wanted < c * z)
        wanted = wanted % z * c + wanted / z;
    for (uint64_t page = first; page && out->pages < MOST_PAGES && fields_of(&r, page);
         page = number(&r, field_at(&r, page, fields_of(&r, page)), r.big ? 8 : 4), out->pages++) {
        const int reduced = is_reduced(&r, page);
        out->full += !reduced;
        if (reduced || chosen || (out->full > 1 && out->full <= wanted))
            continue;
        only = out->full == 1 ? page : 0;
        chosen = out->full > wanted ? page : 0;
        out->page = out->pages;
    }
    only = out->full == 1 ? only : 0;
    if (only)
        describe(&r, only, out);
    if (only && out->ome.images > 1 &&
        (double)out->ome.images * out->samples * out->bits / 8 * (double)(out->width * out->height) <=
            (double)from->size)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' has %d images behind one page, as ImageJ writes those beyond 4 GB: save it as OME-TIFF",
                        name, out->ome.images);
    if (only || out->full != c * z)
        out->ome = (seg_ome){0};
    if (only && out->planes) {
        out->full = out->planes;
        out->plane = wanted + 1;
        chosen = wanted < out->planes ? only : 0;
    }
    if (is_raw(&r, first) || is_raw(&r, chosen))
        return seg_refuse_raw(ctx, name, "a camera raw image");
    if (!chosen && out->full)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s': the file has %d page%s, counted from 0, and none of the number %d",
                        name, out->full, out->full == 1 ? "" : "s", wanted);
    if (!chosen)
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' has a reduced image (a preview) only, or its full image cannot be read: export the full "
                        "image from the program or camera it comes from",
                        name);
    if (!only) { /* once: it may patch what it reads */
        describe(&r, chosen, out);
        out->planes = 0;
    }
    return from->error || !out->width || !out->height ? fault(ctx, from, name) : SEG_OK;
}

seg_status seg_tiff_check(seg_context *ctx, const seg_tiff_bytes *from, const char *name, const seg_tiff_page *p) {
    const int few = p->bits == 1 || p->bits == 2 || p->bits == 4,
              whole = p->bits == 8 || p->bits == 16 || p->bits == 32; /* some of 32 bits are colours of CIE's */
    if (p->format == SEG_TIFF_FLOAT ? p->bits != 32 : !whole && !(few && p->samples == 1 && p->planar == 1))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' has %s of %u bits, which are not read: save it with 8 or 16 bits, or floats of 32", name,
                        p->format == SEG_TIFF_FLOAT ? "floating-point numbers" : "samples", p->bits);
    if (p->planar != 1 && (p->tiled || p->samples == 2)) /* two are mixed up */
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' stores its channels apart, which libvips does not read of tiles or of grey with opacity: "
                        "save it with the channels side by side",
                        name);
    if (p->photometric == SEG_TIFF_YCBCR && p->compression != SEG_TIFF_JPEG) /* it is taken for RGB */
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "'%s' has YCbCr colours that are not compressed as JPEG, which libvips does not read: save it "
                        "as RGB",
                        name);
    /* Without compression every pixel has its bits, unless tiles share the bytes of one, which only bombs do. */
    if (p->compression == SEG_TIFF_UNCOMPRESSED &&
        (double)p->width * (double)p->height * p->bits / 8 > (double)from->size)
        return seg_truncated(ctx, name, "TIFF");
    return SEG_OK;
}

void seg_tiff_say_pages(seg_context *ctx, const char *name, const seg_tiff_page *p) {
    if (p->pages > 1 && p->full > 1)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has several pages (%d%s); page %d, counted from 0, is used", name, p->pages,
                p->pages == MOST_PAGES ? " or more" : "", p->page);
    else if (p->page > 0)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' begins with a reduced image; page %d, counted from 0, is used", name,
                p->page);
}
