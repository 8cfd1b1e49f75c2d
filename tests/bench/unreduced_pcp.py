"""PCP [li2008pcp] by the csdp program: as it is printed, every must-link a condition of its own, and contracted, samples
that must link being one sample first. Does it solve both, and to the same value?

    unreduced_pcp.py TABLE.csv PAIRS...      the class in the last column; PAIRS: must-links a class, cannot-links a pair of classes

Prints csdp's exit status, last line and value for each number: 0 solved, 3 solved to less accuracy, 4 and more failed.
"""
import itertools
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from programs import smoother  # noqa: E402


def draw(label, count, random):
    pairs = {}
    classes = sorted(set(label))
    for a, b in itertools.combinations_with_replacement(classes, 2):
        all_pairs = [(i, j) for i in np.flatnonzero(label == a) for j in np.flatnonzero(label == b) if i < j or a != b]
        for p in random.permutation(len(all_pairs))[:count]:
            i, j = all_pairs[p]
            pairs[min(i, j), max(i, j)] = 1.0 if a == b else 0.0
    return pairs


def write(S, pairs, path):
    """SDPA's sparse form, which csdp maximises: of -S."""
    n, rows = len(S), sorted(pairs.items())
    with open(path, "w") as to:
        to.write("%d\n1\n%d\n%s\n" % (n + len(rows), n, " ".join(["1"] * n + ["%g" % (2 * v) for _, v in rows])))
        for i in range(n):
            for j in range(i, n):
                to.write("0 1 %d %d %.17g\n" % (i + 1, j + 1, -S[i, j]))
        for i in range(n):
            to.write("%d 1 %d %d 1\n" % (i + 1, i + 1, i + 1))
        for c, ((i, j), _) in enumerate(rows):
            to.write("%d 1 %d %d 1\n" % (n + c + 1, i + 1, j + 1))


def contract(S, pairs):
    """The program over the sets of samples that must link, and the cannot-links between them."""
    of = list(range(len(S)))
    for (i, j), value in pairs.items():
        if value > 0:
            of = [of[i] if g == of[j] else g for g in of]
    kept = sorted(set(of))
    member = np.array([[float(g == k) for k in kept] for g in of])
    number = {g: k for k, g in enumerate(kept)}
    ends = {tuple(sorted((number[of[i]], number[of[j]]))) for (i, j), value in pairs.items() if value == 0}
    return member.T @ S @ member, dict.fromkeys(ends, 0.0)


def solve(name, S, pairs, folder):
    path = os.path.join(folder, "pcp.dat-s")
    write(S, pairs, path)
    done = subprocess.run(["csdp", path], capture_output=True, text=True, cwd=folder)
    lines = done.stdout.splitlines()
    said = [line for line in lines if line.startswith(("Success", "Partial", "Failure", "Stuck", "Lack"))]
    value = [-float(line.split()[-1]) for line in lines if line.startswith("Primal objective value")]
    print("%s: %d conditions, csdp %d, %s, value %s" % (name, len(S) + len(pairs), done.returncode, said[-1] if said else
                                                       "nothing said", "%.6f" % value[-1] if value else "none"), flush=True)


def main():
    table = np.loadtxt(sys.argv[1], delimiter=",")
    S, label = smoother(table[:, :-1]), table[:, -1].astype(int)
    with tempfile.TemporaryDirectory() as folder:
        for count in map(int, sys.argv[2:]):
            name, pairs = "%s, %d pairs" % (os.path.basename(sys.argv[1]), count), draw(label, count, np.random.default_rng(count))
            solve(name + ", printed", S, pairs, folder)
            solve(name + ", contracted", *contract(S, pairs), folder)


if __name__ == "__main__":
    main()
