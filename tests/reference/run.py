"""The variant paper of the methods, and mpck-means, against references in NumPy: objectives to 1e-6, labels one for one.

    run.py SEGMENT      in a folder to write in; exit 1 where anything differs

Kernel k-means is followed step by step. Methods without a random start, and those whose best of many runs is found by both, have labels of the reference's own.
The others are judged at the labels that the program found: the objective there, and that the printed step changes nothing.
Of tragek, pcp and enpakl1 the kernel is the reference's, too, and of enpakl the first steps of Algorithm 2 from the same start; at its end,
one of many optima, it is judged at the kernel that the program found.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

import programs
import references
from problems import problems, same_partition

WHOLE = {"ncut": references.ncut, "spectral-learning": references.spectral_learning, "ccskl": references.ccskl,
         "ccsr": references.ccsr, "cop-kmeans": references.cop_kmeans, "kmeans": lambda p: references.lloyd(p.X, p.k)[::-1],
         "kmeans distance=cosine": references.spherical_kmeans}
AT_LABELS = {"pckmeans": references.pckmeans, "hmrf-kmeans": references.hmrf_kmeans,
             "hmrf-kmeans count=costing": references.hmrf_kmeans_closure,
             "seeded-kmeans": references.seeded_kmeans, "mpck-means:improved pairs=listed": references.mpck_means,
             "kernel-kmeans": references.kernel_kmeans_objective, "pckmeans distance=cosine": references.pckmeans_cosine}
RUNS = {"cop-kmeans": 10}
PATHS = {"sskk": references.sskk_path,
         "sskk shift=bound": lambda p: references.sskk_path(p, shifted=True),
         "sskk objective=association": lambda p: references.sskk_path(p, "association"),
         "sskk objective=ratio-cut": lambda p: references.sskk_path(p, "ratio-cut"),
         "kernel-hmrf-kmeans": references.kernel_hmrf_path,
         "kernel-hmrf-kmeans shift=0": lambda p: references.kernel_hmrf_path(p, shifted=False)}


STEPS = 6  # of Algorithm 2 that are followed; later, roundings may lead to another of its optima (numpy of Debian 13: at 12)
B, R = 6, 8  # small enough for several subsets
CONVEX = {"pcp": (programs.pcp, []), "tragek": (programs.tragek, []),
          "enpakl1": (lambda p: programs.enpakl1(p, B, R), ["--param", "B=%d" % B, "--param", "R=%d" % R])}
GUARD = 1e-9  # of the variant paper
CONVEX["enpakl B=%d" % B] = (lambda p: programs.enpakl_whole(p, B, R, GUARD, STEPS),  # not convex, but from the same start
                             CONVEX["enpakl1"][1] + ["--param", "iterations=%d" % STEPS])


def learned(problem, program, method):
    """What the program says, the reference's objective and labels, and what is wrong with the kernel (empty: nothing)."""
    more = CONVEX[method][1] if method in CONVEX else ["--param", "B=0"]
    if method in ("pcp", "tragek"):
        more = more + ["--param", "tolerance=1e-8"]
    found = problem.run(program, method.split()[0], programs.RUNS, *more, "--save-kernel", "kernel.npy")
    K = np.load("kernel.npy")
    if method in CONVEX:
        value, label, own = CONVEX[method][0](problem)[:3]
        wrong = "" if abs(K - own).max() < 1e-3 else "kernel off by %g" % abs(K - own).max()
        return found, value, label, wrong
    value, label, own, (diagonal, negative) = programs.enpakl(problem, K, GUARD)
    wrong = "" if abs(K - own).max() < 1e-9 else "extension off by %g" % abs(K - own).max()
    if diagonal > 1e-12 or negative > 1e-9:
        wrong += " diagonal off by %g, least eigenvalue %g" % (diagonal, -negative)
    for step in (1, 1e-2, 1e-4, 1e-6):
        lower = programs.enpakl_step(problem, K, GUARD, step) - value
        if lower < -1e-6:
            wrong += " a step of %g lowers it by %g" % (step, -lower)
    return found, value, label, wrong or iterates(problem, program)


