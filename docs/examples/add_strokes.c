/* Strokes are added while one looks on: each file of strokes is one state of the drawing, segmented as soon as it is
 * there.
 *
 *     example_add_strokes PHOTO SCRIBBLES.png [SCRIBBLES.png ...]
 *
 * Built against an installed library: cc add_strokes.c -lsegment */
#include <segment/segment.h>

#include <stdio.h>

/* What a program would show on the screen. */
static void print_result(const char *scribbles, const seg_result *result, const seg_context *ctx) {
    double seconds = 0;
    seg_context_info info;
    seg_context_about(ctx, &info);
    for (int i = 0; i < info.stages; i++)
        seconds += info.stage[i].seconds;
    printf("%s: %d regions, ambiguous: %d, %.3f s\n", scribbles, result->k, result->ambiguous_count, seconds);
}

/* One state of the drawing: read, segment, show, forget. */
static seg_status look_again(seg_context *ctx, seg_session *session, const seg_image *photo, const char *path) {
    seg_mask scribbles = {0};
    seg_result *result = NULL;
    seg_status status = seg_scribbles_read(ctx, path, photo, NULL, &scribbles, NULL);
    if (status == SEG_OK)
        status = seg_session_segment(ctx, session, &scribbles, NULL, &result);
    if (status == SEG_OK)
        print_result(path, result, ctx);
    seg_result_free(result);
    seg_mask_free(&scribbles);
    return status;
}

int main(int argc, char **argv) {
    seg_image photo = {0};
    seg_session *session = NULL;
    seg_options *options = NULL;
    seg_status status;

    if (argc < 3) {
        fprintf(stderr, "Usage: %s PHOTO SCRIBBLES.png [SCRIBBLES.png ...]\n", argv[0]);
        return 2;
    }
    seg_context *ctx = seg_context_create();
    if (!ctx)
        return 1;
    status = seg_options_create(ctx, &options);
    if (status == SEG_OK)
        status = seg_image_read(ctx, argv[1], &photo);
    if (status == SEG_OK)
        status = seg_session_open(ctx, &photo, options, &session); /* the image is borrowed until the end */
    if (status == SEG_OK)
        status = seg_session_prepare(ctx, session); /* features and graph, while the first stroke is being drawn */
    for (int i = 2; i < argc && status == SEG_OK; i++)
        status = look_again(ctx, session, &photo, argv[i]);

    seg_session_close(session);
    seg_options_free(options);
    seg_image_free(&photo);
    if (status != SEG_OK)
        fprintf(stderr, "add_strokes: %s: %s\n", seg_status_text(status), seg_context_message(ctx));
    seg_context_free(ctx);
    return status != SEG_OK;
}
