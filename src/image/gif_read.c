/* GIF, the first picture, by giflib. Palette indices are kept; what is outside the picture is transparent. */
#include "base/base.h"
#include "image/decoders.h"
#include "image/interleaved.h"
#include "image/late_library.h"

#include <errno.h>
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#define OPAQUE       65535
#define GIFLIB_BYTES ((size_t)64 << 10)

#define FUNCTIONS(X)                                                                                                   \
    X(DGifOpen)                                                                                                        \
    X(DGifCloseFile)                                                                                                   \
    X(DGifGetRecordType)                                                                                               \
    X(DGifGetImageDesc)                                                                                                \
    X(DGifGetLine)                                                                                                     \
    X(DGifGetExtension)                                                                                                \
    X(DGifGetExtensionNext)                                                                                            \
    X(DGifExtensionToGCB)

typedef struct gif_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} gif_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_GIF, SEG_PACKAGE_GIF, sizeof names / sizeof *names, names};

typedef struct gif_job {
    seg_context *ctx;
    const char *name;
    const unsigned char *bytes;
    size_t size, at;
    gif_calls call;
    GifFileType *gif;
    int transparent; /* palette index, -1 where none is */
    uint8_t *row;
} gif_job;

static int on_read(GifFileType *gif, GifByteType *into, int length) {
    gif_job *job = gif->UserData;
    const size_t left = job->size - job->at, got = (size_t)length < left ? (size_t)length : left;
    memcpy(into, job->bytes + job->at, got);
    job->at += got;
    return (int)got;
}

static seg_status why_it_failed(const gif_job *job, int code) {
    if (code == D_GIF_ERR_NOT_ENOUGH_MEM || errno == ENOMEM) /* it does not always say so */
        return seg_no_memory_to_read(job->ctx, job->name);
    switch (code) {
    case D_GIF_ERR_READ_FAILED:
    case D_GIF_ERR_EOF_TOO_SOON:
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "'%s' is a truncated GIF, its end is missing: copy or download it again", job->name);
    default:
        return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a damaged GIF: use a good copy", job->name);
    }
}

/* Past an extension; the transparent index where it is the one that tells it. 0 or giflib's code. */
static int read_extension(gif_job *job) {
    GifByteType *block = NULL;
    GraphicsControlBlock control;
    int code = 0;
    if (job->call.DGifGetExtension(job->gif, &code, &block) == GIF_ERROR)
        return job->gif->Error;
    if (code == GRAPHICS_EXT_FUNC_CODE && block &&
        job->call.DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        job->transparent = control.TransparentColor;
    while (block)
        if (job->call.DGifGetExtensionNext(job->gif, &block) == GIF_ERROR)
            return job->gif->Error;
    return 0;
}

/* To the next picture; *found 0 where the file ends without one. 0 or giflib's code. */
static int find_picture(gif_job *job, int *found) {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    *found = 0;
    while (type != TERMINATE_RECORD_TYPE) {
        if (job->call.DGifGetRecordType(job->gif, &type) == GIF_ERROR)
            return job->gif->Error;
        *found = type == IMAGE_DESC_RECORD_TYPE;
        if (*found)
            return 0;
        const int code = type == TERMINATE_RECORD_TYPE ? 0 : read_extension(job);
        if (code)
            return code;
    }
    return 0;
}

static const ColorMapObject *palette_of(const gif_job *job) {
    return job->gif->Image.ColorMap ? job->gif->Image.ColorMap : job->gif->SColorMap;
}

/* Up to the first picture's pixels. */
static seg_status read_header(gif_job *job, seg_raster *out) {
    int found = 0;
    const int code = find_picture(job, &found);
    if (code)
        return why_it_failed(job, code);
    if (!found)
        return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a GIF without a picture: use a good copy", job->name);
    if (job->call.DGifGetImageDesc(job->gif) == GIF_ERROR)
        return why_it_failed(job, job->gif->Error);
    const GifImageDesc *image = &job->gif->Image;
    const int right = image->Left + image->Width, bottom = image->Top + image->Height;
    out->width = job->gif->SWidth > right ? job->gif->SWidth : right; /* browsers enlarge the canvas, too */
    out->height = job->gif->SHeight > bottom ? job->gif->SHeight : bottom;
    if (image->Width < 1 || image->Height < 1 || !palette_of(job))
        return why_it_failed(job, D_GIF_ERR_IMAGE_DEFECT);
    const seg_status status = seg_check_size(job->ctx, job->name, out->width, out->height);
    out->kind = SEG_RASTER_PALETTE;
    out->channels = 1;
    out->bits = 8;
    out->decoding = seg_raster_bytes(out, 1) + GIFLIB_BYTES;
    return status;
}

/* Rows of an interlaced picture come in four rounds. */
static int row_of(const GifImageDesc *image, int line) {
    static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    if (!image->Interlace)
        return line;
    for (int round = 0; round < 4; round++) {
        const int rows = image->Height > first[round] ? (image->Height - first[round] - 1) / step[round] + 1 : 0;
        if (line < rows)
            return first[round] + line * step[round];
        line -= rows;
    }
    return 0;
}

static seg_status read_pixels(gif_job *job, seg_raster *out) {
    const GifImageDesc image = job->gif->Image;
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    seg_status status = seg_raster_allocate(job->ctx, out, 1);
    job->row = status == SEG_OK ? seg_alloc(job->ctx, (size_t)image.Width, 1) : NULL;
    if (!job->row)
        return SEG_ERR_MEMORY;
    memset(out->sample8, 0, pixels);
    memset(out->alpha, 0, pixels * sizeof *out->alpha);
    for (int line = 0; line < image.Height; line++) {
        if (job->call.DGifGetLine(job->gif, job->row, image.Width) == GIF_ERROR)
            return why_it_failed(job, job->gif->Error);
        const size_t at = (size_t)(image.Top + row_of(&image, line)) * (size_t)out->width + (size_t)image.Left;
        memcpy(out->sample8 + at, job->row, (size_t)image.Width);
        for (size_t x = 0; x < (size_t)image.Width; x++)
            out->alpha[at + x] = job->row[x] == job->transparent ? 0 : OPAQUE;
    }
    const ColorMapObject *palette = palette_of(job);
    out->palette_count = palette->ColorCount < 256 ? palette->ColorCount : 256;
    for (int i = 0; i < out->palette_count; i++) {
        out->palette[i][0] = palette->Colors[i].Red;
        out->palette[i][1] = palette->Colors[i].Green;
        out->palette[i][2] = palette->Colors[i].Blue;
    }
    seg_palette_complete(job->ctx, job->name, out);
    seg_raster_drop_opaque(out);
    return SEG_OK;
}

seg_status seg_gif_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out) {
    gif_job job = {.ctx = ctx, .name = name, .bytes = bytes, .size = size, .transparent = -1};
    int code = 0, more = 0;
    seg_status status = seg_late_load(ctx, &library, name, "a GIF image", &job.call);
    if (status != SEG_OK)
        return status;
    errno = 0;
    job.gif = job.call.DGifOpen(&job, on_read, &code);
    if (!job.gif)
        return why_it_failed(&job, code);
    status = read_header(&job, out);
    if (status == SEG_OK && !header_only && (status = seg_check_room(ctx, name, out)) == SEG_OK &&
        (status = read_pixels(&job, out)) == SEG_OK && find_picture(&job, &more) == 0 && more)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has several pictures; the first is used", name);
    free(job.row);
    job.call.DGifCloseFile(job.gif, &code);
    return status;
}
