/* An experiment: its variants, its items, which the runner works on, and results.csv. */
#include "base/base.h"
#include "evaluation/experiments/measure.h"
#include "evaluation/runner/item.h"
#include "evaluation/runner/report_folder.h"
#include "kernels/sdp_kernels.h"

#include <inttypes.h>
#include <limits.h>

enum { LABEL_ROOM = 96 };

struct seg_variants {
    seg_variant variant[SEG_MOST_VARIANTS];
    seg_compared compared[SEG_MOST_VARIANTS];
    int count;
};

/* The protocol's variant that the first `length` characters name; -1: none. */
static int own_number(const seg_protocol *protocol, const char *name, size_t length) {
    for (int v = 0; v < protocol->variants; v++)
        if (strlen(protocol->variant[v].name) == length && strncasecmp(protocol->variant[v].name, name, length) == 0)
            return v;
    return -1;
}

/* Methods that use no pairs. */
static const char *const free_of_pairs[] = {"kmeans", "kernel-kmeans", "ncut"};

/* A method that the protocol's table does not name; it follows a strategy and a colon, or strategy is "". */
static seg_status add_other(seg_context *ctx, seg_variants *own, const char *word, const char *strategy) {
    const size_t from = *strategy ? strlen(strategy) + 1 : 0;
    seg_compared *compared = &own->compared[own->count];
    seg_variant *variant = &own->variant[own->count];
    if (strlen(word) >= LABEL_ROOM)
        return seg_fail(ctx, SEG_ERR_USAGE, "'%.40s...' is too long for a method and its parameters", word);
    SEG_TRY(seg_compared_parse(ctx, word + from, compared));
    const seg_method *method = seg_method_find(compared->method);
    const char *colon = strchr(compared->label, ':');
    const int paper = colon && strncasecmp(colon, ":paper", 6) == 0 && (colon[6] == 0 || colon[6] == ':');
    *variant = (seg_variant){
        .name = compared->label, .method = compared->method, .params = &compared->params, .style = own->count};
    for (size_t f = 0; f < sizeof free_of_pairs / sizeof *free_of_pairs; f++)
        if (strcmp(method->name, free_of_pairs[f]) == 0)
            variant->flags |= SEG_VARIANT_UNCONSTRAINED;
    variant->flags |= paper ? SEG_VARIANT_PRINTED : 0;
    memmove(compared->label + from, compared->label, strlen(compared->label) + 1); /* LABEL_ROOM leaves room */
    snprintf(compared->label, from, "%s", strategy);
    if (from)
        compared->label[from - 1] = ':';
    variant->most = strcmp(method->name, "tragek") == 0 ? SEG_TRAGEK_SAMPLES
                    : strcmp(method->name, "pcp") == 0  ? SEG_PCP_SAMPLES
                                                        : 0;
    return SEG_OK;
}

/* The style, or the first that is free where an earlier variant has it. */
static int free_style(const seg_variants *own, int style) {
    for (int v = 0, next = 0; v < own->count; v++)
        if (own->variant[v].style == style) {
            style = next++;
            v = -1;
        }
    return style;
}

static seg_status choose_methods(seg_context *ctx, const seg_run *run, seg_variants *own) {
    const seg_protocol *protocol = run->protocol;
    SEG_LOCAL(char, copy, seg_format(ctx, "%s", run->options->methods));
    char *next = NULL;
    for (char *word = strtok_r(copy, ",", &next); word; word = strtok_r(NULL, ",", &next)) {
        /* Where the variants are strategies that ask questions, a method may follow one of them. */
        const size_t length = strcspn(word, protocol->pairs == SEG_PAIRS_NONE ? ":" : "");
        const int number = own_number(protocol, word, length);
        if (own->count == SEG_MOST_VARIANTS)
            return seg_fail(ctx, SEG_ERR_USAGE, "more than %d methods at once", SEG_MOST_VARIANTS);
        if (number < 0 && protocol->pairs == SEG_PAIRS_NONE)
            return seg_fail(
                ctx, SEG_ERR_USAGE,
                "%s takes STRATEGY or STRATEGY:METHOD, not '%s'; 'segment experiment list' lists the strategies",
                protocol->info.name, word);
        if (number < 0 || word[length])
            SEG_TRY(add_other(ctx, own, word, word[length] ? protocol->variant[number].name : ""));
        else /* requested by name, so not left out for its cost */
            own->variant[own->count] = protocol->variant[number];
        own->variant[own->count].own = number;
        own->variant[own->count].flags &= ~(unsigned)SEG_VARIANT_FEW;
        own->variant[own->count].style = free_style(own, own->variant[own->count].style);
        for (int v = 0; v < own->count; v++)
            if (strcasecmp(own->variant[v].name, own->variant[own->count].name) == 0)
                return seg_fail(ctx, SEG_ERR_USAGE, "the methods name '%s' twice", word);
        own->count++;
    }
    return own->count ? SEG_OK
                      : seg_fail(ctx, SEG_ERR_USAGE, "the list of methods is empty; 'segment methods' lists them");
}

