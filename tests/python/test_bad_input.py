"""Input that does not fit: the class and the sentence of each exception."""
import numpy as np
import pytest
from scipy import sparse

import pysegment
from pysegment import ActiveConstraints, cluster, segment

IMAGE = np.zeros((20, 30, 3), np.uint8)
IMAGE[:, 15:] = 200
SCRIBBLES = np.zeros((20, 30), np.uint8)
SCRIBBLES[5, 3:6], SCRIBBLES[5, 22:26] = 1, 2
POINTS = np.array([[0.0, 0], [0, 1], [9, 9], [9, 8], [0.5, 0.5], [8.5, 8.5]])
NAN = POINTS.copy()
NAN[3, 1] = np.nan
TOO_MANY = np.arange(600).reshape(20, 30)

IMAGES = [
    (np.zeros((9, 20, 30, 2), np.uint8), ValueError, "shape \\(9, 20, 30, 2\\) .* or x 1 .grey., 3 .RGB. or 4 .* argument channels=2"),
    (np.zeros((2, 20, 30, 3, 1), np.uint8), ValueError, "shape \\(2, 20, 30, 3, 1\\)"),
    (np.zeros(20, np.uint8), ValueError, "image is an array of shape \\(20,\\)"),
    (np.zeros((0, 30, 3), np.uint8), ValueError, "which has no pixels"),
    (np.zeros((20, 0), np.uint8), ValueError, "which has no pixels"),
    (np.zeros((20, 30, 3), np.int64), ValueError, "samples of type int64; give uint8, uint16, bool, or floats"),
    (np.zeros((20, 30, 3), complex), ValueError, "samples of type complex128"),
    (np.full((20, 30, 3), "a"), ValueError, "samples of type <U1"),
    (None, ValueError, "samples of type object"),
    (np.full((20, 30, 3), np.nan), ValueError, "nan"),
    (np.full((20, 30, 3), 1.5), ValueError, "1.5"),
    (np.full((20, 30, 3), -0.5, np.float32), ValueError, "-0.5"),
    ("nowhere.png", OSError, "'nowhere.png'"),
    (np.broadcast_to(np.zeros((1, 1, 3), np.uint8), (1, 70000, 3)), ValueError, "70000"),
]


@pytest.mark.parametrize("image, kind, sentence", IMAGES, ids=range(len(IMAGES)))
def test_images(image, kind, sentence):
    scribbles = SCRIBBLES if np.shape(image)[:2] != (1, 70000) else np.ones((1, 70000), np.uint8)
    with pytest.raises(kind, match=sentence):
        segment(image, scribbles)
    with pytest.raises(kind, match=sentence):
        pysegment.Session(image)


LABELS = [
    (np.zeros((20, 31), np.uint8), ValueError, "has the size 20 x 31, and the image 20 x 30"),
    (np.zeros((30, 20), np.uint8), ValueError, "has the size 30 x 20"),
    (np.zeros((20, 30, 3), np.uint8), ValueError, "shape \\(20, 30, 3\\)"),
    (np.zeros((0, 30), np.uint8), ValueError, "give height x width whole numbers"),
    (SCRIBBLES.astype(float), ValueError, "labels of type float64; labels are whole numbers"),
    (np.full((20, 30), np.nan), ValueError, "labels of type float64"),
    (TOO_MANY, ValueError, "has 599 different labels; there can be 254"),
    (-SCRIBBLES.astype(int), ValueError, "(?i)nothing|no pixel|mark"),
    (np.zeros((20, 30), int), ValueError, "(?i)nothing|no pixel|mark"),
    ("nowhere.png", OSError, "'nowhere.png'"),
    (None, ValueError, "k"),
]


@pytest.mark.parametrize("labels, kind, sentence", LABELS, ids=range(len(LABELS)))
def test_scribbles(labels, kind, sentence):
    with pytest.raises(kind, match=sentence):
        segment(IMAGE, labels)


