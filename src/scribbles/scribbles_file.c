/* Scribbles from a file of any kind: an image, an array, or shapes. Files that this library exports can be read. */
#include "base/base.h"
#include "base/bytes.h"
#include "image/mask.h"
#include "scribbles/scribbles.h"
#include "vectors/npy.h"

#define BAND ((size_t)1 << 24) /* approximate number of pixels for which shapes are drawn at a time */

/* An array of labels, one per pixel. */
static seg_status read_array(const seg_scribbles_job *job, const unsigned char *bytes, size_t size) {
    seg_context *ctx = job->ctx;
    seg_mask *out = job->out;
    SEG_RELEASED(seg_matrix_free) seg_matrix array = {0};
    seg_npy_layout about;
    SEG_TRY(seg_npy_decode_planes(ctx, &(seg_loaded){job->name, (unsigned char *)(uintptr_t)bytes, size}, 3, &array,
                                  &about));
    const size_t planes = about.planes;
    if (planes > 1) { /* a volume: slice below slice */
        array.rows *= array.cols / planes;
        array.cols = planes;
    }
    if (array.rows > (planes > 1 ? SEG_MAX_STACK : SEG_MAX_SIDE) || array.cols > SEG_MAX_SIDE)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s is an array of %zu x %zu numbers, more than an image has", job->name,
                        array.rows, array.cols);
    SEG_TRY(seg_mask_create(ctx, (int)array.cols, (int)array.rows, out));
    for (size_t i = 0; i < array.rows * array.cols; i++) {
        const double value = array.at[i];
        if (!(value >= 0 && value <= SEG_VOID && value == floor(value)))
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "%s has the number %g in row %zu, column %zu; labels are 0 (unmarked) to %d", job->name,
                            value, i / array.cols, i % array.cols, SEG_MAX_LABELS);
        out->label[i] = value == SEG_VOID ? 0 : (uint8_t)value;
        out->labels = out->label[i] > out->labels ? out->label[i] : out->labels;
    }
    return SEG_OK;
}

/* Draw shapes in the coordinates of the image, some rows at a time. */
static seg_status draw_rows(seg_shapes *shapes, const seg_scribbles_job *job, seg_label_rows *rows) {
    seg_context *ctx = job->ctx;
    const int width = shapes->width, height = shapes->height;
    const int step = BAND / (size_t)width > 1 ? (int)(BAND / (size_t)width) : 1, most = step < height ? step : height;
    for (size_t i = 0; i < shapes->shapes; i++)
        if (shapes->shape[i].kind == SEG_SHAPE_RUNS)
            return seg_fail(ctx, SEG_ERR_INPUT,
                            "%s has masks as run lengths, which are not read for an image that is segmented by tiles; "
                            "export polygons",
                            shapes->file);
    seg_mask_default_colours(job->out->colour);
    SEG_TRY(seg_shapes_number(shapes, job->map, job->out->colour, &job->out->labels));
    SEG_LOCAL(uint8_t, label, seg_alloc(ctx, (size_t)width, (size_t)most));
    SEG_LOCAL(uint8_t, toggled, seg_alloc(ctx, (size_t)width + 1, (size_t)most));
    for (int top = 0; top < height; top += most) {
        const int bottom = height - top < most ? height : top + most;
        seg_shapes_draw_rows(shapes, top, bottom, toggled, label);
        SEG_TRY(seg_label_rows_append(ctx, width, bottom - top, label, rows));
        SEG_TRY(seg_poll(ctx));
    }
    return SEG_OK;
}

/* Draw the shapes of an image of width x height pixels (0: unknown): into `rows` if it is given and the shapes have the
 * coordinates of the image, else into the mask. */
