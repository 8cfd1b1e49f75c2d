#!/usr/bin/python3
"""Rank estimators of constrained clustering on frozen files of pairs: those of pysegment, of scikit-learn and your own.

    rank-estimators.py freeze SETS PAIRS [--pairs 10,50,200] [--draws 3] [--seed 1]
    rank-estimators.py rank SETS PAIRS OUT [--estimator MODULE:CLASS ...] [--jobs N]

SETS is a folder of tables NAME.csv without a header, the class in the last column. freeze draws listed pairs uniformly
and writes PAIRS/NAME-COUNT-DRAW.csv in the format of `segment cluster --constraints`, so that other programs can read
the same ones. rank fits every estimator to every file and writes OUT/results.csv (clustering error, NMI and seconds of
each item) and OUT/ranks.md (mean ranks by the error, and the signed-rank test against the first [demsar2006]).

An estimator is a class whose first argument is the number of clusters. Its fit takes (X, must_link=, cannot_link=) as
in pysegment, (X, ml=, cl=) as in active-semi-supervised-clustering, or X alone; it leaves labels_. Columns are scaled
to mean 0 and deviation 1. An estimator that fails on an item has the error 1 there, and the page counts it.
Needs numpy, scipy and scikit-learn, and pysegment for its estimators.
"""
import argparse
import concurrent.futures
import csv
import glob
import importlib
import inspect
import os
import sys
import time
import warnings

import numpy as np

USUAL = ["pysegment.estimators:ConstrainedMixture", "pysegment.estimators:ENPAKL", "pysegment.estimators:PCKMeans",
         "pysegment.estimators:CCSR", "pysegment.estimators:NormalizedCuts", "sklearn.cluster:KMeans", "sklearn.cluster:SpectralClustering"]


def tables(folder):
    found = sorted(glob.glob(os.path.join(glob.escape(folder), "*.csv")))
    if not found:
        sys.exit(f"rank-estimators.py: no table NAME.csv in {folder}")
    for path in found:
        rows = np.loadtxt(path, delimiter=",", ndmin=2)
        yield os.path.basename(path)[:-4], rows[:, :-1], np.unique(rows[:, -1], return_inverse=True)[1]


def freeze(a):
    os.makedirs(a.pairs_folder, exist_ok=True)
    for name, X, y in tables(a.sets):
        n = len(y)
        for count in a.pairs:
            if count > n * (n - 1) // 2:
                sys.exit(f"rank-estimators.py: {name} has {n} rows, which make fewer than {count} pairs")
            for draw in range(a.draws):
                rng, drawn = np.random.default_rng([a.seed, count, draw, *name.encode()]), {}
                while len(drawn) < count:
                    i, j = sorted(int(v) for v in rng.choice(n, 2, replace=False))
                    drawn[i, j] = 1 if y[i] == y[j] else -1
                with open(os.path.join(a.pairs_folder, f"{name}-{count}-{draw + 1}.csv"), "w", encoding="ascii") as out:
                    out.write(f"#:samples {n}\n" + "".join(f"{i},{j},{s}\n" for (i, j), s in drawn.items()))


def load(name):
    module, _, cls = name.partition(":")
    try:
        return getattr(importlib.import_module(module), cls)
    except (ImportError, AttributeError) as why:
        sys.exit(f"rank-estimators.py: no estimator {name}, which should be MODULE:CLASS: {why}")


def fit(name, X, k, pairs):
    made = load(name)
    known = inspect.signature(made).parameters
    estimator = made(k, **({"random_state": 1} if "random_state" in known else {}))
    must, cannot = pairs[pairs[:, 2] > 0, :2], pairs[pairs[:, 2] < 0, :2]
    takes = inspect.signature(estimator.fit).parameters
    if "must_link" in takes:
        estimator.fit(X, must_link=must, cannot_link=cannot)
    elif "ml" in takes:
        estimator.fit(X, ml=[tuple(p) for p in must.tolist()], cl=[tuple(p) for p in cannot.tolist()])
    else:
        estimator.fit(X)
    return np.asarray(estimator.labels_)


