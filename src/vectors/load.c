#include "vectors/load.h"
#include "base/base.h"
#include "image/file.h"

#include <zlib.h>

#define LARGEST_TEXT ((size_t)1 << 30)
#define FIRST_BLOCK  ((size_t)1 << 16)
#define GZIP_ONLY    16 /* added to the window bits, it makes zlib expect gzip */

/* Decompress all members of the file in turn, as gzip does; zeros may follow the last one (tape blocks). */
static seg_status unpack_members(seg_context *ctx, z_stream *stream, seg_loaded *to) {
    const char *label = to->label;
    for (size_t room = 0;;) {
        if (to->size == room) { /* at most twice what was unpacked: a small file cannot claim much */
            room = room ? 2 * room : FIRST_BLOCK;
            if (to->size >= LARGEST_TEXT)
                return seg_fail(ctx, SEG_ERR_INPUT, "'%s' unpacks to more than 1 GiB; give a smaller file", label);
            unsigned char *grown = seg_realloc(ctx, to->at, room + 1, 1); /* and the terminating 0 */
            SEG_TRY(seg_allocated(grown));
            to->at = grown;
        }
        stream->next_out = to->at + to->size;
        stream->avail_out = (uInt)(room - to->size);
        const int code = inflate(stream, Z_NO_FLUSH);
        to->size = room - stream->avail_out;
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

seg_status seg_unpack(seg_context *ctx, const unsigned char *packed, size_t packed_size, seg_loaded *to) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, GZIP_ONLY + MAX_WBITS) != Z_OK)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while unpacking '%s'", to->label);
    stream.next_in = (z_const Bytef *)(uintptr_t)packed;
    stream.avail_in = (uInt)packed_size; /* seg_file_read reads at most 1 GiB */
    seg_status status = unpack_members(ctx, &stream, to);
    inflateEnd(&stream);
    if (status == SEG_OK && to->size == 0)
        status = seg_fail(ctx, SEG_ERR_INPUT, "'%s' is empty; give a file with content", to->label);
    if (status != SEG_OK)
        seg_loaded_free(to);
    else
        to->at[to->size] = 0;
    return status;
}

seg_status seg_load(seg_context *ctx, const char *path, seg_loaded *out) {
    SEG_FREED unsigned char *raw = NULL;
    size_t size = 0;
    *out = (seg_loaded){.label = seg_file_label(path, "standard input")};
    SEG_TRY(seg_file_read(ctx, path, &raw, &size));
    if (size >= 2 && raw[0] == 0x1f && raw[1] == 0x8b)
        return seg_unpack(ctx, raw, size, out);
    out->at = seg_taken(&raw);
    out->size = size;
    return SEG_OK;
}
