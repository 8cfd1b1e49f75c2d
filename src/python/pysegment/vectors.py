"""Vectors, graphs and kernels to clusters."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._binding import ffi, lib
from .arrays import array_of_matrix, make_matrix, pointer_to, real_matrix
from .constraints import add_pairs, make_constraints, pair_array, partial_labels, set_groups
from .context import Context, Progress, text_of, whole
from .registry import Method, default_options, find_method, methods, set_option, text_of_value

LARGEST = 1e100  # similarity, or weight of an edge, that the library reads from files


class Clustering:
    """What a method found.

    Attributes
    ----------
    labels : ndarray of int64, n
        The cluster of each sample: where labels were given their numbers, and numbers beyond the largest for further
        clusters; else 0 to k - 1.
    clusters : ndarray of int64, k
        The number of each column of `scores`.
    scores : ndarray of float64, n x k
        How much a sample belongs to each cluster; rows are >= 0 and sum to 1.
    embedding : ndarray of float64, n x r, or None
        The rows that were clustered, the factor Z of a learned kernel K = ZZ'; None where the method has none.
    objective : float
        The method's own, nan where it has none.
    objective_bound : float
        What no partition's objective is below, the sum of the eigenvalues for `ncut`; nan for other methods.
    n_iter : int
        Iterations of the method's own solver.
    converged : bool
        Whether the solver met its tolerance.
    method, ran : str
        The method, and what made the labels where it chose or gave way to another.
    sigma : float
        Width of the Gaussian weights of the graph, 0 where none was built.
    broken_must_links, broken_cannot_links : int
        Listed pairs that the clusters do not keep.
    """

    def __init__(self, found, method: Method, constraints, names: np.ndarray, sigma: float):
        n, k = found.n, found.k
        cluster = np.frombuffer(ffi.buffer(found.label, 4 * n), np.int32)
        self.clusters = names[:k]
        self.labels = names[cluster]
        self.scores = array_of_matrix(found.score, found)
        self.embedding: Optional[np.ndarray] = None
        if found.embedding.cols and found.embedding.at != ffi.NULL:
            self.embedding = array_of_matrix(found.embedding, found)
        self.objective, self.objective_bound = found.objective, found.objective_bound
        self.n_iter, self.converged = found.iterations, bool(found.converged)
        self.method, self.ran = method.name, text_of(found.ran)
        self.sigma = sigma
        kept = ffi.new("seg_kept *")
        lib.seg_kept_count(ffi.NULL, ffi.NULL, constraints, found, kept)
        self.broken_must_links, self.broken_cannot_links = kept.broken_must_links, kept.broken_cannot_links

    def __repr__(self) -> str:
        return f"<pysegment.Clustering: {len(self.labels)} samples in {len(self.clusters)} clusters by {self.ran}>"


def affinity_matrix(graph):
    """A SciPy sparse matrix as symmetric CSR of doubles without a diagonal: the same one where that is what it is."""
    from scipy import sparse

    if not sparse.issparse(graph):
        raise TypeError(f"graph is a {type(graph).__name__}; give 'knn', 'full', or a SciPy sparse matrix of affinities")
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1] or graph.shape[0] == 0:
        raise ValueError(f"graph has the shape {graph.shape}; affinities are n x n")
    if graph.dtype.kind not in "fiub":
        raise ValueError(f"graph has weights of type {graph.dtype}; give real numbers")
    matrix = graph.tocsr()
    if matrix.dtype != np.float64:
        matrix = matrix.astype(np.float64)
    if not np.isfinite(matrix.data).all() or (matrix.data < 0).any() or (matrix.data > LARGEST).any():
        wrong = matrix.data[~((matrix.data >= 0) & (matrix.data <= LARGEST))][0]
        raise ValueError(f"graph has the weight {wrong:g}; weights are 0 to {LARGEST:g}")
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is graph else matrix
        matrix.sum_duplicates()
    if matrix.diagonal().any() or (matrix.data == 0).any():
        matrix = matrix.copy() if matrix is graph else matrix
        matrix.setdiag(0)
        matrix.eliminate_zeros()
        matrix.sort_indices()
    if matrix.nnz:
        apart = abs(matrix - matrix.T)
        if apart.nnz and apart.max() > 1e-8 * matrix.data.max():
            row, column = (int(at[0]) for at in (apart > 1e-8 * matrix.data.max()).nonzero())
            raise ValueError(f"graph is not symmetric: ({row}, {column}) is {matrix[row, column]:g} and ({column}, {row}) "
                             f"is {matrix[column, row]:g}; (graph + graph.T) / 2 is")
        if apart.nnz and apart.max() > 0:
            matrix = ((matrix + matrix.T) * 0.5).tocsr()
            matrix.sum_duplicates()
    return matrix


def _make_csr(matrix):
    """A seg_csr that borrows the weights and columns; the n + 1 offsets are copied, since SciPy's are of 32 bits."""
    start = np.ascontiguousarray(matrix.indptr, np.uintp)
    column = np.ascontiguousarray(matrix.indices, np.int32)
    csr = ffi.new("seg_csr *")
    csr.rows, csr.cols = matrix.shape
    csr.start, csr.column = pointer_to(start, "size_t *"), pointer_to(column, "int32_t *")
    csr.value = pointer_to(matrix.data, "double *")
    return csr, (matrix, start, column)


