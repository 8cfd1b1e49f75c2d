/* Decoding: every kind of image, truth, scribbles and label map. */
#include "sweep.h"

#include "image/raster.h"
#include "image_in_memory.h"

#include "image_makers.h"

#include "image/formats/vips_image.h"

#include <tiffio.h>
#include <unistd.h>

enum { W = 19, H = 13 };

static uint16_t samples16[W * H * 4];
static uint8_t samples8[W * H * 4];
static uint32_t pixels[W * H];

static void fill(unsigned most) {
    for (unsigned i = 0; i < W * H * 4; i++) {
        samples16[i] = (uint16_t)(i * 7919u % (most + 1));
        samples8[i] = (uint8_t)(i * 31u >> 2);
    }
    for (unsigned i = 0; i < W * H; i++)
        pixels[i] = i * 2654435761u & most;
}

static void save(const char *name, made_file file) {
    make_file(name, file.bytes, file.size);
    made_file_free(&file);
}

static void make_tiff(const char *name, int bits, int channels, int tiled, int orientation, int pages) {
    TIFF *tiff = TIFFOpen(in_folder(name), "w");
    for (int page = 0; tiff && page < pages; page++) {
        static uint8_t tile[16 * 16 * 3];
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, W);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, H);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, tiled ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_LZW);
        if (tiled) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
            for (uint32_t x = 0; x < W; x += 16) {
                for (size_t i = 0; i < sizeof tile; i++)
                    tile[i] = (uint8_t)(i * 5 + x);
                TIFFWriteTile(tiff, tile, x, 0, 0, 0);
            }
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 4);
            for (uint32_t y = 0; y < H; y++)
                TIFFWriteScanline(tiff, bits == 16 ? (void *)(samples16 + y * W) : samples8 + y * W, y, 0);
        }
        TIFFWriteDirectory(tiff);
    }
    if (tiff)
        TIFFClose(tiff);
}

static void make_picture(const char *name) {
    const png_color palette[4] = {{1, 2, 3}, {40, 50, 60}, {70, 80, 90}, {255, 0, 255}};
    const uint8_t opacity[2] = {0, 128};
    const png_color_16 key = {.gray = 7};
    fill(65535);
    if (strcmp(name, "palette.png") == 0) {
        fill(3);
        save(name, make_png(&(png_recipe)PNG_RECIPE(W, H, PNG_COLOR_TYPE_PALETTE, 2, samples16, .palette = palette,
                                                    .palette_count = 4, .opacity = opacity, .opacity_count = 2)));
    } else if (strcmp(name, "deep.png") == 0) {
        save(name, make_png(&(png_recipe)PNG_RECIPE(W, H, PNG_COLOR_TYPE_RGB_ALPHA, 16, samples16, .interlaced = 1)));
    } else if (strcmp(name, "grey.png") == 0) {
        fill(255);
        save(name, make_png(&(png_recipe)PNG_RECIPE(W, H, PNG_COLOR_TYPE_GRAY, 8, samples16, .key = &key)));
    } else if (strcmp(name, "turned.jpg") == 0) {
        save(name, make_jpeg(&(jpeg_recipe)JPEG_RECIPE(W, H, 3, samples8, .subsample = 1, .orientation = 6)));
    } else if (strcmp(name, "grey.jpg") == 0) {
        save(name, make_jpeg(&(jpeg_recipe)JPEG_RECIPE(W, H, 1, samples8, .progressive = 1)));
    } else if (strcmp(name, "ink.jpg") == 0) {
        save(name, make_jpeg(&(jpeg_recipe)JPEG_RECIPE(W, H, 4, samples8, .ycck = 1, .arithmetic = 1)));
    } else if (strcmp(name, "plain.bmp") == 0) {
        fill(0xFFFFFF);
        save(name, make_bmp(&(bmp_recipe)BMP_RECIPE(W, H, 24, 40, pixels)));
    } else if (strcmp(name, "palette.bmp") == 0) {
        const uint32_t colours[16] = {1, 22, 333, 4444, 55555, 666666, 7777777};
        fill(15);
        save(name, make_bmp(&(bmp_recipe)BMP_RECIPE(W, H, 4, 40, pixels, .palette = colours, .palette_count = 16)));
    } else if (strcmp(name, "fields.bmp") == 0) {
        fill(0xFFFFFF);
        save(name, make_bmp(&(bmp_recipe)BMP_RECIPE(W, -H, 32, 108, pixels, .compression = 3,
                                                    .mask = {0xFF, 0xFF00, 0xFF0000})));
    } else if (strcmp(name, "deep.tif") == 0) {
        make_tiff(name, 16, 1, 0, 1, 2);
    } else if (strcmp(name, "turned.tif") == 0) {
        make_tiff(name, 8, 3, 0, 6, 1);
    } else {
        make_tiff("tiled.tif", 8, 3, 1, 5, 1);
    }
}

