#include "image/shown.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct jpeg_job {
    struct jpeg_error_mgr manager; /* first: libjpeg knows the job by its address */
    jmp_buf jump;
    struct jpeg_compress_struct jpeg;
    unsigned char *bytes;
    unsigned long size;
    char reason[JMSG_LENGTH_MAX];
} jpeg_job;

static void on_error(j_common_ptr jpeg) {
    jpeg_job *job = (jpeg_job *)(void *)jpeg->err;
    jpeg->err->format_message(jpeg, job->reason);
    longjmp(job->jump, 1);
}

static void encode(jpeg_job *job, const seg_image *image, int quality) {
    struct jpeg_compress_struct *jpeg = &job->jpeg;
    jpeg_create_compress(jpeg);
    jpeg_mem_dest(jpeg, &job->bytes, &job->size);
    jpeg->image_width = (JDIMENSION)image->width;
    jpeg->image_height = (JDIMENSION)image->height;
    jpeg->input_components = 3;
    jpeg->in_color_space = JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg->optimize_coding = TRUE;
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW row = (uint8_t *)image->data + 3 * (size_t)jpeg->next_scanline * (size_t)image->width;
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

seg_status seg_jpeg_encode(seg_context *ctx, const seg_image *image, int quality, unsigned char **bytes, size_t *size) {
    *bytes = NULL;
    *size = 0;
    if (image->depth != 8)
        return seg_fail(ctx, SEG_ERR_USAGE, "JPEG holds 8 bits per sample, not %d", image->depth);
    SEG_FREED jpeg_job *job = seg_alloc_zero(ctx, 1, sizeof *job);
    if (!job)
        return SEG_ERR_MEMORY;
    seg_status status = SEG_OK;
    job->jpeg.err = jpeg_std_error(&job->manager);
    job->manager.error_exit = on_error;
    if (setjmp(job->jump) == 0)
        encode(job, image, quality);
    else
        status = seg_fail(ctx, SEG_ERR_MEMORY, "a JPEG cannot be made: %s", job->reason);
    jpeg_destroy_compress(&job->jpeg);
    if (status == SEG_OK) {
        *bytes = job->bytes;
        *size = job->size;
    } else {
        free(job->bytes);
    }
    return status;
}
