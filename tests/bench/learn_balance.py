#!/usr/bin/env python3
"""Learn the constants of the balance (src/masks/object.c) from data sets: learn_balance.py --segment BINARY PAIRS.csv [-- OPTIONS]

A line of PAIRS.csv is SET,IMAGE,SCRIBBLES,TRUTH without a header: label maps of the image's size, 1 the object, 2 its background, 0
unmarked or not judged. In sets whose names end in '=' neither label is the object: the mean IoU of both counts. Every image is
segmented twice, without balance and islands: its patches' scores, and its pixels'. For each shift of the log odds the terms of
the cost are computed on the patches as the program does, and the IoU of the object on the pixels. The constants are those whose
softmax over the shifts has the largest mean IoU, sets weighing alike; then with each set left out. Sets whose names begin with
'-' are judged alone. Needs pysegment (PYTHONPATH=build/python), scipy and pillow."""
import argparse
import csv
import pathlib
import subprocess
import tempfile

import numpy as np
from PIL import Image
from pysegment._binding import ffi, lib
from scipy.ndimage import label as pieces
from scipy.optimize import minimize

SHIFTS = np.round(np.arange(-1.6, 1.61, 0.2), 2)
MIDDLE = len(SHIFTS) // 2
SIDE = 5
POSITION = slice(6, 8)  # of the default features: mean, spread, position, texture
USUAL, MOST_SAID = 4.3, 2.5  # of "marked", as in src/masks/object.c
LEAST_SHARE = 0.03
TERMS = ["squared shift", "marked", "cut", "grown"]


def features(ctx, options, path):
    image, grid, matrix = ffi.new("seg_image *"), ffi.new("seg_patch_grid *"), ffi.new("seg_matrix *")
    if lib.seg_image_read(ctx, str(path).encode(), image) or lib.seg_photo_features(ctx, image, options, grid, matrix):
        raise SystemExit(ffi.string(lib.seg_context_message(ctx)).decode())
    rows = np.frombuffer(ffi.buffer(matrix.at, 8 * matrix.rows * matrix.cols)).reshape(grid.rows, grid.columns, -1).copy()
    lib.seg_matrix_free(matrix)
    lib.seg_image_free(image)
    return np.delete(rows, POSITION, axis=2)


