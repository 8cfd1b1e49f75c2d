#include "paint/server/server.h"

#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

/* --- Files of the page, which are part of the program. --- */

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".svg", "image/svg+xml"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof types / sizeof *types && dot; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "text/plain; charset=utf-8";
}

/* --- Answers. --- */

/* Takes over the reference; NULL means out of memory. */
static paint_answer json_answer(int status, json_t *json) {
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (!text)
        return (paint_answer){500, "text/plain", (void *)(size_t) "out of memory", 13, 0};
    return (paint_answer){status, "application/json", text, strlen(text), 1};
}

paint_answer paint_answer_error(int status, const char *sentence) {
    return json_answer(status, json_pack("{s:o}", "error", cli_json_text(sentence)));
}

/* --- Exports. --- */

/* Draw the overlay or, if `label` is not 0, the cut-out of the label. */
static seg_status draw(seg_context *ctx, const paint_paths *paths, const seg_mask *mask, int label, const char *path) {
    SEG_RELEASED(seg_image_free) seg_image photo = {0}, stack = {0};
    SEG_FREED uint8_t *alpha = label ? malloc((size_t)mask->width * (size_t)mask->height) : NULL;
    const seg_overlay_style style = SEG_OVERLAY_STYLE_DEFAULT;
    uint8_t labels[32] = {0};
    labels[label / 8] = (uint8_t)(1 << label % 8);
    SEG_TRY(seg_allocated(alpha || !label));
    int channels;
    SEG_TRY(paint_image_read(ctx, paths, &channels, &stack, &photo));
    SEG_TRY(label ? seg_cutout_alpha(ctx, mask, NULL, labels, alpha)
                  : seg_overlay_draw(ctx, &photo, mask, &style, &photo));
    return seg_image_write_png(ctx, path, &photo, alpha);
}

/* Write a mask in a format of --export, as "overlay", or as "cutout" of a label. @return the path, or why not */
static paint_answer write_export(paint_queue *queue, int item, const char *kind, int label) {
    const paint_paths *paths = &queue->settings.paths[item];
    const seg_export_format *format = NULL;
    const int overlay = kind && strcmp(kind, "overlay") == 0, cutout = kind && strcmp(kind, "cutout") == 0;
    for (int i = 0; kind && !format && seg_export_format_at(i); i++)
        format = strcasecmp(seg_export_format_at(i)->name, kind) == 0 ? seg_export_format_at(i) : NULL;
    if (!format && !overlay && (!cutout || label < 1))
        return paint_answer_error(400, "there is no such format");
    const seg_labelmap names = paint_request_labelmap(queue, item);
    const seg_export_about about = {paths->photo, &names};
    SEG_RELEASED(cli_context_free) seg_context *ctx = seg_context_create();
    const int stem = (int)(strlen(paths->mask) - strlen("-mask.png")); /* "masks/coffee" of "masks/coffee-mask.png" */
    SEG_FREED char *path = format    ? seg_format(NULL, "%.*s-mask.%s", stem, paths->mask, format->ending)
                           : overlay ? seg_format(NULL, "%.*s-overlay.png", stem, paths->mask)
                                     : seg_format(NULL, "%.*s-cutout-%d.png", stem, paths->mask, label);
    if (!ctx || !path)
        return paint_answer_error(500, paint_no_memory);
    paint_layer *mask = paint_request_mask(queue, item);
    if (!mask)
        return paint_answer_error(409, "there is no mask of these strokes yet");
    if (cutout && !memchr(mask->mask.label, label, (size_t)mask->mask.width * (size_t)mask->mask.height)) {
        paint_layer_release(mask);
        return paint_answer_error(400, "the mask has no pixel of this label to cut out");
    }
    const seg_status status = format ? seg_export_write(ctx, format->name, path, &mask->mask, &about)
                                     : draw(ctx, paths, &mask->mask, overlay ? 0 : label, path);
    paint_layer_release(mask);
    return status == SEG_OK ? json_answer(200, json_pack("{s:o}", "written", cli_json_text(path)))
                            : paint_answer_error(500, seg_context_message(ctx));
}

static paint_answer bytes_answer(const char *type, uint8_t *bytes, size_t size) {
    return bytes ? (paint_answer){200, type, bytes, size, 1} : paint_answer_error(404, "there is no such resource");
}

static const char *type_name(seg_option_type type) {
    static const char *const names[] = {
        [SEG_OPTION_CHOICE] = "choice", [SEG_OPTION_INT] = "number",    [SEG_OPTION_WHOLE] = "number",
        [SEG_OPTION_REAL] = "number",   [SEG_OPTION_METHOD] = "method", [SEG_OPTION_FLAG] = "flag"};
    return (size_t)type < sizeof names / sizeof *names && names[type] ? names[type] : "text";
}

