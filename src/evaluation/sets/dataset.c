#include "evaluation/sets/dataset.h"
#include "base/base.h"
#include "base/hash.h"
#include "evaluation/sets/listing.h"
#include "graph/affinity.h"
#include "methods/method.h"
#include "vectors/synthetic.h"

#include <ctype.h>
#include <sys/stat.h>

enum { NEIGHBOURS = 20, MOST_CLASSES = 255 };

static void name_set(const char *path, seg_dataset *set) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    static const char *const endings[] = {".gz", ".csv", ".npy", ".txt", ".edges"};
    snprintf(set->name, sizeof set->name, "%s", base);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
        if (seg_ends_in(set->name, endings[e]))
            set->name[strlen(set->name) - strlen(endings[e])] = 0;
    for (char *c = set->name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
            *c = '_';
}

/* The sets so far. */
typedef struct loading {
    const seg_dataset_source *from;
    seg_dataset *set; /* owned */
    size_t sets;
    int labelled; /* files of labels that are read */
} loading;

typedef enum source_kind { TABLE, GRAPH, KERNEL, KINDS } source_kind;

static seg_status finish(seg_context *ctx, const char *path, seg_scaling columns, seg_dataset *set) {
    if (set->labels.classes < 2 || set->labels.classes > MOST_CLASSES)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' has %d different classes; there must be 2 to %d", path,
                        set->labels.classes, MOST_CLASSES);
    const seg_csr *graph = set->candidate;
    const size_t edges = graph->start ? graph->start[graph->rows] : 0;
    set->checksum = seg_hash(SEG_HASH_START, set->X.at, set->X.rows * set->X.cols * sizeof *set->X.at);
    set->checksum = seg_hash(set->checksum, set->kernel.at, set->kernel.rows * set->kernel.cols * sizeof(double));
    set->checksum = seg_hash(set->checksum, graph->column, edges * sizeof *graph->column);
    set->checksum = seg_hash(set->checksum, graph->value, edges * sizeof *graph->value);
    set->checksum = seg_hash(set->checksum, set->labels.label, set->labels.n * sizeof *set->labels.label);
    return seg_scale(ctx, columns, &set->X);
}

/* Append a set of zeros; NULL if out of memory. */
static seg_dataset *add(seg_context *ctx, loading *to) {
    if (seg_extend(ctx, &to->set, to->sets, sizeof *to->set))
        return NULL;
    memset(&to->set[to->sets], 0, sizeof *to->set);
    return &to->set[to->sets++];
}

/* A graph of its own, for which a kernel is read or not, and the next file of labels. */
static seg_status read_graph(seg_context *ctx, const char *path, source_kind kind, loading *to, seg_dataset *set) {
    const seg_graph_spec nearest = {.kind = SEG_GRAPH_KERNEL, .neighbours = NEIGHBOURS};
    int base = to->from->base;
    if (kind == KERNEL)
        SEG_TRY(seg_kernel_read(ctx, path, &set->kernel));
    SEG_TRY(kind == KERNEL ? seg_graph_build(ctx, &set->kernel, NULL, &nearest, set->candidate, NULL)
                           : seg_edges_read(ctx, path, &base, 0, set->candidate));
    return seg_labels_read(ctx, to->from->labels.at[to->labelled++], set->candidate->rows, &set->labels);
}

static seg_status add_file(seg_context *ctx, const char *path, source_kind kind, loading *to) {
    seg_dataset *set = add(ctx, to);
    SEG_TRY(seg_allocated(set));
    SEG_TRY(kind == TABLE ? seg_vectors_read(ctx, path, SEG_LABELS_LAST, &set->X, &set->labels)
                          : read_graph(ctx, path, kind, to, set));
    name_set(path, set);
    for (const seg_dataset *other = to->set; other < set; other++)
        if (strcmp(other->name, set->name) == 0)
            return seg_fail(ctx, SEG_ERR_INPUT, "two data sets are called '%s'; rename '%s'", set->name, path);
    return finish(ctx, path, to->from->columns, set);
}

static seg_status add_synthetic(seg_context *ctx, const char *name, loading *to) {
    seg_dataset *set = add(ctx, to);
    SEG_TRY(seg_allocated(set));
    snprintf(set->name, sizeof set->name, "%s", name);
    SEG_TRY(seg_synthetic_make(ctx, name, to->from->seed, &set->X, &set->labels));
    return finish(ctx, name, to->from->columns, set);
}

