/* Inputs that several topics use, the same on every run. */
#include "sweep.h"

#include "base/random.h"
#include "image/mask.h"

#include <math.h>

seg_matrix blobs(size_t n, int clusters) {
    seg_random random = seg_random_seeded(3, 1);
    seg_matrix out;
    must(&own, seg_matrix_create(&own, n, 2, &out));
    for (size_t i = 0; i < n; i++) {
        const double angle = 6.283185307179586 * (double)(i % (size_t)clusters) / clusters;
        out.at[2 * i] = 6 * cos(angle) + seg_random_normal(&random);
        out.at[2 * i + 1] = 6 * sin(angle) + seg_random_normal(&random);
    }
    return out;
}

seg_constraints groups_of(size_t n, int clusters, size_t marked) {
    seg_constraints out;
    must(&own, seg_constraints_create(&own, n, &out));
    out.groups = marked ? clusters : 0;
    for (size_t i = 0; i < n; i++)
        out.group[i] = i / (size_t)clusters < marked ? (int16_t)(i % (size_t)clusters) : -1;
    for (size_t i = n / 2; i + (size_t)clusters + 1 < n && i < n / 2 + 8; i++) {
        must(&own, seg_constraints_add(&own, &out, (seg_pair){(int32_t)i, (int32_t)i + clusters, 1, 1}));
        must(&own, seg_constraints_add(&own, &out, (seg_pair){(int32_t)i, (int32_t)i + 1, -1, 1}));
    }
    return out;
}

seg_image halves(int width, int height, seg_mask *scribbles) {
    uint8_t *data = malloc(3 * (size_t)width * (size_t)height);
    if (!data)
        abort();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *to = data + 3 * (y * width + x);
            const int texture = (x * 7 + y * 13) % 11 * 3, left = x < width / 2;
            to[0] = (uint8_t)(left ? 200 - texture : 40);
            to[1] = (uint8_t)(left ? 60 + texture : 80 + texture);
            to[2] = (uint8_t)(left ? 50 : 180 - texture);
        }
    const seg_image photo = {width, height, 8, 0, data};
    if (!scribbles)
        return photo;
    must(&own, seg_mask_create(&own, width, height, scribbles));
    scribbles->labels = 2;
    for (int y = height / 4; y < 3 * height / 4; y++) {
        scribbles->label[y * width + width / 5] = 1;
        scribbles->label[y * width + 4 * width / 5] = 2;
    }
    return photo;
}

seg_mask half_strokes(int width, int height) {
    seg_mask scribbles;
    seg_image photo = halves(width, height, &scribbles);
    seg_image_free(&photo);
    return scribbles;
}
