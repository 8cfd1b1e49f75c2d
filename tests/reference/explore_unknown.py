"""Explore without the number of clusters, which is the program's own: k disjoint balls of basu2004active's appendix, in
which points are uniform, are found by as few questions as with it.

    explore_unknown.py SEGMENT      in a folder to write in; exit 1 where they are not
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

wrong = []


def check(holds, sentence):
    if not holds:
        wrong.append(sentence)
        print("WRONG: " + sentence)


def balls(k, each, random):
    """Points of balls of radius 1 in the plane, and their balls: centres drawn until the balls are disjoint."""
    while True:
        centre = random.uniform(0, 2.2 * k, (k, 2))
        if all(np.linalg.norm(a - b) > 2 for a, b in itertools.combinations(centre, 2)):
            break
    step = random.normal(size=(k * each, 2))
    step *= (random.uniform(size=k * each) ** 0.5 / np.linalg.norm(step, axis=1))[:, None]
    of = np.repeat(np.arange(k), each)
    return centre[of] + step, of


def unknown_k(program):
    """Questions until every ball has a neighbourhood."""
    X, of = balls(5, 40, np.random.default_rng(1))
    np.savetxt("balls.csv", np.column_stack([X, of]), "%.9g", ",")
    for name, more in (("known", []), ("unknown", ["-k", "9"])):  # with more clusters than there are nothing is inferred
        row = []
        for asked in (2, 5, 10, 15, 20, 40, 80):
            done = subprocess.run([program, "cluster", "balls.csv", "--labels", "last", "--method", "kmeans", "--active", "explore",
                                   "--queries", str(asked), "--json", "-q", *more], capture_output=True, text=True, check=True)
            active = json.loads(done.stdout)["active"]
            row.append("%d: %d" % (asked, active["neighbourhoods"]))
            check(active["neighbourhoods"] <= 5, "more neighbourhoods than balls")
            check(asked < 20 or active["neighbourhoods"] == 5, "Explore, k %s: %d of 5 balls after %d questions" % (
                name, active["neighbourhoods"], asked))
        print("  k %-8s %s" % (name, "   ".join(row)))


if __name__ == "__main__":
    segment = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the table and the answers are written there
        unknown_k(segment)
        os.chdir("/")
    sys.exit(bool(wrong))