def kernel_matrix(kernel) -> np.ndarray:
    """Similarities as symmetric n x n doubles: the same memory where that is what they are."""
    matrix = real_matrix(kernel, "kernel")
    n = len(matrix)
    if matrix.shape != (n, n):
        raise ValueError(f"kernel has the shape {matrix.shape}; similarities are n x n")
    largest = np.abs(matrix).max()
    if largest > LARGEST:
        raise ValueError(f"kernel holds a similarity of magnitude {largest:g}, beyond {LARGEST:g}; scale it down")
    apart = np.abs(matrix - matrix.T)
    if apart.max() > 1e-8 * largest:
        row, column = np.unravel_index(apart.argmax(), apart.shape)
        raise ValueError(f"kernel is not symmetric: ({row}, {column}) is {matrix[row, column]:g} and ({column}, {row}) is "
                         f"{matrix[column, row]:g}")
    if apart.max() > 0:
        matrix = 0.5 * (matrix + matrix.T)
    diagonal = matrix.diagonal()
    if diagonal.min() < -1e-8 * diagonal.max():
        raise ValueError(f"kernel has {diagonal.min():g} on its diagonal; similarities of a sample to itself are not "
                         "negative")
    root = np.sqrt(np.maximum(diagonal, 0))
    bound = np.outer(root, root)
    above = np.abs(matrix) - bound - 1e-8 * (bound + diagonal.max())
    if above.max() > 0:
        row, column = np.unravel_index(above.argmax(), above.shape)
        raise ValueError(f"kernel has {matrix[row, column]:g} at ({row}, {column}), above the mean {bound[row, column]:g} of "
                         "the two diagonal entries; is it a matrix of distances?")
    return matrix


def _default_method(constrained: bool, kernel: bool) -> Method:
    if not kernel:
        return find_method(text_of(lib.seg_method_find(ffi.NULL if constrained else lib.SEG_METHOD_UNCONSTRAINED).name))
    wanted = lib.SEG_NEEDS_CONSTRAINTS if constrained else 0
    return next(method for method in methods() if method.needs & ~lib.SEG_WEIGHS_PAIRS == wanted)


def _method_of(context: Context, text: Optional[str], constrained: bool, kernel: bool):
    """The method, and options that hold its variant and parameters."""
    if text is None:
        method = _default_method(constrained, kernel)
    else:
        method = find_method(text.partition(":")[0] if isinstance(text, str) else text)
    options = default_options(context)
    context.quick(lib.seg_options_set, options, b"method", (method.name if text is None else text).encode())
    return method, options


def _parameters(context: Context, method: Method, options, given):
    known = {parameter.keyword: parameter.name for parameter in method.parameters}
    for word, value in given.items():
        if word not in known:
            raise TypeError(f"the method {method.name} has no parameter {word!r}; "
                            + (f"it has {', '.join(known)}" if known else "it has none"))
        context.quick(lib.seg_options_set, options, b"param", f"{known[word]}={text_of_value(value)}".encode())
    return lib.seg_options_params(options)


