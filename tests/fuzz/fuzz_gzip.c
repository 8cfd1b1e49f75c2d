/* Any bytes as a packed file; what is packed, in one member or two, unpacks to itself. */
#include "fuzz.h"

#include "vectors/load.h"

#include <zlib.h>

/* Append a member. */
static size_t pack(const uint8_t *bytes, size_t size, unsigned char *to, size_t room) {
    enum { GZIP = 16, LEVEL = 1, LEAST_MEMORY = 1, SMALL_WINDOW = 9 };
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    CHECK(deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP + SMALL_WINDOW, LEAST_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = to;
    stream.avail_out = (uInt)room;
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    const size_t used = room - stream.avail_out;
    deflateEnd(&stream);
    return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    unsigned char *packed;
    seg_loaded read;
    const seg_status status = seg_load(&ctx, fuzz_file(0, bytes, size), &read);
    if (fuzz_outcome(&ctx, status, REFUSED, &read.at, sizeof read.at)) {
        CHECK(read.size > 0 && read.at[read.size] == 0);
        CHECK((size > 1 && bytes[0] == 0x1f && bytes[1] == 0x8b) ||
              (read.size == size && memcmp(read.at, bytes, size) == 0));
    }
    free(read.at);
    if (!size)
        return 0;
    const size_t room = 2 * size + 256, half = bytes[0] % 2 ? size / 2 : 0;
    packed = malloc(room);
    CHECK(packed);
    size_t used = half ? pack(bytes, half, packed, room) : 0;
    used += pack(bytes + half, size - half, packed + used, room - used);
    CHECK(seg_load(&ctx, fuzz_file(0, packed, used), &read) == SEG_OK);
    CHECK(read.size == size && memcmp(read.at, bytes, size) == 0);
    free(read.at);
    free(packed);
    return 0;
}