static int has_param(const seg_method *method, const char *text) {
    const size_t length = strcspn(text, "=");
    for (int p = 0; p < method->param_count; p++)
        if (strlen(method->param[p].name) == length && strncmp(method->param[p].name, text, length) == 0)
            return 1;
    return 0;
}

/* Set each parameter for every method that has it; a parameter that no method has is an error. */
static seg_status give_params(seg_context *ctx, const seg_run *run, seg_variants *own) {
    const seg_experiment_options *options = run->options;
    for (int p = 0; p < options->params.count; p++) {
        int taken = 0;
        for (int v = 0; v < own->count; v++)
            if (has_param(seg_method_find(own->variant[v].method), options->params.at[p])) {
                own->variant[v].more = options;
                taken = 1;
            }
        if (!taken)
            return seg_fail(ctx, SEG_ERR_USAGE, "no method of this run has a parameter '%s'", options->params.at[p]);
    }
    return SEG_OK;
}

seg_status seg_run_variants(seg_context *ctx, seg_run *run) {
    const seg_experiment_options *options = run->options;
    seg_variants *own = run->own = seg_alloc_zero(ctx, 1, sizeof *own);
    SEG_TRY(seg_allocated(own));
    if (options->methods)
        SEG_TRY(choose_methods(ctx, run, own));
    for (int v = 0; !options->methods && v < run->protocol->variants; v++) {
        own->variant[v] = run->protocol->variant[v];
        own->variant[v].own = v;
        own->count++;
    }
    SEG_TRY(give_params(ctx, run, own));
    for (int v = 0; v < own->count; v++) { /* values are checked before anything is run */
        seg_params unused;
        SEG_TRY(seg_variant_params(ctx, &own->variant[v], 2, &unused));
    }
    run->variant = own->variant;
    run->variants = own->count;
    return SEG_OK;
}

seg_status seg_variant_params(seg_context *ctx, const seg_variant *variant, size_t n, seg_params *out) {
    const seg_method *method = seg_method_find(variant->method);
    const int printed = variant->flags & SEG_VARIANT_PRINTED;
    SEG_TRY(seg_params_variant(ctx, method, printed ? SEG_VARIANT_PAPER : SEG_VARIANT_IMPROVED, out));
    if (variant->params)
        *out = *variant->params;
    for (int p = 0; !variant->params && variant->param[p]; p++)
        SEG_TRY(seg_params_set(ctx, method, variant->param[p], out));
    if (variant->flags & SEG_VARIANT_BY_SIZE && n > SEG_SMALL_SET) {
        SEG_TRY(seg_params_set(ctx, method, "B=100", out));
        SEG_TRY(seg_params_set(ctx, method, "R=100", out));
    }
    for (int p = 0; variant->more && p < variant->more->params.count; p++)
        if (has_param(method, variant->more->params.at[p]))
            SEG_TRY(seg_params_set(ctx, method, variant->more->params.at[p], out));
    return SEG_OK;
}

unsigned seg_variant_graphs(const seg_variant *variant) {
    const seg_method *method = seg_method_find(variant->method);
    if (variant->flags & SEG_VARIANT_PRINTED && method->graph == SEG_PAPER_GRAPH_FULL)
        return SEG_DATASET_COMPLETE;
    return variant->flags & SEG_VARIANT_PRINTED && method->graph == SEG_PAPER_GRAPH_KNN ? SEG_DATASET_PAPER : 0;
}

