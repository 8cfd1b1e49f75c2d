/* A picture like a slide under the microscope whose regions are known, as tiled TIFF of any size, made tile by tile;
 * strokes on it; and how many pixels of a mask are right, read by libtiff alone.
 *
 *     tiled_scene make WIDTH HEIGHT TILE none|lzw|deflate|jpeg KIND OUT.tif
 *     tiled_scene strokes WIDTH HEIGHT OUT.geojson
 *     tiled_scene labels WIDTH HEIGHT OUT.pgm      the same strokes as an image of this size
 *     tiled_scene score WIDTH HEIGHT MASK.tif [PAGE]
 *     tiled_scene pages FILE.tif                   each page: width, height, tile, photometric, compression
 *
 * TILE 0: strips of 24 rows. KIND: rgb8, rgb16, grey8, grey12in16, rgba8 (opacity), assoc8 (multiplied by it), palette,
 * planar8, dark8 (in little yellow light). Regions: 1 slide, 2 tissue, 3 tumour. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

enum { SLIDE = 1, TISSUE, TUMOUR, LABELS = 3 };

/* Waves of the image's size; places are 0..1. */
static double field(double u, double v) {
    return 0.9 * sin(5.1 * u + 1.3 * sin(3.7 * v)) * cos(4.3 * v - 0.7) + 0.35 * sin(17 * u + 9 * v) +
           0.2 * sin(31 * v - 23 * u + 1);
}
static double nests(double u, double v) {
    return sin(14 * u + 2 * sin(9 * v)) * sin(13 * v + 1.5 * sin(8 * u));
}

#define GRID 64 /* pixels between places where the waves are computed: between them they are straight */

typedef struct scene {
    int width, height;
    int columns; /* of the waves' values */
    float *row[2][2];
    int at; /* row of the grid that row[0] is of */
} scene;

static double longer_side(const scene *s) {
    return s->width > s->height ? s->width : s->height;
}

static void fill_grid_row(const scene *s, int y, float *f, float *n) {
    for (int x = 0; x < s->columns; x++) {
        f[x] = (float)field(x * GRID / longer_side(s), y * GRID / longer_side(s));
        n[x] = (float)nests(x * GRID / longer_side(s), y * GRID / longer_side(s));
    }
}

static void scene_create(int width, int height, scene *s) {
    *s = (scene){.width = width, .height = height, .columns = width / GRID + 2, .at = -1};
    for (int i = 0; i < 4; i++)
        s->row[i / 2][i % 2] = malloc((size_t)s->columns * sizeof(float));
}

static void scene_free(scene *s) {
    for (int i = 0; i < 4; i++)
        free(s->row[i / 2][i % 2]);
}

static float between(const float *a, const float *b, int x, float u, float v) {
    return (1 - v) * ((1 - u) * a[x] + u * a[x + 1]) + v * ((1 - u) * b[x] + u * b[x + 1]);
}

/* Labels of row y. */
static void label_row(scene *s, int y, uint8_t *label) {
    const int at = y / GRID;
    if (s->at != at) {
        fill_grid_row(s, at, s->row[0][0], s->row[0][1]);
        fill_grid_row(s, at + 1, s->row[1][0], s->row[1][1]);
        s->at = at;
    }
    for (int x = 0; x < s->width; x++) {
        const float u = (float)(x % GRID) / GRID, v = (float)(y % GRID) / GRID;
        const float f = between(s->row[0][0], s->row[1][0], x / GRID, u, v);
        const float n = between(s->row[0][1], s->row[1][1], x / GRID, u, v);
        label[x] = f < 0 ? SLIDE : n > 0.25f ? TUMOUR : TISSUE;
    }
}

static uint32_t noise(uint32_t x, uint32_t y) {
    uint32_t h = x * 374761393u + y * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return h ^ (h >> 16);
}

