#!/usr/bin/env python3
"""Count the corrections that a simulated user needs, for `segment` and for other programs, and print one table.

simulated_user_peers.py SEGMENT FOLDER... [--most N] [--iou X] [--every N] [--count N] [--walker MODE] [--only-segment]
    [--journal FILE] [-- OPTIONS]

FOLDER has images/NAME.*, ground-truth/NAME.png (255 is the object) and is read as `segment eval` reads the layout grabcut.
The simulated user [kohli2012interactive] draws one stroke in the object and one in the background, then one stroke in the
middle of the largest connected error of the method's own mask. Counted is how many of these are drawn until the object's IoU is X (0.9); N (20) where it is not reached by then.
OPTIONS go to `segment`. Each image and method is a line of the journal (simulated-user.csv);
those that are there are not run again. --every N: every N-th image, and of these --count N: the first. The peers are
OpenCV's grabCut (unmarked pixels begin as their nearest stroke) and scikit-image's random_walker, beta 130 and 900; mode
bf is the exact solution, cg_j ends at a tolerance of 1e-3 and takes four times as long. Needs numpy, scipy, scikit-image,
OpenCV and Pillow.
"""
import argparse
import csv
import glob
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image
from scipy import ndimage

OBJECT, BACKGROUND = 1, 2
REACH, DEEP, RADIUS = 10, 0.8, 3


def away_from_zero(value):
    """C's lround."""
    return int(math.floor(abs(value) + 0.5)) * (1 if value >= 0 else -1)


def depth_inside(inside):
    """Squared distance to what is outside; so is all beyond the image."""
    return np.rint(ndimage.distance_transform_edt(np.pad(inside, 1))[1:-1, 1:-1] ** 2)


def largest_piece(labels, among):
    """Of pixels of one label among those given, connected by edges: (mask, label), the first of equals, or None."""
    best = None
    for label in among:
        number, count = ndimage.label(labels == label)
        if not count:
            continue
        sizes = np.bincount(number.ravel())[1:]
        for piece in np.flatnonzero(sizes == sizes.max()) + 1:
            first = int(np.argmax(number.ravel() == piece))
            if best is None or (-sizes.max(), first) < best[0]:
                best = (-sizes.max(), first), number == piece, label
    return best and best[1:]


def reach(depth, x, y, angle, most):
    least, gone = depth[y, x] / 4, 0
    while gone < most:
        column = away_from_zero(x + (gone + 1) * math.cos(angle))
        row = away_from_zero(y + (gone + 1) * math.sin(angle))
        if not (0 <= row < depth.shape[0] and 0 <= column < depth.shape[1]) or depth[row, column] <= least:
            break
        gone += 1
    return gone


def middle(depth):
    rows, columns = np.nonzero(depth > 0)
    away = np.hypot(columns - columns.sum() / len(columns), rows - rows.sum() / len(rows))
    away[depth[rows, columns] < DEEP * depth.max()] = np.inf
    nearest = int(np.argmin(away))
    return int(columns[nearest]), int(rows[nearest])


