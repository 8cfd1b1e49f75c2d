/* The registry: one row per method, in the order of `segment methods`. */
#include "methods/method.h"

#include "base/base.h"
#include "base/decimal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const seg_method_row *const rows[] = {
    &seg_method_auto,
    &seg_method_walk,
    &seg_method_forest,
    &seg_method_mixture,
    &seg_method_enpakl,
    &seg_method_enpakl1,
    &seg_method_tragek,
    &seg_method_pcp,
    &seg_method_ccskl,
    &seg_method_ccsr,
    &seg_method_spectral_learning,
    &seg_method_sskk,
    &seg_method_kernel_hmrf_kmeans,
    &seg_method_ncut,
    &seg_method_kmeans,
    &seg_method_kernel_kmeans,
    &seg_method_seeded_kmeans,
    &seg_method_constrained_kmeans,
    &seg_method_pckmeans,
    &seg_method_cop_kmeans,
    &seg_method_hmrf_kmeans,
};

#define ROWS ((int)(sizeof rows / sizeof rows[0]))

const seg_method *seg_method_at(int i) {
    return i >= 0 && i < ROWS ? &rows[i]->info : NULL;
}

const seg_method *seg_method_find(const char *name) {
    for (int i = 0; i < ROWS; i++)
        if (name && strcasecmp(rows[i]->info.name, name) == 0)
            return &rows[i]->info;
    return NULL;
}

const seg_method *seg_method_default(int constrained) {
    return constrained ? &seg_method_auto.info : &seg_method_ncut.info;
}

const seg_method_row *seg_method_row_of(const seg_method *method) {
    for (int i = 0; i < ROWS; i++)
        if (&rows[i]->info == method)
            return rows[i];
    return NULL;
}

void seg_params_default(const seg_method *method, seg_params *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < method->param_count; i++)
        out->value[i] = method->param[i].initial;
}

/* "a, b or c" of the choices or of the parameters' names. */
static void list_names(char *text, size_t size, int count, const char *const *choice, const seg_param *param) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 choice ? choice[i] : param[i].name);
}

/* The text in today's names where it begins with an earlier one; saved runs have them. `room` may be written to. */
static const char *without_earlier_names(const char *text, char *room, size_t size) {
    static const char *const renamed[][2] = {{"leak=", "termination="},
                                             {"moves=things", "moves=samples"}}; /* the earlier name first */
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        const size_t length = strlen(renamed[i][0]);
        if (strncmp(text, renamed[i][0], length) == 0 &&
            snprintf(room, size, "%s%s", renamed[i][1], text + length) < (int)size)
            return room;
    }
    return text;
}

seg_status seg_params_set(seg_context *ctx, const seg_method *method, const char *text, seg_params *params) {
    char room[128];
    text = without_earlier_names(text, room, sizeof room);
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const seg_param *param = NULL;
    char names[400], *end;
    double value;
    int index = 0, choices = 0;
    for (int i = 0; i < method->param_count; i++)
        if (strlen(method->param[i].name) == length && strncmp(method->param[i].name, text, length) == 0)
            param = &method->param[index = i];
    if (!param || !equals) {
        list_names(names, sizeof names, method->param_count, NULL, method->param);
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' is not NAME=VALUE with a parameter of %s; it has %s", text,
                        method->name, method->param_count ? names : "none");
    }
    if (param->choice) {
        while (param->choice[choices])
            choices++;
        for (int c = 0; c < choices; c++)
            if (strcasecmp(param->choice[c], equals + 1) == 0) {
                params->value[index] = c;
                return SEG_OK;
            }
        list_names(names, sizeof names, choices, param->choice, NULL);
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter %s of %s is %s, not '%s'", param->name, method->name, names,
                        equals + 1);
    }
    errno = 0;
    value = seg_decimal(equals + 1, &end);
    if (end == equals + 1 || *end || errno || !isfinite(value) || value < param->low || value > param->high ||
        (param->whole && value != floor(value)))
        return seg_fail(ctx, SEG_ERR_USAGE, "parameter %s of %s is a %snumber from %g to %g, not '%s'", param->name,
                        method->name, param->whole ? "whole " : "", param->low, param->high, equals + 1);
    params->value[index] = value;
    return SEG_OK;
}