/* Stains and cells. */
static void colour(int label, int x, int y, uint8_t rgb[3]) {
    static const int base[LABELS + 1][3] = {{0, 0, 0}, {238, 236, 240}, {226, 152, 190}, {150, 92, 160}};
    static const int spread[LABELS + 1] = {0, 3, 16, 20};
    const uint32_t h = noise((uint32_t)x / 2, (uint32_t)y / 2), cell = noise((uint32_t)x / 12, (uint32_t)y / 12);
    const int is_cell = label > SLIDE && cell % (label == TUMOUR ? 3 : 11) == 0;
    for (int c = 0; c < 3; c++) {
        const int value = base[label][c] - (is_cell ? 40 : 0) + (int)(h >> (8 * c) & 255) * spread[label] / 255;
        rgb[c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

typedef struct kind {
    const char *name;
    int samples, bits, photometric, planar, extra; /* extra: 1 associated, 2 not */
} kind;

static const kind kinds[] = {{"rgb8", 3, 8, PHOTOMETRIC_RGB, PLANARCONFIG_CONTIG, 0},
                             {"rgb16", 3, 16, PHOTOMETRIC_RGB, PLANARCONFIG_CONTIG, 0},
                             {"grey8", 1, 8, PHOTOMETRIC_MINISBLACK, PLANARCONFIG_CONTIG, 0},
                             {"grey12in16", 1, 16, PHOTOMETRIC_MINISBLACK, PLANARCONFIG_CONTIG, 0},
                             {"rgba8", 4, 8, PHOTOMETRIC_RGB, PLANARCONFIG_CONTIG, 2},
                             {"assoc8", 4, 8, PHOTOMETRIC_RGB, PLANARCONFIG_CONTIG, 1},
                             {"palette", 1, 8, PHOTOMETRIC_PALETTE, PLANARCONFIG_CONTIG, 0},
                             {"planar8", 3, 8, PHOTOMETRIC_RGB, PLANARCONFIG_SEPARATE, 0},
                             {"dark8", 3, 8, PHOTOMETRIC_RGB, PLANARCONFIG_CONTIG, 0}};

static void put_sample(const kind *k, uint8_t *to, size_t sample, unsigned value) {
    if (k->bits == 16) {
        const uint16_t wide = (uint16_t)value;
        memcpy(to + 2 * sample, &wide, 2);
    } else {
        to[sample] = (uint8_t)value;
    }
}

/* Pixel x of a block's row; plane: of planes that stand apart, else -1. */
static void put_pixel(const kind *k, uint8_t *row, size_t x, const uint8_t rgb[3], int alpha, int plane) {
    const size_t first = x * (size_t)k->samples;
    if (plane >= 0) {
        put_sample(k, row, x, rgb[plane]);
    } else if (k->photometric == PHOTOMETRIC_PALETTE) { /* 6 levels a channel */
        put_sample(k, row, x, (unsigned)(rgb[0] / 43 * 36 + rgb[1] / 43 * 6 + rgb[2] / 43));
    } else if (k->samples == 1) {
        const unsigned grey = (2u * rgb[0] + 5u * rgb[1] + rgb[2]) / 8;
        put_sample(k, row, x, k->bits == 16 ? 100 + 15 * grey : grey);
    } else {
        for (int c = 0; c < 3; c++)
            put_sample(k, row, first + (size_t)c,
                       k->bits == 16       ? 257u * rgb[c]
                       : k->name[0] == 'd' ? (unsigned)(rgb[c] * rgb[c] / (c == 2 ? 1000 : 400))
                       : k->extra == 1     ? (unsigned)(rgb[c] * alpha / 255)
                                           : rgb[c]);
        if (k->extra)
            put_sample(k, row, first + 3, (unsigned)alpha);
    }
}

static int make(int width, int height, int tile, const char *packing, const char *name, const char *path) {
    const int jpeg = strcmp(packing, "jpeg") == 0;
    const kind *k = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            k = &kinds[i];
    TIFF *tiff = k ? TIFFOpen(path, (double)width * height * k->samples > 3.5e9 ? "w8" : "w4") : NULL;
    if (!tiff)
        return 1;
    const int block_w = tile ? tile : width, block_h = tile ? tile : 24;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, k->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, k->samples);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, k->planar);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, jpeg && k->samples == 3 ? PHOTOMETRIC_YCBCR : k->photometric);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION,
                 jpeg                              ? COMPRESSION_JPEG
                 : strcmp(packing, "deflate") == 0 ? COMPRESSION_ADOBE_DEFLATE
                 : strcmp(packing, "lzw") == 0     ? COMPRESSION_LZW
                                                   : COMPRESSION_NONE);
    if (jpeg) {
        TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 80);
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    } else if (strcmp(packing, "deflate") == 0) {
        TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1);
    }
    if (k->extra) {
        const uint16_t extra = k->extra == 1 ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
    }
    if (k->photometric == PHOTOMETRIC_PALETTE) {
        uint16_t map[3][256] = {{0}};
        for (int i = 0; i < 216; i++) {
            map[0][i] = (uint16_t)(i / 36 * 257 * 51);
            map[1][i] = (uint16_t)(i / 6 % 6 * 257 * 51);
            map[2][i] = (uint16_t)(i % 6 * 257 * 51);
        }
        TIFFSetField(tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
    }
    if (tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, tile);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, block_h);
    }
    const int apart = k->planar == PLANARCONFIG_SEPARATE;
    const size_t line = (size_t)block_w * (size_t)(apart ? 1 : k->samples) * (size_t)(k->bits / 8);
    uint8_t *block = calloc((size_t)block_h, line), *label = malloc((size_t)width * (size_t)block_h);
    scene s;
    int good = block && label;
    scene_create(width, height, &s);
    for (int top = 0; top < height && good; top += block_h) {
        const int rows = height - top < block_h ? height - top : block_h;
        for (int y = 0; y < rows; y++)
            label_row(&s, top + y, label + (size_t)y * (size_t)width);
        for (int left = 0; left < width && good; left += block_w)
            for (int plane = apart ? 0 : -1; plane < (apart ? k->samples : 0) && good; plane++) {
                for (int y = 0; y < rows; y++)
                    for (int x = 0; x < block_w && left + x < width; x++) {
                        uint8_t rgb[3];
                        colour(label[(size_t)y * (size_t)width + (size_t)(left + x)], left + x, top + y, rgb);
                        put_pixel(k, block + (size_t)y * line, (size_t)x, rgb, 255 - (left + x) * 60 / width, plane);
                    }
                const uint16_t sample = (uint16_t)(plane < 0 ? 0 : plane);
                good = tile
                           ? TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, (uint32_t)left, (uint32_t)top, 0, sample),
                                                  block, (tmsize_t)((size_t)block_h * line)) >= 0
                           : TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, (uint32_t)top, sample), block,
                                                   (tmsize_t)((size_t)rows * line)) >= 0;
            }
    }
    TIFFClose(tiff);
    scene_free(&s);
    free(block);
    free(label);
    return !good;
}

