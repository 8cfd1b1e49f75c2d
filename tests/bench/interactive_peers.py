#!/usr/bin/env python3
"""The same clicks, or the same box, for segment and for other programs: a table.

interactive_peers.py [--clicks N | --box PIXELS [--corrections N]] [--every N] [--only NAME] SET...      (PYTHONPATH=build/python)

SET has images/NAME.* and ground-truth/NAME.png (the largest value is the object, 0 the background, others do not count).
--clicks (default 20): discs of radius 3, each at the deepest point of the larger error of the program's own mask, the first
two in object and background [sofiiuk2020fbrs]; means of the number of clicks to an IoU of 0.9 (N where it is not reached)
and of the IoU after 2, 5 and 10. --box: the object's bounding box and so many pixels more on each side; mean IoU, before and
after each of N such clicks in the box, and how many of these lower it by more than 0.05. segment runs with the option object
for clicks. OpenCV's grabCut (5 iterations) begins unmarked pixels as their nearest click, or in a box as the object's;
scikit-image's random_walker has beta 130 and mode cg_j, and takes no box. Needs numpy, scipy, OpenCV, scikit-image, Pillow.
"""
import argparse
import glob
import os
import time
import warnings

import cv2
import numpy as np
from PIL import Image

RADIUS = 3


def cases(folder, every):
    for path in sorted(glob.glob(os.path.join(folder, "ground-truth", "*")))[::every]:
        name = os.path.splitext(os.path.basename(path))[0]
        image, = glob.glob(os.path.join(glob.escape(folder), "images", glob.escape(name) + ".*"))[:1]
        truth = np.asarray(Image.open(path))
        truth = truth if truth.ndim == 2 else truth[..., 0]
        if truth.max() > 0 and truth.min() == 0:
            yield name, np.asarray(Image.open(image).convert("RGB")), truth == truth.max(), truth == 0


def iou(found, inside, outside):
    return (found & inside).sum() / max(1, ((found & outside) | inside).sum())


class Segment:
    def __init__(self, image):
        import pysegment
        self.segment, self.image = pysegment.segment, image
        self.session = pysegment.Session(image, object=True, threads=1)

    def click(self, marks):
        return self.session.segment(marks.astype(np.int32)).mask == 1

    def box(self, sides, marks):
        return self.segment(self.image, marks.astype(np.int32) if marks.any() else None, box=sides, threads=1).mask == 1


class GrabCut:
    def __init__(self, image):
        self.image = np.ascontiguousarray(image[:, :, ::-1])

    def cut(self, mask, marks):
        mask[marks == 1], mask[marks == 2] = cv2.GC_FGD, cv2.GC_BGD
        cv2.setRNGSeed(0)
        cv2.grabCut(self.image, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_MASK)
        return (mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD)

    def click(self, marks):
        near = [cv2.distanceTransform((marks != label).astype(np.uint8), cv2.DIST_L2, 5) for label in (1, 2)]
        return self.cut(np.where(near[0] < near[1], cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8), marks)

    def box(self, sides, marks):
        mask, (x, y, width, height) = np.full(marks.shape, cv2.GC_BGD, np.uint8), sides
        mask[y:y + height, x:x + width] = cv2.GC_PR_FGD
        return self.cut(mask, marks)


class RandomWalker:
    box = None

    def __init__(self, image):
        self.image = image / 255.0

    def click(self, marks):
        from skimage.segmentation import random_walker
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its solver
            return random_walker(self.image, marks.astype(int), beta=130, mode="cg_j", channel_axis=-1) == 1


PROGRAMS = {"segment": Segment, "grabCut": GrabCut, "random_walker": RandomWalker}


def deepest(inside):
    depth = cv2.distanceTransform(np.pad(inside, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    y, x = np.unravel_index(depth.argmax(), depth.shape)
    return depth[y, x], int(x), int(y)


def add_click(marks, found, inside, outside):
    """Mark the deepest point of the larger error. False: there is none."""
    free = marks == 0
    missed, wrong = deepest(inside & ~found & free), deepest(outside & found & free)
    depth, x, y = missed if missed[0] >= wrong[0] else wrong
    disc = cv2.circle(np.zeros(marks.shape, np.uint8), (x, y), RADIUS, 1, -1) > 0
    marks[disc & free & (depth > 0)] = 1 if missed[0] >= wrong[0] else 2
    return depth > 0


def by_clicks(program, inside, outside, most):
    marks, reached = np.zeros(inside.shape, np.uint8), []
    for n in range(most):
        if n < 2:
            found = np.full(inside.shape, n == 1)
        if not add_click(marks, found, inside, outside):
            break
        if n > 0:
            found = program.click(marks)
        reached.append(iou(found, inside, outside))
    return reached


def by_box(program, inside, outside, beyond, corrections):
    rows, columns = np.nonzero(inside)
    left, top = max(int(columns.min()) - beyond, 0), max(int(rows.min()) - beyond, 0)
    right, bottom = min(int(columns.max()) + beyond + 1, inside.shape[1]), min(int(rows.max()) + beyond + 1, inside.shape[0])
    if (left, top, right, bottom) == (0, 0, inside.shape[1], inside.shape[0]):
        return [iou(np.ones(inside.shape, bool), inside, outside)] * (corrections + 1)
    marks, reached = np.zeros(inside.shape, np.uint8), []
    while len(reached) <= corrections:
        found = program.box((left, top, right - left, bottom - top), marks)
        reached.append(iou(found, inside, outside))
        if not add_click(marks, found, inside, outside):
            reached += reached[-1:] * (corrections + 1 - len(reached))
    return reached


def row_of_clicks(curves, most, seconds):
    def clicks(curve):
        return next((i + 1 for i, value in enumerate(curve) if value >= 0.9), most)
    after = [np.mean([curve[min(n, len(curve)) - 1] for curve in curves]) for n in (2, 5, 10)]
    return f"{np.mean([clicks(curve) for curve in curves]):.2f} | {', '.join(f'{value:.3f}' for value in after)} | {seconds:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="+")
    parser.add_argument("--clicks", type=int, default=20)
    parser.add_argument("--box", type=int)
    parser.add_argument("--corrections", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", choices=PROGRAMS)
    a = parser.parse_args()
    print("| set | program | IoU | falls |\n|---|---|---|---|" if a.box is not None else
          "| set | program | clicks to 0.9 | IoU after 2, 5, 10 | seconds a click |\n|---|---|---|---|---|", flush=True)
    for folder in a.set:
        for name, program in PROGRAMS.items():
            if (a.only and name != a.only) or (a.box is not None and not program.box):
                continue
            found, began, count = [], time.perf_counter(), 0
            for _, image, inside, outside in cases(folder, a.every):
                one = program(image)
                found.append(by_clicks(one, inside, outside, a.clicks) if a.box is None else
                             by_box(one, inside, outside, a.box, a.corrections))
                count += len(found[-1])
            cells = (row_of_clicks(found, a.clicks, (time.perf_counter() - began) / count) if a.box is None else
                     f"{', '.join(f'{value:.3f}' for value in np.mean(found, 0))} | {(np.diff(found) < -0.05).sum()}")
            print(f"| {os.path.basename(os.path.normpath(folder))}, {len(found)} | {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
