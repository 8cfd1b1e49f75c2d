#include "paint/answer.h"

#include "paint/export.h"
#include "paint/page.h"
#include "paint/text.h"
#include "paint/thumb.h"

#include <segment/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char bytes_type[] = "application/octet-stream";

/* The reference is taken over; NULL is out of memory. */
static paint_answer json_answer(int status, json_t *json) {
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (!text)
        return (paint_answer){500, "text/plain", (void *)(size_t) "out of memory", 13, 0};
    return (paint_answer){status, "application/json", text, strlen(text), 1};
}

paint_answer paint_answer_error(int status, const char *sentence) {
    return json_answer(status, json_pack("{s:o}", "error", paint_text(sentence)));
}

static paint_answer bytes_answer(uint8_t *bytes, size_t size) {
    return bytes ? (paint_answer){200, bytes_type, bytes, size, 1} : paint_answer_error(404, "there is none such");
}

static const char *type_name(seg_option_type type) {
    switch (type) {
    case SEG_OPTION_CHOICE:
    case SEG_OPTION_VARIANT:
        return "choice";
    case SEG_OPTION_INT:
    case SEG_OPTION_WHOLE:
    case SEG_OPTION_REAL:
        return "number";
    case SEG_OPTION_METHOD:
        return "method";
    case SEG_OPTION_FLAG:
        return "flag";
    default:
        return "text";
    }
}

/* The table of options, for the page to make its controls of. */
static json_t *options_table(const paint_work *work) {
    json_t *list = json_array();
    const seg_option *row;
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++) {
        if (row->traits & SEG_OPTION_HIDDEN || row->type == SEG_OPTION_PARAM)
            continue;
        json_t *choices = json_array();
        for (int c = 0; row->choices && row->choices[c]; c++)
            json_array_append_new(choices, json_string(row->choices[c]));
        for (int m = 0; row->type == SEG_OPTION_METHOD && m < seg_method_count(); m++)
            if (paint_work_takes_method(work, seg_method_at(m)->name))
                json_array_append_new(choices, json_string(seg_method_at(m)->name));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:b, s:s?, s:s?}", "name", row->name, "type",
                                              type_name(row->type), "help", row->help, "choices", choices, "important",
                                              (row->traits & SEG_OPTION_IMPORTANT) != 0, "initial", row->initial,
                                              "unit", row->unit));
    }
    return list;
}

static json_t *param_json(const seg_param *param) {
    json_t *choices = json_array();
    for (int c = 0; param->choice && param->choice[c]; c++)
        json_array_append_new(choices, json_string(param->choice[c]));
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:o}", "name", param->name, "help", param->help, "initial",
                     param->initial, "low", param->low, "high", param->high, "choices", choices);
}

/* The methods that masks can be made with, and the parameters of each. */
static json_t *methods_table(void) {
    json_t *list = json_array();
    for (int m = 0; m < seg_method_count(); m++) {
        const seg_method *method = seg_method_at(m);
        json_t *params = json_array();
        for (int i = 0; i < method->param_count; i++)
            json_array_append_new(params, param_json(&method->param[i]));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o}", "name", method->name, "title", method->title, "params", params));
    }
    return list;
}

static paint_answer answer_state(paint_work *work) {
    json_t *exports = json_array();
    for (int i = 0; i < SEG_EXPORT_FORMATS; i++)
        json_array_append_new(exports, json_string(seg_export_format_at(i)->name));
    return json_answer(200, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "version", seg_version(), "images",
                                      paint_work_states(work), "labels", paint_work_labels(work), "options",
                                      options_table(work), "methods", methods_table(), "exports", exports, "model",
                                      paint_work_model(work)));
}

static paint_answer answer_item(paint_work *work, int item) {
    char message[SEG_MESSAGE_SIZE] = "";
    json_t *state = paint_work_open(work, item, message);
    return state ? json_answer(200, state) : paint_answer_error(500, message);
}

