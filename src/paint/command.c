#include "paint/command.h"

#include <stdio.h>
#include <string.h>

/* A word as a shell takes it. */
static void put_word(FILE *to, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    }
    fputc('\'', to);
}

static void put_option(FILE *to, const char *name, const char *value) {
    fprintf(to, " --%s ", name);
    put_word(to, value);
}

/* The parameters of the method, each an option of its own. */
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
                    const paint_given *given) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    seg_options usual;
    const seg_option *row;
    if (!to)
        return NULL;
    seg_options_default(&usual);
    fputs("segment ", to);
    if (paths->photo[0] == '-')
        fputs("./", to);
    put_word(to, paths->photo);
    if (given->scribbles)
        put_option(to, "scribbles", paths->scribbles);
    if (given->pairs)
        put_option(to, "constraints", paths->pairs);
    if (given->model)
        put_option(to, "model", given->model);
    if (given->k && !options->k)
        fprintf(to, " --regions %d", given->k);
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
        if (value[0] && strcmp(value, initial) != 0)
            put_option(to, row->name, value);
        if (strcmp(row->name, "method") == 0)
            put_parameters(to, options);
    }
    if (strchr(paths->mask, '/'))
        put_option(to, "output", paths->mask);
    if (seed != 1)
        fprintf(to, " --seed %llu", (unsigned long long)seed);
    return fclose(to) == 0 ? text : NULL;
}
