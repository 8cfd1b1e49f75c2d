/* Any bytes given as an image file: decoded or refused, never worse. */
#include <segment/image.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx;
    seg_image image;
    seg_context_init(&ctx);
    ctx.threads = 1;
    seg_status status = seg_image_read_memory(&ctx, bytes, size, "fuzz", &image);
    if (status != SEG_OK && status != SEG_ERR_INPUT)
        abort();
    if (status != SEG_OK && (!ctx.message[0] || image.data || image.width))
        abort();
    if (status == SEG_OK && (image.width < 1 || image.height < 1 || !image.data))
        abort();
    seg_image_free(&image);
    return 0;
}