def score(y, labels):
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics import normalized_mutual_info_score
    labels = np.unique(labels, return_inverse=True)[1]
    table = np.zeros((y.max() + 1, labels.max() + 1))
    np.add.at(table, (y, labels), 1)
    rows, columns = linear_sum_assignment(-table)
    return 1 - table[rows, columns].sum() / len(y), normalized_mutual_info_score(y, labels)


def item(job):
    name, X, y, path, estimator = job
    pairs, begun = np.loadtxt(path, delimiter=",", ndmin=2, dtype=int), time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            error, nmi = score(y, fit(estimator, X, y.max() + 1, pairs))
        why = ""
    except Exception as failure:  # of somebody's estimator: it may raise anything
        error, nmi, why = 1, 0, " ".join(str(failure).split()) or type(failure).__name__
    return [os.path.basename(path)[:-4], estimator, error, nmi, time.process_time() - begun, why]


def rank(a):
    estimators, jobs = a.estimator or USUAL, []
    for estimator in estimators:
        load(estimator)
    for name, X, y in tables(a.sets):
        deviation = X.std(0)
        X = (X - X.mean(0)) / np.where(deviation > 0, deviation, 1)
        for path in sorted(glob.glob(os.path.join(glob.escape(a.pairs_folder), glob.escape(name) + "-*-*.csv"))):
            if os.path.basename(path)[:-4].rsplit("-", 2)[0] == name:
                jobs += [(name, X, y, path, estimator) for estimator in estimators]
    if not jobs:
        sys.exit(f"rank-estimators.py: no pairs for these tables in {a.pairs_folder}; make them with freeze")
    with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
        rows = list(pool.map(item, jobs))
    os.makedirs(a.out, exist_ok=True)
    with open(os.path.join(a.out, "results.csv"), "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["pairs", "estimator", "error", "nmi", "seconds", "failure"])
        writer.writerows(r[:2] + [f"{v:.6f}" for v in r[2:5]] + r[5:] for r in rows)
    page(estimators, rows, a.out)


def page(estimators, rows, folder):
    from scipy.stats import rankdata, wilcoxon
    error = np.array([r[2] for r in rows]).reshape(-1, len(estimators)).round(9)
    nmi, seconds = (np.array([r[c] for r in rows]).reshape(error.shape) for c in (3, 4))
    failed = np.array([r[5] != "" for r in rows]).reshape(error.shape)
    ranks = rankdata(error, axis=1)
    order = sorted(range(len(estimators)), key=lambda e: ranks[:, e].mean())
    with open(os.path.join(folder, "ranks.md"), "w", encoding="utf-8") as out:
        print(f"# Ranks of {len(estimators)} estimators on {len(error)} files of pairs\n", file=out)
        print("| estimator | mean rank | error | NMI | seconds | failed | p against the first |\n|---|---|---|---|---|---|---|", file=out)
        for e in order:
            apart = (error[:, e] != error[:, order[0]]).any()
            p = f"{wilcoxon(error[:, e], error[:, order[0]]).pvalue:.2g}" if apart else ""
            print(f"| {estimators[e]} | {ranks[:, e].mean():.2f} | {error[:, e].mean():.3f} | {nmi[:, e].mean():.3f} | "
                  f"{seconds[:, e].mean():.2f} | {failed[:, e].sum()} | {p} |", file=out)
    print(os.path.join(folder, "ranks.md"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    frozen, ranked = commands.add_parser("freeze"), commands.add_parser("rank")
    for command in (frozen, ranked):
        command.add_argument("sets", metavar="SETS")
        command.add_argument("pairs_folder", metavar="PAIRS")
    frozen.add_argument("--pairs", default=[10, 50, 200], type=lambda text: [int(v) for v in text.split(",")])
    frozen.add_argument("--draws", default=3, type=int)
    frozen.add_argument("--seed", default=1, type=int)
    frozen.set_defaults(run=freeze)
    ranked.add_argument("out", metavar="OUT")
    ranked.add_argument("--estimator", action="append", metavar="MODULE:CLASS")
    ranked.add_argument("--jobs", type=int, default=os.cpu_count())
    ranked.set_defaults(run=rank)
    a = parser.parse_args()
    a.run(a)


if __name__ == "__main__":
    main()
