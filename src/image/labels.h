/* Rasters read as labels, and the colours that occur: shared by scribbles (scribbles/) and truths. */
#pragma once

#include "image/raster.h"
#include "image/slices.h"

/* seg_truth_read and seg_labelmap_read for data in memory; `name` is for messages. */
seg_status seg_truth_from_raster(seg_context *ctx, const seg_raster *raster, const char *name, seg_mask *out);
/* As seg_truth_read, of an image or volume: an array of three dimensions that are its slices, height and width is of
 * labels, or of the probabilities of label 1. photo: NULL where it is not known. */
seg_status seg_truth_read_of(seg_context *ctx, const char *path, const seg_image *photo, seg_mask *out);
seg_status seg_labelmap_parse(seg_context *ctx, const char *text, size_t size, const char *name, seg_labelmap *out);

/* SEG_ERR_INPUT where the numbers of the file cannot be labels: fractions, below 0 or above 65535. */
seg_status seg_raster_check_labels(seg_context *ctx, const seg_raster *raster, const char *name);

/* A colour as one number. Colours get labels in ascending order of this number. */
static inline uint32_t seg_colour_pack(unsigned r, unsigned g, unsigned b) {
    return r << 16 | g << 8 | b;
}
static inline int seg_colour_channel(uint32_t colour, int c) {
    return (int)(colour >> (16 - 8 * c) & 255);
}
/* The largest absolute difference in a channel. */
static inline int seg_colour_distance(uint32_t a, uint32_t b) {
    int largest = 0;
    for (int c = 0; c < 3; c++) {
        int d = seg_colour_channel(a, c) - seg_colour_channel(b, c);
        d = d < 0 ? -d : d;
        largest = d > largest ? d : largest;
    }
    return largest;
}

/* The sample of a one-channel raster as stored: palette index or grey value. */
static inline unsigned seg_raster_value(const seg_raster *raster, size_t pixel) {
    return raster->sample8 ? raster->sample8[pixel] : raster->sample16[pixel];
}

/* A sample of `bits` bits scaled to 8 bits, rounded. */
static inline unsigned seg_sample_to_8(unsigned value, int bits) {
    unsigned largest = (1u << bits) - 1;
    return bits == 8 ? value : (value * 255u + largest / 2) / largest;
}

/* The colour of a pixel at 8 bits per channel, palette looked up, transparency ignored. */
static inline uint32_t seg_raster_colour(const seg_raster *raster, size_t pixel) {
    if (raster->kind == SEG_RASTER_PALETTE) {
        const uint8_t *entry = raster->palette[seg_raster_value(raster, pixel) & 255];
        return seg_colour_pack(entry[0], entry[1], entry[2]);
    }
    if (raster->channels == 1)
        return 0x010101u * seg_sample_to_8(seg_raster_value(raster, pixel), raster->bits);
    unsigned rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = seg_sample_to_8(seg_raster_value(raster, 3 * pixel + (size_t)c), raster->bits);
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

/* The same for an image. */
static inline uint32_t seg_image_colour(const seg_image *image, size_t pixel) {
    unsigned rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = seg_sample_to_8(seg_image_sample(image, 3 * pixel + (size_t)c), image->depth);
    return seg_colour_pack(rgb[0], rgb[1], rgb[2]);
}

/* The least opacity that counts as painted: half of the most opaque pixel's, so that strokes of any opacity count and
 * their soft edges do not; 0 where the raster has no transparency. */
unsigned seg_raster_least_opacity(const seg_raster *raster);
static inline int seg_raster_visible(const seg_raster *raster, size_t pixel, unsigned least) {
    return least == 0 || raster->alpha[pixel] >= least;
}

/* How often each value of a one-channel raster occurs among the visible pixels. */
#define SEG_VALUES 65536
static inline unsigned seg_raster_values(const seg_raster *raster) { /* possible values: the size of such a table */
    return raster->bits > 8 ? SEG_VALUES : 256;
}
void seg_raster_count_values(const seg_raster *raster, unsigned least_opacity, uint32_t *count);

/* 1 where the values are meaningful and not the colours: a grey raster, or a palette whose used entries are the grey of
 * their own index (some programs store grey BMPs in this way). */
int seg_raster_is_grey(const seg_raster *raster, const uint32_t *count);

/* Take the palette's colours for labels 1..254, unless two used labels look the same or like the unmarked black. */
void seg_mask_take_palette(seg_mask *mask, const seg_raster *raster, const uint32_t *count);

/* Give label `label` a colour. */
void seg_mask_set_colour(seg_mask *mask, int label, uint32_t colour);

/* "1 (230,159,0): 512 pixels, 2 ..." of the labels that occur, truncated to the size of `text`. @return how many */
int seg_mask_describe(const seg_mask *mask, int with_colours, char *text, size_t size);

/* How often a colour occurs. */
typedef struct seg_colour_count {
    uint32_t colour; /* seg_colour_pack */
    uint32_t count;  /* pixels */
} seg_colour_count;

/* The pixels whose colours are listed: of an image, or the visible ones of a raster. */
typedef struct seg_colour_source {
    const seg_image *image; /* NULL: the raster */
    const seg_raster *raster;
    unsigned least;       /* of the raster: the least opacity that is visible (seg_raster_least_opacity) */
    const uint8_t *label; /* per pixel: 0 if its colour does not count; NULL: all count */
} seg_colour_source;

/* The colours in ascending order: *list (owned by the caller, free) has *colours of them. The search stops when there
 * are more than `most`: then *colours is most + 1. SEG_OK, SEG_ERR_MEMORY. Cost O(pixels log(most)). */
seg_status seg_colours_list(seg_context *ctx, const seg_colour_source *from, size_t most, seg_colour_count **list,
                            size_t *colours);
/* The index of a colour in an ascending list, or the index where it would be inserted. */
size_t seg_colour_place(const seg_colour_count *list, size_t size, uint32_t colour);