def draw_stroke(truth, piece, label, scribbles):
    height, width = truth.shape
    most = max(max(width, height) // REACH, 1)
    depth = depth_inside(piece)
    x, y = middle(depth)
    turn = math.pi / 8
    ways = [[reach(depth, x, y, turn * (d + half), most) for half in (0, 8)] for d in range(8)]
    best = max(range(8), key=lambda d: sum(ways[d]))
    ahead, back = ways[best]
    radius = max(0.5, min(RADIUS, math.sqrt(depth[y, x]) / 2))
    around = math.ceil(radius)
    for step in range(-back, ahead + 1):
        at_x, at_y = x + step * math.cos(turn * best), y + step * math.sin(turn * best)
        for row in range(away_from_zero(at_y) - around, away_from_zero(at_y) + around + 1):
            for column in range(away_from_zero(at_x) - around, away_from_zero(at_x) + around + 1):
                if (0 <= row < height and 0 <= column < width and truth[row, column] == label and
                        math.hypot(column - at_x, row - at_y) <= radius):
                    scribbles[row, column] = label


def by_segment(binary, options):
    def run(path, scribbles):
        with tempfile.TemporaryDirectory() as folder:
            strokes, mask = os.path.join(folder, "strokes.png"), os.path.join(folder, "mask.png")
            image = Image.fromarray(scribbles, "P")
            image.putpalette([0, 0, 0, 230, 25, 75, 60, 180, 75])
            image.save(strokes)
            subprocess.run([binary, path, "-q", "--scribbles", strokes, "-k", "2", "--no-overlay", "-o", mask] + options,
                           check=True)
            return np.asarray(Image.open(mask))
    return run


def by_grabcut(path, scribbles):
    import cv2
    image = np.ascontiguousarray(np.asarray(Image.open(path).convert("RGB"))[:, :, ::-1])
    near = [cv2.distanceTransform((scribbles != label).astype(np.uint8), cv2.DIST_L2, 5) for label in (OBJECT, BACKGROUND)]
    mask = np.where(near[0] < near[1], cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    mask[scribbles == OBJECT], mask[scribbles == BACKGROUND] = cv2.GC_FGD, cv2.GC_BGD
    cv2.setRNGSeed(0)
    cv2.grabCut(image, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_MASK)
    return np.where((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), OBJECT, BACKGROUND)


def by_random_walker(beta, mode):
    def run(path, scribbles):
        import warnings
        from skimage.segmentation import random_walker
        image = np.asarray(Image.open(path).convert("RGB")) / 255.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-image's, about its solver
            return random_walker(image, scribbles.astype(int), beta=beta, mode=mode, tol=1e-3, channel_axis=-1)
    return run


def correct(method, path, truth, most, enough=None):
    """IoU and accuracy of the first strokes' mask and of each after it, until the IoU is `enough`."""
    scribbles = np.zeros(truth.shape, np.uint8)
    for label in (OBJECT, BACKGROUND):
        found = largest_piece(truth, [label])
        if found:
            draw_stroke(truth, *found, scribbles)
    curve = []
    while True:
        mask = method(path, scribbles)
        object_there, object_found = truth == OBJECT, mask == OBJECT
        iou = float((object_there & object_found).sum() / max(1, (object_there | object_found).sum()))
        share = np.bincount((2 * object_there + object_found).ravel(), minlength=4).reshape(2, 2).astype(float)
        pairs = truth.size * (truth.size - 1.0)
        apart = (share.sum(0) ** 2).sum() + (share.sum(1) ** 2).sum() - 2 * (share ** 2).sum()
        curve.append((iou, 1 - apart / pairs))
        if (enough is not None and iou >= enough) or len(curve) > most:
            return curve
        found = largest_piece(np.where(mask == truth, 0, truth), (OBJECT, BACKGROUND))
        if not found:
            return curve
        draw_stroke(truth, *found, scribbles)


def items(folder, every, count=None):
    for path in sorted(glob.glob(os.path.join(folder, "ground-truth", "*.png")))[::every][:count]:
        name = os.path.splitext(os.path.basename(path))[0]
        image = glob.glob(os.path.join(glob.escape(folder), "images", glob.escape(name) + ".*"))
        truth = np.asarray(Image.open(path).convert("L"))
        yield name, image[0], np.where(truth == 255, OBJECT, BACKGROUND).astype(np.uint8)


def done_before(journal):
    try:
        with open(journal, newline="") as file:
            return {(row["folder"], row["item"], row["method"]): int(row["corrections"]) for row in csv.DictReader(file)
                    if row["corrections"]}
    except FileNotFoundError:
        with open(journal, "w", newline="") as file:
            file.write("folder,item,method,corrections,ious\r\n")
        return {}


def put_table(counts, methods, folders, most, iou):
    names = [os.path.basename(os.path.normpath(folder)) for folder in folders]
    print(f"Mean corrections until the object's IoU is {iou:g} (at most {most}), and the share of images that reach it:\n")
    print("| | " + " | ".join(f"{name}, {len(counts[folder, methods[0]])}" for name, folder in zip(names, folders)) + " |")
    print("|---" * (len(names) + 1) + "|")
    for method in methods:
        cells = []
        for folder in folders:
            of = counts[folder, method]
            cells.append(f"{np.mean([min(n, most) for n in of]):.2f}, {100 * np.mean([n <= most for n in of]):.0f} %")
        print(f"| {method} | " + " | ".join(cells) + " |")


def main():
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("segment")
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--iou", type=float, default=0.9)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--walker", choices=("bf", "cg_j"), default="bf")
    parser.add_argument("--only-segment", action="store_true")
    parser.add_argument("--journal", default="simulated-user.csv")
    a = parser.parse_args(sys.argv[1:cut])
    options = sys.argv[cut + 1:]
    for folder in a.folder:
        if next(items(folder, a.every, a.count), None) is None:
            parser.error(f"{folder}: no images to correct: the folder needs images/NAME.* and ground-truth/NAME.png")
    methods = {" ".join(["segment"] + options): by_segment(a.segment, options)}
    if not a.only_segment:
        methods["grabCut"] = by_grabcut
    for beta in () if a.only_segment else (130, 900):
        methods[f"random_walker {beta}, {a.walker}"] = by_random_walker(beta, a.walker)
    done = done_before(a.journal)
    counts = {(folder, method): [] for folder in a.folder for method in methods}
    for folder in a.folder:
        for name, image, truth in items(folder, a.every, a.count):
            for method, run in methods.items():
                if (folder, name, method) not in done:
                    ious = [iou for iou, _ in correct(run, image, truth, a.most, a.iou)]
                    # strokes drawn; one more than the most where they did not do
                    count = len(ious) - 1 if ious[-1] >= a.iou else a.most + 1
                    with open(a.journal, "a", newline="") as file:
                        csv.writer(file).writerow([folder, name, method, count, " ".join(f"{iou:.4f}" for iou in ious)])
                    done[folder, name, method] = count
                counts[folder, method].append(done[folder, name, method])
    put_table(counts, list(methods), a.folder, a.most, a.iou)


if __name__ == "__main__":
    main()