/* The options, from which the page makes its controls. */
static json_t *options_table(const paint_queue *queue) {
    const seg_options *options = &queue->settings.options;
    SEG_RELEASED(cli_context_free) seg_context *ctx = options->model ? seg_context_create() : NULL;
    json_t *list = json_array();
    const seg_option *row;
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++) {
        if (row->traits & SEG_OPTION_HIDDEN || row->type == SEG_OPTION_PARAM || strcmp(row->name, "slices") == 0 ||
            strcmp(row->name, "channels") == 0)
            continue;
        json_t *choices = json_array();
        for (int c = 0; row->type == SEG_OPTION_CHOICE && row->choices && row->choices[c]; c++)
            json_array_append_new(choices, json_string(row->choices[c]));
        for (int m = 0; row->type == SEG_OPTION_METHOD && seg_method_at(m); m++)
            if (!ctx || paint_model_takes(ctx, options, seg_method_at(m)->name))
                json_array_append_new(choices, json_string(seg_method_at(m)->name));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:o, s:s?}", "name", row->name, "type", type_name(row->type),
                                        "help", row->help, "choices", choices, "initial", row->initial));
    }
    return list;
}

static paint_answer answer_state(paint_queue *queue) {
    json_t *exports = json_array(), *methods = json_array();
    for (int i = 0; seg_export_format_at(i); i++)
        json_array_append_new(exports, json_string(seg_export_format_at(i)->name));
    for (int m = 0; seg_method_at(m); m++)
        json_array_append_new(methods, cli_json_method(seg_method_at(m)));
    return json_answer(
        200, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "version", seg_version(), "images",
                       paint_request_states(queue), "labels", paint_request_labels(queue), "options",
                       options_table(queue), "methods", methods, "exports", exports, "model",
                       queue->settings.options.model ? paint_model_json(queue->settings.model) : json_null()));
}

static paint_answer answer_file(const char *name) {
    for (const paint_embedded *file = paint_embedded_files; file->name; file++)
        if (strcmp(name, file->name) == 0)
            return (paint_answer){200, type_of(name), (void *)(size_t)file->text, strlen(file->text), 0};
    return paint_answer_error(404, "the page has no such file");
}

paint_answer paint_answer_get(paint_queue *queue, const paint_route *route, long long after) {
    char message[SEG_MESSAGE_SIZE] = "";
    json_t *state;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (route->target == PAINT_TO_FILE)
        return answer_file(route->file[0] ? route->file : "index.html");
    if (route->target == PAINT_TO_STATE)
        return answer_state(queue);
    if (route->item >= queue->settings.count)
        return paint_answer_error(404, "there is no such image");
    const paint_paths *paths = &queue->settings.paths[route->item];
    switch (route->target) {
    case PAINT_TO_ITEM:
        state = paint_request_open(queue, route->item, message);
        return state ? json_answer(200, state) : paint_answer_error(500, message);
    case PAINT_TO_NEWS:
        return json_answer(200, paint_request_news(queue, route->item, after));
    case PAINT_TO_TILE:
        bytes = paint_request_tile(queue, route->item, (paint_tiles)route->kind, &route->tile, &size);
        return bytes_answer("application/octet-stream", bytes, size);
    case PAINT_TO_THUMB:
        bytes = paint_thumb(paths->channel ? paths->channel[0] : paths->photo, &size);
        return bytes_answer("application/octet-stream", bytes, size);
    case PAINT_TO_SAVED:
        seg_file_read(NULL, paths->mask, &bytes, &size);
        return bytes_answer("image/png", bytes, size);
    default:
        return paint_answer_error(404, "there is no such resource");
    }
}

static paint_answer post(paint_queue *queue, const paint_route *route, const json_t *body) {
    const json_t *edit = json_object_get(body, "edit"), *number = json_object_get(body, "revision");
    const json_int_t revision = json_integer_value(number), label = json_integer_value(json_object_get(body, "label"));
    char message[SEG_MESSAGE_SIZE] = "";
    int code = 200;
    if (!json_is_object(body))
        return paint_answer_error(400, "the body is not a JSON object");
    if (route->item >= queue->settings.count)
        return paint_answer_error(404, "there is no such image");
    switch (route->target) {
    case PAINT_TO_EDIT:
        if (!json_is_object(edit) || !json_is_integer(number))
            return paint_answer_error(400, "the request needs an edit and its revision");
        if (json_object_get(edit, "base"))
            return paint_answer_error(400, "options that name files cannot be set from the page");
        code = paint_request_edit(queue, route->item, revision, edit, message);
        if (code == 200)
            return json_answer(200, json_pack("{s:I}", "revision", revision + 1));
        break;
    case PAINT_TO_PEN:
        code = paint_request_pen(queue, route->item, revision, json_object_get(body, "stroke"), message);
        break;
    case PAINT_TO_EXPORT:
        return write_export(queue, route->item, json_string_value(json_object_get(body, "kind")),
                            label > 0 && label <= SEG_MAX_LABELS ? (int)label : 0);
    default:
        paint_request_show_uncertainty(queue, json_is_true(json_object_get(body, "shown")));
    }
    return code == 200 ? json_answer(200, json_object()) : paint_answer_error(code, message);
}

paint_answer paint_answer_post(paint_queue *queue, const paint_route *route, const char *body, size_t size) {
    json_t *json = json_loadb(body, size, JSON_REJECT_DUPLICATES, NULL);
    const paint_answer answer = post(queue, route, json);
    json_decref(json);
    return answer;
}
