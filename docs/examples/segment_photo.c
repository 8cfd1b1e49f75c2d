/* From an image and a few strokes to a mask and an image of it.
 *
 *     example_segment_photo PHOTO SCRIBBLES MASK.png OVERLAY.png
 *
 * Built against an installed library: cc segment_photo.c -lsegment */
#include <segment/segment.h>

#include <stdio.h>

/* A call may be followed, and cancelled: returning anything but 0 ends it with SEG_ERR_CANCELLED. It asks more often
 * than there is something new. */
static int show_progress(void *user, double done, const char *stage) {
    double *shown = user;
    if (done > *shown)
        fprintf(stderr, "%3.0f %% %s\n", 100 * done, stage);
    *shown = done;
    return 0;
}

static void print_areas(const seg_result *result) {
    size_t area[256] = {0};
    const size_t pixels = (size_t)result->mask.width * (size_t)result->mask.height;
    for (size_t p = 0; p < pixels; p++)
        area[result->mask.label[p]]++;
    printf("%d regions by %s\n", result->k, result->method->name);
    for (int label = 1; label <= result->mask.labels; label++)
        if (area[label])
            printf("label %d: %.1f %%\n", label, 100 * (double)area[label] / (double)pixels);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "Usage: %s PHOTO SCRIBBLES MASK.png OVERLAY.png\n", argv[0]);
        return 2;
    }

    /* Everything that is filled below starts as zeros, so that all of it can be freed wherever the way ends. */
    seg_image photo = {0}, overlay = {0};
    seg_mask scribbles = {0};
    seg_result *result = NULL;
    seg_options *options = NULL;
    seg_status status;
    double shown = -1;

    seg_context *ctx = seg_context_create(); /* all processors, seed 1 */
    if (!ctx)
        return 1;
    seg_context_settings(ctx)->progress = show_progress;
    seg_context_settings(ctx)->progress_user = &shown;
    /* The best method on average, one region for each colour of the strokes; seg_options_set() changes an option. */
    if ((status = seg_options_create(ctx, &options)) != SEG_OK)
        goto done;

    /* Files are told apart by their content: PNG, JPEG, TIFF or BMP. The strokes may be painted on a copy of the
     * image, which is why it is given too. */
    if ((status = seg_image_read(ctx, argv[1], &photo)) != SEG_OK)
        goto done;
    if ((status = seg_scribbles_read(ctx, argv[2], &photo, NULL, &scribbles, NULL)) != SEG_OK)
        goto done;

    if ((status = seg_segment_photo(ctx, &photo, &scribbles, NULL, options, &result)) != SEG_OK)
        goto done;

    if ((status = seg_overlay_draw(ctx, &photo, &result->mask, NULL, &overlay)) != SEG_OK)
        goto done;
    if ((status = seg_mask_write(ctx, argv[3], &result->mask, SEG_MASK_PNG)) != SEG_OK)
        goto done;
    if ((status = seg_image_write_png(ctx, argv[4], &overlay, NULL)) != SEG_OK)
        goto done;
    print_areas(result);

done:
    /* The library prints nothing. A call that fails returns the kind of failure and leaves one sentence for a person in
     * the context. */
    if (status != SEG_OK)
        fprintf(stderr, "segment_photo: %s: %s\n", seg_status_text(status), seg_context_message(ctx));
    seg_image_free(&overlay);
    seg_result_free(result);
    seg_options_free(options);
    seg_mask_free(&scribbles);
    seg_image_free(&photo);
    seg_context_free(ctx); /* its threads end */
    return status != SEG_OK;
}
