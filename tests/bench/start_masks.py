#!/usr/bin/env python3
"""Correct spoilt masks by simulated clicks: how many clicks it takes, how often a click makes the mask worse, what changes far away.

start_masks.py [--clicks 20] [--every N] [--kinds missing,blobs,shift,bridges,other] [--from-nothing] [--each] SET...   (PYTHONPATH=build/python)

SET has images/NAME.* and ground-truth/NAME.png (the largest value is the object, 0 the background, others do not count). Each truth is
spoilt in five ways: two parts missing; two blobs added; its border moved by 3 to 8 pixels; two bridges to blobs nearby; the mask of another
place. Each click is a disc of radius 3 at the deepest point of the larger error, until the IoU is 0.9; --from-nothing: with object=True and
no mask instead. NoC counts the clicks, --clicks where 0.9 is not reached. far: the share of the image's pixels that changed more than 4 R + 40
pixels from every click though they were right, R the click's depth in its error. Needs NumPy, OpenCV and Pillow.
"""
import argparse
import os
import time

import cv2
import numpy as np
import pysegment
from interactive_peers import RADIUS, cases, deepest, iou

KINDS = ["missing", "blobs", "shift", "bridges", "other"]


def blob(rng, shape, centre, radius):
    y, x = np.mgrid[:shape[0], :shape[1]]
    y, x = y - centre[0], x - centre[1]
    angle = np.arctan2(y, x)
    wave = sum(rng.normal() * np.cos(h * angle + rng.uniform(0, 2 * np.pi)) for h in range(2, 5))
    return np.hypot(y, x) < radius * (1 + 0.2 * wave)


def ellipse(radius):
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))


def spoil(truth, kind, rng):
    size, out, as_bytes = np.sqrt(truth.sum()), truth.copy(), truth.astype(np.uint8)

    def somewhere(spots):
        y, x = np.nonzero(spots)
        i = rng.integers(len(y))
        return y[i], x[i]

    if kind == "shift":
        radius = int(rng.integers(3, 9))
        if rng.random() < 0.5:
            return cv2.dilate(as_bytes, ellipse(radius)) > 0
        return cv2.erode(as_bytes, ellipse(min(radius, max(1, int(size * 0.12))))) > 0
    if kind == "other":
        move = [int(rng.choice([-1, 1]) * size * rng.uniform(0.5, 0.9)) for _ in "yx"]
        return cv2.warpAffine(as_bytes, np.float32([[1, 0, move[1]], [0, 1, move[0]]]), truth.shape[::-1]) > 0
    near = cv2.dilate(as_bytes, ellipse(max(3, int(size / 2)))) > 0
    for _ in range(2):
        if kind == "missing":
            out &= ~blob(rng, truth.shape, somewhere(truth), size * rng.uniform(0.2, 0.35))
        elif kind == "blobs":
            out |= blob(rng, truth.shape, somewhere(near & ~truth), size * rng.uniform(0.2, 0.35))
        else:
            y, x = somewhere(truth)
            angle, length, bridge = rng.uniform(0, 2 * np.pi), size * rng.uniform(0.6, 1.2), np.zeros(truth.shape, np.uint8)
            end = (int(x + length * np.cos(angle)), int(y + length * np.sin(angle)))
            cv2.line(bridge, (int(x), int(y)), end, 1, max(5, int(size * 0.12)))
            cv2.circle(bridge, end, max(4, int(size * 0.2)), 1, -1)
            out |= bridge > 0
    return out


def correct(image, inside, outside, start, arguments):
    """IoU before and after each click; the largest share of changes far away; seconds a click."""
    strokes, mask, far = np.zeros(inside.shape, np.int32), start, 0.0
    beyond = np.ones(inside.shape, bool)
    found, began = [iou(mask, inside, outside)], time.perf_counter()
    known = {"object": True} if arguments.from_nothing else {"start": start}
    with pysegment.Session(image, threads=1, **known) as session:
        while len(found) <= arguments.clicks and found[-1] < 0.9:
            missed, wrong = deepest(inside & ~mask & (strokes == 0)), deepest(outside & mask & (strokes == 0))
            if max(missed, wrong)[0] <= 0:
                break
            depth, x, y = max(missed, wrong)
            disc = cv2.circle(np.zeros(inside.shape, np.uint8), (x, y), RADIUS, 1, -1) > 0
            is_object = missed >= wrong
            strokes[disc & (strokes == 0) & (inside if is_object else outside)] = 1 if is_object else 2
            mask = session.segment(strokes).mask == 1
            found.append(iou(mask, inside, outside))
            beyond &= cv2.distanceTransform((~disc).astype(np.uint8), cv2.DIST_L2, 5) > 4 * depth + 40
            far = max(far, (beyond & (mask != start) & (start == inside)).mean())
    return found, far, (time.perf_counter() - began) / max(1, len(found) - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--clicks", type=int, default=20)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--from-nothing", action="store_true")
    parser.add_argument("--each", action="store_true")
    arguments = parser.parse_args()
    kinds = ["nothing"] if arguments.from_nothing else arguments.kinds.split(",")
    rows = []
    for folder in arguments.sets:
        for i, (name, image, inside, outside) in enumerate(cases(folder, arguments.every)):
            for kind in kinds:
                rng = np.random.default_rng([i, KINDS.index(kind) if kind in KINDS else 9])
                start = np.zeros(inside.shape, bool) if kind == "nothing" else spoil(inside, kind, rng)
                found, far, seconds = correct(image, inside, outside, start, arguments)
                clicks = next((n for n, v in enumerate(found) if v >= 0.9), arguments.clicks)
                falls = sum(b < a - 0.05 for a, b in zip(found, found[1:]))
                rows.append((kind, found[0], clicks, len(found) - 1, falls, far, seconds))
                if arguments.each:
                    print(os.path.basename(os.path.normpath(folder)), name, kind, f"far {far:.4f}", *(f"{v:.2f}" for v in found), flush=True)
    if not rows:
        parser.error(f"no images in {', '.join(arguments.sets)}; name folders of sets")
    for kind in kinds + ["all"]:
        of = np.array([row[1:] for row in rows if kind in (row[0], "all")])
        steps = max(1, of[:, 2].sum())
        print(f"{kind:8} {len(of):4} masks: IoU {of[:, 0].mean():.3f} before, NoC@90 {of[:, 1].mean():.2f}, falls by more than 0.05 "
              f"{of[:, 3].sum():.0f} of {steps:.0f} ({100 * of[:, 3].sum() / steps:.1f} %), far {100 * of[:, 4].mean():.3f} % "
              f"(at most {100 * of[:, 4].max():.2f}), {np.median(of[:, 5]):.3f} s a click")


if __name__ == "__main__":
    main()