def iterates(problem, program):
    """What is wrong with the first steps of Algorithm 2 from the program's start."""
    D = np.array(sorted({i for pair in problem.pairs for i in pair[:2]}))
    inside = set(D.tolist())
    part = programs.Part(problem, D, [p for p in problem.pairs if p[0] in inside])
    steps = programs.algorithm_2(part, programs.smoother(problem.X[D], problem.X), GUARD)
    for step, (K, value) in enumerate(steps):
        if 1 <= step <= STEPS:
            found = problem.run(program, "enpakl", 1, "--param", "B=0", "--param", "iterations=%d" % step, "--save-kernel", "kernel.npy")
            off = abs(np.load("kernel.npy")[np.ix_(D, D)] - K).max()
            if not near(found["objective"], value) or off > 1e-4:
                return "step %d of Algorithm 2: %.9g, reference %.9g; kernel off by %g" % (step, found["objective"], value, off)
    return ""


def followed(problem, program, method, path, *more):
    """Whether the program takes the steps of the path one by one, from the start, Algorithm 3, to the end; the objective falls in each."""
    for step in range(len(path) + 2):
        found = problem.run(program, method, 1, "--param", "iterations=%d" % step, *more)
        value, label = path[min(step, len(path) - 1)]
        if not (same_partition(np.array(found["labels"]), label) and near(found["objective"], value)
                and found["iterations"] == min(step, len(path))):
            return "step %d is another one" % step
    rises = [a for (a, _), (b, _) in zip(path, path[1:]) if not b < a]
    return "the objective rises" if rises else ""


def questions(problem, program):
    """What is wrong with the questions of Explore and Consolidate, and of AIPC, and how many there are."""
    with open("labelled.csv", "w") as to:
        to.writelines(",".join(map(repr, row)) + "," + str(c) + "\n" for row, c in zip(problem.X.tolist(), problem.truth))
    for strategy, most in (("explore-consolidate", 80), ("aipc", 1000)):
        command = [program, "cluster", "labelled.csv", "--labels", "last", "-k", str(problem.k), "--active", strategy,
                   "--queries", str(most), "--method", "kmeans", "-q", "--save-constraints", "asked.csv"]
        subprocess.run(command, check=True, capture_output=True)
        asked = np.loadtxt("asked.csv", delimiter=",", comments="#", dtype=int)[:, :3].tolist()
        if strategy == "aipc":
            yield strategy, "" if asked == references.aipc(problem) else "other pairs than the reference's", len(asked)
        else:
            yield strategy, references.explore_consolidate(problem, asked), len(asked)


def near(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(b))


def main(program):
    wrong = 0
    taken = {method: 0 for method in PATHS}
    for problem in problems():
        problem.write()
        for method in [*WHOLE, *PATHS, *AT_LABELS, *CONVEX, "enpakl"]:
            kernel = method in CONVEX or method == "enpakl"
            name, *param = method.split()
            more = ["--param", param[0]] if param else []
            if kernel:
                found, value, own, fault = learned(problem, program, method)
            else:
                found = problem.run(program, name, 1 if method in PATHS else RUNS.get(method, 100), *more)
            label = np.array(found["labels"])
            if kernel:
                same = same_partition(label, own) and not fault
                what = fault or "labels %s" % ("the same" if same else "differ")
            elif method in PATHS:
                path = PATHS[method](problem)
                value, own = path[-1]
                fault = followed(problem, program, name, path, *more)
                same = same_partition(label, own) and not fault
                taken[method] += found["iterations"]
                what = fault or "%d steps, the same" % found["iterations"]
            elif method in WHOLE:
                value, own = WHOLE[method](problem)
                same = same_partition(label, own)
                what = "labels %s" % ("the same" if same else "differ on %d or more" % (label != own).sum())
            else:
                value, same = AT_LABELS[method](problem, label)
                what = "settled" if same else "the printed step moves samples"
            good = same and near(found["objective"], value) and found["variant"] == ("improved" if ":" in name else "paper")
            wrong += not good
            print("%-4s %-8s %-32s %.9g, reference %.9g; %s" % ("ok" if good else "BAD", problem.name, method,
                                                               found["objective"], value, what))
        for strategy, fault, count in questions(problem, program):
            wrong += bool(fault)
            print("%-4s %-8s %-32s %s" % ("BAD" if fault else "ok", problem.name, strategy,
                                          fault or "%d pairs, in the printed order" % count))
    # By the bound the steps of these problems move nothing; unshifted they do.
    return wrong > 0 or taken["sskk shift=bound"] > 3 or taken["sskk"] < 6


if __name__ == "__main__":
    segment = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # tables, pairs and kernels are written there
        code = main(segment)
        os.chdir("/")
    sys.exit(code)
