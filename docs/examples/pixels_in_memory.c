/* Pixels in memory to a mask: a bright disc, a dot in it and a dot beside it. cc pixels_in_memory.c -lsegment */
#include <segment/segment.h>
#include <stdio.h>
enum { W = 64, H = 48 };
int main(void) {
    static uint8_t pixel[W * H], dot[W * H]; /* grey; labels, 0 where nothing is marked */
    for (int i = 0, x, y; x = i % W - 32, y = i / W - 24, i < W * H; i++)
        pixel[i] = x * x + y * y < 200 ? 230 : 30;
    dot[24 * W + 32] = 1, dot[4 * W + 4] = 2;
    seg_image image = {0};
    seg_mask scribbles = {0};
    seg_result *result = NULL;
    seg_context *ctx = seg_context_create();
    seg_options *options = NULL;
    int failed = !ctx || seg_options_create(ctx, &options) ||
                 seg_image_create(ctx, &(seg_pixels){pixel, W, H, 1, SEG_SAMPLE_U8, 0}, &image) ||
                 seg_mask_from_labels(ctx, dot, W, H, 0, &scribbles) ||
                 seg_segment_photo(ctx, &image, &scribbles, NULL, options, &result);
    for (int i = 0; !failed && i < W * H; i += i % W == W - 2 ? W + 2 : 2)
        printf("%c%s", result->mask.label[i] == 1 ? '#' : '.', i % W == W - 2 ? "\n" : "");
    if (failed)
        fprintf(stderr, "%s\n", seg_context_message(ctx));
    seg_result_free(result), seg_options_free(options), seg_mask_free(&scribbles), seg_image_free(&image);
    return seg_context_free(ctx), failed;
}
