# Made by scripts/python-stubs.py from the library's registry.
from typing import Any, ClassVar, Literal, Optional, Union

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin

class ConstrainedClusterer(ClusterMixin, BaseEstimator):
    method: ClassVar[str]
    labels_: np.ndarray
    scores_: np.ndarray
    clusters_: np.ndarray
    embedding_: Optional[np.ndarray]
    objective_: float
    objective_bound_: float
    n_iter_: int
    converged_: bool
    ran_: str
    n_features_in_: int
    n_clusters: Optional[int]
    graph: Literal["knn", "full", "precomputed"]
    knn: int
    sigma: Optional[float]
    restarts: int
    standardise: bool
    random_state: Union[None, int, np.random.RandomState]
    threads: int
    def fit(self, X: Any, y: Optional[ArrayLike] = ..., *, must_link: Optional[ArrayLike] = ...,
            cannot_link: Optional[ArrayLike] = ...) -> "ConstrainedClusterer": ...
    def fit_predict(self, X: Any, y: Optional[ArrayLike] = ..., *, must_link: Optional[ArrayLike] = ...,
                    cannot_link: Optional[ArrayLike] = ...) -> np.ndarray: ...

CLASSES: tuple[type[ConstrainedClusterer], ...]

class AutoCluster(ConstrainedClusterer):
    prior: float
    termination: float
    blend: float
    trees: int
    learn_from: float
    folds: int
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., prior: float = ..., termination: float = ..., blend: float = ..., trees: int = ..., learn_from: float = ..., folds: int = ...) -> None: ...

class RandomWalk(ConstrainedClusterer):
    termination: float
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., termination: float = ...) -> None: ...

class Forest(ConstrainedClusterer):
    trees: int
    candidates: int
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., trees: int = ..., candidates: int = ...) -> None: ...

class ConstrainedMixture(ConstrainedClusterer):
    m: int
    columns: int
    shrink: float
    weight: float
    folds: int
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., m: int = ..., columns: int = ..., shrink: float = ..., weight: float = ..., folds: int = ...) -> None: ...

class ENPAKL(ConstrainedClusterer):
    solver: Literal["descend", "project", "pcp"]
    weights: Literal["harmonic", "lle"]
    B: int
    R: int
    rank: int
    lam: float
    guard: float
    smoother: int
    sigma_scale: float
    sigma_of: Literal["subset", "data"]
    neighbours: int
    alpha: Literal["degree", "equal"]
    cannot: Literal["auto", "each", "sum"]
    extras: Literal["on", "off"]
    iterations: int
    kernel_factor_: Optional[np.ndarray]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., solver: Literal["descend", "project", "pcp"] = ..., weights: Literal["harmonic", "lle"] = ..., B: int = ..., R: int = ..., rank: int = ..., lam: float = ..., guard: float = ..., smoother: int = ..., sigma_scale: float = ..., sigma_of: Literal["subset", "data"] = ..., neighbours: int = ..., alpha: Literal["degree", "equal"] = ..., cannot: Literal["auto", "each", "sum"] = ..., extras: Literal["on", "off"] = ..., iterations: int = ...) -> None: ...

class ENPAKL1(ConstrainedClusterer):
    weights: Literal["harmonic", "lle"]
    B: int
    R: int
    smoother: int
    sigma_scale: float
    sigma_of: Literal["subset", "data"]
    neighbours: int
    extras: Literal["on", "off"]
    alpha: Literal["degree", "equal"]
    kernel_factor_: Optional[np.ndarray]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., weights: Literal["harmonic", "lle"] = ..., B: int = ..., R: int = ..., smoother: int = ..., sigma_scale: float = ..., sigma_of: Literal["subset", "data"] = ..., neighbours: int = ..., extras: Literal["on", "off"] = ..., alpha: Literal["degree", "equal"] = ...) -> None: ...

class TRAGEK(ConstrainedClusterer):
    lam: float
    lambda1: float
    lambda2: float
    tolerance: float
    kernel_factor_: Optional[np.ndarray]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., lam: float = ..., lambda1: float = ..., lambda2: float = ..., tolerance: float = ...) -> None: ...

class PCP(ConstrainedClusterer):
    tolerance: float
    kernel_factor_: Optional[np.ndarray]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., tolerance: float = ...) -> None: ...

class CCSKL(ConstrainedClusterer):
    m: int
    diagonal: float
    extras: Literal["on", "off"]
    kernel_factor_: Optional[np.ndarray]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., m: int = ..., diagonal: float = ..., extras: Literal["on", "off"] = ...) -> None: ...

class CCSR(ConstrainedClusterer):
    m: int
    diagonal: float
    extras: Literal["on", "off"]
    kernel_factor_: Optional[np.ndarray]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., m: int = ..., diagonal: float = ..., extras: Literal["on", "off"] = ...) -> None: ...

class SpectralLearning(ConstrainedClusterer):
    rows: Literal["unit", "plain"]
    extras: Literal["on", "off"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., rows: Literal["unit", "plain"] = ..., extras: Literal["on", "off"] = ...) -> None: ...

