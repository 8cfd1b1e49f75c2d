/* Results of items as text; numbers are lossless (17 digits). */
#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/runner/item.h"

const char *const seg_outcome_names[] = {"scored", "skipped", "broken"};

/* Decode a message from JSON, where the names of files in it are encoded. */
static void take_message(const char *text, char *out, size_t size) {
    SEG_FREED char *name = strdup(text);
    if (name)
        seg_name_decode(name);
    snprintf(out, size, "%s", name ? name : "");
}

/* The numbers of a struct, by name. */
typedef struct field {
    const char *name;
    enum { REAL, INT, SIZE } type;
    size_t offset;
} field;

#define FIELD(name, type, of, member)                                                                                  \
    { name, type, offsetof(of, member) }
static const field attempt_fields[] = {
    FIELD("accuracy", REAL, seg_attempt, scores.pairwise_accuracy),
    FIELD("clustering_error", REAL, seg_attempt, scores.clustering_error),
    FIELD("nmi", REAL, seg_attempt, scores.nmi),
    FIELD("pairwise_f", REAL, seg_attempt, scores.pairwise_f),
    FIELD("dice", REAL, seg_attempt, scores.mean_dice),
    FIELD("error", REAL, seg_attempt, scores.error_rate),
    FIELD("scored", SIZE, seg_attempt, scores.scored),
    FIELD("seconds", REAL, seg_attempt, seconds),
    FIELD("memory", SIZE, seg_attempt, memory),
    {0},
};
static const field result_fields[] = {
    FIELD("width", INT, seg_item_result, width),  FIELD("height", INT, seg_item_result, height),
    FIELD("k", INT, seg_item_result, k),          FIELD("marked", SIZE, seg_item_result, marked),
    FIELD("pairs", SIZE, seg_item_result, pairs), {0},
};
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "scores.scored is read and written as a size");

static void put_fields(json_t *object, const field *f, const void *from) {
    for (; f->name; f++) {
        const void *at = (const char *)from + f->offset;
        json_object_set_new(object, f->name,
                            f->type == REAL  ? json_real(*(const double *)at)
                            : f->type == INT ? json_integer(*(const int *)at)
                                             : json_integer((json_int_t) * (const size_t *)at));
    }
}

/* 0 if one is missing or of another type. */
static int take_fields(const json_t *object, const field *f, void *to) {
    for (; f->name; f++) {
        const json_t *value = json_object_get(object, f->name);
        void *at = (char *)to + f->offset;
        if (f->type == REAL ? !json_is_number(value) : !json_is_integer(value))
            return 0;
        if (f->type == REAL)
            *(double *)at = json_number_value(value);
        else if (f->type == INT)
            *(int *)at = (int)json_integer_value(value);
        else
            *(size_t *)at = (size_t)json_integer_value(value);
    }
    return 1;
}

json_t *seg_attempt_json(const seg_attempt *attempt) {
    json_t *object = json_pack("{s:i}", "status", (int)attempt->status);
    if (attempt->status != SEG_OK) {
        json_object_set_new(object, "message", seg_json_text(attempt->message, SEG_NAME_JSON));
        return object;
    }
    json_t *curve = json_array();
    for (int c = 0; c < attempt->curve_count; c++)
        json_array_append_new(curve, json_real(attempt->curve[c]));
    put_fields(object, attempt_fields, attempt);
    json_object_set_new(object, "curve", curve);
    json_object_set_new(object, "ran", *attempt->ran ? json_string(attempt->ran) : json_null());
    return object;
}

int seg_attempt_parse(const json_t *object, seg_attempt *out) {
    const json_t *status = json_object_get(object, "status"), *curve = json_object_get(object, "curve");
    const char *message = json_string_value(json_object_get(object, "message"));
    const char *ran = json_string_value(json_object_get(object, "ran"));
    memset(out, 0, sizeof *out);
    if (!json_is_integer(status) || json_integer_value(status) < 0 || json_integer_value(status) > SEG_ERR_LIMIT)
        return 0;
    out->status = (seg_status)json_integer_value(status);
    if (out->status && message)
        take_message(message, out->message, sizeof out->message);
    if (out->status)
        return message != NULL;
    if (!take_fields(object, attempt_fields, out) || !curve)
        return 0;
    snprintf(out->ran, sizeof out->ran, "%s", ran ? ran : "");
    out->curve_count = (int)json_array_size(curve);
    out->curve = seg_alloc(NULL, (size_t)out->curve_count, sizeof *out->curve);
    for (int c = 0; out->curve && c < out->curve_count; c++)
        out->curve[c] = json_number_value(json_array_get(curve, (size_t)c));
    return out->curve != NULL;
}

json_t *seg_item_result_json(const seg_item_result *result) {
    json_t *attempts = json_array();
    for (int a = 0; a < result->attempts; a++)
        json_array_append_new(attempts, seg_attempt_json(&result->attempt[a]));
    json_t *object = json_pack("{s:s, s:o, s:o}", "outcome", seg_outcome_names[result->outcome], "message",
                               seg_json_text(result->message, SEG_NAME_JSON), "methods", attempts);
    put_fields(object, result_fields, result);
    return object;
}

char *seg_item_result_text(const seg_item_result *result) {
    return seg_json_dump(seg_item_result_json(result), JSON_COMPACT);
}

/* 0 if the object is not valid, or if out of memory. */
static int take_result(seg_context *ctx, const json_t *object, seg_item_result *out) {
    const json_t *methods = json_object_get(object, "methods");
    const char *outcome = json_string_value(json_object_get(object, "outcome"));
    const char *message = json_string_value(json_object_get(object, "message"));
    const size_t count = json_array_size(methods);
    int o = 0;
    if (!outcome || !message || !methods || !take_fields(object, result_fields, out))
        return 0;
    while (o < 3 && strcmp(outcome, seg_outcome_names[o]) != 0)
        o++;
    out->outcome = (seg_outcome)o;
    take_message(message, out->message, sizeof out->message);
    out->attempt = seg_alloc_zero(ctx, count, sizeof *out->attempt);
    if (o == 3 || !out->attempt)
        return 0;
    for (size_t a = 0; a < count; a++) {
        out->attempts++;
        if (!seg_attempt_parse(json_array_get(methods, a), &out->attempt[a]))
            return 0;
    }
    return 1;
}

seg_status seg_item_result_parse(seg_context *ctx, const char *text, seg_item_result *out) {
    json_t *object = seg_json_read(text, strlen(text), 0, NULL);
    memset(out, 0, sizeof *out);
    const int good = take_result(ctx, object, out), exhausted = errno == ENOMEM;
    json_decref(object);
    if (good && !exhausted)
        return SEG_OK;
    seg_item_result_free(out);
    return exhausted ? seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading a result in the journal")
                     : seg_fail(ctx, SEG_ERR_INPUT,
                                "a result in the journal cannot be understood; start again with --restart");
}

void seg_item_result_free(seg_item_result *result) {
    for (int a = 0; a < result->attempts; a++)
        free(result->attempt[a].curve);
    SEG_CLEAR(result, result->attempt);
}
