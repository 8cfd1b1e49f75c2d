/* Any text as features with their weights, as parameters of each method and as NAME:PARAMETER=VALUE:... */
#include "fuzz.h"

#include "evaluation/runner/item.h"
#include "features/spec.h"
#include "methods/method.h"

#include <math.h>

#define WRONG ALLOW(SEG_ERR_USAGE)

static void read_features(const char *text) {
    seg_context ctx = fuzz_context();
    seg_feature_spec spec, again;
    if (!fuzz_outcome(&ctx, seg_feature_spec_parse(&ctx, text, &spec), WRONG, &spec, sizeof spec))
        return;
    char written[512];
    size_t used = 0;
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++) {
        CHECK(isfinite(spec.weight[kind]) && spec.weight[kind] >= 0);
        if (spec.weight[kind] > 0)
            used += (size_t)snprintf(written + used, sizeof written - used, "%s%s=%.17g", used ? "," : "",
                                     seg_feature_names[kind], spec.weight[kind]);
    }
    CHECK(seg_feature_spec_parse(&ctx, written, &again) == SEG_OK);
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        CHECK(again.weight[kind] == spec.weight[kind]);
}

static void read_parameter(const seg_method *method, const char *text) {
    seg_context ctx = fuzz_context();
    seg_params params, before;
    before = seg_params_default(method);
    params = before;
    if (!fuzz_outcome(&ctx, seg_params_set(&ctx, method, text, &params), WRONG, NULL, 0))
        CHECK(memcmp(&params, &before, sizeof params) == 0);
    for (int i = 0; i < method->param_count; i++) {
        const seg_param *param = &method->param[i];
        CHECK(param->choice || (params.value[i] >= param->low && params.value[i] <= param->high));
        CHECK(!param->whole || params.value[i] == floor(params.value[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    AUTOFREE char *text = fuzz_text(bytes, size);
    seg_compared compared;
    read_features(text);
    for (int m = 0; seg_method_at(m); m++)
        read_parameter(seg_method_at(m), text);
    if (fuzz_outcome(&ctx, seg_compared_parse(&ctx, text, &compared), WRONG, NULL, 0))
        CHECK(memchr(compared.label, 0, sizeof compared.label));
    return 0;
}
