"""Metrics equal scikit-learn's, where it has them."""
import numpy as np
import pytest
import sklearn.metrics
from scipy.optimize import linear_sum_assignment

import pysegment

CASES = [(np.random.default_rng(seed).integers(low, high, 200), np.random.default_rng(seed + 50).integers(low, high, 200))
         for seed in range(5) for low, high in ((0, 3), (-4, 9), (100, 70000))]
CASES += [(np.array([0, 1, 2]), np.array([2, 0, 1])), (np.array([5]), np.array([5])), (np.zeros(9, int), np.zeros(9, int)),
          (np.array(list("aabbc")), np.array(list("abbbc"))), (np.array([True, False, True]), np.array([True, True, False])),
          (np.arange(24).reshape(4, 6) // 7, np.arange(24).reshape(4, 6) // 5)]


@pytest.mark.parametrize("true, pred", CASES, ids=range(len(CASES)))
def test_as_scikit_learn(true, pred):
    a, b = true.ravel(), pred.ravel()
    assert pysegment.pairwise_accuracy(true, pred) == pytest.approx(sklearn.metrics.rand_score(a, b), abs=1e-12)
    assert pysegment.adjusted_rand(true, pred) == pytest.approx(sklearn.metrics.adjusted_rand_score(a, b), abs=1e-12)
    assert pysegment.nmi(true, pred) == pytest.approx(sklearn.metrics.normalized_mutual_info_score(a, b), abs=1e-9)
    labels = np.unique(a)
    dice = sklearn.metrics.f1_score(a, b, labels=labels, average="macro", zero_division=0)
    assert pysegment.dice(true, pred) == pytest.approx(dice, abs=1e-12)
    iou = sklearn.metrics.jaccard_score(a, b, labels=labels, average="macro", zero_division=0)
    assert pysegment.iou(true, pred) == pytest.approx(iou, abs=1e-12)
    one = sklearn.metrics.jaccard_score(a, b, labels=labels[:1], average="macro", zero_division=0)
    assert pysegment.iou(true, pred, labels[0]) == pytest.approx(one, abs=1e-12)
    table = sklearn.metrics.cluster.contingency_matrix(a, b)
    matched = table[linear_sum_assignment(-table)].sum()
    assert pysegment.clustering_error(true, pred) == pytest.approx(1 - matched / len(a), abs=1e-12)


def test_void_and_absent_labels():
    true, pred = np.array([0, 0, 1, 255, 255]), np.array([0, 1, 1, 0, 1])
    assert pysegment.dice(true, pred, void=255) == pysegment.dice(true[:3], pred[:3])
    assert pysegment.pairwise_accuracy(true, pred, void=255) == pysegment.pairwise_accuracy(true[:3], pred[:3])
    assert pysegment.iou(true, pred, 77) == 0.0
