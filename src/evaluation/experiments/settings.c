#include "evaluation/experiments/settings.h"

#include "base/base.h"
#include "base/hash.h"
#include "base/json_read.h"
#include "base/name_text.h"
#include "evaluation/runner/report_folder.h"

#include <segment/options.h>
#include <segment/version.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD "# segment journal 1: " /* run_journal.c writes it before the settings */

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

static char *describe_source(seg_context *ctx, const seg_photo_set *set, const seg_plan *protocol) {
    if (protocol->source == SEG_SOURCE_PAIRS)
        return seg_format(ctx, "%d must-links and %d cannot-links per class", protocol->pairs, protocol->pairs);
    if (protocol->source == SEG_SOURCE_SIMULATED && protocol->user != SEG_USER_STROKES)
        return seg_format(ctx, "simulated user, up to %d clicks, %s", protocol->corrections,
                          protocol->user == SEG_USER_CLICKS_OBJECT ? "the first in the object answered alone"
                                                                   : "the first mask after one in each region");
    if (protocol->source == SEG_SOURCE_SIMULATED)
        return seg_format(ctx, "simulated user, a stroke per region and up to %d corrections", protocol->corrections);
    return seg_format(ctx, "strokes%s%s", set->scribbles_folder ? " of " : "",
                      set->scribbles_folder ? set->scribbles_folder : "");
}

/* The options of every method besides its parameters that are not the default. */
static char *describe_how(seg_context *ctx, const seg_plan *protocol) {
    static const char *const name[] = {"patch", "features", "graph", "knn", "edges", "sigma", "refine"};
    char *text = seg_format(ctx, "%s", "");
    seg_options usual;
    seg_options_default(&usual);
    for (size_t i = 0; protocol->how && text && i < sizeof name / sizeof *name; i++) {
        char ours[256], theirs[256];
        if (seg_options_get(ctx, protocol->how, name[i], ours, sizeof ours) ||
            seg_options_get(ctx, &usual, name[i], theirs, sizeof theirs) || strcmp(ours, theirs) == 0)
            continue;
        char *longer = seg_format(ctx, "%s%s%s %s", text, *text ? ", " : "", name[i], ours);
        free(text);
        text = longer;
    }
    return text;
}

/* The last part of the path that is not "." . */
static char *title_of(seg_context *ctx, const char *folder) {
    char *real = realpath(folder, NULL);
    const char *path = real ? real : folder, *slash = strrchr(path, '/');
    char *title = seg_format(ctx, "%s", slash && slash[1] ? slash + 1 : path);
    free(real);
    return title;
}

char *seg_settings_line(seg_context *ctx, const seg_photo_set *set, const seg_plan *protocol) {
    char sum[20], *line = NULL;
    uint64_t hash = SEG_HASH_START;
    for (size_t i = 0; i < set->items; i++) {
        hash = hash_text(hash, set->item[i].name);
        hash = hash_file(hash, set->item[i].photo);
        hash = hash_file(hash, set->item[i].truth);
        hash = hash_file(hash, set->item[i].scribbles);
    }
    snprintf(sum, sizeof sum, "%016" PRIx64, hash);
    char *source = describe_source(ctx, set, protocol), *title = title_of(ctx, set->folder);
    char *how = describe_how(ctx, protocol);
    const int simulated = protocol->source == SEG_SOURCE_SIMULATED, clicks = protocol->user != SEG_USER_STROKES;
    errno = 0; /* Jansson leaves out what it has no memory for; only malloc tells */
    json_t *methods = json_array();
    for (int c = 0; c < protocol->compared_count; c++)
        json_array_append_new(methods, json_string(protocol->compared[c].label));
    json_t *object =
        source && title && how
            ? json_pack("{s:s, s:s, s:s, s:I, s:s, s:o, s:i, s:s, s:s, s:i, s:I, s:o}", "evaluation", "segment eval",
                        "version", SEG_VERSION, "dataset", set->layout->name, "items", (json_int_t)set->items, "data",
                        sum, "constraints", seg_json_text(source, SEG_NAME_JSON), "corrections",
                        simulated && !clicks ? protocol->corrections : 0, "void",
                        protocol->void_as_class ? "a class" : "ignored", "refine",
                        protocol->refine == SEG_REFINE_NONE   ? "none"
                        : protocol->refine == SEG_REFINE_FAST ? "fast"
                                                              : "best",
                        "repeats", protocol->repeats, "seed", (json_int_t)protocol->seed, "methods", methods)
            : NULL;
    if (object)
        json_object_set_new(object, "title", seg_json_text(title, SEG_NAME_JSON));
    if (object && simulated && clicks) {
        json_object_set_new(object, "clicks", json_integer(protocol->corrections));
        json_object_set_new(object, "object_first", json_boolean(protocol->user == SEG_USER_CLICKS_OBJECT));
    }
    if (object && *how) /* not said of a run with the defaults, whose journals stay what they were */
        json_object_set_new(object, "how", seg_json_text(how, SEG_NAME_JSON));
    if (object && protocol->max_memory) /* plans are adapted to it */
        json_object_set_new(object, "max_memory", json_integer((json_int_t)protocol->max_memory));
    line = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    const int whole = line && errno != ENOMEM;
    free(source);
    free(title);
    free(how);
    if (whole)
        return line;
    free(line);
    seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while describing the run");
    return NULL;
}

