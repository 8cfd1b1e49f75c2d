/* An experiment: its items, which the runner works on, and results.csv. */
#include "evaluation/experiments/experiment.h"

#include "base/base.h"
#include "evaluation/experiments/curves.h"
#include "evaluation/experiments/measure.h"
#include "evaluation/experiments/protocol.h"
#include "evaluation/report/text.h"
#include "evaluation/runner/report_folder.h"
#include "evaluation/runner/run_journal.h"
#include "evaluation/runner/runner.h"
#include "methods/method.h"

#include <segment/version.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const seg_protocol *const protocols[] = {
    &seg_protocol_error_curve,  &seg_protocol_accuracy_curve, &seg_protocol_held_out, &seg_protocol_active_curve,
    &seg_protocol_running_time, &seg_protocol_distances,      &seg_protocol_kernels,  &seg_protocol_rank_table,
};
enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

const seg_protocol_info *seg_protocol_at(int i) {
    return i >= 0 && i < PROTOCOLS ? &protocols[i]->info : NULL;
}

const seg_protocol_info *seg_protocol_find(const char *name) {
    for (int i = 0; i < PROTOCOLS; i++)
        if (strcasecmp(protocols[i]->info.name, name) == 0)
            return &protocols[i]->info;
    return NULL;
}

static const seg_protocol *protocol_of(const seg_protocol_info *info) {
    for (int i = 0; i < PROTOCOLS; i++)
        if (&protocols[i]->info == info)
            return protocols[i];
    return NULL;
}

const char *seg_protocol_compared(const seg_protocol_info *info, int i) {
    const seg_protocol *protocol = protocol_of(info);
    return protocol && i >= 0 && i < protocol->variants ? protocol->variant[i].name : NULL;
}

static int left_out(const seg_run *run, const seg_dataset *set, const seg_variant *variant) {
    return (variant->most && set->X.rows > variant->most) ||
           (variant->flags & SEG_VARIANT_FEW && !run->options->full && set->X.rows > SEG_FEW_SAMPLES);
}

static seg_status make_items(seg_context *ctx, seg_run *run) {
    const size_t most = run->datasets * (size_t)run->variants * SEG_MOST_SIZES * (size_t)run->realizations;
    run->item = seg_alloc_zero(ctx, most, sizeof *run->item);
    if (!run->item)
        return SEG_ERR_MEMORY;
    for (size_t d = 0; d < run->datasets; d++) {
        int size[SEG_MOST_SIZES];
        const int sizes = seg_run_sizes(run, &run->data[d], size);
        for (int v = 0; v < run->variants; v++) {
            const seg_variant *variant = &run->variant[v];
            if (left_out(run, &run->data[d], variant)) {
                seg_log(ctx, SEG_LOG_WARNING, "%s is skipped on %s: %zu samples are too many%s", variant->name,
                        run->data[d].name, run->data[d].X.rows,
                        variant->most && run->data[d].X.rows > variant->most ? "" : " for a short run (--full)");
                continue;
            }
            for (int s = 0; s < (variant->flags & SEG_VARIANT_UNCONSTRAINED ? 1 : sizes); s++)
                for (int r = 0; r < run->realizations; r++) {
                    seg_item *item = &run->item[run->items++];
                    *item = (seg_item){.set = &run->data[d], .variant = variant, .data = d, .v = v, .s = s};
                    item->size = variant->flags & SEG_VARIANT_UNCONSTRAINED ? 0 : size[s];
                    item->realization = r;
                    snprintf(item->key, sizeof item->key, "%s/%s/%06d/%04d", run->data[d].name, variant->name,
                             item->size, r);
                }
        }
    }
    return SEG_OK;
}

const seg_item *seg_run_cell(const seg_run *run, size_t data, int v, int s, int *count) {
    const int level = run->variant[v].flags & SEG_VARIANT_UNCONSTRAINED;
    *count = 0;
    for (size_t i = 0; i < run->items; i++)
        if (run->item[i].data == data && run->item[i].v == v && (level || run->item[i].s == s)) {
            *count = run->realizations;
            return &run->item[i];
        }
    return NULL;
}

uint64_t seg_shared_seed(const seg_run *run, const seg_item *item) {
    char key[256];
    snprintf(key, sizeof key, "%s/%06d/%04d", item->set->name, item->size, item->realization);
    return seg_item_seed(run->seed, key);
}

