/* PNM: PBM, PGM and PPM in digits and in bytes, and PAM. Of several images in a file the first is read. Netpbm's own
 * library ends the process where it meets a fault, and the formats are simple. */
#include "base/base.h"
#include "image/formats/decoders.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SAMPLE 65535
#define OPAQUE      65535
#define MOST_LINE   200 /* bytes that are read of a line of PAM's header */

typedef struct pnm_job {
    seg_context *ctx;
    const char *name;
    const unsigned char *bytes;
    size_t size, at;
    int kind;                        /* the digit: 1 to 7 */
    int64_t width, height, channels; /* opacity included */
    int64_t most;                    /* the largest sample */
    int bitmap;                      /* PBM: 1 is black */
    int opacity;                     /* 1: the last channel is it */
} pnm_job;

static seg_status truncated(const pnm_job *job) {
    return seg_truncated(job->ctx, job->name, "PNM");
}

static seg_status damaged(const pnm_job *job, const char *what) {
    return seg_fail(job->ctx, SEG_ERR_INPUT, "'%s' is a damaged or unusual PNM (%s): save it as PNG", job->name, what);
}

static int is_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Past white space and comments, which go to the end of their line. */
static void skip_space(pnm_job *job) {
    for (int comment = 0; job->at < job->size; job->at++) {
        const int c = job->bytes[job->at];
        if (c == '#')
            comment = 1;
        else if (c == '\n' || c == '\r')
            comment = 0;
        else if (!comment && !is_space(c))
            return;
    }
}

/* The next number, which a space, a comment or the end follows. *value is -1 where there is none within the file. */
static seg_status read_number(pnm_job *job, int64_t *value) {
    *value = -1;
    skip_space(job);
    if (job->at == job->size)
        return truncated(job);
    for (; job->at < job->size && job->bytes[job->at] >= '0' && job->bytes[job->at] <= '9'; job->at++) {
        *value = (*value < 0 ? 0 : *value) * 10 + (job->bytes[job->at] - '0');
        if (*value > INT32_MAX)
            return damaged(job, "a number is too large");
    }
    if (*value < 0 || (job->at < job->size && !is_space(job->bytes[job->at]) && job->bytes[job->at] != '#'))
        return damaged(job, "something else where a whole number belongs");
    return SEG_OK;
}

/* PBM, PGM, PPM: width, height and, but of PBM, the largest sample; before bytes a single space. */
static seg_status read_numbers(pnm_job *job) {
    seg_status status = read_number(job, &job->width);
    if (status == SEG_OK)
        status = read_number(job, &job->height);
    job->bitmap = job->kind == 1 || job->kind == 4;
    job->channels = job->kind == 3 || job->kind == 6 ? 3 : 1;
    job->most = 1;
    if (status == SEG_OK && !job->bitmap)
        status = read_number(job, &job->most);
    if (status == SEG_OK && job->kind >= 4)
        job->at++;
    return status;
}

/* A line of PAM's header as text, without its end. 0 where the file ends within it. */
static int read_line(pnm_job *job, char line[MOST_LINE]) {
    const unsigned char *from = job->bytes + job->at, *end = memchr(from, '\n', job->size - job->at);
    if (!end)
        return 0;
    const size_t length = (size_t)(end - from), kept = length < MOST_LINE ? length : MOST_LINE - 1;
    memcpy(line, from, kept);
    line[kept] = 0;
    for (size_t i = strlen(line); i > 0 && is_space(line[i - 1]); i--)
        line[i - 1] = 0;
    job->at += length + 1;
    return 1;
}

/* PAM's header: a line a field, in any order. */
static seg_status read_fields(pnm_job *job) {
    static const char *const words[] = {"WIDTH", "HEIGHT", "DEPTH", "MAXVAL"};
    int64_t *const values[] = {&job->width, &job->height, &job->channels, &job->most};
    char line[MOST_LINE], tuple[MOST_LINE] = "";
    for (int i = 0; i < 4; i++)
        *values[i] = -1;
    for (;;) {
        if (!read_line(job, line))
            return truncated(job);
        if (strcmp(line, "ENDHDR") == 0)
            break;
        const size_t word = strcspn(line, " \t");
        const char *rest = line + word + strspn(line + word, " \t");
        if (line[0] == '#' || line[0] == 0)
            continue;
        if (word == 8 && memcmp(line, "TUPLTYPE", 8) == 0) {
            strcpy(tuple, rest);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            if (strlen(words[i]) != word || memcmp(line, words[i], word) != 0)
                continue;
            const size_t digits = strspn(rest, "0123456789");
            if (digits == 0 || digits > 9 || rest[digits])
                return damaged(job, "a field of the header is not a whole number");
            *values[i] = strtol(rest, NULL, 10);
        }
    }
    for (int i = 0; i < 4; i++)
        if (*values[i] < 0)
            return damaged(job, "a field of the header is missing");
    if (job->channels < 1 || job->channels > 4)
        return damaged(job, "more than four samples per pixel, or none");
    const size_t length = strlen(tuple);
    const int named = length > 6 && strcmp(tuple + length - 6, "_ALPHA") == 0;
    job->opacity = job->channels == 2 || job->channels == 4;
    if (named && !job->opacity)
        return damaged(job, "its kind of pixels does not fit their number of samples");
    return SEG_OK;
}