OPTIONS = [
    ({"k": 0}, ValueError, "k is 0; it must be 1 to 254"),
    ({"k": -3}, ValueError, "k is -3"),
    ({"k": 255}, ValueError, "k is 255"),
    ({"k": 2.5}, TypeError, "k must be a whole number, not 2.5"),
    ({"k": 1}, ValueError, "k"),
    ({"method": "magic"}, ValueError, "there is no method 'magic'; pysegment.methods\\(\\) lists them: auto"),
    ({"method": ["auto"]}, ValueError, "there is no method"),
    ({"seed": -1}, ValueError, "seed is -1; it must be 0 to"),
    ({"seed": 2**64}, ValueError, "seed is"),
    ({"threads": -1}, ValueError, "threads is -1"),
    ({"patch": 99}, ValueError, "patch"),
    ({"patch": "five"}, ValueError, "patch"),
    ({"features": {"smell": 1}}, ValueError, "smell"),
    ({"features": "mean\0"}, ValueError, "zero byte"),
    ({"trees": -1}, ValueError, "trees"),
    ({"nonsense": 1}, TypeError, "no option or parameter 'nonsense'"),
    ({"progress": 5}, TypeError, "progress must be callable"),
    ({"constraints": [[1, 2]]}, ValueError, "give rows i, j, sign"),
    ({"constraints": [[0, 1, 2]]}, ValueError, "a sign that is neither 1 .must-link. nor -1"),
    ({"constraints": [[0, 99, 1]]}, ValueError, "indices 0 and 99 in row 0; indices are whole numbers from 0 to 23"),
    ({"constraints": [[0, 0, 30, 0, 1]]}, ValueError, "a pixel outside the image of 30 x 20, or not a whole number, in row 0"),
    ({"constraints": [[0, 0, 9, 0, 1], [0.5, 0, 9, 0, 1]]}, ValueError, "not a whole number, in row 1"),
    ({"constraints": [[0, -1, 3, 0, 1]]}, ValueError, "a pixel outside the image"),
    ({"constraints": [[2, 2, 1]]}, ValueError, "joins sample 2 to itself in row 0"),
    ({"constraints": [[0, 1, 1, -4.0]]}, ValueError, "weight"),
    ({"constraints": "nowhere.csv"}, OSError, "nowhere.csv"),
]


@pytest.mark.parametrize("options, kind, sentence", OPTIONS, ids=range(len(OPTIONS)))
def test_options(options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        segment(IMAGE, SCRIBBLES, **options)


def test_masks_and_overlays(tmp_path):
    with pytest.raises(ValueError, match="mask has labels from -1 to 2; a mask has 0 to 254"):
        pysegment.write_mask(tmp_path / "m.png", SCRIBBLES.astype(int) - 1 + (SCRIBBLES == 2))
    with pytest.raises(ValueError, match="up to 256 x 3 bytes"):
        pysegment.write_mask(tmp_path / "m.png", SCRIBBLES, np.zeros((3, 3)))
    with pytest.raises(OSError, match="no/m.png"):
        pysegment.write_mask(tmp_path / "no" / "m.png", SCRIBBLES)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="mask has the size 19 x 30"):
        pysegment.overlay(IMAGE, SCRIBBLES[:19])
    with pytest.raises(ValueError, match="alpha"):
        pysegment.overlay(IMAGE, SCRIBBLES, alpha=2)
    with pytest.raises(ValueError, match="outline is 33; it must be 0 to 32"):
        pysegment.overlay(IMAGE, SCRIBBLES, outline=33)
    (tmp_path / "text.png").write_text("no image")
    with pytest.raises(pysegment.InputError, match="text.png"):
        pysegment.read_image(tmp_path / "text.png")
    with pytest.raises(pysegment.FileError):
        pysegment.read_scribbles(tmp_path / "none.png")
    with pytest.raises(pysegment.FileError):
        pysegment.read_scribbles(tmp_path / "text.png", labelmap=tmp_path / "none.txt")


def asymmetric():
    return sparse.csr_matrix(np.array([[0, 1, 0], [2, 0, 1], [0, 1, 0.0]]))


def chain(weights):
    return sparse.csr_matrix(np.diag(weights, 1) + np.diag(weights, -1))


