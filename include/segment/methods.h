/** @file methods.h
 *  The registry of methods, and the call that runs one on any vectors or graph, of an image or not. */
#pragma once

#include <segment/constraints.h>
#include <segment/graph.h>
#include <segment/matrix.h>

/** @addtogroup methods Methods and the problems they solve
 *  @{ */

#define SEG_MAX_PARAMS 16 /**< parameters of one method */

/** One parameter of a method. */
typedef struct seg_param {
    const char *name;          /**< as in --param NAME=VALUE */
    double initial;            /**< the default */
    double low;                /**< least legal value; 0 for choices */
    double high;               /**< largest legal value; for choices their number less 1 */
    int whole;                 /**< 1 where only whole numbers make sense */
    const char *const *choice; /**< NULL-ended names of the values 0, 1, ...; NULL for a number */
    const char *help;          /**< one line */
} seg_param;

/** What a method must be given besides the features. */
typedef enum seg_needs {
    SEG_NEEDS_GRAPH = 1,        /**< seg_problem.affinity */
    SEG_NEEDS_CONSTRAINTS = 2,  /**< seg_problem.constraints */
    SEG_NEEDS_FEATURES = 4,     /**< seg_problem.features */
    SEG_USES_CONTEXT = 8,       /**< uses seg_problem.context if given, else the features */
    SEG_EIGENVECTORS_ONLY = 16, /**< of the graph it needs only the smoothest eigenvectors */
    SEG_WEIGHS_PAIRS = 32       /**< listed pairs only add to sums, by their weights; others join samples, for which
                                     seg_cluster() leaves out pairs of little confidence (docs/formats.md) */
} seg_needs;

/** Variants of a method: the algorithm as printed, or with changes that improve its results. */
typedef enum seg_method_variant {
    SEG_VARIANT_IMPROVED = 0, /**< the default */
    SEG_VARIANT_PAPER         /**< what is printed, nothing more */
} seg_method_variant;

/** The graph that a method is given in its paper. */
typedef enum seg_paper_graph {
    SEG_PAPER_GRAPH_NONE = 0, /**< it takes none */
    SEG_PAPER_GRAPH_KNN,      /**< 20 nearest neighbours, the width the mean distance to the 20th [li2009ccskl, 5.2] */
    SEG_PAPER_GRAPH_FULL      /**< all pairs, the width their mean distance [chen2011npkl, Eq. 15 and Sec. 5] */
} seg_paper_graph;

/** The description of a method. Static storage. */
typedef struct seg_method {
    const char *name;         /**< as on the command line */
    const char *title;        /**< one line */
    const char *source;       /**< key in docs/references.bib and the place, e.g. "li2009ccskl, Algorithm 1" */
    unsigned needs;           /**< seg_needs, or-ed */
    int param_count;          /**< 0 .. SEG_MAX_PARAMS */
    const seg_param *param;   /**< param_count parameters */
    const char *const *paper; /**< NULL-ended NAME=VALUE, by which the variant paper differs from the defaults; NULL for
                                   a method that no paper prints */
    const char *improved;     /**< what the defaults add to what is printed, one sentence; NULL where nothing */
    seg_paper_graph graph;    /**< of the paper */
} seg_method;

/** The i-th method.
 *  @param i  from 0
 *  @return the method, NULL behind the last */
SEG_API const seg_method *seg_method_at(int i);
/** Name of the method that is used where none is named and there are no constraints. */
#define SEG_METHOD_UNCONSTRAINED "ncut"
/** Find a method.
 *  @param name  as on the command line; NULL: the method that is used where none is named and there are constraints. It
 *  is best over whole data sets (docs/results.md): "auto", which for listed pairs runs "mixture" on vectors; of graphs
 * and images it runs several methods and takes the one that held-out pairs favour (docs/stages/auto.md);
 *  seg_clustering.ran tells which
 *  @return the method; NULL where there is none of that name */
SEG_API const seg_method *seg_method_find(const char *name);

/** Values of a method's parameters, in the order of its table (seg_param.initial are the defaults). Set by name:
 * seg_options_set() with "method", then "param", sets the parameters of seg_options_params(). */
