"""What the binding costs, how fast it hears an interrupt, and what threads gain: for an idle machine, and for docs/results.md.

    PYTHONPATH=build/python python3 tests/python/timing.py [overhead] [interrupt] [polls] [threads]
"""
import os
import signal
import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import pysegment
from pysegment._binding import ffi, lib
from pysegment.context import Context
from pysegment.registry import default_options

IMAGES = Path(__file__).resolve().parents[2] / "images"


def load(name):
    image = pysegment.read_image(IMAGES / f"{name}.jpg")
    return image, pysegment.read_scribbles(IMAGES / f"{name}-scribbles.png", image)


def overhead(rounds=60):
    """Session.segment against the library's own call on the same session of 0.25 megapixels, in turns."""
    image, scribbles = load("coffee")
    image, scribbles = np.ascontiguousarray(image[:400, :600]), np.ascontiguousarray(scribbles[:400, :600])
    ctx = lib.seg_context_create()
    lib.seg_context_settings(ctx).threads = 1
    photo, mask = ffi.new("seg_image *"), ffi.new("seg_mask *")
    pixels = ffi.new("seg_pixels *", (ffi.cast("void *", image.ctypes.data), 600, 400, 3, lib.SEG_SAMPLE_U8, 0))
    lib.seg_image_create(ctx, pixels, photo)
    lib.seg_mask_from_labels(ctx, ffi.cast("uint8_t *", scribbles.ctypes.data), 600, 400, 0, mask)
    room, result = ffi.new("seg_session **"), ffi.new("seg_result **")
    options = default_options(Context())
    assert lib.seg_session_open(ctx, photo, options, room) == lib.SEG_OK
    session = pysegment.Session(image, threads=1)

    def in_c():
        assert lib.seg_session_segment(ctx, room[0], mask, ffi.NULL, result) == lib.SEG_OK
        lib.seg_result_free(result[0])

    def in_python():
        session.segment(scribbles)

    wall, processor = {in_c: [], in_python: []}, {in_c: [], in_python: []}
    for at in range(rounds + 3):
        for way in (in_c, in_python) if at % 2 else (in_python, in_c):
            began = time.perf_counter(), time.process_time()
            way()
            if at >= 3:  # the first ones prepare
                wall[way].append(time.perf_counter() - began[0])
                processor[way].append(time.process_time() - began[1])
    for name, spent in (("seconds", wall), ("processor", processor)):
        c, python = (1000 * statistics.median(spent[way]) for way in (in_c, in_python))
        print(f"overhead: {name}: {c:.2f} ms in C, {python:.2f} ms by Session.segment (medians of {rounds}, one thread), "
              f"ratio {python / c:.3f}")


def interrupt(times=10):
    """From the signal to KeyboardInterrupt, at moments spread over each call."""
    image, scribbles = load("coffee")
    large = np.ascontiguousarray(np.kron(image, np.ones((3, 3, 1), np.uint8)))
    more = np.kron(scribbles, np.ones((3, 3), np.uint8))
    for name, given in (("0.25 megapixels", (image, scribbles)), ("2.2 megapixels", (large, more))):
        for method in ("auto", "kmeans", "ccskl", "enpakl", "ncut"):
            began = time.perf_counter()
            pysegment.segment(*given, method=method)
            whole = time.perf_counter() - began
            waits = []
            for at in range(times):
                sent = []

                def send():
                    sent.append(time.perf_counter())
                    os.kill(os.getpid(), signal.SIGINT)

                timer = threading.Timer(whole * (at + 0.5) / times, send)
                try:
                    timer.start()
                    pysegment.segment(*given, method=method)
                    timer.join()  # a call that ended before its signal
                    time.sleep(1)
                except KeyboardInterrupt:
                    waits.append(time.perf_counter() - sent[0])
                timer.join()
            print(f"interrupt: {name}, {method} ({whole:.2f} s): median {1000 * statistics.median(waits):.0f} ms, "
                  f"longest {1000 * max(waits):.0f} ms of {len(waits)}")


def polls():
    """The longest a call computes, on one thread, without asking whether it shall end: in time of the processor, which other
    programs do not change."""
    image, scribbles = load("coffee")
    pysegment.context.INTERVAL = 0.0
    for times in (1, 3):
        given = np.kron(image, np.ones((times, times, 1), np.uint8)), np.kron(scribbles, np.ones((times, times), np.uint8))
        for method in ("auto", "kmeans", "ccskl", "ccsr", "enpakl", "ncut"):
            waits, last = [], [time.thread_time()]

            def progress(_done, _stage):
                now = time.thread_time()
                waits.append(now - last[0])
                last[0] = now

            pysegment.segment(*given, method=method, threads=1, progress=progress)
            print(f"polls: {given[1].size / 1e6:.2f} megapixels, {method}: {1000 * max(waits):.0f} ms at most")
    pysegment.context.INTERVAL = 0.02


def threads(rounds=5):
    """Eight images, one after the other and on as many threads as there are processors; each call on one thread."""
    inputs = [load(path.stem) for path in sorted(IMAGES.glob("*.jpg"))[:8]]

    def one(given):
        return pysegment.segment(*given, threads=1).mask

    ratios = []
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, inputs))
        for _ in range(rounds):
            began = time.perf_counter()
            alone = [one(given) for given in inputs]
            middle = time.perf_counter()
            beside = list(pool.map(one, inputs))
            ended = time.perf_counter()
            assert all(np.array_equal(a, b) for a, b in zip(alone, beside))
            ratios.append((middle - began) / (ended - middle))
    print(f"threads: eight images by eight threads are {statistics.median(ratios):.2f} times as fast as one after the other "
          f"(median of {rounds}) on {os.cpu_count()} processors")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["overhead", "interrupt", "polls", "threads"]:
        globals()[name]()
