#include "evaluation/experiments/settings.h"

#include "base/base.h"
#include "base/hash.h"
#include "base/name_text.h"
#include "evaluation/report/text.h"
#include "pipeline/option_fields.h"

#include <segment/options.h>
#include <segment/version.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Followed by a byte that no text contains, so that the hash of two texts differs from that of both as one. */
static uint64_t hash_text(uint64_t hash, const char *text) {
    return seg_hash(seg_hash(hash, text ? text : "", text ? strlen(text) : 0), "\xff", 1);
}

/* The size stands for the contents, since a data set is large. */
static uint64_t hash_file(uint64_t hash, const char *path) {
    struct stat about;
    char size[32] = "none";
    if (path && stat(path, &about) == 0 && S_ISREG(about.st_mode))
        snprintf(size, sizeof size, "%jd", (intmax_t)about.st_size);
    return hash_text(hash, size);
}

static char *describe_source(seg_context *ctx, const seg_photo_set *set, const seg_plan *plan) {
    if (plan->source == SEG_SOURCE_PAIRS)
        return seg_format(ctx, "%d must-links and %d cannot-links per class", plan->pairs, plan->pairs);
    if (plan->source == SEG_SOURCE_CLICKS)
        return seg_format(ctx, "simulated user, up to %d clicks, %s", plan->clicks,
                          plan->object_first ? "the first in the object answered alone"
                                             : "the first mask after one in each region");
    return seg_format(ctx, "strokes%s%s", set->scribbles_folder ? " of " : "",
                      set->scribbles_folder ? set->scribbles_folder : "");
}

/* The options of every method besides its parameters that are not the default. */
static char *describe_how(seg_context *ctx, const seg_plan *plan) {
    static const char *const name[] = {"patch", "features", "graph", "knn", "sigma", "refine"};
    char *text = seg_format(ctx, "%s", "");
    seg_options usual;
    seg_options_default(&usual);
    for (size_t i = 0; plan->how && text && i < sizeof name / sizeof *name; i++) {
        char ours[256], theirs[256];
        if (seg_options_get(ctx, plan->how, name[i], ours, sizeof ours) ||
            seg_options_get(ctx, &usual, name[i], theirs, sizeof theirs) || strcmp(ours, theirs) == 0)
            continue;
        SEG_FREED char *shorter = text;
        text = seg_format(ctx, "%s%s%s %s", shorter, *shorter ? ", " : "", name[i], ours);
    }
    return text;
}

/* The last part of the path that is not "." . */
static char *title_of(seg_context *ctx, const char *folder) {
    SEG_FREED char *real = realpath(folder, NULL);
    const char *path = real ? real : folder, *slash = strrchr(path, '/');
    return seg_format(ctx, "%s", slash && slash[1] ? slash + 1 : path);
}

/* On one line, whatever the names hold. */
static char *make_line(seg_context *ctx, const seg_settings *settings, const seg_photo_set *set, const seg_plan *plan) {
    uint64_t hash = SEG_HASH_START;
    SEG_RELEASED(seg_text_free) seg_text text = {0};
    for (size_t i = 0; i < set->items; i++) {
        hash = hash_text(hash, set->item[i].name);
        hash = hash_file(hash, set->item[i].photo);
        hash = hash_file(hash, set->item[i].truth);
        hash = hash_file(hash, set->item[i].scribbles);
    }
    seg_text_add(ctx, &text, "segment %s eval; %s; %s, %zu images %016" PRIx64 "; %s", SEG_VERSION, settings->title,
                 settings->dataset, set->items, hash, settings->source);
    if (*settings->how)
        seg_text_add(ctx, &text, "; %s", settings->how);
    if (plan->max_memory) /* plans are adapted to it */
        seg_text_add(ctx, &text, "; at most %zu bytes", plan->max_memory);
    seg_text_add(ctx, &text, "; seed %" PRIu64 "; methods", plan->seed);
    for (int m = 0; m < settings->labels; m++)
        seg_text_add(ctx, &text, "%s%s", m ? "," : " ", settings->label[m]);
    return text.status ? NULL : seg_name_encode(text.at, SEG_NAME_LINE);
}

seg_status seg_settings_make(seg_context *ctx, const seg_photo_set *set, const seg_plan *plan, seg_settings *out) {
    *out = (seg_settings){.dataset = set->layout->name,
                          .title = title_of(ctx, set->folder),
                          .source = describe_source(ctx, set, plan),
                          .how = describe_how(ctx, plan),
                          .label = seg_alloc(ctx, (size_t)plan->compared_count, sizeof *out->label),
                          .labels = plan->compared_count,
                          .clicks = plan->source == SEG_SOURCE_CLICKS ? plan->clicks : 0,
                          .object_first = plan->object_first,
                          .items = set->items,
                          .seed = plan->seed};
    for (int m = 0; m < plan->compared_count && out->label; m++)
        out->label[m] = plan->compared[m].label;
    if (out->title && out->source && out->how && out->label)
        out->line = make_line(ctx, out, set, plan);
    return out->line ? SEG_OK : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while describing the run");
}

void seg_settings_free(seg_settings *settings) {
    free(settings->label);
    free(settings->title);
    free(settings->source);
    free(settings->how);
    free(settings->line);
    memset(settings, 0, sizeof *settings);
}