/* Everything the numbers depend on. */
static seg_status describe(seg_context *ctx, seg_run *run, seg_text *out) {
    seg_text about = {0};
    const seg_status status = seg_run_describe(ctx, run, &about);
    run->about = about.at;
    if (status)
        return status;
    seg_text_add(ctx, out, "segment %s experiment %s; %s; methods", SEG_VERSION, run->protocol->info.name, run->about);
    for (int v = 0; v < run->variants; v++)
        seg_text_add(ctx, out, "%s%s", v ? "," : " ", run->variant[v].name);
    seg_text_add(ctx, out, "; data");
    for (size_t d = 0; d < run->datasets; d++)
        seg_text_add(ctx, out, " %s:%016" PRIx64, run->data[d].name, run->data[d].checksum);
    return out->status;
}

static char *key_of(seg_context *ctx, const void *user, size_t number) {
    const seg_run *run = user;
    return seg_format(ctx, "%s", run->item[number].key);
}

/* The values, and behind them the wall seconds that they took. */
static seg_status solve_item(seg_context *ctx, const void *user, size_t number, char **record) {
    const seg_run *run = user;
    const seg_item *item = &run->item[number];
    double value[SEG_MOST_VALUES] = {0};
    seg_text text = {0};
    const double before = seg_now();
    seg_status status = run->protocol->solve(ctx, run, item, value);
    const double took = seg_now() - before;
    if (status) {
        char message[SEG_MESSAGE_SIZE];
        memcpy(message, ctx->message, sizeof message);
        return seg_fail(ctx, status, "%s: %.900s", item->key, message);
    }
    for (int i = 0; i < run->protocol->values; i++)
        seg_text_add(ctx, &text, "%s%.9g", i ? " " : "", value[i]);
    seg_text_add(ctx, &text, " %.3g", took);
    *record = text.at;
    return text.status;
}

/* The numbers from the journal, whether computed now or before an interruption. *work: seconds of all items. */
static seg_status take_values(seg_context *ctx, seg_run *run, seg_journal *journal, double *work) {
    const size_t values = (size_t)run->protocol->values;
    run->value = seg_alloc(ctx, run->items, values * sizeof *run->value);
    if (!run->value)
        return SEG_ERR_MEMORY;
    for (size_t i = 0; i < run->items; i++) {
        const char *text = seg_journal_find(journal, run->item[i].key);
        for (size_t v = 0; v < values; v++) {
            char *end = NULL;
            run->value[i * values + v] = text ? strtod(text, &end) : 0;
            if (!text || end == text)
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "the journal's record '%s' does not hold %zu numbers; start again with --restart",
                                run->item[i].key, values);
            text = end;
        }
        *work += strtod(text, NULL);
        run->item[i].value = run->value + i * values;
    }
    return SEG_OK;
}

static seg_status write_results(seg_context *ctx, const seg_run *run) {
    seg_text text = {0};
    seg_text_add(ctx, &text, "dataset,method,constraints,realization,%s\n", run->protocol->columns);
    for (size_t i = 0; i < run->items; i++) {
        const seg_item *item = &run->item[i];
        seg_text_add(ctx, &text, "%s,%s,%d,%d", item->set->name, item->variant->name, item->size,
                     item->realization + 1);
        for (int v = 0; v < run->protocol->values; v++)
            seg_text_add(ctx, &text, ",%.9g", item->value[v]);
        seg_text_add(ctx, &text, "\n");
    }
    return seg_text_write(ctx, &text, run->options->out, run->protocol->timed ? "times.csv" : "results.csv");
}

/* Each set with the graphs of what is run on it. */
static seg_status prepare_sets(seg_context *ctx, seg_run *run) {
    const seg_experiment_options *options = run->options;
    seg_status status = SEG_OK;
    for (size_t d = 0; d < run->datasets && !status; d++) {
        unsigned graphs = 0, last = UINT_MAX;
        for (size_t i = 0; i < run->items; i++)
            if (run->item[i].data == d && (unsigned)run->item[i].v != last) {
                last = (unsigned)run->item[i].v;
                const unsigned own = seg_variant_graphs(run->item[i].variant), all = run->protocol->graphs;
                graphs |= own | (own && !(all & SEG_DATASET_CANDIDATES) ? 0 : all);
            }
        run->data[d].widths = options->widths;
        memcpy(run->data[d].width, options->width, sizeof options->width);
        status = seg_dataset_prepare(ctx, &run->data[d], graphs);
    }
    return status;
}

/* The eigenvectors that items will ask for: once for each graph, since draws and labellings share them. Protocols that
 * measure time include the eigenvectors. */
