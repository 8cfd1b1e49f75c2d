/* Limits on memory: images of many sizes and kinds, each under a generous, a middle and a tight limit. The
 * images of images/ with their strokes and truths are scaled and stretched, with the noise of a sensor
 * (tests/bench/scale.c). Each file is made by a process of its own, and the program is started from one that holds
 * little: the kernel counts towards a program's highest resident size what its parent held when it was started. */
#include "bench.h"
#include "process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMITS        3
#define LEAST_OF_SIZE 12.0 /* megapixels from which an estimate is asked to be close */
#define CLOSE         0.6  /* share of the estimate that is then used at least */

static const char *const limit_name[LIMITS] = {"generous", "middle", "tight"};
/* Of what the options asked for are predicted to take. */
static const double share[LIMITS] = {1.05, 0.8, 0.65};
#define LEAST_LIMIT 36e6 /* bytes: the program alone holds 20 */

/* One image and how it is segmented. */
static const struct trial {
    const char *name;
    double megapixels, stretch; /* of the sides' proportion */
    const char *ending;         /* "png", "jpg", or "progressive" */
    int split;                  /* labels whose right half becomes a label of its own */
    const char *method, *refine;
    const char *more; /* a further option */
} trials[] = {
    {"chelsea", 0.1, 1, "png", 0, "auto", "fast", NULL},
    {"coffee", 0.2, 1.5, "jpg", 1, "ccskl", "fast", NULL},
    {"camera", 0.3, 1, "progressive", 0, "auto", "fast", NULL},
    {"drum", 0.5, 0.6, "png", 2, "enpakl", "fast", NULL},
    {"fig", 0.7, 2, "jpg", 0, "ncut", "fast", NULL},
    {"lake", 1, 1, "progressive", 2, "auto", "fast", NULL},
    {"nuthatch", 1, 1.2, "png", 0, "ccsr", "fast", "--param=m=20"},
    {"picos", 1.5, 3, "jpg", 1, "auto", "fast", "--patch=3"},
    {"aizkorri", 2, 1, "png", 0, "auto", "fast", "--export=coco"},
    {"astronaut", 2, 0.5, "jpg", 2, "auto", "fast", NULL},
    {"chelsea", 3, 2, "progressive", 1, "kmeans", "fast", NULL},
    {"coffee", 4, 1, "png", 0, "auto", "fast", NULL},
    {"camera", 5, 1, "jpg", 0, "spectral-learning", "fast", NULL},
    {"drum", 6, 1, "progressive", 0, "auto", "fast", "--patch=6"},
    {"fig", 8, 1, "jpg", 1, "pckmeans", "none", NULL},
    {"lake", 12, 1.8, "jpg", 2, "auto", "fast", NULL},
    {"nuthatch", 16, 1, "progressive", 0, "auto", "fast", NULL},
    {"picos", 24, 1, "png", 0, "ccskl", "fast", NULL},
    {"aizkorri", 36, 1, "jpg", 2, "auto", "fast", "--prob"},
    {"astronaut", 48, 1.5, "jpg", 0, "auto", "fast", NULL},
};
#define TRIALS (sizeof trials / sizeof *trials)

/* Where the files of a trial are. */
enum { PHOTO, SCRIBBLES, TRUTH, MASK, OVERLAY, REPORT, PROB, FILES };

static void split_labels(seg_mask *mask, int count) {
    const int last = mask->labels;
    for (int y = 0; y < mask->height; y++)
        for (int x = mask->width / 2; x < mask->width; x++) {
            uint8_t *label = &mask->label[(size_t)y * (size_t)mask->width + (size_t)x];
            if (*label >= 1 && *label <= count)
                *label = (uint8_t)(last + *label);
        }
    mask->labels = last + count;
}

static int write_labels(seg_context *ctx, const char *path, const seg_mask *from, int split, int width, int height) {
    SCOPED(seg_mask) scaled = {0};
    seg_status status = bench_scaled_scribbles(ctx, from, width, height, &scaled);
    if (!status) {
        split_labels(&scaled, split);
        status = seg_mask_write(ctx, path, &scaled, SEG_MASK_PNG);
    }
    return status ? bench_fail("%s", ctx->message) : 0;
}

