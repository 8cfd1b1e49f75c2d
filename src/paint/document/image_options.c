#include "paint/document/image_options.h"
#include "cli/common/report_parts.h"

/* Set an option to its initial value, which some options cannot express as text. */
static seg_status take_initial(seg_context *ctx, const char *name, const seg_options *initial, seg_options *out) {
    char text[256];
    const seg_option *row = seg_option_find(name);
    const seg_option_type type = row ? row->type : SEG_OPTION_SHARED;
    const int same_method =
        out->method == initial->method || (out->method && initial->method && strcmp(out->method, initial->method) == 0);
    if (type == SEG_OPTION_INT || type == SEG_OPTION_FLAG || type == SEG_OPTION_BOX) {
        memcpy((char *)out + row->offset, (const char *)initial + row->offset,
               type == SEG_OPTION_BOX ? sizeof out->box : sizeof out->k);
    } else if (strcmp(name, "param") == 0 && !same_method) {
        const seg_method *method = out->method ? seg_method_find(out->method) : NULL;
        out->params_set = method != NULL;
        for (int i = 0; method && i < method->param_count; i++)
            out->params.value[i] = method->param[i].initial;
    } else if (strcmp(name, "method") == 0 || strcmp(name, "param") == 0) {
        out->method = initial->method;
        out->params = initial->params;
        out->params_set = initial->params_set;
    } else {
        SEG_TRY(seg_options_get(ctx, initial, name, text, sizeof text));
        return seg_options_set(ctx, out, name, text);
    }
    return SEG_OK;
}

seg_options paint_first_options(const paint_drawing *drawing, const seg_options *given) {
    seg_options first = *given;
    first.object = given->object || (drawing->objects && !given->k && !given->model && !drawing->start);
    first.start = drawing->start;
    first.slices = drawing->slices;
    first.spacing = drawing->spacing;
    first.channels = drawing->channels;
    return first;
}

seg_status paint_drawing_options(seg_context *ctx, const paint_drawing *drawing, const seg_options *given,
                                 seg_options *out) {
    const seg_options first = paint_first_options(drawing, given), *initial = &first;
    seg_options usual = seg_options_default();
    *out = first;
    for (size_t i = 0; i < drawing->at; i++) {
        const json_t *set = json_object_get(drawing->acts[i].json, "set");
        const char *name = json_string_value(json_object_get(set, "name"));
        if (drawing->acts[i].kind == PAINT_FINISH) /* a box is of one object */
            out->box = usual.box;
        if (drawing->acts[i].kind != PAINT_SET)
            continue;
        if (strcmp(name, "defaults") == 0) {
            *out = *initial;
            continue;
        }
        const char *value = json_string_value(json_object_get(set, "value"));
        SEG_TRY(value && value[0] ? seg_options_set(ctx, out, name, value)
                                  : take_initial(ctx, name, value ? initial : &usual, out));
        out->object = out->object > 0; /* a flag counts how often it is given */
    }
    out->slices = first.slices; /* as the file says, also where an older program let the page change it */
    out->channels = first.channels;
    return SEG_OK;
}

json_t *paint_options_json(seg_context *ctx, const seg_options *options) {
    json_t *all = json_object();
    const seg_option *row;
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++) {
        char text[256];
        if (!(row->traits & SEG_OPTION_HIDDEN) &&
            seg_options_get(ctx, options, row->name, text, sizeof text) == SEG_OK && text[0])
            json_object_set_new(all, row->name, json_string(text));
    }
    return all;
}

/* --- The command line. --- */

/* Print a word, quoted for a shell if necessary. */
static void put_word(FILE *to, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, to);
    fputc('\'', to);
}

static void put_option(FILE *to, const char *name, const char *value) {
    fprintf(to, " --%s ", name);
    put_word(to, value);
}

/* Print the parameters of the method that differ from their defaults. */
static void put_parameters(FILE *to, const seg_options *options) {
    const seg_method *method = options->method ? seg_method_find(options->method) : NULL;
    for (int i = 0; method && options->params_set && i < method->param_count; i++) {
        const seg_param *param = &method->param[i];
        const double value = options->params.value[i];
        if (value == param->initial)
            continue;
        if (param->choice)
            fprintf(to, " --param %s=%s", param->name, param->choice[(int)value]);
        else
            fprintf(to, " --param %s=%.17g", param->name, value);
    }
}

char *paint_command(seg_context *ctx, const paint_paths *paths, const seg_options *options, uint64_t seed,
                    int scribbles, const char *model) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    seg_options usual = seg_options_default();
    const seg_option *row;
    if (!to)
        return NULL;
    fputs("segment ", to);
    if (paths->photo[0] == '-')
        fputs("./", to);
    put_word(to, paths->photo);
    if (scribbles)
        put_option(to, "scribbles", paths->scribbles);
    if (paths->start)
        put_option(to, "start", paths->start);
    if (model)
        put_option(to, "model", model);
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++) {
        char value[256], initial[256];
        if (row->traits & SEG_OPTION_HIDDEN || row->type == SEG_OPTION_PARAM ||
            seg_options_get(ctx, options, row->name, value, sizeof value) != SEG_OK ||
            seg_options_get(ctx, &usual, row->name, initial, sizeof initial) != SEG_OK)
            continue;
        if (row->type == SEG_OPTION_FLAG) {
            if (value[0] && !initial[0])
                fprintf(to, " --%s", row->name);
            continue;
        }
        const char *said = paths->named && strcmp(row->name, "channels") == 0 ? paths->named : value;
        if (said[0] && strcmp(said, initial) != 0)
            put_option(to, row->name, said);
        if (strcmp(row->name, "method") == 0)
            put_parameters(to, options);
    }
    if (strchr(paths->mask, '/'))
        put_option(to, "output", paths->mask);
    if (seed != 1)
        fprintf(to, " --seed %llu", (unsigned long long)seed);
    return fclose(to) == 0 ? text : NULL;
}

/* --- With a model. --- */

int paint_model_takes(seg_context *ctx, const seg_options *options, const char *method) {
    seg_options with = *options;
    with.method = method;
    with.params_set = 0;
    return seg_options_check(ctx, &with) == SEG_OK;
}

json_t *paint_model_json(const char *path) {
    static const char *const decided[] = {"regions", "object", "box", "pairs", "features", "patch", "reduce"};
    const char *slash = strrchr(path, '/');
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        json_array_append_new(list, json_string(decided[i]));
    return json_pack("{s:o, s:o}", "name", cli_json_text(slash ? slash + 1 : path), "decides", list);
}