static seg_status read_shapes(const seg_scribbles_job *job, const unsigned char *bytes, size_t size, int width,
                              int height, seg_label_rows *rows) {
    seg_context *ctx = job->ctx;
    SEG_RELEASED(seg_shapes_free) seg_shapes s = {.ctx = ctx, .file = job->name};
    job->about->kind = SEG_SCRIBBLES_SHAPES;
    SEG_TRY(seg_shapes_read_json(&s, (const char *)bytes, size));
    if (!s.width || !s.height) {
        s.width = width;
        s.height = height;
    }
    const int same = s.width == width && s.height == height;
    if (!s.width)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s does not tell the size of its image; give the image with it",
                        job->name);
    if (width && !same && !seg_sizes_in_proportion(s.width, s.height, width, height))
        return seg_fail(ctx, SEG_ERR_INPUT,
                        "%s is about an image of %d x %d pixels, the image has %d x %d; draw on the image itself",
                        job->name, s.width, s.height, width, height);
    if (rows && same)
        return draw_rows(&s, job, rows);
    if ((int64_t)s.width * s.height > SEG_MAX_PIXELS)
        return seg_fail(ctx, SEG_ERR_INPUT, "%s is about an image of %d x %d pixels, which is too large", job->name,
                        s.width, s.height);
    return seg_shapes_draw(&s, job->map, job->out);
}

int seg_sizes_in_proportion(int width, int height, int other_width, int other_height) {
    const int64_t w = width, h = height, u = other_width, v = other_height;
    const int64_t across = llabs(w * v - h * u); /* 0 if the proportions are exactly equal */
    const int64_t larger = w > u ? w : u, smaller = w > u ? u : w;
    return 2 * across <= (w > u ? u + v : w + h) && 20 * (larger - smaller) > larger;
}

/* Scale a row of labels to another width, by nearest neighbour. */
static void scale_row(const uint8_t *from, int from_width, int width, uint8_t *row) {
    for (int64_t c = 0, x = 0, end; c < from_width; c++, x = end) {
        end = (2 * (c + 1) * width + from_width - 1) / from_width / 2; /* from there on the next column is nearer */
        memset(row + x, from[c], (size_t)(end - x));
    }
}

/* Scale labels to another size of the same proportions. */
static seg_status scale(const seg_scribbles_job *job, int width, int height, seg_log_level told, seg_label_rows *rows) {
    const seg_mask *from = job->out;
    uint8_t before[256] = {0}, after[256] = {0};
    if (!seg_sizes_in_proportion(from->width, from->height, width, height))
        return seg_fail(job->ctx, SEG_ERR_INPUT,
                        "%s has %d x %d pixels, the image %d x %d; draw on an image of the image's size or proportions",
                        job->name, from->width, from->height, width, height);
    SEG_LOCAL(uint8_t, row, seg_alloc(job->ctx, (size_t)width, 1));
    for (size_t i = 0; i < (size_t)from->width * (size_t)from->height; i++)
        before[from->label[i]] = 1;
    for (int64_t y = 0; y < height; y++) {
        scale_row(from->label + (2 * y + 1) * from->height / (2 * (int64_t)height) * from->width, from->width, width,
                  row);
        for (size_t x = 0; x < (size_t)width; x = seg_run_end(row, x, (size_t)width))
            after[row[x]] = 1;
        SEG_TRY(seg_label_rows_append(job->ctx, width, 1, row, rows));
    }
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (before[l] && !after[l])
            return seg_fail(job->ctx, SEG_ERR_INPUT,
                            "%s has %d x %d pixels, the image %d x %d, and nothing of label %d would be left at its "
                            "size; draw on an image of the image's size",
                            job->name, from->width, from->height, width, height, l);
    seg_log(job->ctx, told, "%s has %d x %d pixels and was scaled to the image's %d x %d", job->name, from->width,
            from->height, width, height);
    return SEG_OK;
}

/* Scale the mask to the size of the photo. */
static seg_status fit_mask(const seg_scribbles_job *job) {
    const int width = job->photo->width, height = job->photo->height;
    SEG_RELEASED(seg_label_rows_free) seg_label_rows rows = {0};
    SEG_TRY(scale(job, width, height, SEG_LOG_WARNING, &rows));
    uint8_t *label = seg_alloc(job->ctx, (size_t)width, (size_t)height);
    SEG_TRY(seg_allocated(label));
    seg_label_rows_paint(&rows, label);
    free(job->out->label);
    job->out->label = label;
    job->out->width = width;
    job->out->height = height;
    return SEG_OK;
}

