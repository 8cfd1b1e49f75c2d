"""scripts/rank-estimators.py: frozen pairs that tell the classes, and ranks of estimators of three kinds."""
import csv
import os
import pathlib
import subprocess
import sys

import numpy as np
from conftest import larger

pytestmark = larger
SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "rank-estimators.py"

# Classes by the sign of the first column. Right: reads pairs as in active-semi-supervised-clustering. Constant: no pairs.
MINE = """
import numpy as np
class Right:
    def __init__(self, n_clusters): self.k = n_clusters
    def fit(self, X, ml, cl):
        self.labels_ = (X[:, 0] > 0).astype(int)
        assert ml and all(self.labels_[i] == self.labels_[j] for i, j in ml)
        assert cl and all(self.labels_[i] != self.labels_[j] for i, j in cl)
class Constant:
    def __init__(self, n_clusters): pass
    def fit(self, X): self.labels_ = np.zeros(len(X))
class Fails:
    def __init__(self, n_clusters): pass
    def fit(self, X): raise ValueError("it does not\\nwork")
"""


def call(folder, *words):
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run([sys.executable, SCRIPT, *map(str, words)], cwd=folder, env={**os.environ, "PYTHONPATH": paths},
                          capture_output=True, text=True)


def make(folder):
    (folder / "mine.py").write_text(MINE)
    (folder / "sets").mkdir()
    for name, rows in ("a", 20), ("a-b", 30):
        table = [(1 if i % 2 else -1, i * 7 % 11, i % 2 + 1) for i in range(rows)]
        np.savetxt(folder / "sets" / f"{name}.csv", table, delimiter=",", fmt="%g")
    assert call(folder, "freeze", "sets", "pairs", "--pairs", "12,190", "--draws", "2").returncode == 0


def test_pairs_are_right_and_the_same_again(tmp_path):
    make(tmp_path)
    files = sorted((tmp_path / "pairs").iterdir())
    assert len(files) == 8
    for path in files:
        y = np.loadtxt(tmp_path / "sets" / (path.stem.rsplit("-", 2)[0] + ".csv"), delimiter=",")[:, -1]
        pairs = np.loadtxt(path, delimiter=",", dtype=int)
        assert len({(i, j) for i, j, _ in pairs}) == int(path.stem.split("-")[-2])
        assert all((y[i] == y[j]) == (s == 1) and i != j for i, j, s in pairs)
    before = [path.read_bytes() for path in files]
    assert len(set(before)) == 8
    assert call(tmp_path, "freeze", "sets", "pairs", "--pairs", "12,190", "--draws", "2").returncode == 0
    assert [path.read_bytes() for path in files] == before
    assert "fewer than 191 pairs" in call(tmp_path, "freeze", "sets", "more", "--pairs", "191").stderr


def test_ranks_of_three_kinds(tmp_path):
    make(tmp_path)
    kinds = ["mine:Constant", "pysegment.estimators:PCKMeans", "mine:Right", "mine:Fails"]
    done = call(tmp_path, "rank", "sets", "pairs", "out", "--jobs", "1", *(w for kind in kinds for w in ("--estimator", kind)))
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((tmp_path / "out" / "results.csv").open()))
    assert len(rows) == 8 * 4
    error = {kind: [float(r["error"]) for r in rows if r["estimator"] == kind] for kind in kinds}
    assert error["mine:Right"] == [0] * 8 and error["mine:Constant"] == [0.5] * 8 and error["mine:Fails"] == [1] * 8
    assert {r["failure"] for r in rows if r["estimator"] == "mine:Fails"} == {"it does not work"}
    assert all(r["failure"] == "" for r in rows if r["estimator"] != "mine:Fails")
    page = (tmp_path / "out" / "ranks.md").read_text().splitlines()
    assert [line for line in page if line.startswith("| mine:Fails")][0].startswith("| mine:Fails | 4.00 | 1.000 |")
    assert page[-1].startswith("| mine:Fails") and "| 8 |" in page[-1]


def test_what_cannot_be_run(tmp_path):
    make(tmp_path)
    for words in (("rank", "sets", "pairs", "out", "--estimator", "mine:Nobody"), ("rank", "sets", "sets", "out"),
                  ("freeze", "mine.py", "p")):
        failed = call(tmp_path, *words)
        assert failed.returncode == 1 and failed.stderr.count("\n") == 1, failed.stderr
    assert not (tmp_path / "out").exists()