class SSKernelKMeans(ConstrainedClusterer):
    objective: Literal["association", "ratio-cut", "normalized-cut"]
    penalty: float
    shift: Literal["bound", "adaptive", "0"]
    sweeps: int
    start: Literal["best", "farthest", "random", "ncut"]
    iterations: int
    extras: Literal["on", "off"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., objective: Literal["association", "ratio-cut", "normalized-cut"] = ..., penalty: float = ..., shift: Literal["bound", "adaptive", "0"] = ..., sweeps: int = ..., start: Literal["best", "farthest", "random", "ncut"] = ..., iterations: int = ..., extras: Literal["on", "off"] = ...) -> None: ...

class KernelHMRFKMeans(ConstrainedClusterer):
    kernel: Literal["linear", "exponential"]
    width: float
    width_scale: float
    penalty: float
    shift: Literal["bound", "adaptive", "0"]
    sweeps: int
    start: Literal["best", "farthest", "random"]
    iterations: int
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., kernel: Literal["linear", "exponential"] = ..., width: float = ..., width_scale: float = ..., penalty: float = ..., shift: Literal["bound", "adaptive", "0"] = ..., sweeps: int = ..., start: Literal["best", "farthest", "random"] = ..., iterations: int = ...) -> None: ...

class NormalizedCuts(ConstrainedClusterer):
    least: float
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., least: float = ...) -> None: ...

class KMeans(ConstrainedClusterer):
    seeds: Literal["fixed", "none"]
    distance: Literal["euclidean", "cosine"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., seeds: Literal["fixed", "none"] = ..., distance: Literal["euclidean", "cosine"] = ...) -> None: ...

class KernelKMeans(ConstrainedClusterer):
    kernel: Literal["linear", "exponential"]
    width: float
    width_scale: float
    weights: Literal["equal", "degree"]
    sweeps: int
    iterations: int
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., kernel: Literal["linear", "exponential"] = ..., width: float = ..., width_scale: float = ..., weights: Literal["equal", "degree"] = ..., sweeps: int = ..., iterations: int = ...) -> None: ...

class SeededKMeans(ConstrainedClusterer):
    start: Literal["largest", "farthest"]
    rest: Literal["kmeans++", "perturbed"]
    distance: Literal["euclidean", "cosine"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., start: Literal["largest", "farthest"] = ..., rest: Literal["kmeans++", "perturbed"] = ..., distance: Literal["euclidean", "cosine"] = ...) -> None: ...

class ConstrainedKMeans(ConstrainedClusterer):
    start: Literal["largest", "farthest"]
    rest: Literal["kmeans++", "perturbed"]
    distance: Literal["euclidean", "cosine"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., start: Literal["largest", "farthest"] = ..., rest: Literal["kmeans++", "perturbed"] = ..., distance: Literal["euclidean", "cosine"] = ...) -> None: ...

class PCKMeans(ConstrainedClusterer):
    w: float
    unit: Literal["one", "distance"]
    pairs: Literal["listed", "closure"]
    moves: Literal["samples", "neighbourhoods"]
    start: Literal["largest", "farthest"]
    rest: Literal["kmeans++", "perturbed"]
    distance: Literal["euclidean", "cosine"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., w: float = ..., unit: Literal["one", "distance"] = ..., pairs: Literal["listed", "closure"] = ..., moves: Literal["samples", "neighbourhoods"] = ..., start: Literal["largest", "farthest"] = ..., rest: Literal["kmeans++", "perturbed"] = ..., distance: Literal["euclidean", "cosine"] = ...) -> None: ...

class MPCKMeans(ConstrainedClusterer):
    w: float
    prior: float
    pairs: Literal["listed", "closure"]
    iterations: int
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., w: float = ..., prior: float = ..., pairs: Literal["listed", "closure"] = ..., iterations: int = ...) -> None: ...

class COPKMeans(ConstrainedClusterer):
    start: Literal["largest", "farthest"]
    rest: Literal["kmeans++", "perturbed"]
    search: Literal["full", "none"]
    distance: Literal["euclidean", "cosine"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., start: Literal["largest", "farthest"] = ..., rest: Literal["kmeans++", "perturbed"] = ..., search: Literal["full", "none"] = ..., distance: Literal["euclidean", "cosine"] = ...) -> None: ...

class HMRFKMeans(ConstrainedClusterer):
    w: float
    unit: Literal["one", "constraints", "spread"]
    pairs: Literal["listed", "closure"]
    moves: Literal["samples", "neighbourhoods"]
    start: Literal["largest", "farthest"]
    rest: Literal["kmeans++", "perturbed"]
    count: Literal["given", "costing"]
    def __init__(self, n_clusters: Optional[int] = ..., *, graph: Literal["knn", "full", "precomputed"] = ..., knn: int = ..., sigma: Optional[float] = ..., restarts: int = ..., standardise: bool = ..., random_state: Union[None, int, np.random.RandomState] = ..., threads: int = ..., w: float = ..., unit: Literal["one", "constraints", "spread"] = ..., pairs: Literal["listed", "closure"] = ..., moves: Literal["samples", "neighbourhoods"] = ..., start: Literal["largest", "farthest"] = ..., rest: Literal["kmeans++", "perturbed"] = ..., count: Literal["given", "costing"] = ...) -> None: ...
