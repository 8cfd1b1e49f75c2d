"""A scikit-learn estimator for every method of the library, made from its registry.

`fit` takes constraints beside the samples::

    CCSKL(n_clusters=3).fit(X, must_link=[[0, 4]], cannot_link=[[0, 9], [4, 20]])
    ENPAKL(n_clusters=3).fit(X, y)      # y: partial labels, -1 for unknown
"""
from __future__ import annotations

import inspect
import warnings
from typing import Any, Dict, Tuple

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_samples

from .constraints import partial_labels
from .errors import SegmentWarning
from .registry import Method, methods
from .vectors import cluster

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6

    def validate_data(estimator, X, **how):
        return estimator._validate_data(X, **how)


# Names in Python where they are not the method's in capitals of words.
NAMES = {"auto": "AutoCluster", "walk": "RandomWalk", "mixture": "ConstrainedMixture", "ccskl": "CCSKL", "ccsr": "CCSR", "enpakl": "ENPAKL",
         "enpakl1": "ENPAKL1", "tragek": "TRAGEK", "pcp": "PCP", "sskk": "SSKernelKMeans", "ncut": "NormalizedCuts",
         "kmeans": "KMeans", "kernel-kmeans": "KernelKMeans", "kernel-hmrf-kmeans": "KernelHMRFKMeans",
         "seeded-kmeans": "SeededKMeans", "constrained-kmeans": "ConstrainedKMeans", "pckmeans": "PCKMeans", "mpck-means": "MPCKMeans",
         "cop-kmeans": "COPKMeans", "hmrf-kmeans": "HMRFKMeans"}
# Methods that learn a kernel, of which the embedding is a factor.
_KERNELS = {"enpakl", "enpakl1", "tragek", "pcp", "ccskl", "ccsr"}

# What every estimator takes beside the parameters of its method, and the default.
COMMON: Dict[str, Any] = {"n_clusters": None, "graph": "knn", "knn": 20, "sigma": None, "restarts": 10,
                          "standardise": False, "random_state": 1, "threads": 0}

_COMMON_DOC = """    n_clusters : int, default=None
        Clusters, 1 to 254. None: as many as `y` has labels, 2 where that is fewer.
    graph : {"knn", "full", "precomputed"}, default="knn"
        How the graph of the samples is made, where the method needs one; with "precomputed", `X` is a SciPy sparse matrix
        of symmetric affinities.
    knn : int, default=20
        Nearest neighbours of each node of the graph.
    sigma : float, default=None
        Width of the Gaussian weights; None: from the data.
    restarts : int, default=10
        Of k-means.
    standardise : bool, default=False
        Give every column mean 0 and standard deviation 1 first.
    random_state : int, RandomState or None, default=1
        Seed of every random choice; None draws another each time.
    threads : int, default=0
        0 for as many as there are processors; never changes a result."""

_ATTRIBUTES_DOC = """    labels_ : ndarray of int, n_samples
        The cluster of each sample: where labels were given their numbers, and numbers beyond the largest for further
        clusters; else 0 to n_clusters - 1.
    scores_ : ndarray of float, n_samples x n_clusters
        How much each sample belongs to each cluster, in the order of `clusters_`.
    clusters_ : ndarray of int, n_clusters
        The number of each cluster.
    embedding_ : ndarray of float, n_samples x r, or None
        The rows that were clustered.{kernel}
    objective_ : float
        The method's own objective, nan where it has none.
    objective_bound_ : float
        What no partition's objective is below, the sum of the eigenvalues for `ncut`; nan for other methods.
    n_iter_ : int
        Iterations of the method's own solver, at least 1.
    converged_ : bool
        Whether the solver met its tolerance.
    ran_ : str
        What made the labels, where the method chose or gave way to another.
    n_features_in_ : int
        Columns of `X`."""

_KERNEL_DOC = """
    kernel_factor_ : ndarray of float, n_samples x r, or None
        Z of the learned kernel K = ZZ'; the same array."""