/* Places of strokes: some of each label where it is the same all around. call: for each. */
typedef void (*stroke_fn)(void *user, int label, double u, double v, double length);

static int label_at(double u, double v) {
    return field(u, v) < 0 ? SLIDE : nests(u, v) > 0.25 ? TUMOUR : TISSUE;
}

static void strokes(double across, double down, stroke_fn call, void *user) {
    int count[LABELS + 1] = {0};
    const double reach = 0.012;
    for (int i = 0; i < 40 * 40; i++) {
        const int at = i * 577 % 1600;
        const double u = across * (at % 40 + 0.5) / 40, v = down * (at / 40 + 0.5) / 40;
        const int label = label_at(u, v);
        int same = u - reach > 0 && u + reach < across;
        for (int k = 0; k < 16 && same; k++)
            same = label_at(u + (k % 4 - 1.5) / 1.5 * reach, v + (k / 4 - 1.5) / 1.5 * reach / 2) == label;
        if (same && count[label]++ < 12)
            call(user, label, u, v, reach);
    }
}

typedef struct drawing {
    FILE *file;
    double size;
    int width, height, first;
    uint8_t *label;
} drawing;

static void write_line(void *user, int label, double u, double v, double length) {
    drawing *d = user;
    fprintf(d->file,
            "%s{\"type\":\"Feature\",\"properties\":{\"label\":%d},\"geometry\":{\"type\":\"LineString\","
            "\"coordinates\":[[%.1f,%.1f],[%.1f,%.1f],[%.1f,%.1f]]}}",
            d->first ? "" : ",\n", label, (u - length) * d->size, v * d->size, u * d->size, (v + length / 4) * d->size,
            (u + length) * d->size, v * d->size);
    d->first = 0;
}

static void paint_line(void *user, int label, double u, double v, double length) {
    const drawing *d = user;
    const int y = (int)(v * d->size), thick = d->width > 600 ? 2 : 1;
    for (int r = y; r < y + thick && r < d->height; r++)
        for (int x = (int)((u - length) * d->size); x <= (int)((u + length) * d->size) && x < d->width; x++)
            d->label[(size_t)r * (size_t)d->width + (size_t)x] = (uint8_t)label;
}

