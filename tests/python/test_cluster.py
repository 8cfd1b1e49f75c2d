"""Vectors, graphs and kernels."""
import numpy as np
import pytest
from scipy import sparse

import pysegment
from pysegment import cluster, vectors
from conftest import run, larger


def test_pairs_labels_and_weights(blobs):
    X, truth = blobs
    found = cluster(X, 3, must_link=[[0, 1]], cannot_link=[[0, 50], [0, 100], [50, 100, 2.0][:2]], method="pckmeans")
    assert pysegment.adjusted_rand(truth, found.labels) > 0.95
    assert (found.broken_must_links, found.broken_cannot_links) == (0, 0)
    assert found.scores.shape == (120, 3) and np.allclose(found.scores.sum(axis=1), 1)
    assert found.labels.dtype == np.int64 and found.clusters.tolist() == [0, 1, 2]
    assert "120 samples in 3 clusters by pckmeans" in repr(found) and np.isfinite(found.objective)
    labels = np.full(120, -1)
    labels[[0, 50]] = 7, 9
    named = cluster(X, 3, labels=labels, method="ccskl", m=5)
    assert named.labels[0] == 7 and named.labels[50] == 9 and named.clusters.tolist() == [7, 9, 10]
    assert named.embedding.shape[0] == 120 and named.sigma > 0
    # Weights of one half and of one are not the same problem.
    light = cluster(X, 3, must_link=[[0, 50, 1e-3]], method="pckmeans")
    heavy = cluster(X, 3, must_link=[[0, 50, 1e6]], method="pckmeans")
    assert light.labels[0] != light.labels[50] and heavy.labels[0] == heavy.labels[50]


def test_default_methods(blobs):
    X, truth = blobs
    noisy, pairs = X + np.random.default_rng(0).normal(scale=3, size=X.shape), np.arange(40).reshape(20, 2) * 3
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    for method in ("auto", "kernel-kmeans", "sskk", "kernel-hmrf-kmeans"):  # in any unit, but for the last digits
        own, *other = [cluster(noisy * unit, 3, method=method, must_link=pairs[same], cannot_link=pairs[~same]).labels for unit in (1, 10, .3, 1e5)]
        assert all(np.array_equal(own, labels) for labels in other), method
    assert cluster(X, 3).method == "ncut" and cluster(X, 3, must_link=[[0, 1]]).method == "auto"
    K = X @ X.T
    assert cluster(kernel=K, k=3).method == "kernel-kmeans"
    assert pysegment.find_method(cluster(kernel=K, k=3, cannot_link=[[0, 50]]).method).needs_constraints
    assert cluster(X, 3, method="kernel-kmeans", kernel="linear").ran == "kernel-kmeans"


def test_inputs_are_not_changed_and_not_copied(blobs):
    X, _ = blobs
    before = X.copy()
    X.flags.writeable = False
    plain = cluster(X, 3, standardise=True, method="kmeans")
    assert np.array_equal(X, before)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    assert pysegment.adjusted_rand(cluster(scaled, 3, method="kmeans").labels, plain.labels) == 1
    assert vectors.real_matrix(X, "X") is X
    assert np.array_equal(cluster(X[::-1][::-1], 3).labels, cluster(X, 3).labels)
    assert np.array_equal(cluster(np.asfortranarray(X), 3).labels, cluster(X, 3).labels)
    assert np.array_equal(cluster(X.tolist(), 3).labels, cluster(X, 3).labels)
    assert np.array_equal(cluster(X.astype(np.float32), 3).labels, cluster(X.astype(np.float32).astype(float), 3).labels)


def affinities(X):
    weights = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    np.fill_diagonal(weights, 0)
    weights[weights < 1e-6] = 0
    return sparse.csr_matrix(weights)