static seg_status add_folder(seg_context *ctx, const char *path, loading *to) {
    SEG_RELEASED(seg_listing_free) seg_listing listing = {0};
    const size_t before = to->sets;
    SEG_TRY(seg_listing_read(ctx, path, &listing));
    for (int f = 0; f < listing.count; f++) {
        const char *name = listing.entry[f]->d_name;
        if (!seg_ends_in(name, ".csv") && !seg_ends_in(name, ".csv.gz"))
            continue;
        SEG_LOCAL(char, file, seg_format(ctx, "%s/%s", path, name));
        SEG_TRY(add_file(ctx, file, TABLE, to));
    }
    return to->sets > before ? SEG_OK
                             : seg_fail(ctx, SEG_ERR_INPUT, "the folder '%s' contains no .csv or .csv.gz file", path);
}

seg_status seg_datasets_load(seg_context *ctx, const seg_dataset_source *from, seg_dataset **out, size_t *sets) {
    const seg_texts *files[KINDS] = {&from->tables, &from->graphs, &from->kernels};
    const int graphs = from->graphs.count + from->kernels.count;
    loading to = {.from = from};
    struct stat about;
    seg_status status = SEG_OK;
    for (int kind = TABLE; kind < KINDS; kind++)
        for (int p = 0; p < files[kind]->count && !status; p++) {
            const char *path = files[kind]->at[p];
            const int folder = kind == TABLE && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
            status = folder ? add_folder(ctx, path, &to) : add_file(ctx, path, (source_kind)kind, &to);
        }
    for (const char *const *name = from->names; from->tables.count + graphs == 0 && *name && !status; name++)
        status = add_synthetic(ctx, *name, &to);
    *out = to.set;
    *sets = to.sets;
    return status == SEG_ERR_IO ? SEG_ERR_INPUT : status; /* SEG_ERR_IO is for the caller's output */
}

void seg_datasets_free(seg_dataset *sets, size_t count) {
    for (size_t s = 0; sets && s < count; s++) {
        seg_matrix_free(&sets[s].X);
        seg_matrix_free(&sets[s].kernel);
        seg_labels_free(&sets[s].labels);
        seg_csr_free(&sets[s].knn);
        seg_csr_free(&sets[s].complete);
        seg_csr_free(&sets[s].paper);
        for (int c = 0; c < SEG_CANDIDATES; c++)
            seg_csr_free(&sets[s].candidate[c]);
    }
    free(sets);
}

seg_status seg_dataset_prepare(seg_context *ctx, seg_dataset *set, unsigned graphs) {
    seg_graph_spec spec = {
        .kind = SEG_GRAPH_KNN, .search = SEG_SEARCH_EXACT, .neighbours = NEIGHBOURS, .sigma_scale = 1.5};
    const seg_graph_spec full = {.kind = SEG_GRAPH_FULL, .sigma_scale = 1};
    double r;
    if (!set->X.rows)
        return SEG_OK;
    if (graphs & SEG_DATASET_KNN && !set->knn.start)
        SEG_TRY(seg_graph_build(ctx, &set->X, NULL, &spec, &set->knn, NULL));
    if (graphs & SEG_DATASET_COMPLETE && !set->complete.start)
        SEG_TRY(seg_graph_build(ctx, &set->X, NULL, &full, &set->complete, NULL));
    const int candidates = graphs & SEG_DATASET_CANDIDATES && !set->candidate[0].start;
    const int paper = graphs & SEG_DATASET_PAPER && !set->paper.start;
    if (!candidates && !paper)
        return SEG_OK;
    SEG_TRY(seg_neighbour_distance(ctx, &set->X, NEIGHBOURS, 1, &r));
    spec.sigma = r = r > 0 ? r : 1;
    if (paper)
        SEG_TRY(seg_graph_build(ctx, &set->X, NULL, &spec, &set->paper, NULL));
    if (candidates && set->widths == 0)
        for (set->widths = 0; set->widths < SEG_CANDIDATES; set->widths++) {
            const int step = set->widths - SEG_CANDIDATE_MIDDLE;
            set->width[set->widths] = 1 + step * (step < 0 ? 0.225 : 2.25);
        }
    double sigma[SEG_CANDIDATES];
    for (int c = 0; c < set->widths; c++)
        sigma[c] = r * set->width[c];
    return candidates ? seg_graph_build_widths(ctx, &set->X, &spec, sigma, set->widths, set->candidate) : SEG_OK;
}