VECTORS = [
    ((np.zeros(6),), {}, ValueError, "give samples x features: reshape\\(-1, 1\\)"),
    ((np.zeros((2, 3, 4)),), {}, ValueError, "give samples x features"),
    ((np.zeros((0, 3)),), {}, ValueError, "which has nothing in it"),
    ((np.zeros((3, 0)),), {}, ValueError, "which has nothing in it"),
    ((NAN,), {}, ValueError, "X holds nan in row 3, column 1; numbers are finite"),
    ((np.where(np.isnan(NAN), np.inf, NAN),), {}, ValueError, "X holds inf in row 3, column 1"),
    ((POINTS * 1e201,), {}, ValueError, "X holds a number of magnitude 9e\\+201"),
    ((POINTS.astype(complex),), {}, ValueError, "numbers of type complex128; give real numbers"),
    (([["a", "b"]],), {}, ValueError, "numbers of type <U1"),
    ((POINTS, 0), {}, ValueError, "k is 0; it must be 1 to 254"),
    ((POINTS, 7), {}, ValueError, "k = 7 clusters of 6 samples: k must be 1 to 6"),
    ((POINTS, 2), {"must_link": [[0, 6]]}, ValueError, "must_link has the indices 0 and 6 in row 0; .* from 0 to 5"),
    ((POINTS, 2), {"cannot_link": [[0, 1], [-1, 2]]}, ValueError, "cannot_link has the indices -1 and 2 in row 1"),
    ((POINTS, 2), {"must_link": [[0, 1.5]]}, ValueError, "indices 0 and 1.5"),
    ((POINTS, 2), {"must_link": [[0, np.nan]]}, ValueError, "indices 0 and nan"),
    ((POINTS, 2), {"must_link": [[3, 3]]}, ValueError, "joins sample 3 to itself in row 0"),
    ((POINTS, 2), {"must_link": [0, 1]}, ValueError, "give rows of two indices"),
    ((POINTS, 2), {"must_link": [["a", "b"]]}, ValueError, "give rows of two indices"),
    ((POINTS, 2), {"must_link": [[0, 1, -1.0]]}, ValueError, "weight"),
    ((POINTS, 2), {"must_link": [[0, 1]], "cannot_link": [[0, 1]]}, pysegment.ContradictionError, "0.*1"),
    ((POINTS, 2), {"labels": [0, 1]}, ValueError, "one label for each of the 6 samples"),
    ((POINTS, 2), {"labels": [0.5] * 6}, ValueError, "labels are whole numbers"),
    ((POINTS, 2), {"labels": ["a"] * 6}, ValueError, "labels are whole numbers"),
    ((POINTS, 2), {"labels": [0, 1, 2, -1, -1, -1]}, ValueError, "k = 2 is less than the 3 labels"),
    ((np.arange(300.0)[:, None], 2), {"labels": range(300)}, ValueError, "labels has 300 different labels; there can be 254"),
    ((POINTS, 2), {"method": "magic"}, ValueError, "there is no method 'magic'"),
    ((POINTS, 2), {"method": "ccskl"}, ValueError, "learns from constraints and there are none"),
    ((POINTS, 2), {"method": "kmeans", "magic": 1}, TypeError, "kmeans has no parameter 'magic'; it has seeds"),
    ((POINTS, 2), {"m": 1}, TypeError, "ncut has no parameter 'm'; it has"),
    ((POINTS, 2), {"method": "kmeans", "seeds": "none of them"}, ValueError, "seeds"),
    ((POINTS, 2), {"graph": "tree"}, ValueError, "graph is 'tree'; give 'knn', 'full'"),
    ((POINTS, 2), {"knn": 0}, ValueError, "knn is 0"),
    ((POINTS, 2), {"sigma": -1}, ValueError, "sigma"),
    ((POINTS, 2), {"graph": "full", "knn": 3}, ValueError, "in a complete graph all are neighbours"),
    ((POINTS, 2), {"graph": "full", "method": "kmeans"}, ValueError, "kmeans makes no use of a graph; leave out graph='full'"),
    ((None, 2), {"graph": chain([1, 1]), "knn": 3}, ValueError, "knn makes .* graph is one already"),
    ((None, 2), {"graph": chain([1, 1]), "sigma": 1}, ValueError, "sigma .* made of X, and there is none"),
    ((None, 2), {"kernel": np.eye(3), "standardise": True}, ValueError, "standardise needs X"),
    ((None, 2), {"kernel": np.eye(3), "graph": "full"}, ValueError, "the graph 'full' are made of X"),
    ((POINTS, 2), {"restarts": 0}, ValueError, "restarts is 0"),
    ((), {}, ValueError, "give one of X, a sparse matrix as graph, and kernel"),
    ((POINTS, 2), {"kernel": np.eye(6)}, ValueError, "give one of X"),
    ((None, 2), {"graph": np.eye(3)}, TypeError, "graph is a ndarray"),
    ((None, 2), {"graph": sparse.csr_matrix((3, 4))}, ValueError, "graph has the shape \\(3, 4\\)"),
    ((None, 2), {"graph": chain([1, -1.0])}, ValueError, "graph has the weight -1"),
    ((None, 2), {"graph": chain([1, np.nan])}, ValueError, "graph has the weight nan"),
    ((None, 2), {"graph": chain([1, 1j])}, ValueError, "weights of type complex128"),
    ((None, 2), {"graph": asymmetric()}, ValueError, "not symmetric: \\(0, 1\\) is 1 and \\(1, 0\\) is 2"),
    ((None, 2), {"graph": chain([1, 1]), "method": "kmeans"}, ValueError, "kmeans needs feature vectors"),
    ((None, 2), {"kernel": np.ones((2, 3))}, ValueError, "kernel has the shape \\(2, 3\\)"),
    ((None, 2), {"kernel": [[1, 2.0], [0, 1]]}, ValueError, "kernel is not symmetric: \\(0, 1\\) is 2 and \\(1, 0\\) is 0"),
    ((None, 2), {"kernel": [[-1, 0], [0, 1.0]]}, ValueError, "kernel has -1 on its diagonal"),
    ((None, 2), {"kernel": [[0, 1], [1, 0.0]]}, ValueError, "is it a matrix of distances"),
    ((None, 2), {"kernel": np.eye(3) * 1e101}, ValueError, "scale it down"),
    ((None, 2), {"kernel": [[np.nan, 0], [0, 1]]}, ValueError, "kernel holds nan"),
]


