#include "evaluation/report/thumbnail.h"

#include "base/base.h"
#include "evaluation/runner/report_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUALITY 78

char *seg_data_uri(seg_context *ctx, const char *type, const unsigned char *bytes, size_t size) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t head = strlen(type) + strlen("data:;base64,");
    char *text = seg_alloc(ctx, head + size / 3 * 4 + 5, 1);
    if (!text)
        return NULL;
    char *to = text + sprintf(text, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3) {
        const unsigned second = i + 1 < size ? bytes[i + 1] : 0, third = i + 2 < size ? bytes[i + 2] : 0;
        const unsigned three = (unsigned)bytes[i] << 16 | second << 8 | third;
        *to++ = digit[three >> 18];
        *to++ = digit[three >> 12 & 63];
        *to++ = i + 1 < size ? digit[three >> 6 & 63] : '=';
        *to++ = i + 2 < size ? digit[three & 63] : '=';
    }
    *to = 0;
    return text;
}

char *seg_thumbnail_photo(seg_context *ctx, const seg_image *photo) {
    unsigned char *bytes;
    size_t size;
    if (seg_photo_jpeg(ctx, photo, SEG_THUMBNAIL_SIDE, QUALITY, &bytes, &size) != SEG_OK)
        return NULL;
    char *uri = seg_data_uri(ctx, "image/jpeg", bytes, size);
    free(bytes);
    return uri;
}
