#include "vectors/load.h"

#include "base/base.h"
#include "image/file.h"
#include "image/raster.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LARGEST_TEXT ((size_t)1 << 30)
#define FIRST_BLOCK  ((size_t)1 << 16)
#define GZIP_ONLY    16 /* zlib's mark of gzip */

typedef struct unpacked {
    unsigned char *bytes;
    size_t size, room;
} unpacked;

/* Make room for one more byte at least; what is asked for follows what was really unpacked, so that a few bytes cannot
 * ask for much. */
static seg_status make_room(seg_context *ctx, const char *label, unpacked *to) {
    if (to->size < to->room)
        return SEG_OK;
    if (to->size >= LARGEST_TEXT)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' unpacks to more than 1 GiB; give a smaller file", label);
    size_t room = to->room ? 2 * to->room : FIRST_BLOCK;
    unsigned char *grown = seg_realloc(ctx, to->bytes, room + 1, 1); /* one more: a text is ended by 0 */
    if (!grown)
        return SEG_ERR_MEMORY;
    to->bytes = grown;
    to->room = room;
    return SEG_OK;
}

/* All members of the file, one after the other, as gzip itself does; zeros may follow the last (tape blocks). */
static seg_status unpack_members(seg_context *ctx, const char *label, z_stream *stream, unpacked *to) {
    for (;;) {
        seg_status status = make_room(ctx, label, to);
        if (status != SEG_OK)
            return status;
        stream->next_out = to->bytes + to->size;
        stream->avail_out = (uInt)(to->room - to->size);
        int code = inflate(stream, Z_NO_FLUSH);
        to->size = to->room - stream->avail_out;
        if (code == Z_MEM_ERROR)
            return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while unpacking '%s'", label);
        if (code == Z_STREAM_END) {
            while (stream->avail_in > 0 && *stream->next_in == 0) {
                stream->next_in++;
                stream->avail_in--;
            }
            if (stream->avail_in == 0)
                return SEG_OK;
            inflateReset(stream);
        } else if (code != Z_OK && !(code == Z_BUF_ERROR && stream->avail_out == 0)) {
            return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is %s and cannot be unpacked; copy or compress it again", label,
                            code == Z_BUF_ERROR ? "cut off" : "damaged");
        }
    }
}

/* `form`: 0 zlib, GZIP_ONLY gzip. */
static seg_status unpack(seg_context *ctx, const char *label, const unsigned char *packed, size_t packed_size, int form,
                         unpacked *to) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, form + MAX_WBITS) != Z_OK)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while unpacking '%s'", label);
    stream.next_in = (z_const Bytef *)(uintptr_t)packed;
    stream.avail_in = (uInt)packed_size; /* seg_file_read takes no more than 1 GiB */
    seg_status status = unpack_members(ctx, label, &stream, to);
    inflateEnd(&stream);
    if (status == SEG_OK && to->size == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' is empty; give a file with content", label);
    return status;
}

seg_status seg_load(seg_context *ctx, const char *path, unsigned char **bytes, size_t *size) {
    const char *label = seg_file_label(path, "standard input");
    unsigned char *raw = NULL;
    size_t raw_size = 0;
    unpacked text = {0};
    *bytes = NULL;
    *size = 0;
    seg_status status = seg_file_read(ctx, path, &raw, &raw_size);
    if (status != SEG_OK)
        return status;
    if (raw_size < 2 || raw[0] != 0x1f || raw[1] != 0x8b) {
        *bytes = raw;
        *size = raw_size;
        return SEG_OK;
    }
    status = unpack(ctx, label, raw, raw_size, GZIP_ONLY, &text);
    free(raw);
    if (status != SEG_OK) {
        free(text.bytes);
        return status;
    }
    text.bytes[text.size] = 0;
    *bytes = text.bytes;
    *size = text.size;
    return SEG_OK;
}

seg_status seg_unpack(seg_context *ctx, const char *label, const unsigned char *packed, size_t packed_size,
                      unsigned char **bytes, size_t *size) {
    unpacked to = {0};
    const seg_status status = unpack(ctx, label, packed, packed_size, 0, &to);
    if (status != SEG_OK)
        free(to.bytes);
    *bytes = status == SEG_OK ? to.bytes : NULL;
    *size = status == SEG_OK ? to.size : 0;
    return status;
}