/* GLib ends the process where it gets no memory: what libvips and those below it allocate succeeds. */
void spare_libvips(void) {
    static const char *const names[] = {"libvips", "libglib", "libgobject", "libgio", "libgmodule",
                                        "libtiff", "libwebp", "liborc",     "libz",   "libffi"};
    static int done;
    seg_vips_calls calls;
    seg_context ctx = seg_context_default();
    if (!done && seg_vips_load(&ctx, "an image", "an image", &calls) == SEG_OK)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            spare_library(names[i]);
    done = 1;
    seg_context_end(&ctx);
}

static seg_status tell_picture(seg_context *ctx, const char *path) {
    seg_image image = DIRTY(seg_image);
    const seg_status status = TELL(CALL(seg_image_read, ctx, path, &image), told_image, image);
    DO(seg_image_free, &image);
    return status;
}

CASE(read_picture, name) {
    if (strstr(name, ".tif"))
        spare_libvips();
    if (access(in_folder(name), F_OK) != 0)
        make_picture(name);
    return tell_picture(ctx, in_folder(name));
}

/* An image that another program wrote (tests/fuzz/corpus). The first is read before, since its library, once loaded,
 * stays, and what the C library allocates for the time of day, which lcms asks for, too. */
CASE(read_foreign, name) {
    static const char *before;
    static int spared;
    char path[4096];
    seg_image image;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", SEGMENT_SOURCE_DIR, name);
    if (before != name && seg_image_read(ctx, path, &image) == SEG_OK)
        seg_image_free(&image);
    /* Where memory is gone lcms 2.14 makes a mutex in a block that it did not get. */
    if (!spared && strcmp(name, "png/p3") == 0)
        spare_library("liblcms2"), spared = 1;
    if (strncmp(name, "vips/", 5) == 0 || strncmp(name, "pnm/", 4) == 0)
        spare_libvips();
    before = name;
    return tell_picture(ctx, path);
}

CASE(read_image_header, name) {
    if (strstr(name, ".tif"))
        spare_libvips();
    if (access(in_folder(name), F_OK) != 0)
        make_picture(name);
    seg_image_header header = DIRTY(seg_image_header);
    const seg_status status = CALL(seg_image_header_read, ctx, in_folder(name), 0, &header);
    if (status == SEG_OK) {
        told_number((double)header.width + header.height * 1e3 + header.depth * 1e6 +
                    (double)header.reading_image * 1e9);
    } else {
        header.format = NULL; /* told of damaged files, too */
        ZEROED(header);
    }
    return status;
}