/* Bits that a raster states. Where the largest sample is not of whole bits, samples are scaled to 8 or 16. */
static int bits_of(int64_t most) {
    int bits = 1;
    while ((1 << bits) - 1 < most)
        bits++;
    return (1 << bits) - 1 == most ? bits : most < 255 ? 8 : 16;
}

static seg_status read_header(pnm_job *job, seg_raster *out) {
    job->kind = job->bytes[1] - '0';
    job->at = 2;
    if (job->kind == 7)
        job->at = job->size > 2 && job->bytes[2] == '\r' ? 4 : 3;
    if (job->at > job->size)
        return truncated(job);
    seg_status status = job->kind == 7 ? read_fields(job) : read_numbers(job);
    if (status == SEG_OK)
        status = seg_check_size(job->ctx, job->name, job->width, job->height);
    if (status != SEG_OK)
        return status;
    if (job->most < 1 || job->most > MOST_SAMPLE)
        return damaged(job, "its largest sample is not from 1 to 65535");
    out->width = (int)job->width;
    out->height = (int)job->height;
    out->bits = bits_of(job->most);
    out->channels = job->channels >= 3 ? 3 : 1;
    out->kind = out->channels == 3 ? SEG_RASTER_RGB : SEG_RASTER_GREY;
    const uint64_t pixels = (uint64_t)(job->width * job->height), samples = pixels * (uint64_t)job->channels;
    /* A digit and a space each, but of a bitmap no space. */
    const uint64_t least = job->kind == 1   ? pixels
                           : job->kind <= 3 ? 2 * samples - 1
                           : job->kind == 4 ? (uint64_t)(job->width + 7) / 8 * (uint64_t)job->height
                                            : samples * (job->most > 255 ? 2 : 1);
    if (job->at > job->size || least > job->size - job->at)
        return truncated(job);
    out->decoding = seg_raster_bytes(out, job->opacity);
    return SEG_OK;
}

/* The next sample of what is written in digits. */
static seg_status read_digits(pnm_job *job, int64_t *value) {
    if (job->kind != 1)
        return read_number(job, value);
    skip_space(job);
    if (job->at == job->size)
        return truncated(job);
    *value = job->bytes[job->at++] - '0';
    return SEG_OK;
}

static seg_status read_row(pnm_job *job, uint16_t *row) {
    const size_t count = (size_t)(job->width * job->channels);
    const unsigned char *from = job->bytes + job->at;
    seg_status status = SEG_OK;
    for (size_t i = 0; i < count; i++) {
        int64_t value = 0;
        if (job->kind <= 3)
            status = read_digits(job, &value);
        else if (job->kind == 4)
            value = from[i / 8] >> (7 - i % 8) & 1;
        else
            value = job->most > 255 ? from[2 * i] << 8 | from[2 * i + 1] : from[i];
        if (status != SEG_OK)
            return status;
        if (value < 0 || value > job->most)
            return damaged(job, "a sample is larger than the largest that its header states");
        row[i] = (uint16_t)(job->bitmap ? 1 - value : value);
    }
    if (job->kind > 3)
        job->at += job->kind == 4 ? (count + 7) / 8 : count * (job->most > 255 ? 2 : 1);
    return SEG_OK;
}

/* v of 0..from scaled to 0..to, rounded. */
static unsigned rescale(unsigned value, unsigned from, unsigned to) {
    return from == to ? value : (unsigned)(((uint64_t)value * to + from / 2) / from);
}

static void keep_row(const pnm_job *job, const uint16_t *row, seg_raster *out, size_t first) {
    const size_t colours = (size_t)out->channels, channels = (size_t)job->channels;
    const unsigned from = (unsigned)job->most, to = (1u << out->bits) - 1;
    for (size_t x = 0; x < (size_t)job->width; x++, row += channels) {
        for (size_t c = 0; c < colours; c++)
            seg_raster_put(out, (first + x) * colours + c, rescale(row[c], from, to));
        if (job->opacity)
            out->alpha[first + x] = (uint16_t)rescale(row[colours], from, OPAQUE);
    }
}

static seg_status read_pixels(pnm_job *job, seg_raster *out) {
    const size_t width = (size_t)out->width;
    uint16_t *row = seg_alloc(job->ctx, width * (size_t)job->channels, sizeof *row);
    seg_status status = row ? seg_raster_allocate(job->ctx, out, job->opacity) : SEG_ERR_MEMORY;
    for (size_t y = 0; y < (size_t)out->height && status == SEG_OK; y++) {
        status = read_row(job, row);
        if (status == SEG_OK)
            keep_row(job, row, out, y * width);
    }
    free(row);
    return status;
}

seg_status seg_pnm_decode(seg_context *ctx, const unsigned char *bytes, size_t size, const char *name, int header_only,
                          seg_raster *out) {
    pnm_job job = {.ctx = ctx, .name = name, .bytes = bytes, .size = size};
    if (!seg_is_pnm(bytes, size))
        return damaged(&job, "it does not begin like one");
    seg_status status = read_header(&job, out);
    if (status == SEG_OK && !header_only && (status = seg_check_room(ctx, name, out)) == SEG_OK)
        status = read_pixels(&job, out);
    return status;
}

int seg_is_pnm(const unsigned char *bytes, size_t size) {
    if (size < 3 || bytes[0] != 'P' || bytes[1] < '1' || bytes[1] > '7')
        return 0;
    return bytes[1] == '7' ? bytes[2] == '\n' || bytes[2] == '\r' : is_space(bytes[2]) || bytes[2] == '#';
}
