#!/usr/bin/env python3
"""What one more right stroke does to a mask: for sets with strokes, how often the object's Dice falls.

added_strokes.py [--strokes 4] [--every N] [--seed 1] [--opt NAME=VALUE] [--fresh] SET...      (PYTHONPATH=build/python)

SET has images/NAME.*, ground-truth/NAME.png (the largest value is the object, 0 the background, others do not count) and
scribbles-set-1/NAME-anno.png. Each added stroke is a random rectangle of 3 to 17 by 3 to 7 pixels, all of one label in the
truth, half of them of each label; the given strokes and one more are segmented in one session, or with --fresh in two.
Also: the processor time of the second mask. Needs numpy and Pillow.
"""
import argparse
import glob
import json
import os
import time

import numpy as np
import pysegment
from PIL import Image


def cases(folder, every):
    for path in sorted(glob.glob(os.path.join(folder, "scribbles-set-1", "*-anno.png")))[::every]:
        name = os.path.basename(path)[:-len("-anno.png")]
        image, = glob.glob(os.path.join(glob.escape(folder), "images", glob.escape(name) + ".*"))[:1]
        truth = np.asarray(Image.open(os.path.join(folder, "ground-truth", name + ".png")))
        truth = truth if truth.ndim == 2 else truth[..., 0]
        strokes = np.asarray(Image.open(path)).astype(np.int32)
        if strokes.ndim == 2 and truth.max() > 0 and {1, 2} <= set(np.unique(strokes)):
            yield np.asarray(Image.open(image).convert("RGB")), strokes, truth == truth.max(), truth == 0


def dice(found, inside, outside):
    return 2 * (found & inside).sum() / max(1, (found & (inside | outside)).sum() + inside.sum())


def stroke(rng, strokes, inside, outside):
    """The strokes and one more, of which no pixel is wrong; None where no place was found."""
    label = 1 + int(rng.integers(2))
    allowed = inside if label == 1 else outside
    spots = np.argwhere(allowed)
    for _ in range(200):
        height, width = sorted((int(rng.integers(3, 8)), int(rng.integers(3, 18))), reverse=bool(rng.integers(2)))
        y, x = spots[rng.integers(len(spots))]
        part = np.s_[y:y + height, x:x + width]
        if allowed[part].size == height * width and allowed[part].all():
            more = strokes.copy()
            more[part][more[part] == 0] = label
            return more
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--strokes", type=int, default=4)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opt", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--fresh", action="store_true", help="a new session for the second mask")
    a = parser.parse_args()
    options = {name: json.loads(value) for name, value in (o.split("=", 1) for o in a.opt)}
    rng, changes, seconds = np.random.default_rng(a.seed), [], []
    for folder in a.sets:
        own = []
        for image, strokes, inside, outside in cases(folder, a.every):
            for _ in range(a.strokes):
                more = stroke(rng, strokes, inside, outside)
                if more is None:
                    continue
                with pysegment.Session(image, 2, threads=1, **options) as session:
                    before = dice(session.segment(strokes).mask == 1, inside, outside)
                    if not a.fresh:
                        start = time.process_time()
                        mask = session.segment(more).mask
                if a.fresh:
                    start = time.process_time()
                    mask = pysegment.segment(image, more, 2, threads=1, **options).mask
                seconds.append(time.process_time() - start)
                own.append(dice(mask == 1, inside, outside) - before)
        changes += own
        report(os.path.basename(folder.rstrip("/")), own)
    report("all", changes)
    print(f"processor time of the second mask: {np.mean(seconds):.3f} s")


def report(name, changes):
    c = np.array(changes)
    print(f"{name}: {len(c)} strokes, Dice {c.mean():+.4f} in the mean, falls by more than 0.01 in {100 * (c < -.01).mean():.1f} %, "
          f"0.05 in {100 * (c < -.05).mean():.1f} %, rises by more than 0.01 in {100 * (c > .01).mean():.1f} %", flush=True)


if __name__ == "__main__":
    main()
