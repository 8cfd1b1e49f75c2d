"""Writes pysegment/estimators.pyi: the estimators are made from the library's registry when they are imported, which no type
checker can see.

    PYTHONPATH=build/python python3 scripts/python-stubs.py > src/python/pysegment/estimators.pyi
"""
from pysegment import estimators, find_method

HEAD = '''# Made by scripts/python-stubs.py from the library's registry.
from typing import Any, ClassVar, Literal, Optional, Sequence, Union

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
    n_iter_: int
    converged_: bool
    ran_: str
    n_features_in_: int
    def fit(self, X: Any, y: Optional[ArrayLike] = ..., *, must_link: Optional[ArrayLike] = ...,
            cannot_link: Optional[ArrayLike] = ...) -> "ConstrainedClusterer": ...
    def fit_predict(self, X: Any, y: Optional[ArrayLike] = ..., *, must_link: Optional[ArrayLike] = ...,
                    cannot_link: Optional[ArrayLike] = ...) -> np.ndarray: ...

CLASSES: tuple[type[ConstrainedClusterer], ...]
'''
COMMON = {"graph": 'Literal["knn", "full", "precomputed"]', "knn": "int", "edges": 'Literal["either", "mutual"]',
          "sigma": "Union[None, float, str, Sequence[float]]", "restarts": "int", "standardise": "bool",
          "random_state": "Union[None, int, np.random.RandomState]", "threads": "int"}


def text():
    parts = [HEAD]
    for made in estimators.CLASSES:
        lines = ["    n_clusters: Optional[int] = ..."] + [f"    {name}: {kind} = ..." for name, kind in COMMON.items()]
        for parameter in find_method(made.method).parameters:
            kind = "int" if parameter.whole else "float"
            if parameter.choices:
                kind = "Literal[" + ", ".join(f'"{choice}"' for choice in parameter.choices) + "]"
            lines.append(f"    {parameter.keyword}: {kind} = ...")
        attributes = "\n".join(line.replace(" = ...", "") for line in lines)
        if made.method in estimators._KERNELS:
            attributes += "\n    kernel_factor_: Optional[np.ndarray]"
        arguments = ", ".join(["self", lines[0].strip(), "*", *(line.strip() for line in lines[1:])])
        parts.append(f"\nclass {made.__name__}(ConstrainedClusterer):\n{attributes}\n    def __init__({arguments}) -> None: ...\n")
    return "".join(parts)


if __name__ == "__main__":
    print(text(), end="")