int seg_run_sizes(const seg_run *run, const seg_dataset *set, int size[SEG_MOST_SIZES]) {
    const seg_experiment_options *options = run->options;
    if (options->sizes > 0) {
        memcpy(size, options->size, (size_t)options->sizes * sizeof *size);
        return options->sizes;
    }
    if (run->protocol->sizes)
        return run->protocol->sizes(set, size);
    if (run->protocol->listed) {
        memcpy(size, run->protocol->size, sizeof run->protocol->size);
        return run->protocol->listed;
    }
    for (int s = 0; s < 10; s++)
        size[s] = run->protocol->pairs == SEG_PAIRS_UNIFORM ? (int)((set->labels.n * (size_t)(s + 1) + 4) / 8)
                                                            : (s + 1) * (set->labels.n > SEG_SMALL_SET ? 50 : 10);
    return 10;
}

/* Print all that the results of a run depend on except the data: options, graph, draws. */
static void describe_run(const seg_run *run, FILE *out) {
    static const char *const drawn[] = {NULL, "uniform over all",
                                        "N must-links a class, N cannot-links a pair of classes"};
    const seg_experiment_options *options = run->options;
    fprintf(out, "realizations %d; restarts %d; best of %d start%s; columns %s", run->realizations, run->restarts,
            options->starts > 1 ? options->starts : 1, options->starts > 1 ? "s" : "",
            options->tf_idf        ? "weighed by tf-idf"
            : options->standardise ? "standardised"
                                   : "raw");
    if (run->protocol->pairs != SEG_PAIRS_NONE)
        fprintf(out, "; pairs %s", drawn[run->protocol->pairs]);
    if (options->wrong > 0)
        fprintf(out, ", %g of them wrong", options->wrong);
    if (options->confidences)
        fprintf(out, ", with confidences");
    for (int w = 0; w < options->widths; w++)
        fprintf(out, "%s%g", w ? ", " : "; widths ", options->width[w]);
    for (int s = 0; s < options->sizes; s++)
        fprintf(out, "%s%d", s ? ", " : "; numbers ", options->size[s]);
    for (int p = 0; p < options->params.count; p++)
        fprintf(out, "%s%s", p ? ", " : "; parameters ", options->params.at[p]);
    fprintf(out, "%s; seed %" PRIu64, options->full ? "; full" : "", run->seed);
}

const seg_protocol *const seg_protocols[] = {
    &seg_protocol_error_curve,  &seg_protocol_accuracy_curve, &seg_protocol_held_out,
    &seg_protocol_active_curve, &seg_protocol_running_time,   &seg_protocol_distances,
    &seg_protocol_kernels,      &seg_protocol_rank_table,     NULL};

