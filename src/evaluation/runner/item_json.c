/* Results of items as text: numbers go through it without loss (17 digits). */
#include "base/base.h"
#include "base/json_read.h"
#include "base/name_text.h"
#include "evaluation/runner/item.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const seg_outcome_names[] = {"scored", "skipped", "broken"};

json_t *seg_json_text(const char *text, seg_name_form form) {
    char *encoded = seg_name_encode(text, form);
    json_t *string = encoded ? json_string(encoded) : NULL;
    free(encoded);
    return string;
}

/* A message back from JSON; messages name files. */
static void take_message(const char *text, char *out, size_t size) {
    char *name = strdup(text);
    if (name)
        seg_name_decode(name);
    snprintf(out, size, "%s", name ? name : "");
    free(name);
}

json_t *seg_attempt_json(const seg_attempt *attempt) {
    const seg_scores *s = &attempt->scores;
    if (attempt->status != SEG_OK)
        return json_pack("{s:i, s:o}", "status", (int)attempt->status, "message",
                         seg_json_text(attempt->message, SEG_NAME_JSON));
    json_t *curve = json_array();
    for (int c = 0; c < attempt->curve_count; c++)
        json_array_append_new(curve, json_real(attempt->curve[c]));
    return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:f, s:I, s:i, s:o, s:s?}", "status", 0, "accuracy",
                     s->pairwise_accuracy, "clustering_error", s->clustering_error, "nmi", s->nmi, "pairwise_f",
                     s->pairwise_f, "dice", s->mean_dice, "error", s->error_rate, "scored", (json_int_t)s->scored,
                     "seconds", attempt->seconds, "memory", (json_int_t)attempt->memory, "strokes", attempt->strokes,
                     "curve", curve, "ran", *attempt->ran ? attempt->ran : NULL);
}

int seg_attempt_parse(const json_t *object, seg_attempt *out) {
    seg_scores *s = &out->scores;
    json_int_t scored, memory;
    const char *message;
    json_t *curve;
    int status;
    memset(out, 0, sizeof *out);
    /* json_unpack does not change what it reads, but does not say so. */
    json_t *from = (json_t *)(uintptr_t)object;
    if (json_unpack(from, "{s:i}", "status", &status) != 0 || status < 0 || status > SEG_ERR_LIMIT)
        return 0;
    out->status = (seg_status)status;
    if (status) {
        if (json_unpack(from, "{s:s}", "message", &message) != 0)
            return 0;
        take_message(message, out->message, sizeof out->message);
        return 1;
    }
    if (json_unpack(from, "{s:F, s:F, s:F, s:F, s:F, s:F, s:I, s:F, s:I, s:i, s:o}", "accuracy", &s->pairwise_accuracy,
                    "clustering_error", &s->clustering_error, "nmi", &s->nmi, "pairwise_f", &s->pairwise_f, "dice",
                    &s->mean_dice, "error", &s->error_rate, "scored", &scored, "seconds", &out->seconds, "memory",
                    &memory, "strokes", &out->strokes, "curve", &curve) != 0)
        return 0;
    const char *ran = json_string_value(json_object_get(from, "ran")); /* earlier versions did not record it */
    snprintf(out->ran, sizeof out->ran, "%s", ran ? ran : "");
    s->scored = (uint64_t)scored;
    out->memory = (size_t)memory;
    out->curve_count = (int)json_array_size(curve);
    out->curve = seg_alloc(NULL, (size_t)out->curve_count, sizeof *out->curve);
    for (int c = 0; out->curve && c < out->curve_count; c++)
        out->curve[c] = json_number_value(json_array_get(curve, (size_t)c));
    return out->curve != NULL;
}

char *seg_item_result_text(seg_context *ctx, const seg_item_result *result) {
    errno = 0; /* Jansson leaves out what it has no memory for; only malloc tells */
    json_t *attempts = json_array();
    for (int a = 0; a < result->attempts; a++)
        json_array_append_new(attempts, seg_attempt_json(&result->attempt[a]));
    json_t *object =
        json_pack("{s:s, s:o, s:i, s:i, s:i, s:i, s:I, s:I, s:o}", "outcome", seg_outcome_names[result->outcome],
                  "message", seg_json_text(result->message, SEG_NAME_JSON), "width", result->width, "height",
                  result->height, "k", result->k, "annotators", result->annotators, "marked",
                  (json_int_t)result->marked, "pairs", (json_int_t)result->pairs, "methods", attempts);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (text && errno != ENOMEM)
        return text;
    free(text);
    seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while recording a result");
    return NULL;
}

seg_status seg_item_result_parse(seg_context *ctx, const char *text, seg_item_result *out) {
    json_t *object = seg_json_read(text, strlen(text), 0, NULL), *methods = NULL;
    const char *outcome, *message;
    json_int_t marked, pairs;
    int good = 0;
    memset(out, 0, sizeof *out);
    if (object && json_unpack(object, "{s:s, s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:o}", "outcome", &outcome, "message",
                              &message, "width", &out->width, "height", &out->height, "k", &out->k, "annotators",
                              &out->annotators, "marked", &marked, "pairs", &pairs, "methods", &methods) == 0) {
        take_message(message, out->message, sizeof out->message);
        out->marked = (size_t)marked;
        out->pairs = (size_t)pairs;
        for (int o = 0; o < 3; o++)
            if (strcmp(outcome, seg_outcome_names[o]) == 0) {
                out->outcome = (seg_outcome)o;
                good = 1;
            }
        const size_t count = json_array_size(methods);
        out->attempt = seg_alloc_zero(ctx, count, sizeof *out->attempt);
        for (size_t a = 0; out->attempt && a < count && good; a++) {
            good = seg_attempt_parse(json_array_get(methods, a), &out->attempt[a]);
            out->attempts = (int)a + 1;
        }
        good = good && out->attempt;
    }
    const int exhausted = errno == ENOMEM;
    json_decref(object);
    if (good && !exhausted)
        return SEG_OK;
    seg_item_result_free(out);
    if (exhausted)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading a result in the journal");
    return seg_fail(ctx, SEG_ERR_INPUT, "a result in the journal cannot be understood; start again with --restart");
}

void seg_item_result_free(seg_item_result *result) {
    for (int a = 0; a < result->attempts; a++)
        free(result->attempt[a].curve);
    free(result->attempt);
    memset(result, 0, sizeof *result);
}