typedef struct seg_params {
    double value[SEG_MAX_PARAMS]; /**< of choices the position */
} seg_params;

/** The fields of seg_cluster_settings that the caller chose. */
typedef enum seg_chosen {
    SEG_CHOSEN_NEIGHBOURS = 1, /**< graph.neighbours */
    SEG_CHOSEN_SIGMA = 4,      /**< graph.sigma */
    SEG_CHOSEN_SEARCH = 8,     /**< graph.search */
    SEG_CHOSEN_RESTARTS = 16   /**< restarts */
} seg_chosen;

/** How samples are clustered besides the method's parameters. */
typedef struct seg_cluster_settings {
    seg_graph_spec graph; /**< of vectors or a kernel; kind SEG_GRAPH_FULL is a choice, others become SEG_GRAPH_KNN */
    int restarts;         /**< as seg_problem.restarts */
    unsigned chosen;      /**< seg_chosen, or-ed; 0: everything is filled in */
    int64_t reserved[4];  /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_cluster_settings;

/** Fill in the settings that the caller did not choose: those of `segment cluster`. The variant improved has a graph of
 *  20 nearest neighbours, its width 1.5 times their mean distance, or the complete graph with its mean distance as the
 *  width, and 10 restarts. The variant paper has an exact search of neighbours, one restart, and the graph of the
 *  method's paper, unless the caller chose something of the graph besides the search.
 *  @param method  of the registry
 *  @param variant  of the method
 *  @param X  n x d, finite: the vectors that the graph will be built of; NULL where there are none
 *  @param settings  what is not chosen is set
 *  @return SEG_OK, SEG_ERR_USAGE (no such variant), SEG_ERR_MEMORY. Cost: with a paper's graph of neighbours
 *  that of searching the neighbours, else O(1). */
SEG_API seg_status seg_cluster_settings_fill(seg_context *ctx, const seg_method *method, seg_method_variant variant,
                                             const seg_matrix *X, seg_cluster_settings *settings);

/** A clustering problem. Everything is borrowed. */
typedef struct seg_problem {
    size_t n; /**< samples */
    int k;    /**< clusters wanted, >= 1 and >= the number of groups that hold samples */
    /** n x d; may be NULL for methods that need only the graph. In single precision the result is, byte for byte, that
     *  of the same numbers as doubles, which they become a few rows at a time in methods that need the features alone
     *  (`needs` is SEG_NEEDS_FEATURES), else all before the method begins. */
    const seg_matrix *features;
    const seg_csr *affinity;            /**< n x n symmetric; may be NULL for methods that do not need it */
    const seg_constraints *constraints; /**< of the same n; may be NULL */
    int restarts;                       /**< of the final k-means, or of ncut's discretisation, >= 1 */
    const seg_matrix *kernel;  /**< n x n positive semidefinite similarities, for the kernel methods; may be NULL */
    const seg_matrix *context; /**< n x q: context features of the samples, for methods that use them; may be NULL */
    const struct seg_prepared *prepared; /**< of the library: what it knows of the affinity; NULL elsewhere */
    int exponent; /**< the features as measured are the given numbers times 2^exponent; 0: they are given as measured.
                       Parameters and objectives are in the unit of what was measured */
    int patches;  /**< 1: the samples are patches of an image, whose neighbours mostly belong together */
    /** n x k: prior probabilities of each sample, rows >= 0 with sum one, in the order of the clusters; a column of
     *  zeros: nothing is known of that cluster. Used by auto, which then needs no constraints and
     *  leaves clusters empty. NULL: nothing is known. */
    const seg_matrix *prior;
    /** n numbers >= 0: how likely a walk ends at each unmarked sample in the background, as a share of the sample's
     *  degree. For auto with two clusters, an object and its background, which then needs a group for the object alone.
     *  NULL: nothing is known. */
    const double *background;
    /** n log odds of the first of two clusters, an object and its background, which count beside the features. For auto
     *  with `background`. NULL: nothing is known. */
    const double *odds;
    int64_t reserved[4]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_problem;

/** What a method found. */
typedef struct seg_clustering {
    size_t n;         /**< samples */
    int k;            /**< clusters */
    int32_t *label;   /**< n labels 0..k-1: group g's samples' cluster is g; clusters without a group follow; owned */
    seg_matrix score; /**< n x k, each row >= 0 and sums to 1: how much a sample belongs to each cluster */
    seg_matrix
        embedding; /**< n x r: the rows that were clustered (factor of the learned kernel); r = 0 where there is none */
    double objective; /**< the method's own objective at its solution, NAN where it has none */
    int iterations;   /**< of the method's own solver */
    int converged;    /**< 0 where an iteration limit ended it */
    /** How far a kernel learned by a semidefinite program (TRAGEK, PCP) is from its constraints, by an independent
     *  check of the solver's solution, before the embedding's rows were brought to norm one. NAN elsewhere. */
    double kernel_psd;      /**< -(least eigenvalue) / (1 + largest), 0 where none is negative */
    double kernel_diagonal; /**< largest |K_ii - 1| */
    double kernel_gap;      /**< duality gap / (1 + |primal| + |dual|) */
    /** What made the labels: the name of the method, or of the one that it chose or gave way to, or "random-walker"
     *  [grady2005priors]. Static storage. */
    const char *ran;
    double objective_bound; /**< lower bound of the objective over all partitions: of ncut, whose objective is the
                                 normalized cut, the sum of the eigenvalues; NAN elsewhere */
    int64_t reserved[7];    /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_clustering;

/** How many listed pairs a clustering satisfies. */
typedef struct seg_kept {
    size_t must_links;          /**< that are listed */
    size_t cannot_links;        /**< the same */
    size_t broken_must_links;   /**< whose ends are in two clusters */
    size_t broken_cannot_links; /**< whose ends are in one cluster */
    size_t smallest;            /**< samples of the smallest cluster */
} seg_kept;

/** Count the listed pairs that a clustering satisfies and violates.
 *  @param method  what made the result: a warning is logged where listed pairs are broken, and one where few pairs left
 * a cluster with less than 1 % of the samples. NULL: no warnings
 *  @param constraints  among as many samples; its pairs are counted
 *  @param result  labels of the samples
 *  @param out  the counts */
SEG_API void seg_kept_count(seg_context *ctx, const seg_method *method, const seg_constraints *constraints,
                            const seg_clustering *result, seg_kept *out);

/** Run a method.
 *  @param method  of the registry
 *  @param problem  what is to be clustered
 *  @param out  free with seg_clustering_free; zeroed on failure
 *  @param params  NULL for the defaults
 *
 *  All clusters have samples: k may be at most the number of samples that are left when those that must link count as
 *  one. Where a method leaves clusters empty, each is given the samples (with all that must link to them) that fit
 * their own cluster least, and a warning is logged. Features are finite and at most SEG_LARGEST_FEATURE in magnitude;
 * labels and scores do not depend on their unit.
 *  @return SEG_OK, SEG_ERR_USAGE (k, sizes, parameters, something needed is missing), SEG_ERR_CONTRADICTION,
 * SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_LIMIT (seg_call_settings.max_memory would be passed), SEG_ERR_CANCELLED. */
SEG_API seg_status seg_cluster(seg_context *ctx, const seg_method *method, const seg_params *params,
                               const seg_problem *problem, seg_clustering *out);
/** Estimate what clustering takes, before a graph is built or anything else large is allocated.
 *  @param method   of the registry
 *  @param params   NULL for the defaults
 *  @param problem  n, k, features (of which the columns count), kernel, affinity, full and constraints are used
 *  @param spec     the graph that is still to be built of the features, or NULL where there is none to build
 *  @param bytes    what graph and clustering hold at most, about, the result included, besides the problem; may be NULL
 *  @return SEG_OK, or SEG_ERR_LIMIT where that and what the process holds pass the context's max_memory. Cost O(1). */
SEG_API seg_status seg_cluster_plan(seg_context *ctx, const seg_method *method, const seg_params *params,
                                    const seg_problem *problem, const seg_graph_spec *spec, size_t *bytes);
/** Release what the clustering owns and zero it.
 *  @param clustering  NULL and zeroed ones are fine */
SEG_API void seg_clustering_free(seg_clustering *clustering);

/** @} */
