#!/usr/bin/env python3
"""Volumes with known truth, with strokes on a share of the slices: Dice and seconds of segment, of scikit-image's random
walker in three dimensions and of a random forest on Gaussian features of voxels, in one run.

    PYTHONPATH=build/python tests/bench/volumes.py [--shares .03,.05,.1] [--brain /usr/share/mricron/templates] [--only segment]

Needs Debian's python3-skimage, python3-sklearn and python3-scipy; for the brain also mricron-data and python3-nibabel (its
truth is the same head without skull). The others are made here: tubes, shells and touching cells, with noise, uneven light
and blur along the slices."""
import argparse
import os
import time
import warnings

import numpy as np
import pysegment
from scipy import ndimage

warnings.filterwarnings("ignore")
MADE = ("tubes", "shells", "cells")


def make(kind, shape=(40, 128, 128), seed=0, noise=25.0, blur=1.0):
    """A volume of bytes, and its labels from 1."""
    rng = np.random.default_rng(seed)
    depth, height, width = shape
    z, y, x = np.mgrid[:depth, :height, :width].astype(np.float32)
    truth = np.zeros(shape, np.uint8)
    if kind == "tubes":
        for _ in range(5):
            from_at, to_at, phase = rng.uniform(.2, .8, 2), rng.uniform(.2, .8, 2), rng.uniform(0, 6, 2)
            s = z / depth
            middle_y = (from_at[0] * (1 - s) + to_at[0] * s) * height + 8 * np.sin(4 * s + phase[0])
            middle_x = (from_at[1] * (1 - s) + to_at[1] * s) * width + 8 * np.cos(5 * s + phase[1])
            truth[(y - middle_y) ** 2 + (x - middle_x) ** 2 < rng.uniform(5, 9) ** 2] = 1
    elif kind == "shells":
        away = np.sqrt(((z - depth / 2) / (depth * .42)) ** 2 + ((y - height / 2) / (height * .36)) ** 2
                       + ((x - width / 2) / (width * .36)) ** 2) + .06 * np.sin(x / 7) * np.cos(y / 9)
        truth[(away < 1) & (away > .62)] = 1
        truth[away <= .62] = 2
    else:
        middles = []
        while len(middles) < 14:
            at = np.array([rng.uniform(.15, .85) * depth, rng.uniform(.12, .88) * height, rng.uniform(.12, .88) * width])
            if all(np.hypot(*(at - other)[1:]) > 20 or abs((at - other)[0]) > 14 for other in middles):
                middles.append(at)
        for at in middles:
            near = ((z - at[0]) * 1.4) ** 2 + (y - at[1]) ** 2 + (x - at[2]) ** 2
            truth[near < rng.uniform(11, 15) ** 2] = 1
    texture = ndimage.gaussian_filter(rng.normal(size=shape), (.8, 1.5, 1.5))
    volume = np.array([90, 140, 115], np.float32)[truth] + np.where(truth == 1, 12, 6) * texture / texture.std()
    volume = ndimage.gaussian_filter(volume, (blur, .7, .7)) + rng.normal(size=shape) * noise + 15 * np.sin(x / width * 3)
    return np.clip(volume, 0, 255).astype(np.uint8), truth + 1


def brain(folder):
    """A head (T1, 1 mm), at half its resolution, and its brain: the same head without skull."""
    import nibabel
    head = np.asarray(nibabel.load(os.path.join(folder, "ch2.nii.gz")).dataobj)[::2, ::2, ::2]
    bare = np.asarray(nibabel.load(os.path.join(folder, "ch2bet.nii.gz")).dataobj)[::2, ::2, ::2]
    truth = ndimage.binary_fill_holes(bare > 0)
    slices = (2, 1, 0)  # axial
    return (np.ascontiguousarray(head.astype(np.uint8).transpose(slices)),
            np.ascontiguousarray((1 + truth).astype(np.uint8).transpose(slices)))


def strokes(truth, share, seed):
    """Dots of 3 x 3 on evenly spaced slices that have several labels: of each label two deep inside, and four at a depth of 2
    to 10 pixels, where people mark what is easily taken for the other side."""
    rng = np.random.default_rng(seed)
    marks = np.zeros_like(truth)
    several = [z for z in range(len(truth)) if len(np.unique(truth[z])) > 1]
    count = max(1, round(share * len(truth)))
    for z in np.asarray(several)[np.linspace(0, len(several) - 1, count + 2)[1:-1].round().astype(int)]:
        for label in np.unique(truth[z]):
            depth = ndimage.distance_transform_edt(truth[z] == label)
            for low, high, dots in ((.75 * depth.max(), np.inf, 2), (2, 10, 4)):
                ys, xs = np.nonzero((depth >= low) & (depth <= high))
                for i in rng.choice(len(ys), min(dots, len(ys)), replace=False):
                    marks[z, max(0, ys[i] - 1):ys[i] + 2, max(0, xs[i] - 1):xs[i] + 2] = label
        marks[z][truth[z] != marks[z]] = 0
    return marks


def dice(mask, truth):
    return np.mean([2 * np.sum((mask == l) & (truth == l)) / (np.sum(mask == l) + np.sum(truth == l))
                    for l in np.unique(truth)])


def by_segment(volume, marks):
    return pysegment.segment(volume[..., np.newaxis], marks).mask


def by_walker(volume, marks):
    from skimage.segmentation import random_walker
    return random_walker(volume / 255., marks.astype(int), beta=130, mode="cg_j", tol=1e-3)


def by_forest(volume, marks):
    from sklearn.ensemble import RandomForestClassifier
    values, found = volume.astype(np.float32), []
    for sigma in (1, 2, 4):
        found += [ndimage.gaussian_filter(values, sigma), ndimage.gaussian_gradient_magnitude(values, sigma),
                  ndimage.gaussian_laplace(values, sigma)]
    columns = np.stack(found, -1)
    forest = RandomForestClassifier(100, max_depth=12, n_jobs=2, random_state=0).fit(columns[marks > 0], marks[marks > 0])
    return forest.predict(columns.reshape(-1, columns.shape[-1])).reshape(volume.shape)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--shares", default=".03,.05,.1")
    arguments.add_argument("--seeds", type=int, default=4)
    arguments.add_argument("--brain", default="/usr/share/mricron/templates")
    arguments.add_argument("--only", default="segment,walker,forest")
    arguments.add_argument("--kinds", default="tubes,shells,cells,brain")
    given = arguments.parse_args()
    methods = {"segment": by_segment, "walker": by_walker, "forest": by_forest}
    print("volume, share of slices | " + " | ".join(f"{name}: Dice, s" for name in given.only.split(",")), flush=True)
    for kind in given.kinds.split(","):
        if kind == "brain" and not os.path.isdir(given.brain):
            print(f"brain: left out, there is no folder '{given.brain}' (Debian's mricron-data)")
            continue
        for share in map(float, given.shares.split(",")):
            found = {name: [] for name in given.only.split(",")}
            for seed in range(given.seeds):
                volume, truth = make(kind, seed=seed) if kind in MADE else brain(given.brain)
                marks = strokes(truth, share, seed)
                for name, rows in found.items():
                    began = time.perf_counter()
                    rows.append((dice(methods[name](volume, marks), truth), time.perf_counter() - began))
            print(f"{kind}, {share} | " + " | ".join("%.3f, %.1f" % tuple(np.mean(rows, axis=0)) for rows in found.values()),
                  flush=True)


if __name__ == "__main__":
    main()
