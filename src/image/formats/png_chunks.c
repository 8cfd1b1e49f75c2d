#include "image/formats/png_chunks.h"

#include "base/base.h"
#include "image/colour.h"
#include "image/formats/decoders.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LONGEST_NAME    79 /* of a profile */
#define LARGEST_PROFILE ((size_t)4 << 20)
#define DEFLATE_RATIO   1032 /* at most */

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The content of the first chunk of that kind, NULL where there is none or the file ends before. */
static const unsigned char *find(const unsigned char *bytes, size_t size, const char *kind, size_t *length) {
    for (size_t at = 8; at + 12 <= size;) {
        *length = big_endian(bytes + at);
        if (*length > size - at - 12)
            return NULL;
        if (memcmp(bytes + at + 4, kind, 4) == 0)
            return bytes + at + 8;
        at += *length + 12;
    }
    return NULL;
}

int seg_png_orientation(const unsigned char *bytes, size_t size) {
    size_t length = 0;
    const unsigned char *exif = find(bytes, size, "eXIf", &length);
    return exif ? seg_exif_plain_orientation(exif, length) : 1;
}

/* Unpack a stream of zlib. *unpacked is NULL where it is damaged, or larger than any profile. */
static seg_status unpack(seg_context *ctx, const unsigned char *packed, size_t size, unsigned char **unpacked,
                         size_t *length) {
    const size_t room = size < LARGEST_PROFILE / DEFLATE_RATIO ? (size + 1) * DEFLATE_RATIO : LARGEST_PROFILE;
    uLongf used = room;
    *unpacked = seg_alloc(ctx, room, 1);
    if (!*unpacked)
        return SEG_ERR_MEMORY;
    const int code = uncompress(*unpacked, &used, packed, (uLong)size);
    *length = used;
    if (code == Z_OK)
        return SEG_OK;
    free(*unpacked);
    *unpacked = NULL;
    return code == Z_MEM_ERROR ? seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading a colour profile") : SEG_OK;
}

seg_status seg_png_keep_colours(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name,
                                seg_raster *raster) {
    size_t length = 0, unpacked_size = 0;
    SEG_FREED unsigned char *unpacked = NULL;
    const unsigned char *chunk = find(bytes, size, "cICP", &length);
    if (chunk && length == 4) {
        seg_raster_keep_primaries(ctx, name, chunk[0], chunk[1], raster);
        return SEG_OK;
    }
    chunk = find(bytes, size, "iCCP", &length);
    const size_t look = length < LONGEST_NAME + 1 ? length : LONGEST_NAME + 1;
    const unsigned char *zero = chunk ? memchr(chunk, 0, look) : NULL;
    if (!zero || (size_t)(zero - chunk) + 2 > length || zero[1] != 0)
        return SEG_OK;
    seg_status status = unpack(ctx, zero + 2, length - (size_t)(zero + 2 - chunk), &unpacked, &unpacked_size);
    if (status == SEG_OK && !unpacked)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has a damaged colour profile, which is not applied", name);
    else if (status == SEG_OK)
        status = seg_raster_keep_profile(ctx, name, unpacked, unpacked_size, raster);
    return status;
}