paint_answer paint_answer_get(paint_work *work, const paint_route *route, long long after) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    paint_file file;
    if (route->target == PAINT_TO_FILE) {
        if (!paint_page_find(route->file, &file))
            return paint_answer_error(404, "the page has no such file");
        return (paint_answer){200, file.type, (void *)(size_t)file.text, file.size, 0};
    }
    if (route->target == PAINT_TO_STATE)
        return answer_state(work);
    if (route->item >= paint_work_count(work))
        return paint_answer_error(404, "there is no such image");
    switch (route->target) {
    case PAINT_TO_ITEM:
        return answer_item(work, route->item);
    case PAINT_TO_NEWS:
        return json_answer(200, paint_work_news(work, route->item, after));
    case PAINT_TO_TILE:
        bytes = paint_work_tile(work, route->item, (paint_tiles)route->kind, route->level, route->column, route->row,
                                &size);
        return bytes_answer(bytes, size);
    case PAINT_TO_THUMB:
        bytes = paint_thumb(paint_work_paths(work, route->item)->photo, &size);
        return bytes_answer(bytes, size);
    case PAINT_TO_SAVED:
        bytes = paint_file_bytes(paint_work_paths(work, route->item)->mask, &size);
        if (!bytes)
            return paint_answer_error(404, "the mask is not written yet");
        return (paint_answer){200, "image/png", bytes, size, 1};
    default:
        return paint_answer_error(404, "there is nothing to get here");
    }
}

static paint_answer answer_code(int code, const char *message, json_t *good) {
    if (code == 200)
        return json_answer(200, good);
    json_decref(good);
    return paint_answer_error(code, message);
}

paint_answer paint_answer_post(paint_work *work, const paint_route *route, const char *body, size_t size) {
    char message[SEG_MESSAGE_SIZE] = "";
    int code = 200;
    json_t *json = json_loadb(body, size, JSON_REJECT_DUPLICATES, NULL), *good = NULL;
    if (!json_is_object(json)) {
        json_decref(json);
        return paint_answer_error(400, "the body is not a JSON object");
    }
    const json_t *edit = json_object_get(json, "edit"), *revision = json_object_get(json, "revision");
    if (route->item >= paint_work_count(work)) {
        code = 404;
        snprintf(message, sizeof message, "there is no such image");
    } else if (route->target == PAINT_TO_EDIT) {
        if (!json_is_object(edit) || !json_is_integer(revision)) {
            code = 400;
            snprintf(message, sizeof message, "an edit and the revision that it is of are needed");
        } else if (json_object_get(edit, "base") || json_object_get(edit, "answers")) {
            code = 400;
            snprintf(message, sizeof message, "what stands in files is not taken from the page");
        } else {
            code = paint_work_edit(work, route->item, json_integer_value(revision), edit, message);
            good = json_pack("{s:I}", "revision", json_integer_value(revision) + 1);
        }
    } else if (route->target == PAINT_TO_PEN) {
        code =
            paint_work_pen(work, route->item, json_integer_value(revision), json_object_get(json, "stroke"), message);
        good = json_object();
    } else if (route->target == PAINT_TO_UNCERTAINTY) {
        paint_work_show_uncertainty(work, json_is_true(json_object_get(json, "shown")));
        good = json_object();
    } else if (route->target == PAINT_TO_ASK) {
        code = paint_work_ask(work, json_is_true(json_object_get(json, "asking")), message) ? 200 : 400;
        good = json_object();
    } else if (route->target == PAINT_TO_EXPORT) {
        const json_int_t label = json_integer_value(json_object_get(json, "label"));
        code = paint_export(work, route->item, json_string_value(json_object_get(json, "kind")),
                            label > 0 && label <= SEG_MAX_LABELS ? (int)label : 0, message);
        good = json_pack("{s:o}", "written", paint_text(message));
    }
    json_decref(json);
    return answer_code(code, message, good);
}
