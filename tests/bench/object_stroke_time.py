#!/usr/bin/env python3
"""Time of one more stroke with the option object and without it: object_stroke_time.py [--megapixels N] [--strokes N] IMAGE TRUTH...

IMAGE is enlarged. Two sessions of one thread get the same strokes in turn: a line in the object (the truth's largest value) and one
in its background (0), then lines of both at random. Prints medians of processor time, which other programs hardly change, and the
median of the quotients stroke by stroke. Needs PYTHONPATH=build/python, numpy and Pillow.
"""
import argparse
import time

import numpy as np
import pysegment
from PIL import Image

MODES = {"object": {"object": True}, "without": {}}


def stroke(rng, marks, allowed, label):
    """A horizontal line where `allowed` is true."""
    y, x = divmod(int(rng.choice(np.flatnonzero(allowed))), allowed.shape[1])
    wide, high = allowed.shape[1] // 40, allowed.shape[0] // 200
    part = np.s_[y:y + high, x:x + wide]
    marks[part][allowed[part] & (marks[part] == 0)] = label


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--megapixels", type=float, default=12)
    parser.add_argument("--strokes", type=int, default=8)
    a = parser.parse_args()
    seconds = {mode: [] for mode in MODES}
    for path, truth in zip(a.files[::2], a.files[1::2]):
        image, rng = Image.open(path).convert("RGB"), np.random.default_rng(0)
        factor = (a.megapixels * 1e6 / (image.width * image.height)) ** 0.5
        size = round(image.width * factor), round(image.height * factor)
        truth = np.asarray(Image.open(truth).resize(size, Image.NEAREST))
        truth = truth if truth.ndim == 2 else truth[..., 0]
        image = np.asarray(image.resize(size, Image.BICUBIC))
        marks = np.zeros(truth.shape, np.int32)
        sessions = {mode: pysegment.Session(image, 2, threads=1, **options) for mode, options in MODES.items()}
        for n in range(a.strokes + 2):
            label = n + 1 if n < 2 else int(rng.integers(1, 3))
            stroke(rng, marks, truth == truth.max() if label == 1 else truth == 0, label)
            for mode in list(MODES)[::1 if n % 2 else -1]:
                began = time.process_time()
                if n > 0:
                    sessions[mode].segment(marks)
                if n > 1:
                    seconds[mode].append(time.process_time() - began)
    quotients = np.array(seconds["object"]) / seconds["without"]
    print(", ".join(f"{mode} {np.median(all_of):.3f} s" for mode, all_of in seconds.items()),
          f"median of {len(quotients)} quotients {np.median(quotients):.3f}")


if __name__ == "__main__":
    main()
