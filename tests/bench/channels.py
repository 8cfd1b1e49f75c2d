#!/usr/bin/env python3
"""Measure images of many channels: synthetic fluorescence, of which no three channels tell all labels apart.

The nuclei of six kinds of cells shine in one channel, the cytoplasm of each kind in a channel of its own, and all of it in the
last. Every channel has noise, uneven light, and some light of the channel before. Strokes in three cells of each kind.
A model of three such images segments others without strokes.
    PYTHONPATH=build/python tests/bench/channels.py
"""
import functools
import itertools
import time

import numpy as np
import pysegment
from scipy import ndimage

SIDE, KINDS = 320, 6


@functools.cache
def make(seed, noise=0.12, kinds=range(KINDS)):
    """Channels (height x width x 8), truth (1 .. 7, the last is the ground), and strokes."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:SIDE, :SIDE]
    cells = []
    for _ in range(4000):  # they touch, but do not cover each other
        at, size = rng.uniform(8, SIDE - 8, 2), rng.uniform(11, 19)
        if len(cells) < 90 and all(np.hypot(*(at - c)) > 0.85 * (size + s) for c, s in cells):
            cells.append((at, size))
    truth, strokes = np.full((SIDE, SIDE), KINDS + 1, np.uint8), np.zeros((SIDE, SIDE), np.uint8)
    distance, channels = np.full((SIDE, SIDE), np.inf), np.zeros((KINDS + 2, SIDE, SIDE))
    for i, (k, ((cy, cx), size)) in enumerate(zip(rng.permutation(np.resize(kinds, len(cells))), cells)):
        angle, bright = rng.uniform(0, np.pi), rng.uniform(0.45, 1)
        near = tuple(slice(max(0, int(c) - 27), int(c) + 28) for c in (cy, cx))  # the cell is not larger
        u = ((y[near] - cy) * np.cos(angle) + (x[near] - cx) * np.sin(angle)) / rng.uniform(1, 1.35)
        v = (x[near] - cx) * np.cos(angle) - (y[near] - cy) * np.sin(angle)
        d = np.hypot(u, v) / size
        mine = (d < 1) & (d < distance[near])
        nucleus = mine & (d < 0.5)
        distance[near], truth[near][mine] = np.minimum(distance[near], d), k + 1
        planes = channels[(slice(None), *near)]
        planes[:, mine] *= 0.2  # the cell lies on what is below
        planes[0, nucleus] += 0.8
        planes[KINDS + 1, mine & ~nucleus] += 0.5 * rng.uniform(0.5, 1)
        planes[1 + k, mine] += np.where(nucleus, 0.2, 0.55)[mine] * bright
        if i < 24:
            strokes[near][mine & (np.abs(v) < 1.2) & (np.abs(u) < 0.6 * size)] = k + 1
    ground = ndimage.distance_transform_edt(truth == KINDS + 1)
    strokes[(ground > 4) & (ndimage.gaussian_filter(rng.normal(0, 1, ground.shape), 6) > 0.08)] = KINDS + 1
    planes = []
    for c, plane in enumerate(channels):
        a, b, phase = rng.uniform(-3, 3, 3)
        plane = ndimage.gaussian_filter(plane + 0.12 * channels[c - 1] + 0.08, 1.2) * (0.75 + 0.25 * np.sin((a * x + b * y) / SIDE + phase))
        planes.append(plane + rng.normal(0, 1, plane.shape) * noise * np.sqrt(0.3 + plane))  # of photons and of reading
    return (np.clip(np.stack(planes, -1), 0, 1.6) / 1.6 * 65535).astype(np.uint16), truth, strokes


def iou(mask, truth):
    return np.mean([((mask == k) & (truth == k)).sum() / ((mask == k) | (truth == k)).sum() for k in np.unique(truth)])


def three(planes, which):  # as RGB, each stretched
    low, high = np.percentile(planes[..., list(which)], (0.1, 99.9), axis=(0, 1))
    return (np.clip((planes[..., list(which)] - low) / (high - low), 0, 1) * 255).astype(np.uint8)


def series(which, images=3, **how):
    """A model of these channels of images that were exposed by 1, 0.7 and 0.9."""
    model = pysegment.Model(channels=len(which), **how)
    for seed, light in enumerate((1, 0.7, 0.9)[:images]):
        planes, _, strokes = make(seed)
        model.add((light * planes[..., which]).astype(np.uint16), strokes)
    return model.learn()


def applied(which):
    """Mean IoU of such a model on four others, the same ones exposed by half, and four that lack three kinds of cells."""
    model = series(which)
    for light, kinds in ((1, range(KINDS)), (0.5, range(KINDS)), (1, (0, 2, 5))):
        others = [make(seed, kinds=kinds) for seed in range(3, 7)]
        yield np.mean([iou(model.apply((light * planes[..., which]).astype(np.uint16)).mask, truth) for planes, truth, _ in others])


def main():
    everything, seconds, triples = [], 0, {}
    for seed in range(4):
        planes, truth, strokes = make(seed)
        began = time.perf_counter()
        result = pysegment.segment(planes, strokes)
        seconds += (time.perf_counter() - began) / 4
        everything.append(iou(result.mask, truth))
        for which in itertools.combinations(range(planes.shape[2]), 3):
            triples.setdefault(which, []).append(iou(pysegment.segment(three(planes, which), strokes).mask, truth))
    print(f"all {planes.shape[2]} channels: IoU {np.mean(everything):.3f} in {seconds:.2f} s")
    best = max(triples, key=lambda which: np.mean(triples[which]))
    print(f"the best three, {[1 + c for c in best]}: {np.mean(triples[best]):.3f}")
    for which in range(planes.shape[2]), best, range(3):
        print(f"learned from {[1 + c for c in which]}: {', '.join(f'{mean:.3f}' for mean in applied(list(which)))}")


if __name__ == "__main__":
    main()