def log_odds(segment, image, scribbles, refine):
    """segment: the program and its options."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        subprocess.run([*segment, image, "-s", scribbles, "-o", out / "mask.png", "--prob", out / "prob.npy", "--no-overlay", "-q", "--refine", refine,
                        "--balance", "off", "--islands", "keep", "--thin", "off", "--patch", str(SIDE)], check=True)
        p = np.load(out / "prob.npy")
    q = np.clip(p[..., 0] / p.sum(-1), 1e-4, 1 - 1e-4)
    return np.log(q / (1 - q))


def join_islands(mask, marks, odds=None):
    """Pieces that no stroke of their label touches change their label, but for those whose mean log odds are 2.5."""
    for own in (1, 2):
        number, count = pieces(mask == own)
        held = np.zeros(count + 1, bool)
        held[np.unique(number[marks == own])] = True
        held[0] = True
        if not held[1:].any():
            continue
        if odds is not None:
            size = np.maximum(np.bincount(number.ravel(), minlength=count + 1), 1)
            held |= np.bincount(number.ravel(), (odds if own == 1 else -odds).ravel(), count + 1) / size >= 2.5
        mask = np.where(held[number], mask, 3 - own)
    return mask


def at_shift(odds, shift, marks, islands):
    mask = np.where(marks > 0, marks, np.where(odds >= -shift, 1, 2))
    return join_islands(mask, marks, odds if islands else None)


def iou(mask, truth, both=False):
    if both:
        return (iou(mask, truth) + iou(3 - mask, np.where(truth > 0, 3 - truth, 0))) / 2
    known = truth > 0
    return ((mask == 1) & (truth == 1)).sum() / max(1, (((mask == 1) | (truth == 1)) & known).sum())


def measure(x, odds, marks):
    """Terms of every shift; those of the log odds alone are 0 where nothing is shifted."""
    right, below = ((x[:, 1:] - x[:, :-1]) ** 2).sum(-1), ((x[1:] - x[:-1]) ** 2).sum(-1)
    mean = (right.sum() + below.sum()) / (right.size + below.size)
    right, below = np.exp(-2 * right / mean), np.exp(-2 * below / mean)
    rows = []
    for shift in SHIFTS:
        m = at_shift(odds, shift, marks, False)
        across, down = m[:, 1:] != m[:, :-1], m[1:] != m[:-1]
        frame = np.concatenate([m[0], m[-1], m[:, 0], m[:, -1]]) == 1
        rows.append([right[across].sum() + below[down].sum(), (m == 1).mean(), frame.mean()])
    cut, area, frame = np.array(rows).T
    shares = [np.log((marks == c).mean()) - np.log(a + 1e-4) for c, a in ((1, area[MIDDLE]), (2, 1 - area[MIDDLE]))]
    slope, size = 1 - 2 * frame[MIDDLE], np.log(area + LEAST_SHARE) - np.log(1 - area + LEAST_SHARE)
    return np.stack([SHIFTS**2, slope * np.clip(sum(shares) + USUAL, -MOST_SAID, MOST_SAID) * SHIFTS, np.log(cut + 0.5) - np.log(cut[MIDDLE] + 0.5),
                     slope * (size - size[MIDDLE])], -1)


def of_pair(segment, ctx, options, name, image, scribbles, truth):
    marks, truth = np.asarray(Image.open(scribbles)), np.asarray(Image.open(truth))
    x = features(ctx, options, image)
    rows, columns = x.shape[:2]
    corner = [np.minimum(SIDE * np.arange(n), size - 1) for n, size in ((rows, marks.shape[0]), (columns, marks.shape[1]))]
    odds = log_odds(segment, image, scribbles, "none")[np.ix_(*corner)]
    of_patches = np.zeros((rows, columns), np.uint8)
    for c in (1, 2):
        y, across = np.nonzero(marks == c)
        of_patches[y // SIDE, across // SIDE] = c
    pixels = log_odds(segment, image, scribbles, "fast")
    return measure(x, odds, of_patches), [iou(at_shift(pixels, b, marks, True), truth, name.endswith("=")) for b in SHIFTS]


def fit(terms, score, weight):
    """w of least cost terms @ w, whose softmax has the largest mean score."""
    def objective(w):
        e = -(terms @ w)
        p = np.exp(e - e.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        mean = (p * score).sum(1, keepdims=True)
        slope = -((p * (score - mean))[:, :, None] * terms).sum(1)
        return -(weight @ mean[:, 0]) + 3e-4 * w @ w, -(weight @ slope) + 6e-4 * w
    start = np.zeros(len(TERMS))
    start[0] = 3
    return minimize(objective, start, jac=True, method="L-BFGS-B").x


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=pathlib.Path)
    parser.add_argument("--segment", required=True)
    parser.add_argument("options", nargs="*", help="of segment, behind --")
    a = parser.parse_args()
    ctx, options = ffi.gc(lib.seg_context_create(), lib.seg_context_free), ffi.new("seg_options *")
    options[0] = lib.seg_options_default()
    lines = list(csv.reader(a.pairs.open()))
    of_set = np.array([line[0] for line in lines])
    measured = [of_pair([a.segment, *a.options], ctx, options, *line) for line in lines]
    terms, score = np.array([m[0] for m in measured]), np.array([m[1] for m in measured])
    sets = sorted(set(of_set))
    taught = [s for s in sets if not s.startswith("-")]
    print("left out        marked    cut  grown   IoU unshifted, by the rule, by the truth")
    for out in taught + [None]:
        use = np.array([s != out and s in taught for s in of_set])
        weight = np.array([1 / (of_set == s).sum() for s in of_set[use]])
        w = fit(terms[use], score[use], weight / weight.sum())
        chosen = score[np.arange(len(score)), (terms @ w).argmin(1)]
        marked, cut, grown = w[1:] / w[0]
        text = f"{out or '(none)':16}{marked:6.2f} {cut:6.2f} {grown:6.2f}"
        for s in [out] if out else sets:
            here = of_set == s
            text += f"   {s} {score[here, MIDDLE].mean():.4f} {chosen[here].mean():.4f} {score[here].max(1).mean():.4f}"
        print(text)


if __name__ == "__main__":
    main()
