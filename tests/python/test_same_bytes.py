"""Masks and clusters have the bytes of the program's."""
import numpy as np
import pytest
from conftest import IMAGES, larger, photo, run, strokes

import pysegment

pytestmark = larger


@pytest.mark.parametrize("name, method", [(name, "auto") for name in IMAGES[::2]] +
                         [(name, method) for name in IMAGES[:2] for method in ("ccskl", "kmeans")])
def test_masks(name, method, tmp_path):
    mask = tmp_path / "mask.png"
    words = [] if method == "auto" else ["--method", method]
    run(photo(name), "--scribbles", strokes(name), "-o", mask, "--no-overlay", "-q", *words)
    # The colours of the strokes are in the files only.
    found = pysegment.segment(photo(name), strokes(name), method=method)
    found.save(tmp_path / "ours.png")
    assert (tmp_path / "ours.png").read_bytes() == mask.read_bytes()
    if method == "kmeans":
        image = pysegment.read_image(photo(name))
        again = pysegment.segment(image, pysegment.read_scribbles(strokes(name), image), method=method)
        assert np.array_equal(again.mask, found.mask)


def vector_sets():
    """Four sets of vectors: clouds, moons, many columns, few samples on a coarse grid (with equal rows)."""
    from sklearn.datasets import load_iris, make_moons

    rng = np.random.default_rng(11)
    truth = np.repeat([0, 1, 2], 30)
    clouds = rng.normal(size=(90, 2)) + 5 * np.array([[0, 0], [1, 0], [0, 1]])[truth]
    moons, halves = make_moons(80, noise=0.06, random_state=2)
    wide = rng.normal(size=(60, 40)) + 1.5 * (np.arange(60) % 2)[:, None]
    iris, kinds = load_iris(return_X_y=True)
    return {"clouds": (clouds, truth), "moons": (moons, halves), "wide": (wide, np.arange(60) % 2), "iris": (iris, kinds)}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The four sets as files, with the pairs that are known."""
    folder = tmp_path_factory.mktemp("tables")
    made = {}
    for name, (X, truth) in vector_sets().items():
        np.save(folder / f"{name}.npy", X)
        rng = np.random.default_rng(4)
        pairs = {tuple(sorted(rng.choice(len(X), 2, replace=False).tolist())) for _ in range(40)}
        must = [pair for pair in sorted(pairs) if truth[pair[0]] == truth[pair[1]]]
        cannot = [pair for pair in sorted(pairs) if truth[pair[0]] != truth[pair[1]]]
        lines = [f"{i},{j},1" for i, j in must] + [f"{i},{j},-1" for i, j in cannot]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        made[name] = (X, int(truth.max()) + 1, must, cannot, folder)
    return made


@pytest.mark.filterwarnings("ignore::pysegment.SegmentWarning")
@pytest.mark.parametrize("name", ["clouds", "moons", "wide", "iris"])
@pytest.mark.parametrize("method", [method.name for method in pysegment.methods()])
def test_clusters(method, name, tables):
    X, k, must, cannot, folder = tables[name]
    said = run("cluster", folder / f"{name}.npy", "-k", k, "--constraints", folder / f"{name}.csv", "--method", method, "-q")
    ours = pysegment.cluster(X, k, must_link=must, cannot_link=cannot, method=method)
    assert ours.labels.tolist() == [int(line) for line in said.split()]


@pytest.mark.filterwarnings("ignore::pysegment.SegmentWarning")
@pytest.mark.parametrize("given", [{}, {"knn": 7}, {"restarts": 3}, {"sigma": 2.0}], ids=str)
@pytest.mark.parametrize("method", ["ccskl", "ccsr", "ncut", "sskk", "pckmeans", "enpakl1", "tragek"])
def test_paper_variants(method, given, tables):
    """The graph, its search and the restarts of the variant paper are the library's decision."""
    X, k, must, cannot, folder = tables["clouds"]
    flags = [word for name, value in given.items() for word in (f"--{name}", value)]
    said = run("cluster", folder / "clouds.npy", "-k", k, "--constraints", folder / "clouds.csv", "--method", f"{method}:paper", "-q",
               *flags)
    ours = pysegment.cluster(X, k, must_link=must, cannot_link=cannot, method=f"{method}:paper", **given)
    assert ours.labels.tolist() == [int(line) for line in said.split()]