static int write_photo(seg_context *ctx, const struct trial *t, const char *path, const seg_image *photo, int width,
                       int height) {
    SCOPED(seg_image) scaled = {.width = width, .height = height, .depth = 8};
    if (strcmp(t->ending, "png") != 0)
        return bench_write_jpeg(path, photo, width, height, !strcmp(t->ending, "progressive"));
    scaled.data = bench_alloc((size_t)width * (size_t)height, 3);
    for (int y = 0; y < height; y++)
        bench_scaled_row(photo, width, height, y, (uint8_t *)scaled.data + 3 * (size_t)y * (size_t)width);
    seg_status status = seg_image_write_png(ctx, path, &scaled, NULL);
    return status ? bench_fail("%s", ctx->message) : 0;
}

static int make_files(const bench_options *options, const struct trial *t, double megapixels, char *const file[FILES]) {
    SCOPED(seg_image) photo = {0};
    SCOPED(seg_mask) scribbles = {0}, truth = {0};
    AUTOFREE char *path = bench_text("%s/%s.jpg", options->folder, t->name);
    AUTOFREE char *truth_path = bench_text("%s/%s.png", options->truth, t->name);
    seg_context ctx = seg_context_default();
    int code = bench_read_with_scribbles(&ctx, path, &photo, &scribbles);
    if (!code && seg_truth_read(&ctx, truth_path, &truth))
        code = bench_fail("%s", ctx.message);
    if (!code) {
        const double pixels = megapixels * 1e6, proportion = t->stretch * photo.width / photo.height;
        const int height = (int)lround(sqrt(pixels / proportion)), width = (int)lround(pixels / height);
        code = write_photo(&ctx, t, file[PHOTO], &photo, width, height) ||
               write_labels(&ctx, file[SCRIBBLES], &scribbles, t->split, width, height) ||
               write_labels(&ctx, file[TRUTH], &truth, t->split, width, height);
    }
    seg_context_end(&ctx);
    return code;
}

static int make_files_elsewhere(const bench_options *options, const struct trial *t, double megapixels,
                                char *const file[FILES]) {
    int how = 1;
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0)
        _exit(make_files(options, t, megapixels, file));
    return process < 0 || waitpid(process, &how, 0) < 0 || how ? bench_fail("the files of a trial were not made") : 0;
}

/* What a run did. */
typedef struct outcome {
    int exit;
    double measured, predicted, asked, dice; /* bytes; 0 where the run was refused */
    char adapted[256], sentence[256];
} outcome;

