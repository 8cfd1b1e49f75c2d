#include "base/base.h"
#include "image/colour.h"
#include "image/formats/decoders.h"
#include "image/shown.h"

#include <setjmp.h>

#include <jerror.h>
#include <jpeglib.h>

#define BAND             ((size_t)32) /* rows that are turned upright at a time: no second copy of the image */
#define MOST_SCANS       500
#define SCANS_ALWAYS     64 /* allowed at any size; an encoder needs about 10 */
#define MOST_SCAN_PIXELS ((int64_t)1 << 34)
/* Huffman coding spends at least a bit on each 8 x 8 block of the finest component. Arithmetic coding has no such
 * bound, and libjpeg decodes zeros without a word where its data end early: no image comes near this one. */
#define MOST_PIXELS_A_BYTE            512
#define MOST_PIXELS_A_BYTE_ARITHMETIC 32768

/* Where libjpeg's errors end. */
typedef struct trap {
    struct jpeg_error_mgr manager; /* first: libjpeg knows the trap by its address */
    jmp_buf jump;
    char reason[JMSG_LENGTH_MAX];
} trap;

static void on_error(j_common_ptr jpeg) {
    trap *errors = (trap *)(void *)jpeg->err;
    jpeg->err->format_message(jpeg, errors->reason);
    longjmp(errors->jump, 1);
}

/* ---- Reading. ---- */

/* Everything that must outlive the longjmp of libjpeg's error manager. */
typedef struct jpeg_job {
    trap errors; /* first, likewise */
    struct jpeg_progress_mgr progress;
    struct jpeg_decompress_struct jpeg;
    seg_context *ctx;
    const char *name;
    const unsigned char *bytes;
    size_t size;
    int orientation, header_only;
    JOCTET *profile;
    uint8_t *ink;  /* CMYK: one row */
    uint8_t *band; /* BAND rows that are to be turned */
    seg_raster *out;
} jpeg_job;

/* libjpeg goes on after a warning and makes up the missing pixels: only warnings that do not affect pixels may pass. */
static void on_message(j_common_ptr jpeg, int level) {
    if (level >= 0)
        return;
    switch (jpeg->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA: /* bytes between markers: cameras leave them */
    case JWRN_BOGUS_ICC:       /* a profile in pieces of which some are missing */
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL: /* odd but unused header fields */
    case JWRN_BOGUS_PROGRESSION:
        return;
    default:
        jpeg->err->error_exit(jpeg);
    }
}

static void on_output(SEG_UNUSED j_common_ptr jpeg) {}

/* Each scan of a progressive file goes over all pixels though it may cost no more than a few bytes. */
static void on_progress(j_common_ptr common) {
    jpeg_job *job = (jpeg_job *)(void *)common->err;
    int64_t pixels = (int64_t)job->jpeg.image_width * job->jpeg.image_height, most = MOST_SCAN_PIXELS / pixels;
    most = most < SCANS_ALWAYS ? SCANS_ALWAYS : most > MOST_SCANS ? MOST_SCANS : most;
    if (job->jpeg.input_scan_number <= most)
        return;
    snprintf(job->errors.reason, sizeof job->errors.reason, "more than %d scans", (int)most);
    longjmp(job->errors.jump, 1);
}

static seg_status why_it_failed(const jpeg_job *job) {
    switch (job->errors.manager.msg_code) {
    case JERR_OUT_OF_MEMORY:
        return seg_no_memory_to_read(job->ctx, job->name);
    case JWRN_JPEG_EOF:
        return seg_truncated(job->ctx, job->name, "JPEG");
    default:
        return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a damaged or unusual JPEG (%s): use a good copy, or PNG",
                        job->name, job->errors.reason);
    }
}

/* Samples, and what libjpeg holds: rows around the current one, and where there are several scans all coefficients. */
static size_t bytes_to_decode(const jpeg_job *job, struct jpeg_decompress_struct *jpeg) {
    enum { ROWS_HELD = 64 };
    const size_t width = jpeg->image_width, channels = (size_t)jpeg->num_components;
    const size_t coefficients = DCTSIZE2 * sizeof(JCOEF);
    size_t bytes = width * jpeg->image_height * (size_t)job->out->channels + ROWS_HELD * width * channels;
    for (size_t c = 0; jpeg_has_multiple_scans(jpeg) && c < channels; c++)
        bytes += ((size_t)jpeg->comp_info[c].width_in_blocks + MAX_SAMP_FACTOR) *
                 ((size_t)jpeg->comp_info[c].height_in_blocks + MAX_SAMP_FACTOR) * coefficients;
    return bytes + (job->orientation > 1 ? BAND * width * channels : 0);
}

