"""Writes pysegment/estimators.pyi: the estimators are made from the library's registry when they are imported, which no type
checker can see.

    PYTHONPATH=build/python python3 scripts/python-stubs.py > src/python/pysegment/estimators.pyi
"""
from pysegment import estimators, find_method

HEAD = '''# Made by scripts/python-stubs.py from the library's registry.
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
{common}
    def fit(self, X: Any, y: Optional[ArrayLike] = ..., *, must_link: Optional[ArrayLike] = ...,
            cannot_link: Optional[ArrayLike] = ...) -> "ConstrainedClusterer": ...
    def fit_predict(self, X: Any, y: Optional[ArrayLike] = ..., *, must_link: Optional[ArrayLike] = ...,
                    cannot_link: Optional[ArrayLike] = ...) -> np.ndarray: ...

CLASSES: tuple[type[ConstrainedClusterer], ...]
'''
COMMON = {"graph": 'Literal["knn", "full", "precomputed"]', "knn": "int",
          "sigma": "Optional[float]", "restarts": "int", "standardise": "bool",
          "random_state": "Union[None, int, np.random.RandomState]", "threads": "int"}


def text():
    common = [f"    {name}: {kind}" for name, kind in COMMON.items()]
    parts = [HEAD.replace("{common}", "\n".join(common))]
    for made in estimators.CLASSES:
        own = []
        for parameter in find_method(made.method).parameters:
            kind = "int" if parameter.whole else "float"
            if parameter.choices:
                kind = "Literal[" + ", ".join(f'"{choice}"' for choice in parameter.choices) + "]"
            own.append(f"    {parameter.keyword}: {kind}")
        arguments = ", ".join(["self", "n_clusters: Optional[int] = ...", "*", *(f"{line.strip()} = ..." for line in common + own)])
        if made.method in estimators._KERNELS:
            own.append("    kernel_factor_: Optional[np.ndarray]")
        attributes = "".join(f"{line}\n" for line in own)
        parts.append(f"\nclass {made.__name__}(ConstrainedClusterer):\n{attributes}    def __init__({arguments}) -> None: ...\n")
    return "".join(parts)


if __name__ == "__main__":
    print(text(), end="")