class ConstrainedClusterer(ClusterMixin, BaseEstimator):
    """What the estimators share; `method` is the library's name of each.

    Without any constraint there is nothing that most methods could learn from: then normalized cuts give the clusters,
    with a warning, and `ran_` says so.
    """

    method: str = ""

    def fit(self, X, y=None, *, must_link=None, cannot_link=None):
        """Cluster.

        Parameters
        ----------
        X : array_like, n_samples x n_features, or SciPy sparse matrix with ``graph="precomputed"``
            Finite numbers.
        y : array_like of int, n_samples, optional
            Partial labels, -1 for unknown: equal ones must link, different ones cannot. Of more labels than clusters only
            the must-links are kept, with a warning.
        must_link, cannot_link : array_like, m x 2 or m x 3, optional
            Indices of samples that belong to one cluster, or to two; a third column is a weight.

        Returns
        -------
        self
        """
        row = _METHODS[self.method]
        given = {parameter.keyword: getattr(self, parameter.keyword) for parameter in row.parameters}
        graph = self.graph
        if isinstance(graph, str) and graph == "precomputed":
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
            source: Dict[str, Any] = {"graph": X}
        else:
            X = validate_data(self, X, accept_sparse=False, dtype=np.float64, order="C")
            source = {"X": X, "graph": graph}
            if graph == "knn":  # the parameters always have a value
                source["knn"] = self.knn
        samples = _num_samples(X)
        labels, k = None, self.n_clusters
        if y is not None:
            labels = partial_labels(y, samples, "y")
            if k is None:
                k = max(len(np.unique(labels[labels >= 0])), 2)
            labels, must_link = self._fewer(labels, k, must_link)
        constrained = any(given_ is not None and np.size(given_) for given_ in (must_link, cannot_link)) or (
            labels is not None and (labels >= 0).any())
        name = self.method
        if row.needs_constraints and not constrained:
            warnings.warn(f"{type(self).__name__} learns from constraints and there are none: normalized cuts make the "
                          "clusters", SegmentWarning, stacklevel=2)
            name, given = "ncut", {}
        found = cluster(k=2 if k is None else k, must_link=must_link, cannot_link=cannot_link, labels=labels, method=name,
                        sigma=self.sigma, restarts=self.restarts, standardise=self.standardise, seed=self._seed(),
                        threads=self.threads, **source, **given)
        self.labels_, self.scores_, self.clusters_ = found.labels, np.array(found.scores), found.clusters
        self.embedding_ = None if found.embedding is None else np.array(found.embedding)
        if self.method in _KERNELS:
            self.kernel_factor_ = self.embedding_
        self.objective_, self.objective_bound_ = found.objective, found.objective_bound
        self.converged_, self.ran_ = found.converged, found.ran
        self.n_iter_ = max(found.n_iter, 1)
        return self

    def fit_predict(self, X, y=None, *, must_link=None, cannot_link=None):
        """`fit`, and return `labels_`."""
        return self.fit(X, y, must_link=must_link, cannot_link=cannot_link).labels_

    def _fewer(self, labels, k, must_link):
        """Of more labels than clusters only must-links."""
        values, first = np.unique(labels, return_index=True)
        first = first[values >= 0]
        if len(first) <= k:
            return labels, must_link
        warnings.warn(f"y has {len(first)} labels for {k} clusters: equal ones must link, and different ones "
                      "may share a cluster", SegmentWarning, stacklevel=3)
        known = np.flatnonzero(labels >= 0)
        leader = dict(zip(labels[first].tolist(), first.tolist()))
        pairs = [(leader[int(labels[i])], int(i), 1.0) for i in known if leader[int(labels[i])] != i]
        if must_link is not None and np.size(must_link):
            from .constraints import pair_array
            pairs += pair_array(must_link, "must_link").tolist()
        return None, pairs

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))


def _make(method: Method) -> type:
    """The estimator of a method."""
    defaults = dict(COMMON)
    for parameter in method.parameters:
        defaults[parameter.keyword] = parameter.default
    order = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    order += [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD if name == "n_clusters"
                                else inspect.Parameter.KEYWORD_ONLY, default=default)
              for name, default in defaults.items()]
    signature = inspect.Signature(order)

    def __init__(self, *args, **given):
        bound = signature.bind(self, *args, **given)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name != "self":
                setattr(self, name, value)

    __init__.__signature__ = signature
    rows = "".join(f"\n    {p.keyword} : {'int' if p.whole else 'float' if not p.choices else '{' + p.range + '}'}, "
                   f"default={p.default!r}\n        {p.help}" + ("" if p.choices else f" ({p.range})")
                   for p in method.parameters)
    kernel = _KERNEL_DOC if method.name in _KERNELS else ""
    doc = (f"{method.title[0].upper()}{method.title[1:]}.\n\n    ``segment methods`` says::\n\n"
           + "\n".join("        " + line for line in method.description.splitlines())
           + f"\n\n    Parameters\n    ----------\n{_COMMON_DOC}{rows}\n\n    Attributes\n    ----------\n"
           + _ATTRIBUTES_DOC.format(kernel=kernel)
           + f"\n\n    Notes\n    -----\n    Source: {method.source} (docs/references.bib).\n    ")
    name = NAMES.get(method.name) or "".join(word.capitalize() for word in method.name.split("-"))
    return type(name, (ConstrainedClusterer,), {"__init__": __init__, "__doc__": doc, "__module__": __name__,
                                                "method": method.name})


_METHODS: Dict[str, Method] = {method.name: method for method in methods()}
CLASSES: Tuple[type, ...] = tuple(_make(method) for method in methods())
for _class in CLASSES:
    globals()[_class.__name__] = _class
__all__ = ["ConstrainedClusterer", *(one.__name__ for one in CLASSES)]