def test_sparse_graphs(blobs):
    X, truth = blobs
    W = affinities(X)
    assert vectors.affinity_matrix(W) is W
    csr, _ = vectors._make_csr(W)
    assert int(vectors.ffi.cast("uintptr_t", csr.value)) == W.data.ctypes.data
    assert int(vectors.ffi.cast("uintptr_t", csr.column)) == W.indices.ctypes.data
    expected = cluster(graph=W, k=3).labels
    assert pysegment.adjusted_rand(truth, expected) > 0.95
    shuffled = W.copy()
    for row in range(120):  # columns in descending order
        part = slice(*W.indptr[row:row + 2])
        shuffled.indices[part], shuffled.data[part] = W.indices[part][::-1].copy(), W.data[part][::-1].copy()
    shuffled.has_sorted_indices = False
    order = shuffled.indices.copy()
    with_diagonal = W + sparse.eye(120, format="csr")
    twice = W.tocoo()
    twice = sparse.coo_matrix((np.r_[twice.data, twice.data] / 2, (np.r_[twice.row, twice.row], np.r_[twice.col, twice.col])))
    long = W.copy()
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    almost = W.copy()
    almost.data[0] *= 1 + 1e-12
    for same in (shuffled, with_diagonal, twice, W.tocsc(), W.tolil(), W.astype(np.float64), long, almost):
        assert np.array_equal(cluster(graph=same, k=3).labels, expected)
    assert np.array_equal(shuffled.indices, order) and with_diagonal.diagonal().sum() == 120
    ones = (W > 0.1).astype(np.int8)
    assert pysegment.adjusted_rand(cluster(graph=ones, k=3).labels, truth) > 0.8


def test_graph_and_kernel_are_the_programs(blobs, tmp_path):
    X, _ = blobs
    W = sparse.triu(affinities(X)).tocoo()
    rows = [f"{i} {j} {weight!r}" for i, j, weight in zip(W.row.tolist(), W.col.tolist(), W.data.tolist())]
    (tmp_path / "edges.txt").write_text("\n".join(rows) + "\n")
    said = run("cluster", "--graph", tmp_path / "edges.txt", "--base", 0, "--nodes", 120, "-k", 3, "-q")
    assert cluster(graph=affinities(X), k=3).labels.tolist() == [int(line) for line in said.split()]
    K = X @ X.T
    np.save(tmp_path / "K.npy", K)
    np.save(tmp_path / "X.npy", X)
    for words, named in (([], {}), (["--method", "ncut"], {"method": "ncut"})):
        said = run("cluster", "--kernel", tmp_path / "K.npy", "-k", 3, "-q", *words)
        assert cluster(kernel=K, k=3, **named).labels.tolist() == [int(line) for line in said.split()]
    K[0, 1] += 1e-12  # as much as is lost to writing
    assert cluster(kernel=K, k=3).labels.shape == (120,)
    said = run("cluster", tmp_path / "X.npy", "-k", 3, "-q", "--graph", "full", "--standardise", "--sigma", "0.5", "--seed", 4)
    ours = cluster(X, 3, graph="full", standardise=True, sigma=0.5, seed=4)
    assert ours.labels.tolist() == [int(line) for line in said.split()]
    said = run("cluster", tmp_path / "X.npy", "-k", 3, "-q", "--knn", 7, "--sigma", "0.4")
    ours = cluster(X, 3, knn=7, sigma=0.4)
    assert ours.labels.tolist() == [int(line) for line in said.split()]


@larger
def test_complete_graph_beyond_what_is_listed(tmp_path):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(2100, 2)) + 8 * (np.arange(2100) % 2)[:, None]
    np.save(tmp_path / "X.npy", X)
    said = run("cluster", tmp_path / "X.npy", "-k", 2, "-q", "--graph", "full")
    ours = cluster(X, 2, graph="full")
    assert ours.labels.tolist() == [int(line) for line in said.split()]
    assert pysegment.adjusted_rand(np.arange(2100) % 2, ours.labels) > 0.99


def test_one_sample_and_one_cluster():
    assert cluster([[1.0, 2.0]], 1, method="kmeans").labels.tolist() == [0]
    assert cluster([[1.0], [2.0], [3.0]], 1).labels.tolist() == [0, 0, 0]
    assert sorted(cluster([[1.0], [2.0], [3.0]], 3).labels.tolist()) == [0, 1, 2]


def test_bound_of_normalized_cuts(blobs):
    X, _ = blobs
    weights = affinities(X)
    root = np.sqrt(weights.sum(axis=1))
    smoothest = np.linalg.eigvalsh(np.eye(len(X)) - weights.toarray() / np.outer(root, root))[:3]
    found = cluster(graph=weights, k=3, method="ncut")
    assert np.isclose(found.objective_bound, smoothest.sum(), atol=1e-9) and found.objective >= found.objective_bound
    assert np.isnan(cluster(X, 3, method="kmeans").objective_bound)
