/* The registry: one row per method, in the order of `segment methods`. */
#include "selection/cluster.h"

#include "base/base.h"

/* clang-format off */
#define METHODS(METHOD) \
    METHOD(auto) \
    METHOD(walk) \
    METHOD(forest) \
    METHOD(mixture) \
    METHOD(enpakl) \
    METHOD(enpakl1) \
    METHOD(tragek) \
    METHOD(pcp) \
    METHOD(ccskl) \
    METHOD(ccsr) \
    METHOD(spectral_learning) \
    METHOD(sskk) \
    METHOD(kernel_hmrf_kmeans) \
    METHOD(ncut) \
    METHOD(kmeans) \
    METHOD(kernel_kmeans) \
    METHOD(seeded_kmeans) \
    METHOD(constrained_kmeans) \
    METHOD(pckmeans) \
    METHOD(mpck_means) \
    METHOD(cop_kmeans) \
    METHOD(hmrf_kmeans)
/* clang-format on */

#define DECLARE(name) extern const seg_method_row seg_method_##name;
METHODS(DECLARE)

#define ROW(name) &seg_method_##name,
static const seg_method_row *const rows[] = {METHODS(ROW)};

#define ROWS ((int)(sizeof rows / sizeof rows[0]))

const seg_method *seg_method_at(int i) {
    return i >= 0 && i < ROWS ? &rows[i]->info : NULL;
}

const seg_method *seg_method_find(const char *name) {
    for (int i = 0; name && i < ROWS; i++)
        if (strcasecmp(rows[i]->info.name, name) == 0)
            return &rows[i]->info;
    return name ? NULL : &seg_method_auto.info;
}

const seg_method_row *seg_method_row_of(const seg_method *method) {
    for (int i = 0; i < ROWS; i++)
        if (&rows[i]->info == method)
            return rows[i];
    return NULL;
}

seg_status seg_method_parse(seg_context *ctx, const char *text, const seg_method **method,
                            seg_method_variant *variant) {
    const char *colon = strchr(text, ':');
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(colon ? colon - text : (long)strlen(text)), text);
    const seg_method *found = seg_method_find(name);
    if (!found)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no method '%s'", name);
    if (colon && strcasecmp(colon + 1, "improved") == 0)
        *variant = SEG_VARIANT_IMPROVED;
    else if (colon && strcasecmp(colon + 1, "paper") == 0) {
        seg_params unused;
        SEG_TRY(seg_params_variant(ctx, found, SEG_VARIANT_PAPER, &unused));
        *variant = SEG_VARIANT_PAPER;
    } else if (colon)
        return seg_fail(ctx, SEG_ERR_USAGE, "'%s' is not a variant of %s; they are %s:paper and %s:improved", colon + 1,
                        found->name, found->name, found->name);
    *method = found;
    return SEG_OK;
}
