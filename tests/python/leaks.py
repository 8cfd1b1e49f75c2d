"""Resident memory while calls are made again and again.

    PYTHONPATH=build/python python3 tests/python/leaks.py [CALLS SESSIONS]

Prints, for each kind of call, how much more the process holds at the end than after the first hundred.
"""
import ctypes
import gc
import os
import sys
import warnings

import numpy as np

import pysegment


def resident():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what is free counts for nothing
    with open("/proc/self/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def repeat(call, times, first):
    before = 0
    for at in range(times):
        if at == first:
            before = resident()
        call()
    return resident() - before


def measure(calls, sessions, first=100):
    rng = np.random.default_rng(1)
    image = rng.integers(0, 60, (64, 64, 3), np.uint8)
    image[:, 32:] += 150
    scribbles = np.zeros((64, 64), np.uint8)
    scribbles[8:50, 6], scribbles[8:50, 56] = 1, 2
    X = rng.normal(size=(60, 2)) + 6 * (np.arange(60) % 2)[:, None]

    def segment():
        pysegment.segment(image, scribbles, probability=True, uncertainty=True, balance="off", threads=1)

    def session():
        with pysegment.Session(image, threads=2, balance="off", progress=lambda done, stage: None) as opened:
            opened.segment(scribbles).overlay()
            opened.segment(scribbles[::-1])

    def fail():
        for wrong in (scribbles * 0, scribbles[:9]):
            try:
                pysegment.segment(image, wrong)
            except ValueError:
                pass

    def cluster():
        pysegment.cluster(X, 2, must_link=[[0, 2]], cannot_link=[[0, 1]], method="ccskl", threads=1)
        pysegment.nmi(X[:, 0] > 0, X[:, 1] > 0)
        ask = pysegment.ActiveConstraints(X)
        ask.answer(next(ask)[0] == 0)

    return {"segment": repeat(segment, calls, first), "session": repeat(session, sessions, first),
            "failures": repeat(fail, sessions, first), "cluster": repeat(cluster, sessions, first)}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    wanted = [int(word) for word in sys.argv[1:]] or [10000, 1000]
    for kind, grown in measure(*wanted).items():
        print(f"{kind}: {grown / 2**20:+.2f} MiB after the first 100")