static seg_status read_header(jpeg_job *job) {
    struct jpeg_decompress_struct *jpeg = &job->jpeg;
    seg_raster *out = job->out;
    jpeg_create_decompress(jpeg);
    job->progress.progress_monitor = on_progress;
    jpeg->progress = &job->progress;
    jpeg_mem_src(jpeg, job->bytes, job->size);
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xFFFF);
    if (!job->header_only)
        jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0xFFFF); /* where a colour profile is */
    jpeg_read_header(jpeg, TRUE);
    SEG_TRY(seg_check_size(job->ctx, job->name, jpeg->image_width, jpeg->image_height));
    uint64_t ratio = jpeg->arith_code ? MOST_PIXELS_A_BYTE_ARITHMETIC : MOST_PIXELS_A_BYTE;
    if ((uint64_t)jpeg->image_width * jpeg->image_height / ratio > (uint64_t)job->size)
        return seg_truncated(job->ctx, job->name, "JPEG");
    const int components = jpeg->num_components;
    if (components != 1 && components != 3 && components != 4)
        return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a JPEG of %d colour components; convert it to RGB", job->name,
                        components);
    jpeg->out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    /* The same samples on every processor: the exact integer transform, no merged upsampling (libjpeg-turbo's
     * SIMD code gives the bits of its C code for these). */
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->do_fancy_upsampling = TRUE;
    jpeg->do_block_smoothing = FALSE;
    job->orientation = 1;
    for (jpeg_saved_marker_ptr m = jpeg->marker_list; m && job->orientation == 1; m = m->next)
        job->orientation = seg_exif_orientation(m->data, m->data_length);
    if (job->orientation == 0)
        return seg_no_memory_to_read(job->ctx, job->name);
    out->width = (int)jpeg->image_width;
    out->height = (int)jpeg->image_height;
    out->kind = jpeg->num_components == 1 ? SEG_RASTER_GREY : SEG_RASTER_RGB;
    out->channels = jpeg->num_components == 1 ? 1 : 3;
    out->bits = 8;
    out->lossy = 1;
    out->decoding = bytes_to_decode(job, jpeg);
    return job->header_only ? SEG_OK : seg_check_room(job->ctx, job->name, out);
}

/* Light left by ink: (1 - c)(1 - k). Adobe's programs store the light, others the ink. */
static void ink_to_light(const uint8_t *ink, uint8_t *rgb, size_t width, int inverted) {
    unsigned flip = inverted ? 0 : 255;
    for (size_t x = 0; x < width; x++, ink += 4, rgb += 3) {
        unsigned black = ink[3] ^ flip;
        for (int c = 0; c < 3; c++)
            rgb[c] = (uint8_t)(((ink[c] ^ flip) * black + 127) / 255);
    }
}

/* Profiles of inks do not apply to the RGB that is made of them here. */
static seg_status keep_profile(jpeg_job *job) {
    unsigned profile_size = 0;
    if (job->jpeg.num_components == 4 || !jpeg_read_icc_profile(&job->jpeg, &job->profile, &profile_size))
        return SEG_OK;
    return seg_raster_keep_profile(job->ctx, job->name, job->profile, profile_size, job->out);
}

static seg_status read_pixels(jpeg_job *job) {
    struct jpeg_decompress_struct *jpeg = &job->jpeg;
    seg_raster *out = job->out;
    size_t row = (size_t)out->width * (size_t)out->channels;
    SEG_TRY(keep_profile(job));
    if (seg_raster_allocate(job->ctx, out, 0) != SEG_OK ||
        (jpeg->num_components == 4 && !(job->ink = seg_alloc(job->ctx, (size_t)out->width, 4))) ||
        (job->orientation > 1 && !(job->band = seg_alloc(job->ctx, BAND, row))))
        return SEG_ERR_MEMORY;
    const seg_turn turn = {out->width, out->height, out->channels, job->orientation, out->sample8};
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        const size_t y = jpeg->output_scanline;
        uint8_t *to = job->band ? job->band + y % BAND * row : out->sample8 + y * row;
        JSAMPROW line = job->ink ? job->ink : to;
        if (jpeg_read_scanlines(jpeg, &line, 1) == 1 && job->ink)
            ink_to_light(job->ink, to, (size_t)out->width, jpeg->saw_Adobe_marker);
        if (job->band && (jpeg->output_scanline % BAND == 0 || jpeg->output_scanline == jpeg->output_height)) {
            const size_t first = y / BAND * BAND;
            seg_orient_rows(&turn, job->band, (int)first, (int)(jpeg->output_scanline - first));
        }
    }
    jpeg_finish_decompress(jpeg); /* also checks that the end is there */
    return SEG_OK;
}

/* The only function that is jumped back into. */
static seg_status decode(jpeg_job *job) {
    if (setjmp(job->errors.jump))
        return why_it_failed(job);
    SEG_TRY(read_header(job));
    return job->header_only ? SEG_OK : read_pixels(job);
}

seg_status seg_jpeg_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                           seg_raster *out) {
    jpeg_job job = {.ctx = ctx, .name = name, .bytes = bytes, .size = size, .out = out, .header_only = header_only};
    job.jpeg.err = jpeg_std_error(&job.errors.manager);
    job.errors.manager.error_exit = on_error;
    job.errors.manager.emit_message = on_message;
    job.errors.manager.output_message = on_output;
    seg_status status = decode(&job);
    jpeg_destroy_decompress(&job.jpeg);
    free(job.profile);
    free(job.ink);
    free(job.band);
    if (status == SEG_OK)
        seg_raster_turn_size(job.orientation, out);
    return status;
}

/* ---- Writing. ---- */

typedef struct encoding {
    trap errors; /* first, likewise */
    struct jpeg_compress_struct jpeg;
    unsigned char *bytes;
    unsigned long size;
} encoding;

static void encode(encoding *job, const seg_image *image, int quality) {
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
    SEG_LOCAL(encoding, job, seg_alloc_zero(ctx, 1, sizeof *job));
    seg_status status = SEG_OK;
    job->jpeg.err = jpeg_std_error(&job->errors.manager);
    job->errors.manager.error_exit = on_error;
    if (setjmp(job->errors.jump) == 0)
        encode(job, image, quality);
    else
        status = seg_fail(ctx, SEG_ERR_MEMORY, "a JPEG cannot be made: %s", job->errors.reason);
    jpeg_destroy_compress(&job->jpeg);
    *size = status ? 0 : job->size;
    *bytes = status ? NULL : seg_taken(&job->bytes);
    free(job->bytes);
    return status;
}