static double number_after(const char *text, const char *key) {
    const char *at = strstr(text, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

static void text_after(const char *text, const char *key, char *out, size_t size) {
    const char *at = strstr(text, key);
    snprintf(out, size, "%.*s", at ? (int)strcspn(at + strlen(key), "\"") : 0, at ? at + strlen(key) : "");
}

static char *read_text(const char *path) {
    char *text = bench_alloc(1 << 20, 1);
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(text, 1, (1 << 20) - 1, file) : 0;
    text[got] = 0;
    if (file)
        fclose(file);
    return text;
}

static int run(const bench_options *options, const struct trial *t, char *const file[FILES], double limit,
               outcome *out) {
    AUTOFREE char *size = bench_text("%.0f", limit), *prob = bench_text("--prob=%s", file[PROB]);
    AUTOFREE char *report_error = bench_text("%s.err", file[REPORT]);
    const int with_prob = t->more && !strcmp(t->more, "--prob");
    const char *more = with_prob ? prob : t->more ? t->more : "--restarts=5";
    const char *const command[] = {options->segment,
                                   file[PHOTO],
                                   "--scribbles",
                                   file[SCRIBBLES],
                                   "--truth",
                                   file[TRUTH],
                                   "-o",
                                   file[MASK],
                                   "--overlay",
                                   file[OVERLAY],
                                   "--method",
                                   t->method,
                                   "--refine",
                                   t->refine,
                                   "--max-memory",
                                   size,
                                   "--threads",
                                   "2",
                                   "--json",
                                   more,
                                   NULL};
    bench_usage usage;
    memset(out, 0, sizeof *out);
    int code = bench_spawn_to(command, file[REPORT], report_error, &out->exit, &usage);
    AUTOFREE char *report = read_text(file[REPORT]), *words = read_text(report_error);
    out->measured = usage.memory;
    out->predicted = number_after(report, "\"predicted\": ");
    out->asked = number_after(report, "\"asked\": ");
    out->dice = number_after(report, "\"mean_dice\": ");
    text_after(report, "\"adapted\": \"", out->adapted, sizeof out->adapted);
    text_after(words, "segment: ", out->sentence, sizeof out->sentence);
    out->sentence[strcspn(out->sentence, "\n")] = 0;
    if (!code && out->exit != 0 && out->exit != 6)
        code = bench_fail("exit %d: %s", out->exit, words);
    unlink(report_error);
    return code;
}

/* What all trials together say. */
typedef struct tally {
    int runs, over, refused, adapted, loose;
    double closest, loosest; /* measured over predicted, of large images */
} tally;

static int measure(const bench_options *options, const struct trial *t, double megapixels, char *const file[FILES],
                   tally *all) {
    outcome plain, o;
    int code = make_files_elsewhere(options, t, megapixels, file) || run(options, t, file, 1e12, &plain);
    for (int l = 0; l < LIMITS && !code; l++) {
        const double limit = fmax(share[l] * plain.predicted, LEAST_LIMIT);
        if ((code = run(options, t, file, limit, &o)))
            break;
        const double used = o.predicted > 0 ? o.measured / o.predicted : 0;
        const int over = o.measured > limit;
        all->runs++;
        all->over += over;
        all->refused += o.exit == 6;
        all->adapted += o.adapted[0] != 0;
        if (o.exit == 0 && megapixels >= LEAST_OF_SIZE) {
            all->loose += used < CLOSE;
            all->closest = fmax(all->closest, used);
            all->loosest = fmin(all->loosest, used);
        }
        printf("%s,%.1f,%s,%s,%s,%s,%s,%.1f,%.1f,%.1f,%.2f,%.4f,%.4f,\"%s\"\n", t->name, megapixels, t->ending,
               t->method, t->refine, t->more ? t->more : "", limit_name[l], limit / 1e6, o.predicted / 1e6,
               o.measured / 1e6, used, o.dice, plain.dice,
               over          ? "OVER"
               : o.exit == 6 ? o.sentence
                             : o.adapted);
        fflush(stdout);
    }
    return code;
}

int bench_memory(const bench_options *options) {
    char folder[] = "/tmp/segment-bench-XXXXXX";
    tally all = {.loosest = 1};
    int code = 0;
    if (!mkdtemp(folder))
        return bench_fail("cannot make a temporary folder");
    puts("image,megapixels,kind,method,refine,option,limit,limit_mb,predicted_mb,peak_mb,peak/predicted,dice,"
         "dice_unlimited,adapted");
    for (size_t i = 0; i < TRIALS && !code; i++) {
        static const char *const name[FILES] = {"",         "scribbles.png", "truth.png", "mask.png",
                                                "over.png", "report.json",   "prob.npy"};
        char *file[FILES];
        if (options->small && i % 5 != 0)
            continue;
        for (int f = 0; f < FILES; f++)
            file[f] = f == PHOTO ? bench_text("%s/photo.%s", folder, strcmp(trials[i].ending, "png") ? "jpg" : "png")
                                 : bench_text("%s/%s", folder, name[f]);
        code = measure(options, &trials[i],
                       options->small ? fmin(trials[i].megapixels / 5 + 0.1, 1) : trials[i].megapixels, file, &all);
        for (int f = 0; f < FILES; f++) {
            unlink(file[f]);
            free(file[f]);
        }
        AUTOFREE char *export = bench_text("%s/mask.json", folder);
        unlink(export);
    }
    rmdir(folder);
    if (!code) {
        printf("%d runs: %d adapted, %d refused, %d over their limit: %s\n", all.runs, all.adapted, all.refused,
               all.over, all.over ? "MISSED" : "met");
        if (!options->small)
            printf("from %.0f megapixels on %.0f to %.0f %% of the estimate was used (%.0f or more asked): %s\n",
                   LEAST_OF_SIZE, 100 * all.loosest, 100 * all.closest, 100 * CLOSE, all.loose ? "MISSED" : "met");
        code = all.over > 0;
    }
    return code;
}