CASE(read_bytes, name) {
    static unsigned char bytes[1 << 16];
    if (access(in_folder(name), F_OK) != 0)
        make_picture(name);
    FILE *from = fopen(in_folder(name), "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    seg_image image = DIRTY(seg_image);
    const seg_status status = TELL(CALL_INSIDE(image_read_memory, ctx, bytes, size, name, &image), told_image, image);
    DO(seg_image_free, &image);
    return status;
}

/* ---- truths and scribbles ---- */

enum { X = 48, Y = 32 };

static uint16_t painted[3 * X * Y];

static void save_painted(const char *name, int type) {
    save(name, make_png(&(png_recipe){.width = X, .height = Y, .type = type, .bits = 8, .samples = painted}));
}

static int stroke_of(int x, int y) {
    return y >= 8 && y < 24 ? (x >= 6 && x < 14 ? 1 : x >= 32 && x < 40 ? 2 : 0) : 0;
}

/* Strokes in the form of the file's name; the image is `halves`. */
static void make_scribbles(const char *name, const seg_image *photo) {
    const int snapped = strstr(name, "snapped") != NULL, grey = strstr(name, "grey") != NULL,
              twovalued = strstr(name, "two") != NULL;
    for (int y = 0; y < Y; y++)
        for (int x = 0; x < X; x++) {
            const int label = stroke_of(x, y), edge = snapped && !label && (stroke_of(x - 1, y) || stroke_of(x + 1, y));
            const int beside = stroke_of(x - 1, y) ? stroke_of(x - 1, y) : stroke_of(x + 1, y);
            const int near = edge ? beside : label;
            for (int c = 0; c < 3; c++) {
                const int ground = strstr(name, "photo") ? ((uint8_t *)photo->data)[3 * (y * X + x) + c] : 0;
                const int colour = near == 1 ? (c == 0 ? 255 : 0) : (c == 2 ? 255 : 0);
                painted[3 * (y * X + x) + c] = (uint16_t)(edge ? (ground + colour) / 2 : near ? colour : ground);
            }
            if (grey)
                painted[y * X + x] = (uint16_t)label;
            if (twovalued)
                painted[y * X + x] = x < X / 2 ? 0 : 255;
        }
    save_painted(name, grey || twovalued ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB);
}

CASE(read_scribbles, name) {
    const int with_map = strstr(name, "map") != NULL;
    seg_labelmap *map = calloc(1, sizeof *map);
    seg_scribbles_about about = {0};
    seg_image photo = halves(X, Y, NULL);
    if (access(in_folder(name), F_OK) != 0 && strcmp(name, "shapes.json") != 0)
        make_scribbles(name, &photo);
    make_text(
        "shapes.json",
        "{\"imageWidth\":48,\"imageHeight\":32,\"imageData\":\"iVBORw0KGgoAAAANSUhEUgAAADAAAAAg\",\"shapes\":["
        "{\"label\":\"the bird in front of the wall\",\"points\":[[6.00000000000000001,8],[14,8],[14,24],[6,24]]},"
        "{\"label\":\"wall\",\"shape_type\":\"line\",\"points\":[[32.123456789012345678,8],[39,23]]}]}");
    make_text("map.txt", "# labels\nnothing:0,0,0\nleft:255,0,0\nright:0,0,255\n");
    memset(map, 1, sizeof *map);
    seg_mask scribbles = DIRTY(seg_mask);
    seg_status status = with_map ? CALL(seg_labelmap_read, ctx, in_folder("map.txt"), map) : SEG_OK;
    if (status != SEG_OK) {
        sweep_zeroed("map", map, sizeof *map);
        goto done;
    }
    status = CALL(seg_scribbles_read, ctx, in_folder(name), &photo, with_map ? map : NULL, &scribbles, &about);
    if (status == SEG_OK) {
        told_mask(&scribbles);
        told_number(about.kind);
        told_number(about.labels_found);
    } else {
        ZEROED(scribbles);
    }
    DO(seg_mask_free, &scribbles);
done:
    seg_image_free(&photo);
    free(map);
    return status;
}

CASE(read_truth, name) {
    seg_image photo = halves(X, Y, NULL);
    if (access(in_folder(name), F_OK) != 0)
        make_scribbles(name, &photo);
    seg_image_free(&photo);
    SCOPED(seg_mask) truth = DIRTY(seg_mask);
    return TELL(CALL(seg_truth_read, ctx, in_folder(name), &truth), told_mask, truth);
}

/* From memory: grey, RGB and RGBA of every type. */
CASE(create_image, channels) {
    static const float values[W * H * 4];
    static const void *const at[] = {samples8, samples16, values};
    seg_status status = SEG_OK;
    fill(255);
    for (int type = SEG_SAMPLE_U8; type <= SEG_SAMPLE_FLOAT && status == SEG_OK; type++) {
        SCOPED(seg_image) image = DIRTY(seg_image);
        const seg_pixels given = {at[type], W, H, atoi(channels), (seg_sample_type)type, 0};
        status = CALL(seg_image_create, ctx, &given, &image);
        TOLD_OR_ZEROED(status, told_image, image);
    }
    return status;
}

CASE(create_labels, unused) {
    fill(255);
    SCOPED(seg_mask) mask = DIRTY(seg_mask);
    return TELL(CALL(seg_mask_from_labels, ctx, samples8, W, H, 0, &mask), told_mask, mask);
}

static const sweep_case cases[] = {
    {"grey-pixels", create_image, "1", 1},
    {"rgb-pixels", create_image, "3", 2},
    {"rgba-pixels", create_image, "4", 2},
    {"labels", create_labels, NULL, 1},
    {"palette-png", read_picture, "palette.png", 1},
    {"deep-png", read_picture, "deep.png", 2},
    {"grey-png", read_bytes, "grey.png", 1},
    {"header-png", read_image_header, "deep.png", 1},
    {"header-jpeg", read_image_header, "turned.jpg", 1},
    {"header-tiff", read_image_header, "tiled.tif", 1},
    {"turned-jpeg", read_bytes, "turned.jpg", 2},
    {"grey-jpeg", read_picture, "grey.jpg", 1},
    {"ink-jpeg", read_picture, "ink.jpg", 1},
    {"plain-bmp", read_picture, "plain.bmp", 1},
    {"palette-bmp", read_bytes, "palette.bmp", 1},
    {"fields-bmp", read_picture, "fields.bmp", 1},
    {"pnm", read_foreign, "pnm/p6-16", 1},
#ifdef SEG_LIBRARY_LCMS2
    {"profile-png", read_foreign, "png/p3", 1},
    {"profile-of-16-bits", read_foreign, "png/p3-16", 1},
    {"profile-jpeg", read_foreign, "jpeg/p3", 1},
#endif
    {"gif", read_foreign, "vips/gif-transparent", 1},
    {"deep-tiff", read_picture, "deep.tif", 1},
    {"turned-tiff", read_picture, "turned.tif", 1},
    {"tiled-tiff", read_picture, "tiled.tif", 1},
    {"grey-scribbles", read_scribbles, "grey.png-scribbles", 1},
    {"colour-scribbles", read_scribbles, "colours.png", 2},
    {"mapped-scribbles", read_scribbles, "map-colours.png", 1},
    {"painted-scribbles", read_scribbles, "photo.png", 1},
    {"shapes-scribbles", read_scribbles, "shapes.json", 1},
    {"snapped-scribbles", read_scribbles, "snapped.png", 1},
    {"snapped-painted-scribbles", read_scribbles, "photo-snapped.png", 1},
    {"grey-truth", read_truth, "grey.png-truth", 1},
    {"two-valued-truth", read_truth, "two.png", 1},
    {"colour-truth", read_truth, "colours.png", 1},
};
TOPIC(sweep_image, "image");