static seg_status make_items(seg_context *ctx, seg_run *run) {
    const size_t most = run->datasets * (size_t)run->variants * SEG_MOST_SIZES * (size_t)run->realizations;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(run->item, most)));
    for (size_t d = 0; d < run->datasets; d++) {
        int size[SEG_MOST_SIZES];
        const int sizes = seg_run_sizes(run, &run->data[d], size);
        const size_t n = run->data[d].labels.n;
        for (int v = 0; v < run->variants; v++) {
            const seg_variant *variant = &run->variant[v];
            const int too_many = variant->most && n > variant->most;
            if (too_many || (variant->flags & SEG_VARIANT_FEW && !run->options->full && n > SEG_FEW_SAMPLES)) {
                seg_log(ctx, SEG_LOG_WARNING, "%s is skipped on %s: %zu samples are too many%s", variant->name,
                        run->data[d].name, n, too_many ? "" : " for a short run (--full)");
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

/* Everything that the results depend on. */
static void describe(const seg_run *run, FILE *out) {
    fprintf(out, "segment %s experiment %s; ", SEG_VERSION, run->protocol->info.name);
    describe_run(run, out);
    fprintf(out, "; methods");
    for (int v = 0; v < run->variants; v++)
        fprintf(out, "%s%s", v ? "," : " ", run->variant[v].name);
    fprintf(out, "; data");
    for (size_t d = 0; d < run->datasets; d++)
        fprintf(out, " %s:%016" PRIx64, run->data[d].name, run->data[d].checksum);
}

/* What they print as a text, to be freed. */
static seg_status text_of(seg_context *ctx, void (*put)(const seg_run *, FILE *), const seg_run *run, char **text) {
    size_t size;
    FILE *to = open_memstream(text, &size);
    if (to)
        put(run, to);
    return seg_text_end(to) ? SEG_OK : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while describing the run");
}

static char *key_of(seg_context *ctx, const void *user, size_t number) {
    return seg_format(ctx, "%s", ((const seg_run *)user)->item[number].key);
}

static seg_status solve_item(seg_context *ctx, const void *user, size_t number, char **record) {
    const seg_run *run = user;
    const seg_item *item = &run->item[number];
    double value[SEG_MOST_VALUES] = {0};
    char text[SEG_MOST_VALUES * 32];
    int length = 0;
    const seg_status status =
        seg_soften(ctx, run->protocol->solve(ctx, run, item, value), item, value, run->protocol->values);
    if (status) {
        char message[SEG_MESSAGE_SIZE];
        memcpy(message, ctx->message, sizeof message);
        return seg_fail(ctx, status, "%s: %.900s", item->key, message);
    }
    for (int i = 0; i < run->protocol->values; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%.9g", i ? " " : "", value[i]);
    *record = seg_format(ctx, "%s", text);
    return seg_allocated(*record);
}

/* Read the values from the journal, whether computed now or before an interruption. */
static seg_status take_values(seg_context *ctx, seg_run *run) {
    const size_t values = (size_t)run->protocol->values;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_TABLE(run->value, run->items, values)));
    for (size_t i = 0; i < run->items; i++) {
        const char *text = seg_journal_find(run->journal, run->item[i].key);
        for (size_t v = 0; v < values; v++) {
            char *end = NULL;
            run->value[i * values + v] = text ? strtod(text, &end) : 0;
            if (!text || end == text)
                return seg_fail(ctx, SEG_ERR_INPUT,
                                "the journal's record '%s' does not hold %zu numbers; start again with --restart",
                                run->item[i].key, values);
            text = end;
        }
        run->item[i].value = run->value + i * values;
    }
    return SEG_OK;
}

static seg_status write_results(seg_context *ctx, const seg_run *run) {
    seg_writer csv;
    SEG_TRY(seg_report_open(ctx, run->options->out, run->protocol->timed ? "times.csv" : "results.csv", &csv));
    fprintf(csv.file, "dataset,method,constraints,realization,%s\n", run->protocol->columns);
    for (size_t i = 0; i < run->items; i++) {
        const seg_item *item = &run->item[i];
        fprintf(csv.file, "%s,%s,%d,%d", item->set->name, item->variant->name, item->size, item->realization + 1);
        for (int v = 0; v < run->protocol->values; v++)
            fprintf(csv.file, ",%.9g", item->value[v]);
        fprintf(csv.file, "\n");
    }
    return seg_writer_commit(ctx, &csv);
}

/* Make the graphs of each set that the variants run on it need. */
static seg_status prepare_sets(seg_context *ctx, seg_run *run) {
    const seg_experiment_options *options = run->options;
    for (size_t d = 0; d < run->datasets; d++) {
        unsigned graphs = 0, last = UINT_MAX;
        for (size_t i = 0; i < run->items; i++)
            if (run->item[i].data == d && (unsigned)run->item[i].v != last) {
                last = (unsigned)run->item[i].v;
                const unsigned own = seg_variant_graphs(run->item[i].variant), all = run->protocol->graphs;
                graphs |= own | (own && !(all & SEG_DATASET_CANDIDATES) ? 0 : all);
            }
        run->data[d].widths = run->data[d].X.rows ? options->widths : 1;
        memcpy(run->data[d].width, options->width, sizeof options->width);
        SEG_TRY(seg_dataset_prepare(ctx, &run->data[d], graphs));
    }
    return SEG_OK;
}

/* Compute the eigenvectors that items will need, once per graph, since draws and labellings share them. Not for
 * protocols that measure time, which includes that of the eigenvectors. */
static seg_status prepare_spectra(seg_context *ctx, seg_run *run) {
    for (size_t i = 0; i < run->items && !run->protocol->timed; i += (size_t)run->realizations) {
        const seg_item *item = &run->item[i];
        const int candidates = run->protocol->graphs & SEG_DATASET_CANDIDATES ? item->set->widths : 0;
        const seg_csr *own = seg_item_problem(run, item, NULL).affinity;
        const seg_method *method = seg_method_find(item->variant->method);
        const int k = item->set->labels.classes;
        seg_params params;
        SEG_TRY(seg_variant_params(ctx, item->variant, item->set->labels.n, &params));
        const int columns = seg_smoothest_columns(method, &params, item->set->labels.n, k);
        for (int g = 0; g < (candidates ? candidates : own != NULL) && columns; g++) {
            const seg_csr *graph = candidates ? &item->set->candidate[g] : own;
            SEG_TRY(seg_spectra_add(ctx, &run->prepared.spectra, graph, columns));
            if (item->variant->flags & SEG_VARIANT_UNCONSTRAINED) /* for the eigengap */
                SEG_TRY(seg_spectra_add(ctx, &run->prepared.spectra, graph, k + 1));
        }
    }
    return SEG_OK;
}

/* Refuse options that the protocol does not accept. */
static seg_status check_options(seg_context *ctx, const seg_run *run) {
    const seg_experiment_options *options = run->options;
    const char *name = run->protocol->info.name;
    const int candidates = (run->protocol->graphs & SEG_DATASET_CANDIDATES) != 0;
    if ((options->wrong > 0 || options->confidences) && run->protocol->pairs == SEG_PAIRS_NONE)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "%s asks questions, which are answered correctly; leave out wrong pairs and confidences", name);
    if (options->data.graphs.count + options->data.kernels.count && run->protocol->pairs == SEG_PAIRS_NONE)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "%s measures distances between the rows of tables; leave out graphs and kernels", name);
    if (options->widths && !candidates)
        return seg_fail(ctx, SEG_ERR_USAGE, "%s does not try candidate graphs; leave out their widths", name);
    return SEG_OK;
}

