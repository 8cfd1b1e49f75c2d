#!/usr/bin/env python3
"""Time `segment_bench usps` and the same pipeline of scikit-learn by turns, and print the ratio.

usps_sklearn.py SEGMENT_BENCH DATA [--runs N] [--threads N]
Wall seconds and processor seconds (user and system) of the computation; starting Python and importing are not counted.
"""
import argparse
import os
import statistics
import subprocess
import sys


def child(data, threads):
    import resource
    import time

    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.manifold import spectral_embedding
    from sklearn.neighbors import kneighbors_graph

    def spent():
        used = resource.getrusage(resource.RUSAGE_SELF)
        return time.monotonic(), used.ru_utime + used.ru_stime

    def lap(name, since):
        wall, processor = spent()
        print(f"{name:9} {wall - since[0]:8.3f} {processor - since[1]:8.3f}")
        return wall, processor

    first = last = spent()
    table = np.loadtxt(data, delimiter=",")
    features, truth = table[:, :-1], table[:, -1]
    last = lap("read", last)
    graph = kneighbors_graph(features, 20, mode="distance", n_jobs=threads)
    graph.data = np.exp(-0.5 * (graph.data / graph.data.mean()) ** 2)
    last = lap("graph", last)
    rows = spectral_embedding(graph.maximum(graph.T), n_components=20, drop_first=False, random_state=1)
    last = lap("eigen", last)
    KMeans(len(np.unique(truth)), n_init=10, random_state=1).fit(rows)
    lap("k-means", last)
    lap("total", first)


def run(command, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    text = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(text)
    total = next(line for line in text.splitlines() if line.startswith("total")).split()
    return float(total[1]), float(total[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("data")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.data, options.threads)
        return
    threads = str(options.threads)
    ours, theirs = [], []
    for _ in range(options.runs):
        ours.append(run([options.bench, "usps", "--data", options.data, "--threads", threads], options.threads))
        theirs.append(
            run([sys.executable, __file__, options.bench, options.data, "--threads", threads, "--child"], options.threads)
        )
    for which, name in ((0, "wall"), (1, "processor")):
        a, b = (statistics.median(time[which] for time in times) for times in (ours, theirs))
        print(f"median {name} seconds: segment {a:.2f}, scikit-learn {b:.2f}, {b / a:.1f} times")


if __name__ == "__main__":
    main()
