"""Agreement of two labellings, by the library. Names of labels do not matter except to `dice` and `iou`."""
from __future__ import annotations

from typing import Optional

import numpy as np

from ._binding import ffi, lib
from .arrays import pointer_to
from .context import Context


def _as_labels(values, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.size == 0 or array.dtype.kind not in "iubUSO":
        raise ValueError(f"{name} is an array of shape {array.shape} and type {array.dtype}; give labels")
    return array.ravel()


def _table(context: Context, labels_true, labels_pred, void, common: bool):
    """The contingency table, and the labels of its rows and columns where they are the same."""
    true, pred = _as_labels(labels_true, "labels_true"), _as_labels(labels_pred, "labels_pred")
    if np.shape(labels_true) != np.shape(labels_pred):
        raise ValueError(f"labels_true has the shape {np.shape(labels_true)} and labels_pred {np.shape(labels_pred)}")
    if void is not None:
        scored = true != void
        true, pred = true[scored], pred[scored]
        if not len(true):
            raise ValueError(f"all of labels_true is {void!r}: there is nothing to score")
    values: Optional[np.ndarray] = None
    if common:
        values, both = np.unique(np.concatenate([true, pred]), return_inverse=True)
        true, pred = both[:len(true)], both[len(true):]
    else:
        true, pred = (np.unique(one, return_inverse=True)[1] for one in (true, pred))
    true, pred = np.ascontiguousarray(true, np.intc), np.ascontiguousarray(pred, np.intc)
    table = ffi.gc(ffi.new("seg_contingency *"), lib.seg_contingency_free)
    context.call(lib.seg_contingency_count, pointer_to(pred, "int *"), pointer_to(true, "int *"), len(true), table)
    return table, values


def _scores(labels_true, labels_pred, void, common: bool = False):
    context = Context(threads=1)
    table, _ = _table(context, labels_true, labels_pred, void, common)
    scores = ffi.new("seg_scores *")
    context.call(lib.seg_score, table, scores)
    return scores


def pairwise_accuracy(labels_true, labels_pred, *, void=None) -> float:
    """The share of pairs of samples that are rightly kept together or apart (the Rand index), 0 to 1.

    Parameters
    ----------
    labels_true, labels_pred : array_like of one shape
        Labels, of any kind.
    void : label, optional
        Samples of this label in `labels_true` are left out.

    Notes
    -----
    `sklearn.metrics.rand_score`. [chen2011npkl, Eq. 34]
    """
    return _scores(labels_true, labels_pred, void).pairwise_accuracy


def adjusted_rand(labels_true, labels_pred, *, void=None) -> float:
    """The Rand index adjusted for chance, -1 to 1; arguments as for `pairwise_accuracy`.

    Notes
    -----
    `sklearn.metrics.adjusted_rand_score`. [hubert1985]
    """
    return _scores(labels_true, labels_pred, void).adjusted_rand


def clustering_error(labels_true, labels_pred, *, void=None) -> float:
    """One minus the share of samples labelled as in the truth under the best one-to-one matching of labels, 0 to 1;
    arguments as for `pairwise_accuracy`. [li2009ccskl, Eq. 17]"""
    return _scores(labels_true, labels_pred, void).clustering_error


def nmi(labels_true, labels_pred, *, void=None) -> float:
    """Normalised mutual information 2 I(A;B) / (H(A) + H(B)), 0 to 1; arguments as for `pairwise_accuracy`.

    Notes
    -----
    `sklearn.metrics.normalized_mutual_info_score`. [basu2004active]
    """
    return _scores(labels_true, labels_pred, void).nmi


def dice(labels_true, labels_pred, *, void=None) -> float:
    """Mean over the labels l of the truth of 2 |P_l & G_l| / (|P_l| + |G_l|), 0 to 1; equal labels are compared.

    Notes
    -----
    `sklearn.metrics.f1_score` with the truth's labels and ``average="macro"``.
    """
    return _scores(labels_true, labels_pred, void, True).mean_dice


def iou(labels_true, labels_pred, label=None, *, void=None) -> float:
    """|P_l & G_l| / |P_l | G_l| of one label, 0 to 1; without `label` the mean over the truth's labels.

    Notes
    -----
    `sklearn.metrics.jaccard_score` of that label; with the truth's labels and ``average="macro"``.
    """
    table, values = _table(Context(threads=1), labels_true, labels_pred, void, True)
    counts = np.zeros((len(values), len(values)))  # a label that is in one labelling only has a row or a column of zeros
    counts[:table.rows, :table.cols] = np.frombuffer(
        ffi.buffer(table.count, 8 * table.rows * table.cols), np.uint64).reshape(table.rows, table.cols)
    in_truth, both = counts.sum(axis=0), counts.diagonal()
    any_ = np.maximum(in_truth + counts.sum(axis=1) - both, 1)
    if label is not None:
        at = np.flatnonzero(values == label)
        return float(both[at[0]] / any_[at[0]]) if len(at) else 0.0
    return float(np.mean((both / any_)[in_truth > 0]))
