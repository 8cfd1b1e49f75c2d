/** @file methods.h
 *  The registry of methods, and the call that runs one on any vectors or graph, from images or other data. */
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
    double high;               /**< largest legal value; for choices their number minus 1 */
    int whole;                 /**< 1 if only integers are legal */
    const char *const *choice; /**< NULL-ended names of the values 0, 1, ...; NULL for a number */
    const char *help;          /**< one line */
} seg_param;

/** Inputs that a method needs or uses. */
typedef enum seg_needs {
    SEG_NEEDS_GRAPH = 1,        /**< seg_problem.affinity */
    SEG_NEEDS_CONSTRAINTS = 2,  /**< seg_problem.constraints */
    SEG_NEEDS_FEATURES = 4,     /**< seg_problem.features */
    SEG_USES_CONTEXT = 8,       /**< uses seg_problem.context if given, else the features */
    SEG_EIGENVECTORS_ONLY = 16, /**< needs only the smoothest eigenvectors of the graph */
    SEG_WEIGHS_PAIRS = 32       /**< listed pairs only add to sums, by their weights; other methods join samples, and
                                     seg_cluster() omits pairs of low confidence for them (docs/formats.md) */
} seg_needs;

/** Variants of a method: the algorithm as printed, or with changes that improve its results. */
typedef enum seg_method_variant {
    SEG_VARIANT_IMPROVED = 0, /**< the default */
    SEG_VARIANT_PAPER         /**< as printed */
} seg_method_variant;

/** The graph that the paper of a method uses. */
typedef enum seg_paper_graph {
    SEG_PAPER_GRAPH_NONE = 0, /**< none */
    SEG_PAPER_GRAPH_KNN,      /**< 20 nearest neighbours, the width the mean distance to the 20th [li2009ccskl, 5.2] */
    SEG_PAPER_GRAPH_FULL      /**< all pairs, the width their mean distance [chen2011npkl, Eq. 15 and Sec. 5] */
} seg_paper_graph;

/** The description of a method. Static storage. */
typedef struct seg_method {
    const char *name;         /**< as on the command line */
    const char *title;        /**< one line */
    const char *source;       /**< key in docs/references.bib and place, e.g. "li2009ccskl, Algorithm 1" */
    unsigned needs;           /**< seg_needs, or-ed */
    int param_count;          /**< 0 .. SEG_MAX_PARAMS */
    const seg_param *param;   /**< param_count parameters */
    const char *const *paper; /**< NULL-ended NAME=VALUE that the variant paper sets differently from
                                   the defaults; NULL for a method that no paper prints */
    const char *improved;     /**< improvements of the defaults over the paper, one sentence; NULL if none */
    seg_paper_graph graph;    /**< of the paper */
} seg_method;

/** The i-th method.
 *  @param i  from 0
 *  @return the method, NULL behind the last */
SEG_API const seg_method *seg_method_at(int i);
/** The default method without constraints. */
#define SEG_METHOD_UNCONSTRAINED "ncut"
/** Find a method.
 *  @param name  as on the command line; NULL: the default method with constraints, which is the best over
 *  whole data sets (docs/results.md): "auto". For listed pairs it runs "mixture" on vectors; on graphs
 *  and images it runs several methods and chooses one by held-out pairs (docs/stages/auto.md);
 *  seg_clustering.ran says which.
 *  @return the method; NULL if there is none of that name */
SEG_API const seg_method *seg_method_find(const char *name);

/** Values of a method's parameters, in the order of its table (seg_param.initial are the defaults). Set by name:
 * seg_options_set() with "method", then "param", sets the parameters of seg_options_params(). */
typedef struct seg_params {
    double value[SEG_MAX_PARAMS]; /**< for choices the position */
} seg_params;

/** The fields of seg_cluster_settings that the caller sets. */
typedef enum seg_chosen {
    SEG_CHOSEN_NEIGHBOURS = 1, /**< graph.neighbours */
    SEG_CHOSEN_SIGMA = 4,      /**< graph.sigma */
    SEG_CHOSEN_SEARCH = 8,     /**< graph.search */
    SEG_CHOSEN_RESTARTS = 16   /**< restarts */
} seg_chosen;