static int write_strokes(int width, int height, const char *path, int as_image) {
    drawing d = {.file = fopen(path, "wb"),
                 .size = width > height ? width : height,
                 .width = width,
                 .height = height,
                 .first = 1};
    if (!d.file || (as_image && !(d.label = calloc((size_t)width, (size_t)height))))
        return 1;
    fprintf(d.file, as_image ? "P5\n%d %d\n255\n" : "{\"type\":\"FeatureCollection\",\"features\":[", width, height);
    strokes(width / d.size, height / d.size, as_image ? paint_line : write_line, &d);
    if (as_image)
        fwrite(d.label, (size_t)width, (size_t)height, d.file);
    else
        fprintf(d.file, "]}\n");
    free(d.label);
    return fclose(d.file) != 0;
}

static int score(int width, int height, const char *path, int page) {
    TIFF *tiff = TIFFOpen(path, "r");
    uint32_t w = 0, h = 0, tile_w = 0, tile_h = 0;
    uint64_t both[LABELS + 1] = {0}, either[LABELS + 1] = {0}, right = 0;
    if (!tiff || !TIFFSetDirectory(tiff, (uint16_t)page) || !TIFFIsTiled(tiff))
        return 1;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &w);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &h);
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &tile_w);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &tile_h);
    const uint32_t tiles = (w + tile_w - 1) / tile_w;
    uint8_t *row = malloc((size_t)tiles * tile_w * tile_h), *label = malloc((size_t)width);
    const int step = 1 << page;
    scene s;
    scene_create(width, height, &s);
    int good = row && label && (int)w == (width + step - 1) / step && (int)h == (height + step - 1) / step;
    for (uint32_t y = 0; y < h && good; y++) {
        for (uint32_t t = 0; y % tile_h == 0 && t < tiles && good; t++)
            good = TIFFReadTile(tiff, row + (size_t)t * tile_w * tile_h, t * tile_w, y, 0, 0) > 0;
        const int from = (int)y * step + step / 2 < height ? (int)y * step + step / 2 : height - 1;
        label_row(&s, from, label);
        for (uint32_t x = 0; x < w && good; x++) {
            const int at = (int)x * step + step / 2 < width ? (int)x * step + step / 2 : width - 1;
            const int found = row[(size_t)(x / tile_w) * tile_w * tile_h + (size_t)(y % tile_h) * tile_w + x % tile_w];
            right += found == label[at];
            if (found == label[at]) {
                both[found]++;
                either[found]++;
            } else {
                either[label[at]]++;
                either[found <= LABELS ? found : 0]++;
            }
        }
    }
    printf("accuracy %.4f", (double)right / ((double)w * h));
    for (int l = 1; l <= LABELS; l++)
        printf(" iou%d %.4f", l, either[l] ? (double)both[l] / (double)either[l] : 1);
    printf("\n");
    TIFFClose(tiff);
    scene_free(&s);
    free(row);
    free(label);
    return !good;
}

static int pages(const char *path) {
    TIFF *tiff = TIFFOpen(path, "r");
    if (!tiff)
        return 1;
    printf("%s\n", TIFFIsBigTIFF(tiff) ? "BigTIFF" : "TIFF");
    do {
        uint32_t w = 0, h = 0, tile_w = 0, tile_h = 0, reduced = 0;
        uint16_t photometric = 0, compression = 0;
        TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &w);
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &h);
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &tile_w);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &tile_h);
        TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &reduced);
        TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
        TIFFGetField(tiff, TIFFTAG_COMPRESSION, &compression);
        printf("%u x %u tiles %u x %u reduced %u photometric %u compression %u\n", w, h, tile_w, tile_h, reduced,
               photometric, compression);
    } while (TIFFReadDirectory(tiff));
    TIFFClose(tiff);
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    const int width = argc > 3 ? atoi(argv[2]) : 0, height = argc > 3 ? atoi(argv[3]) : 0;
    if (argc == 8 && strcmp(what, "make") == 0)
        return make(width, height, atoi(argv[4]), argv[5], argv[6], argv[7]);
    if (argc == 5 && strcmp(what, "strokes") == 0)
        return write_strokes(width, height, argv[4], 0);
    if (argc == 5 && strcmp(what, "labels") == 0)
        return write_strokes(width, height, argv[4], 1);
    if ((argc == 5 || argc == 6) && strcmp(what, "score") == 0)
        return score(width, height, argv[4], argc == 6 ? atoi(argv[5]) : 0);
    if (argc == 3 && strcmp(what, "pages") == 0)
        return pages(argv[2]);
    fprintf(stderr, "tiled_scene: see the comment at the beginning of its source\n");
    return 2;
}