def _check_settings(graph, X, knn, sigma, standardise):
    """What is given must have something to act on."""
    listed, full = not isinstance(graph, str), isinstance(graph, str) and graph == "full"
    if knn is not None and (listed or full):
        raise ValueError("knn makes a graph of nearest neighbours, and " + (
            "graph is one already" if listed else "in a complete graph all are neighbours"))
    if X is None and (sigma is not None or full):
        raise ValueError("sigma and the graph 'full' are made of X, and there is none")
    if X is None and standardise:
        raise ValueError("standardise needs X; a graph and a kernel have no columns")


def _settings(context: Context, graph, knn, sigma, restarts):
    """What is given of the graph and the restarts; the library fills in the rest."""
    options = default_options(context)
    settings = ffi.new("seg_cluster_settings *")
    for name, value, chosen in (("knn", None if knn is None else whole(knn, "knn", 1, 1000), lib.SEG_CHOSEN_NEIGHBOURS),
                                ("sigma", sigma, lib.SEG_CHOSEN_SIGMA)):
        if value is not None:
            set_option(context, options, name, value)
            settings.chosen |= chosen
    settings.graph = lib.seg_options_graph(options)[0]
    settings.graph.kind = lib.SEG_GRAPH_FULL if isinstance(graph, str) and graph == "full" else lib.SEG_GRAPH_KNN
    if restarts is not None:
        settings.restarts = whole(restarts, "restarts", 1, 100000)
        settings.chosen |= lib.SEG_CHOSEN_RESTARTS
    return settings


def _constraints(context: Context, n: int, k: int, must_link, cannot_link, labels):
    """The constraints, the number that each cluster gets, and whether there are any."""
    out = make_constraints(context, n)
    names = np.arange(k)
    if labels is not None:
        values = set_groups(out, partial_labels(labels, n))
        beyond = (int(values[-1]) + 1 if len(values) else 0) + np.arange(max(k - len(values), 0))
        names = np.concatenate([values, beyond]).astype(np.int64)
    add_pairs(context, out, pair_array(must_link, "must_link"), 1, "must_link")
    add_pairs(context, out, pair_array(cannot_link, "cannot_link"), -1, "cannot_link")
    return out, names, bool(out.groups or out.pairs)