/* 1 where the bytes are JSON. */
static int are_shapes(const unsigned char *bytes, size_t size) {
    size_t first = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (first < size && (bytes[first] == ' ' || (bytes[first] >= '\t' && bytes[first] <= '\r')))
        first++;
    return first < size && (bytes[first] == '{' || bytes[first] == '[');
}

static seg_status nothing_marked(const seg_scribbles_job *job) {
    return seg_fail(job->ctx, SEG_ERR_INPUT, "%s: nothing is marked; draw a stroke or shape in each region", job->name);
}

static seg_status read_any(const seg_scribbles_job *job, const unsigned char *bytes, size_t size) {
    const seg_image *photo = job->photo;
    const seg_mask *out = job->out;
    int image = 0;
    if (are_shapes(bytes, size)) {
        SEG_TRY(read_shapes(job, bytes, size, photo ? photo->width : 0, photo ? photo->height : 0, NULL));
    } else if (seg_npy_is(bytes, size)) {
        job->about->kind = SEG_SCRIBBLES_ARRAY;
        SEG_TRY(read_array(job, bytes, size));
    } else {
        SEG_TRY(seg_scribbles_from_image(job, bytes, size));
        image = 1;
    }
    const int same = !photo || (photo->width == out->width && photo->height == out->height);
    if (!same)
        SEG_TRY(fit_mask(job));
    if (!image || !same)
        seg_scribbles_tell(job);
    return job->about->marked == 0 ? nothing_marked(job) : SEG_OK;
}

seg_status seg_scribbles_from_bytes(const seg_scribbles_job *job, const unsigned char *bytes, size_t size) {
    memset(job->out, 0, sizeof *job->out);
    memset(job->about, 0, sizeof *job->about);
    SEG_RETURN_OR(read_any(job, bytes, size), seg_mask_free(job->out));
}

seg_status seg_scribbles_read(seg_context *ctx, const char *path, const seg_image *photo, const seg_labelmap *map,
                              seg_mask *out, seg_scribbles_about *about) {
    seg_scribbles_about own = {0};
    const seg_scribbles_job job = {ctx, seg_file_label(path, "standard input"), photo, map, out, about ? about : &own};
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    memset(job.about, 0, sizeof *job.about);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    SEG_TRY(seg_nrrd_to_npy(ctx, job.name, &bytes, &size, NULL));
    return seg_scribbles_from_bytes(&job, bytes, size);
}

seg_status seg_scribble_rows_read(seg_context *ctx, const char *path, const seg_labelmap *map, seg_mask *header,
                                  seg_label_rows *out, seg_scribbles_about *about) {
    SEG_RELEASED(seg_mask_free) seg_mask own = {0};
    const seg_scribbles_job job = {ctx, seg_file_label(path, "standard input"), NULL, map, &own, about};
    SEG_FREED unsigned char *bytes = NULL;
    size_t size = 0, pixels[256] = {0};
    memset(about, 0, sizeof *about);
    memset(out, 0, sizeof *out);
    SEG_TRY(seg_file_read(ctx, path, &bytes, &size));
    SEG_TRY(seg_nrrd_to_npy(ctx, job.name, &bytes, &size, NULL));
    SEG_TRY(are_shapes(bytes, size) ? read_shapes(&job, bytes, size, header->width, header->height, out)
                                    : seg_scribbles_from_bytes(&job, bytes, size));
    if (own.label)
        SEG_TRY(own.width == header->width && own.height == header->height
                    ? seg_label_rows_append(ctx, own.width, own.height, own.label, out)
                    : scale(&job, header->width, header->height, SEG_LOG_INFO, out));
    memcpy(header->colour, own.colour, sizeof header->colour);
    header->labels = own.labels;
    about->marked = 0;
    about->labels_found = 0;
    for (size_t i = 0; i < out->first[out->height]; i++)
        pixels[out->run[i].label] += (size_t)(out->run[i].to - out->run[i].from);
    for (int l = 1; l <= SEG_MAX_LABELS; l++) {
        about->marked += pixels[l];
        about->labels_found += pixels[l] > 0;
    }
    return about->marked == 0 ? nothing_marked(&job) : SEG_OK;
}
