/* Any bytes as one of the formats that libvips reads. Of damaged pixels its decoders leave some as they find them: two
 * readings may differ, and of a damaged lossless WebP libwebp 1.2 may refuse one. */
#define PIXELS_MAY_DIFFER 1
#include "fuzz_picture.h"

#include "base/base.h"
#include "image/formats/decoders.h"

static seg_status decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                         seg_raster *out) {
    const seg_format *format = seg_format_of(bytes, size);
    if (format && format->decode == seg_vips_decode)
        return seg_vips_decode(ctx, bytes, size, name, header_only, out);
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is of another format", name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_decode(decode, bytes, size);
    return 0;
}
