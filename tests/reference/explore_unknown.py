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


def main(program):
    X, of = balls(5, 40, np.random.default_rng(1))
    np.savetxt("balls.csv", np.column_stack([X, of]), "%.9g", ",")
    for more in [], ["-k", "9"]:  # with more clusters than there are nothing is inferred
        for asked in 2, 5, 10, 15, 20, 40, 80:
            done = subprocess.run([program, "cluster", "balls.csv", "--labels", "last", "--method", "kmeans", "--active", "explore",
                                   "--queries", str(asked), "--json", "-q", *more], capture_output=True, text=True, check=True)
            found = json.loads(done.stdout)["active"]["neighbourhoods"]
            if found > 5 or (found < 5 and asked >= 20):
                sys.exit("%d of 5 balls after %d questions %s" % (found, asked, " ".join(more)))


if __name__ == "__main__":
    segment = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the table and the answers are written there
        main(segment)
        os.chdir("/")