seg_status seg_settings_parse(seg_context *ctx, const char *line, seg_settings *out) {
    json_t *object = seg_json_read(line, strlen(line), 0, NULL), *methods = NULL;
    const char *dataset, *title, *source, *void_is;
    json_int_t items, seed;
    memset(out, 0, sizeof *out);
    int good =
        object && json_unpack(object, "{s:s, s:s, s:s, s:s, s:I, s:i, s:i, s:I, s:o}", "dataset", &dataset, "title",
                              &title, "constraints", &source, "void", &void_is, "items", &items, "repeats",
                              &out->repeats, "corrections", &out->corrections, "seed", &seed, "methods", &methods) == 0;
    good = good && items >= 0 && out->repeats >= 1 && out->corrections >= 0;
    if (good) {
        out->items = (size_t)items;
        out->seed = (uint64_t)seed;
        out->dataset = strdup(dataset);
        out->title = strdup(title);
        out->source = strdup(source);
        if (out->title && out->source) {
            seg_name_decode(out->title);
            seg_name_decode(out->source);
        }
        out->void_is = strdup(void_is);
        out->clicks = (int)json_integer_value(json_object_get(object, "clicks"));
        out->object_first = json_is_true(json_object_get(object, "object_first"));
        const char *how = json_string_value(json_object_get(object, "how"));
        out->how = strdup(how ? how : "");
        if (out->how)
            seg_name_decode(out->how);
        out->labels = (int)json_array_size(methods);
        out->label = calloc((size_t)out->labels + 1, sizeof *out->label);
        good = out->dataset && out->title && out->source && out->void_is && out->how && out->label && out->labels > 0;
        for (int m = 0; m < out->labels && good; m++) {
            const char *label = json_string_value(json_array_get(methods, (size_t)m));
            good = label && (out->label[m] = strdup(label));
        }
    }
    const int exhausted = errno == ENOMEM;
    json_decref(object);
    if (good && !exhausted)
        return SEG_OK;
    seg_settings_free(out);
    if (exhausted)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading the journal's settings");
    return seg_fail(ctx, SEG_ERR_INPUT, "the journal is not one of 'segment eval'");
}

seg_status seg_settings_of_journal(seg_context *ctx, const char *path, char **line) {
    char text[128];
    size_t room = 0;
    *line = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return seg_fail(ctx, SEG_ERR_IO, "cannot open the journal '%s': %s", path,
                        strerror_r(errno, text, sizeof text));
    const ssize_t length = getline(line, &room, file);
    fclose(file);
    if (length > (ssize_t)strlen(HEAD) && strncmp(*line, HEAD, strlen(HEAD)) == 0 && (*line)[length - 1] == '\n') {
        (*line)[length - 1] = 0;
        memmove(*line, *line + strlen(HEAD), (size_t)length - strlen(HEAD));
        return SEG_OK;
    }
    free(*line);
    *line = NULL;
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not a journal of a run", path);
}

void seg_settings_free(seg_settings *settings) {
    for (int m = 0; settings->label && m < settings->labels; m++)
        free(settings->label[m]);
    free(settings->label);
    free(settings->dataset);
    free(settings->title);
    free(settings->source);
    free(settings->void_is);
    free(settings->how);
    memset(settings, 0, sizeof *settings);
}