static seg_status prepare_spectra(seg_context *ctx, seg_run *run) {
    seg_status status = SEG_OK;
    for (size_t i = 0; i < run->items && !status && !run->protocol->timed; i += (size_t)run->realizations) {
        const seg_item *item = &run->item[i];
        const seg_csr *graph[SEG_CANDIDATES] = {seg_item_problem(run, item, NULL).affinity};
        const int graphs = run->protocol->graphs & SEG_DATASET_CANDIDATES ? seg_item_graphs(item, graph) : 1;
        const seg_method *method = seg_method_find(item->variant->method);
        const int k = item->set->labels.classes;
        seg_params params;
        if ((status = seg_variant_params(ctx, item->variant, item->set->X.rows, &params)) != SEG_OK)
            break;
        const int columns = seg_smoothest_columns(method, &params, item->set->X.rows, k);
        for (int g = 0; g < graphs && columns && graph[g] && !status; g++) {
            status = seg_spectra_add(ctx, &run->prepared.spectra, graph[g], columns);
            if (!status && item->variant->flags & SEG_VARIANT_UNCONSTRAINED) /* for the eigengap */
                status = seg_spectra_add(ctx, &run->prepared.spectra, graph[g], k + 1);
        }
    }
    return status;
}

/* Refuse options that the protocol does not take. */
static seg_status check_options(seg_context *ctx, const seg_run *run) {
    const seg_experiment_options *options = run->options;
    const char *name = run->protocol->info.name;
    const int candidates = (run->protocol->graphs & SEG_DATASET_CANDIDATES) != 0;
    if (options->wrong > 0 && run->protocol->pairs == SEG_PAIRS_NONE)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "%s asks questions, which are answered correctly; leave out the share of wrong pairs", name);
    if (options->widths && !candidates)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s does not try candidate graphs; leave out their widths", name);
    return SEG_OK;
}

seg_status seg_experiment_run(seg_context *ctx, const seg_experiment_options *options, seg_experiment_tally *tally) {
    seg_run run = {.protocol = protocol_of(options->protocol), .options = options, .seed = ctx->seed};
    const double before = seg_now();
    double work = 0;
    size_t done = 0;
    seg_variants *variants = NULL;
    seg_journal *journal = NULL;
    seg_text settings = {0};
    char *path = NULL;
    if (!run.protocol)
        return seg_fail(ctx, SEG_ERR_USAGE, "there is no such protocol in the registry");
    const seg_protocol_info *info = &run.protocol->info;
    run.realizations = options->realizations ? options->realizations
                       : options->full       ? info->all_realizations
                                             : info->realizations;
    run.restarts = options->restarts ? options->restarts : options->full ? info->all_restarts : info->restarts;
    seg_status status = check_options(ctx, &run);
    if (status || (status = seg_run_variants(ctx, &run, &variants)) != SEG_OK)
        goto done;
    const seg_columns columns = options->tf_idf        ? SEG_COLUMNS_TF_IDF
                                : options->standardise ? SEG_COLUMNS_STANDARDISED
                                                       : SEG_COLUMNS_RAW;
    const seg_dataset_source source = {options->data, options->data_count, info->synthetic, run.seed, columns};
    status = seg_datasets_load(ctx, &source, &run.data, &run.datasets);
    if (status || (status = describe(ctx, &run, &settings)) != SEG_OK || (status = make_items(ctx, &run)) != SEG_OK ||
        (status = seg_folder_make(ctx, options->out)) != SEG_OK)
        goto done;
    path = seg_format(ctx, "%s/journal", options->out);
    status = path ? seg_journal_open(ctx, path, settings.at, options->restart, &journal) : SEG_ERR_MEMORY;
    if (!status)
        status = prepare_sets(ctx, &run);
    if (!status)
        status = prepare_spectra(ctx, &run);
    const seg_work job = {
        .items = run.items, .seed = run.seed, .key = key_of, .solve = solve_item, .user = &run, .logs = 1};
    const seg_jobs jobs = {.most = options->jobs, .journal = journal};
    if (status || (status = seg_work_run(ctx, &job, &jobs, &done)) != SEG_OK ||
        (status = take_values(ctx, &run, journal, &work)) != SEG_OK || (status = write_results(ctx, &run)) != SEG_OK)
        goto done;
    for (int c = 0; c < run.protocol->curves && !status; c++)
        status = seg_curve_report(ctx, &run, &run.protocol->curve[c]);
    if (run.protocol->report)
        status = run.protocol->report(ctx, &run);
    if (tally)
        *tally = (seg_experiment_tally){run.items, done, seg_now() - before, work};
done:
    seg_journal_close(journal);
    seg_text_free(&settings);
    free(path);
    free(run.item);
    free(run.value);
    free(run.about);
    seg_variants_free(variants);
    seg_spectra_free(&run.prepared.spectra);
    seg_datasets_free(run.data, run.datasets);
    return status;
}
