#include "paint/thumb.h"

#include "paint/pyramid.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SIDE = 96 };

/* Nearest pixels of the level that is just larger. */
static uint8_t *shrink(const paint_pyramid *pyramid, size_t *size) {
    int level = 0;
    while (level + 1 < pyramid->levels && pyramid->level[level + 1].width >= SIDE &&
           pyramid->level[level + 1].height >= SIDE)
        level++;
    const paint_level *from = &pyramid->level[level];
    const int longer = from->width > from->height ? from->width : from->height;
    const int w = longer > SIDE ? (from->width * SIDE + longer - 1) / longer : from->width,
              h = longer > SIDE ? (from->height * SIDE + longer - 1) / longer : from->height;
    *size = 2 + 4 * (size_t)w * (size_t)h;
    uint8_t *made = malloc(*size), *to = made ? made + 2 : NULL;
    for (int y = 0; made && y < h; y++) {
        for (int x = 0; x < w; x++, to += 4) {
            const size_t at = (size_t)(y * from->height / h) * (size_t)from->width + (size_t)(x * from->width / w);
            memcpy(to, from->rgb + 3 * at, 3);
            to[3] = 255;
        }
    }
    if (made) {
        made[0] = (uint8_t)w;
        made[1] = (uint8_t)h;
    }
    return made;
}

uint8_t *paint_thumb(const char *photo, size_t *size) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* one image in memory at a time */
    seg_context *ctx = seg_context_create();
    seg_image image = {0};
    paint_pyramid pyramid = {0};
    uint8_t *made = NULL;
    pthread_mutex_lock(&one);
    if (ctx && seg_image_read(ctx, photo, &image) == SEG_OK && paint_pyramid_make(&image, &pyramid))
        made = shrink(&pyramid, size);
    paint_pyramid_free(&pyramid);
    seg_image_free(&image);
    seg_context_free(ctx);
    pthread_mutex_unlock(&one);
    return made;
}

uint8_t *paint_file_bytes(const char *path, size_t *size) {
    struct stat about;
    FILE *file = fopen(path, "rb");
    uint8_t *made = NULL;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode))
        made = malloc((size_t)about.st_size + 1);
    if (made)
        *size = fread(made, 1, (size_t)about.st_size, file);
    fclose(file);
    return made;
}