/** Settings of clustering besides the method's parameters. */
typedef struct seg_cluster_settings {
    seg_graph_spec graph; /**< of vectors or a kernel; kind SEG_GRAPH_FULL is kept, others become SEG_GRAPH_KNN */
    int restarts;         /**< as seg_problem.restarts */
    unsigned chosen;      /**< seg_chosen, or-ed; 0: everything is filled in */
    int64_t reserved[4];  /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_cluster_settings;

/** Set the fields that the caller did not choose, as `segment cluster` does. The variant improved has a graph of 20
 *  nearest neighbours with 1.5 times their mean distance as its width, or the complete graph with its mean distance as
 *  the width, and 10 restarts. The variant paper has an exact search of neighbours, one restart, and the graph of
 *  the method's paper, unless the caller chose a graph setting other than the search.
 *  @param method  of the registry
 *  @param variant  of the method
 *  @param X  n x d, finite: the vectors from which the graph will be built; NULL if there are none
 *  @param settings  fields that are not chosen are set
 *  @return SEG_OK, SEG_ERR_USAGE (no such variant), SEG_ERR_MEMORY. Cost: with a paper's nearest-neighbour
 *  graph that of the search, else O(1). */
SEG_API seg_status seg_cluster_settings_fill(seg_context *ctx, const seg_method *method, seg_method_variant variant,
                                             const seg_matrix *X, seg_cluster_settings *settings);

/** A clustering problem. Everything is borrowed. */
typedef struct seg_problem {
    size_t n; /**< samples */
    int k;    /**< clusters, >= 1 and >= the number of groups with samples */
    /** n x d; may be NULL for methods that need only the graph. In single precision the result has the same bytes
     *  as with the same numbers as doubles. Methods that need only the features (`needs` is SEG_NEEDS_FEATURES)
     *  convert a few rows at a time; otherwise all are converted first. */
    const seg_matrix *features;
    const seg_csr *affinity;            /**< n x n symmetric; may be NULL for methods that do not need it */
    const seg_constraints *constraints; /**< on the same n; may be NULL */
    int restarts;                       /**< of the final k-means, or of ncut's discretisation, >= 1 */
    const seg_matrix *kernel;  /**< n x n positive semidefinite similarities, for the kernel methods; may be NULL */
    const seg_matrix *context; /**< n x q: context features of the samples, for methods that use them; may be NULL */
    const struct seg_prepared *prepared; /**< internal: computed properties of the affinity; else NULL */
    int exponent;                        /**< the measured features are the given numbers times 2^exponent; 0: they are
                                              given as measured. Parameters and objectives are in the measured unit */
    int patches; /**< 1: the samples are patches of an image, whose neighbours mostly belong together */
    /** n x k: prior probabilities of each sample, rows >= 0 with sum one, in the order of the clusters;
     *  a column of zeros: that cluster has no prior. Used by auto, which then needs no constraints
     *  and may leave clusters empty. NULL: no prior. */
    const seg_matrix *prior;
    /** n numbers >= 0: absorption of a walk into the background at each unmarked sample, as a share of
     *  the sample's degree. For auto with two clusters, an object and its background, which then needs a group only
     *  for the object. NULL: none. */
    const double *background;
    /** n log odds of the first of two clusters, an object and its background, used in addition to the
     *  features. For auto. NULL: none. */
    const double *odds;
    double discount;     /**< share of `odds` that does not count, 0 to 1 */
    int64_t reserved[3]; /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_problem;

/** The result of a method. */
typedef struct seg_clustering {
    size_t n;       /**< samples */
    int k;          /**< clusters */
    int32_t *label; /**< n labels 0..k-1: samples of group g are in cluster g; clusters without a group follow; owned */
    seg_matrix score;     /**< n x k, each row >= 0 with sum 1: membership of a sample in each cluster */
    seg_matrix embedding; /**< n x r: the clustered rows (factor of the learned kernel); r = 0 if there are none */
    double objective;     /**< the method's objective at its solution, NAN if it has none */
    int iterations;       /**< of the method's own solver */
    int converged;        /**< 0 if an iteration limit ended it */
    /** Residuals of a kernel learned by a semidefinite program (TRAGEK, PCP), by an independent check
     *  of the solver's solution before the rows of the embedding are normalised. NAN for other methods. */
    double kernel_psd;      /**< -(least eigenvalue) / (1 + largest), 0 where none is negative */
    double kernel_diagonal; /**< largest |K_ii - 1| */
    double kernel_gap;      /**< duality gap / (1 + |primal| + |dual|) */
    /** What made the labels: the name of the method, or of the one that it chose or fell back to, or "random-walker"
     *  [grady2005priors]. Static storage. */
    const char *ran;
    double objective_bound; /**< lower bound of the objective over all partitions: for ncut, whose
                                 objective is the normalized cut, the sum of the eigenvalues; else NAN */
    int64_t reserved[7];    /**< zeros: room for fields of later versions, of which 0 is the default */
} seg_clustering;

/** How many listed pairs a clustering satisfies. */
typedef struct seg_kept {
    size_t must_links;          /**< listed ones */
    size_t cannot_links;        /**< the same */
    size_t broken_must_links;   /**< with ends in two clusters */
    size_t broken_cannot_links; /**< with ends in one cluster */
    size_t smallest;            /**< samples of the smallest cluster */
} seg_kept;

/** Count the listed pairs that a clustering satisfies and violates.
 *  @param method  that made the result: a warning is logged if listed pairs are violated, or if few pairs left
 * a cluster with less than 1 % of the samples. NULL: no warnings
 *  @param constraints  on as many samples; its pairs are counted
 *  @param result  labels of the samples
 *  @param out  the counts */
SEG_API void seg_kept_count(seg_context *ctx, const seg_method *method, const seg_constraints *constraints,
                            const seg_clustering *result, seg_kept *out);

/** Run a method.
 *  @param method  of the registry
 *  @param problem  the problem
 *  @param out  free with seg_clustering_free; zeroed on failure
 *  @param params  NULL for the defaults
 *
 *  All clusters have samples: k may be at most the number of samples, counting samples that must link as
 *  one. If a method leaves clusters empty, each gets the samples (with all that must link to them) that fit
 * their own cluster least, and a warning is logged. Features are finite and at most SEG_LARGEST_FEATURE in magnitude;
 * labels and scores do not depend on their unit.
 *  @return SEG_OK, SEG_ERR_USAGE (k, sizes, parameters, something needed is missing), SEG_ERR_CONTRADICTION,
 *  SEG_ERR_NUMERIC, SEG_ERR_MEMORY, SEG_ERR_LIMIT (max_memory would be exceeded), SEG_ERR_CANCELLED. */
SEG_API seg_status seg_cluster(seg_context *ctx, const seg_method *method, const seg_params *params,
                               const seg_problem *problem, seg_clustering *out);
/** Estimate the memory of clustering, before a graph is built or anything else large is allocated.
 *  @param method   of the registry
 *  @param params   NULL for the defaults
 *  @param problem  n, k, the columns of features, kernel, affinity and constraints are used
 *  @param spec     the graph that will be built from the features, or NULL if none is
 *  @param bytes    estimated peak of graph and clustering with the result, without the problem; may be NULL
 *  @return SEG_OK, or SEG_ERR_LIMIT if this and the memory of the process exceed max_memory. Cost O(1). */
SEG_API seg_status seg_cluster_plan(seg_context *ctx, const seg_method *method, const seg_params *params,
                                    const seg_problem *problem, const seg_graph_spec *spec, size_t *bytes);
/** Release what the clustering owns and zero it.
 *  @param clustering  NULL and zeroed ones are fine */
SEG_API void seg_clustering_free(seg_clustering *clustering);

/** @} */