static void end_run(seg_run *run) {
    seg_spectra_free(&run->prepared.spectra);
    seg_datasets_free(run->data, run->datasets);
    seg_journal_close(run->journal);
    SEG_CLEAR(run, run->item, run->value, run->about, run->own);
}

seg_status seg_experiment_run(seg_context *ctx, const seg_experiment_options *options, seg_experiment_tally *tally) {
    const seg_protocol_info *info = &options->protocol->info;
    SEG_RELEASED(end_run)
    seg_run run = {.protocol = options->protocol, .options = options, .seed = ctx->seed};
    SEG_FREED char *settings = NULL;
    const double before = seg_now();
    size_t done = 0;
    run.realizations = options->realizations ? options->realizations
                       : options->full       ? info->all_realizations
                                             : info->realizations;
    run.restarts = options->restarts ? options->restarts : options->full ? info->all_restarts : info->restarts;
    SEG_TRY(check_options(ctx, &run));
    SEG_TRY(seg_run_variants(ctx, &run));
    seg_dataset_source source = options->data;
    source.columns = options->tf_idf ? SEG_SCALING_TF_IDF : (seg_scaling)options->standardise;
    source.names = info->synthetic;
    source.seed = run.seed;
    SEG_TRY(seg_datasets_load(ctx, &source, &run.data, &run.datasets));
    SEG_TRY(text_of(ctx, describe_run, &run, &run.about));
    SEG_TRY(text_of(ctx, describe, &run, &settings));
    SEG_TRY(make_items(ctx, &run));
    SEG_TRY(seg_folder_make(ctx, options->out));
    SEG_LOCAL(char, path, seg_format(ctx, "%s/journal", options->out));
    SEG_TRY(seg_journal_open(ctx, path, settings, options->restart, &run.journal));
    SEG_TRY(prepare_sets(ctx, &run));
    SEG_TRY(prepare_spectra(ctx, &run));
    const seg_work job = {
        .items = run.items, .seed = run.seed, .key = key_of, .solve = solve_item, .user = &run, .logs = 1};
    SEG_TRY(seg_work_run(ctx, &job, &(seg_jobs){.most = options->jobs, .journal = run.journal}, &done));
    SEG_TRY(take_values(ctx, &run));
    SEG_TRY(write_results(ctx, &run));
    for (int c = 0; c < run.protocol->curves; c++)
        SEG_TRY(seg_curve_report(ctx, &run, &run.protocol->curve[c]));
    if (run.protocol->report)
        SEG_TRY(run.protocol->report(ctx, &run));
    if (tally)
        *tally = (seg_experiment_tally){run.items, done, seg_now() - before};
    return SEG_OK;
}
