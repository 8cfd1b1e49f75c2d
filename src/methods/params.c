/* Values of a method's parameters: defaults, those of its paper, and values from text. */
#include "methods/method.h"

#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void seg_params_default(const seg_method *method, seg_params *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < method->param_count; i++)
        out->value[i] = method->param[i].initial;
}

void seg_list_choices(const char *const *names, char *list, size_t size) {
    size_t used = 0;
    list[0] = 0;
    for (int i = 0; names[i] && used < size; i++) {
        const char *between = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, size - used, "%s%s", between, names[i]);
    }
}

seg_status seg_params_set(seg_context *ctx, const seg_method *method, const char *text, seg_params *params) {
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const seg_param *param = NULL;
    char names[400], *end;
    double value;
    int index = 0;
    for (int i = 0; i < method->param_count; i++)
        if (strlen(method->param[i].name) == length && strncmp(method->param[i].name, text, length) == 0)
            param = &method->param[index = i];
    if (!param || !equals) {
        const char *all[SEG_MAX_PARAMS + 1] = {0};
        for (int i = 0; i < method->param_count; i++)
            all[i] = method->param[i].name;
        seg_list_choices(all, names, sizeof names);
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' is not NAME=VALUE with a parameter of %s; it has %s", text,
                        method->name, method->param_count ? names : "none");
    }
    if (param->choice) {
        for (int c = 0; param->choice[c]; c++)
            if (strcasecmp(param->choice[c], equals + 1) == 0) {
                params->value[index] = c;
                return SEG_OK;
            }
        seg_list_choices(param->choice, names, sizeof names);
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

seg_status seg_params_variant(seg_context *ctx, const seg_method *method, seg_method_variant variant, seg_params *out) {
    seg_params_default(method, out);
    if (variant == SEG_VARIANT_IMPROVED)
        return SEG_OK;
    if (variant != SEG_VARIANT_PAPER)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no variant %d; the variants are paper and improved",
                        (int)variant);
    if (!method->paper)
        return seg_fail(ctx, SEG_ERR_USAGE, "the method %s is of no paper as it stands and has no variant paper",
                        method->name);
    for (int i = 0; method->paper[i]; i++)
        SEG_TRY(seg_params_set(ctx, method, method->paper[i], out));
    return SEG_OK;
}
