#include "jobs.h"

#include "base/context.h"
#include "image/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const job jobs[] = {
    {"eval", "eval set --out report --methods kmeans -q --jobs 1 --no-timing", NULL, 1, 10, NULL},
    {"simulated", "eval set --out report --methods kmeans --clicks 4 --jobs 1 --no-timing --progress none", NULL, 1, 10,
     NULL},
    {"photo",
     "photo.png --scribbles scribbles.png --truth truth.png -o mask.png --overlay overlay.png --prob prob.npy "
     "--uncertainty "
     "unsure.png --save-run run.json --export coco=c.json --export svg=s.svg --threads 1 -q",
     NULL, 0, 20, "photo.png scribbles.png truth.png"},
    {"batch", "photos --scribbles scribbles -o masks --no-overlay --threads 1 -q", NULL, 1, 20, NULL},
    {"cluster", "cluster table.csv --labels last --sample 4 --method pckmeans -o labels.npy --threads 1", NULL, 0, 100,
     "table.csv"},
    {"score", "score truth.png marked.png --json", NULL, 0, 100, "marked.png"},
    {"replay", "replay record.json -o mask.png --no-overlay --threads 1 -q",
     "photo.png --scribbles scribbles.png -o mask.png --no-overlay --save-run record.json -q", 0, 20, "record.json"},
    {"methods", "methods --json", NULL, 0, 20, NULL},
};
const int job_count = sizeof jobs / sizeof *jobs;

enum { W = 24, H = 16 };

static char path[1024];

static const char *in(const char *folder, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *folder, const char *name, const char *text) {
    FILE *to = fopen(in(folder, name), "w");
    if (!to || fputs(text, to) < 0 || fclose(to) != 0)
        abort();
}

static void write_photo(const char *folder, const char *name, int shade) {
    static uint8_t data[3 * W * H];
    seg_context ctx = seg_context_default();
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W, texture = (x * 7 + y * 13) % 11 * 3;
        data[3 * i] = (uint8_t)(x < W / 2 ? 200 - texture : 40 + shade);
        data[3 * i + 1] = (uint8_t)(60 + texture);
        data[3 * i + 2] = (uint8_t)(x < W / 2 ? 50 : 180 - texture);
    }
    const seg_image photo = {W, H, 8, 0, data};
    if (seg_image_write_png(&ctx, in(folder, name), &photo, NULL) != SEG_OK)
        abort();
    seg_context_end(&ctx);
}

/* kind 0: strokes, 1: the truth. */
static void write_scribbles(const char *folder, const char *name, int kind) {
    seg_mask mask;
    seg_context ctx = seg_context_default();
    if (seg_mask_create(&ctx, W, H, &mask) != SEG_OK)
        abort();
    mask.labels = 2;
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        mask.label[i] = kind == 1          ? (uint8_t)(x < W / 2 ? 1 : 2)
                        : y < 4 || y >= 12 ? 0
                        : x == 4           ? 1
                        : x == W - 5       ? 2
                                           : 0;
    }
    if (seg_mask_write(&ctx, in(folder, name), &mask, SEG_MASK_PNG) != SEG_OK)
        abort();
    seg_mask_free(&mask);
    seg_context_end(&ctx);
}

void make_inputs(const char *folder, const job *one) {
    static const char *const outputs[] = {"mask.png", "overlay.png", "labels.npy", NULL};
    if (strcmp(one->name, "eval") == 0 || strcmp(one->name, "simulated") == 0) {
        mkdir(in(folder, "set"), 0777);
        for (int i = 1; i <= 2; i++) {
            char name[64];
            snprintf(name, sizeof name, "set/p%d.png", i);
            write_photo(folder, name, i);
            snprintf(name, sizeof name, "set/p%d-scribbles.png", i);
            write_scribbles(folder, name, 0);
            snprintf(name, sizeof name, "set/p%d-truth.png", i);
            write_scribbles(folder, name, 1);
        }
        return;
    }
    write_photo(folder, "photo.png", 0);
    write_scribbles(folder, "scribbles.png", 0);
    write_scribbles(folder, "truth.png", 1);
    write_scribbles(folder, "marked.png", 1);
    FILE *to = fopen(in(folder, "table.csv"), "w");
    for (int i = 0; to && i < 40; i++)
        fprintf(to, "%d,%d,%c\n", i % 2 * 20 + i % 7, i % 5, i % 2 ? 'a' : 'b');
    if (!to || fclose(to) != 0)
        abort();
    for (int i = 0; outputs[i]; i++)
        write_text(folder, outputs[i], "what was there before");
    if (strcmp(one->name, "batch") == 0) {
        mkdir(in(folder, "photos"), 0777);
        mkdir(in(folder, "scribbles"), 0777);
        mkdir(in(folder, "masks"), 0777);
        write_photo(folder, "photos/a.png", 3);
        write_photo(folder, "photos/b.png", 5);
        write_scribbles(folder, "scribbles/a-scribbles.png", 0);
        write_scribbles(folder, "scribbles/b-scribbles.png", 0);
    }
}
