"""The variant paper of the methods against references in NumPy: objectives to 1e-6, labels one for one.

    run.py SEGMENT      in a folder to write in; exit 1 where anything differs

Methods without a random start, and those whose best of many runs is found by both, have labels of the reference's own.
The others are judged at the labels that the program found: the objective there, and that the printed step changes nothing.
Not here: tragek, pcp, enpakl, enpakl1 (semidefinite programs and projections, tests/unit/test_sdp_kernels.c, test_enpakl.c).
"""
import sys

import numpy as np

import references
from problems import problems, same_partition

WHOLE = {"ncut": references.ncut, "spectral-learning": references.spectral_learning, "ccskl": references.ccskl,
         "ccsr": references.ccsr, "sskk": references.sskk, "kernel-hmrf-kmeans": references.kernel_hmrf_kmeans,
         "kmeans": lambda p: references.lloyd(p.X, p.k)[::-1]}
AT_LABELS = {"pckmeans": references.pckmeans, "hmrf-kmeans": references.hmrf_kmeans,
             "seeded-kmeans": references.seeded_kmeans, "cop-kmeans": references.cop_kmeans,
             "kernel-kmeans": references.kernel_kmeans_objective}
RUNS = {"sskk": 1, "kernel-hmrf-kmeans": 1}  # Algorithm 3 once; elsewhere the best of many


def near(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(b))


def main(program):
    wrong = 0
    for problem in problems():
        problem.write()
        for method in [*WHOLE, *AT_LABELS]:
            found = problem.run(program, method, RUNS.get(method, 100))
            label = np.array(found["labels"])
            if method in WHOLE:
                value, own = WHOLE[method](problem)
                same = same_partition(label, own)
                what = "labels %s" % ("the same" if same else "differ on %d or more" % (label != own).sum())
            else:
                value, same = AT_LABELS[method](problem, label)
                what = "settled" if same else "the printed step moves samples"
            good = same and near(found["objective"], value) and found["variant"] == "paper"
            wrong += not good
            print("%-4s %-8s %-20s %.9g, reference %.9g; %s" % ("ok" if good else "BAD", problem.name, method,
                                                               found["objective"], value, what))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