@pytest.mark.parametrize("given, named, kind, sentence", VECTORS, ids=range(len(VECTORS)))
def test_vectors(given, named, kind, sentence):
    with pytest.raises(kind, match=sentence):
        cluster(*given, **named)


def test_questions():
    with pytest.raises(ValueError, match="strategy is 'guess'; give one of explore-consolidate, explore"):
        ActiveConstraints(POINTS, "guess")
    with pytest.raises(ValueError, match="X holds nan"):
        ActiveConstraints(NAN)
    with pytest.raises(ValueError, match="k is 0"):
        ActiveConstraints(POINTS, k=0)
    with pytest.raises(ValueError, match="budget is -1"):
        ActiveConstraints(POINTS, budget=-1)
    with pytest.raises(pysegment.ContradictionError):
        ActiveConstraints(POINTS, must_link=[[0, 1]], cannot_link=[[0, 1]]).question()
    ask = ActiveConstraints(POINTS)
    with pytest.raises(ValueError):
        ask.answer(True)  # nothing was asked
    next(ask)
    with pytest.raises(TypeError, match="answer is 'yes'; give True, False or None"):
        ask.answer("yes")


METRICS = [
    (([0, 1], [0, 1, 1]), {}, "labels_true has the shape \\(2,\\) and labels_pred \\(3,\\)"),
    (([], []), {}, "labels_true is an array of shape \\(0,\\)"),
    (([0.5, 1], [0, 1]), {}, "labels_true is an array of shape .2,. and type float64; give labels"),
    (([0, 1], [0, np.nan]), {}, "labels_pred is"),
    (([7, 7], [0, 1]), {"void": 7}, "all of labels_true is 7: there is nothing to score"),
]


@pytest.mark.parametrize("given, named, sentence", METRICS, ids=range(len(METRICS)))
@pytest.mark.parametrize("name", ["pairwise_accuracy", "adjusted_rand", "clustering_error", "nmi", "dice", "iou"])
def test_metrics(name, given, named, sentence):
    with pytest.raises(ValueError, match=sentence):
        getattr(pysegment, name)(*given, **named)


def test_every_status_is_an_error_of_its_own():
    from pysegment._binding import lib
    from pysegment.errors import BY_STATUS

    names = [name for name in dir(lib) if name.startswith("SEG_ERR_")]
    assert len(names) == 8 and {getattr(lib, name) for name in names} == set(BY_STATUS)
    assert issubclass(BY_STATUS[lib.SEG_ERR_MEMORY], MemoryError) and issubclass(BY_STATUS[lib.SEG_ERR_LIMIT], MemoryError)
