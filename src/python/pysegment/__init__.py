"""Interactive segmentation of images and constrained clustering, by libsegment.

`segment` cuts an image into regions from a few scribbles, `Session` does so stroke by stroke, `cluster` and the estimators
of `pysegment.estimators` cluster vectors, graphs and kernels under must-link and cannot-link constraints,
`ActiveConstraints` chooses what to ask a person. Results have the bytes that the program ``segment`` gives.
"""
from typing import TYPE_CHECKING

from . import metrics
from .active import ActiveConstraints, Answer
from .context import text_of as _text_of
from .errors import (CancelledError, ContradictionError, FileError, InputError, NumericError, OutOfMemoryError,
                     SegmentError, SegmentWarning, UsageError)
from .images import Ambiguous, Result, Session, overlay, read_image, read_scribbles, read_truth, segment, write_mask
from .metrics import adjusted_rand, clustering_error, dice, iou, nmi, pairwise_accuracy
from .models import Model
from .registry import Method, Option, Parameter, find_method, methods, options
from .vectors import Clustering, cluster
from ._binding import lib as _lib

if TYPE_CHECKING:
    from .estimators import *

__version__ = _text_of(_lib.seg_version())

__all__ = ["ActiveConstraints", "Ambiguous", "Answer", "CancelledError", "Clustering", "ContradictionError", "FileError",
           "InputError", "Method", "Model", "NumericError", "Option", "OutOfMemoryError", "Parameter", "Result", "SegmentError",
           "SegmentWarning", "Session", "UsageError", "adjusted_rand", "cluster", "clustering_error", "dice", "find_method",
           "iou", "methods", "metrics", "nmi", "options", "overlay", "pairwise_accuracy", "read_image", "read_scribbles",
           "read_truth", "segment", "write_mask"]


def __getattr__(name):
    """The estimators, which need scikit-learn, when they are first asked for."""
    if not name.startswith("_"):
        import importlib

        try:
            estimators = importlib.import_module(".estimators", __name__)
        except ImportError as failed:
            raise AttributeError(f"pysegment has no {name!r} without scikit-learn ({failed})") from failed
        if name == "estimators":
            return estimators
        if name in estimators.__all__:
            return getattr(estimators, name)
    raise AttributeError(f"module 'pysegment' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), "estimators"})