def cluster(X=None, k: int = 2, *, must_link=None, cannot_link=None, labels=None, graph="knn", kernel=None,
            method: Optional[str] = None, knn: Optional[int] = None, sigma: Optional[float] = None, restarts: Optional[int] = None,
            standardise: bool = False, seed: int = 1, threads: int = 0, progress: Optional[Progress] = None,
            **params: Any) -> Clustering:
    """Cluster vectors, the nodes of a graph, or what a kernel compares, under constraints.

    Parameters
    ----------
    X : array_like, n x d, optional
        A sample per row; doubles in C order are used where they lie, others are copied once. Left out where `graph` holds
        affinities or with `kernel`.
    k : int
        Clusters, 1 to 254.
    must_link, cannot_link : array_like, m x 2 or m x 3, optional
        Indices from 0 of samples that belong to one cluster, or to two; a third column is a weight, else 1.
    labels : array_like of int, n, optional
        Known labels, negative ones for unknown: those with the same label must link, those with different ones cannot.
        No pair of them is listed, so there may be as many as there are samples.
    graph : {"knn", "full"} or SciPy sparse matrix, n x n
        How the graph of the samples is made, for methods that need one; or the graph itself: symmetric affinities >= 0. A
        CSR matrix of doubles in canonical format, exactly symmetric and without a diagonal, is used where it lies (but
        for its n + 1 offsets); others are copied once.
    kernel : array_like, n x n, optional
        Symmetric positive semidefinite similarities, in place of `X`. (A name is the parameter of kernel methods.)
    method : str, optional
        One of `methods`, with ":paper" behind it for what the method's paper prints, its graph and one start too. By
        default "auto" with constraints and "ncut" without; with `kernel`, the first that needs nothing else.
    knn : int, optional
        Nearest neighbours that "knn" joins, 1 to 1000; by default 20. With `knn` or `sigma` a method with ":paper"
        does not use the graph of its paper.
    sigma : float, optional
        Width of the Gaussian weights, in the unit of `X`; by default from the data.
    restarts : int, optional
        Of k-means; by default 10, with ":paper" 1.
    standardise : bool
        Give every column mean 0 and standard deviation 1 first, in a copy.
    seed, threads, progress
        As for `segment`.
    **params
        Parameters of the method (`methods`).

    Returns
    -------
    Clustering

    Raises
    ------
    ValueError
        Shapes, types or numbers that do not fit; contradictory constraints (`ContradictionError`).
    MemoryError, ArithmeticError
        As `OutOfMemoryError`, `NumericError`.

    Notes
    -----
    The graph costs about O(n log n) up to 32 columns and O(n^2 d) beyond; `pysegment.find_method(name).source` is where a
    method comes from. The labels are those of ``segment cluster`` with the same options.

    Examples
    --------
    >>> cluster([[0.0], [0.1], [5.0], [5.1]], 2, method="kmeans").labels.tolist()
    [0, 0, 1, 1]
    """
    context = Context(seed, threads, progress)
    if isinstance(kernel, str):  # a parameter of the kernel methods
        kernel, params["kernel"] = None, kernel
    k = whole(k, "k", 1, lib.SEG_MAX_LABELS)
    listed = not isinstance(graph, str)
    if (X is not None) + listed + (kernel is not None) != 1:
        raise ValueError("give one of X, a sparse matrix as graph, and kernel")
    if not listed and graph not in ("knn", "full"):
        raise ValueError(f"graph is {graph!r}; give 'knn', 'full', or a SciPy sparse matrix of affinities")
    _check_settings(graph, X, knn, sigma, standardise)
    if X is not None:
        samples = real_matrix(X, "X")
        largest = np.abs(samples).max()
        if largest > lib.SEG_LARGEST_FEATURE:
            raise ValueError(f"X holds a number of magnitude {largest:g}; beyond {lib.SEG_LARGEST_FEATURE:g} results are not "
                             "reliable: scale it down")
    elif kernel is not None:
        samples = kernel_matrix(kernel)
    else:
        samples = affinity_matrix(graph)
    n = samples.shape[0]
    constraints, names, constrained = _constraints(context, n, k, must_link, cannot_link, labels)
    chosen, options = _method_of(context, method, constrained, kernel is not None)
    if not listed and graph == "full" and not chosen.needs_graph:
        raise ValueError(f"the method {chosen.name} makes no use of a graph; leave out graph='full'")
    row = lib.seg_method_find(chosen.name.encode())
    as_printed = isinstance(method, str) and method.endswith(":paper")
    variant = lib.SEG_VARIANT_PAPER if as_printed else lib.SEG_VARIANT_IMPROVED
    values = _parameters(context, chosen, options, params)
    settings = _settings(context, graph, knn, sigma, restarts)

    problem = ffi.new("seg_problem *")
    problem.n, problem.k, problem.constraints = n, k, constraints
    width = ffi.new("double *")
    made = ffi.gc(ffi.new("seg_csr *"), lib.seg_csr_free)
    matrix = ffi.NULL
    if not listed:
        if standardise:
            samples = np.array(samples)
        matrix = make_matrix(samples)
        if standardise:
            context.call(lib.seg_scale, lib.SEG_SCALING_STANDARDISED, matrix)
    vectors = matrix if X is not None else ffi.NULL
    context.call(lib.seg_cluster_settings_fill, row, variant, vectors, settings)
    spec = ffi.addressof(settings, "graph")
    problem.restarts, problem.features = settings.restarts, vectors
    if X is not None:
        if chosen.needs_graph:
            context.call(lib.seg_graph_build, matrix, ffi.NULL, spec, made, width)
            problem.affinity = made
    elif kernel is not None:
        problem.kernel = matrix
        if chosen.needs_graph:
            spec.kind = lib.SEG_GRAPH_KERNEL
            context.call(lib.seg_graph_build, matrix, ffi.NULL, spec, made, ffi.NULL)
            problem.affinity = made
    else:
        affinity, arrays = _make_csr(samples)
        problem.affinity = affinity
    found = ffi.gc(ffi.new("seg_clustering *"), lib.seg_clustering_free)
    context.call(lib.seg_cluster, row, values, problem, found)
    return Clustering(found, chosen, constraints, names, width[0])
