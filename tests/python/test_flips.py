"""A flipped image has the flipped mask; colours in another order or with less contrast have nearly the same."""
import functools

import numpy as np
from conftest import larger, photo, strokes
from PIL import Image

from pysegment import segment

pytestmark = larger
SOME = ("aizkorri", "chelsea", "lake")
SIDE = 60  # whole patches of 3, 4 or 5 pixels
TURNS = {
    "left to right": lambda a: a[:, ::-1],
    "top to bottom": lambda a: a[::-1],
    "by 180 degrees": lambda a: a[::-1, ::-1],
    "rows for columns": lambda a: a.swapaxes(0, 1),
}


@functools.cache
def half(name):
    """One of images/ at half its size, its strokes, and its mask."""
    image, scribbles = (np.asarray(of)[::2, ::2] for of in (Image.open(photo(name)).convert("RGB"), Image.open(strokes(name))))
    return image, scribbles, segment(image, scribbles).mask


def changed(image, scribbles, mask, colours):
    """Percent of the pixels that differ, by the transformation."""
    shares = {name: 100 * (turn(segment(turn(image).copy(), turn(scribbles).copy()).mask) != mask).mean()
              for name, turn in TURNS.items()}
    if colours:
        shares["blue for red"] = 100 * (segment(image[:, :, ::-1].copy(), scribbles).mask != mask).mean()
    return shares


def mean_changed(whole_patches, colours):
    found = []
    for name in SOME[:2] if whole_patches else SOME:
        image, scribbles, mask = half(name)
        if whole_patches:
            height, width = (SIDE * (length // SIDE) for length in scribbles.shape)
            image, scribbles = image[:height, :width], scribbles[:height, :width]
            mask = segment(image, scribbles).mask
        found.append(changed(image, scribbles, mask, colours))
    return {name: np.mean([shares[name] for shares in found]) for name in found[0]}


def test_patches_in_other_places():
    shares = mean_changed(False, colours=True)
    assert np.mean(list(shares.values())) < 0.3, shares
    assert shares["blue for red"] < 0.3, shares


def test_patches_in_the_same_places():
    """Where no patch is cut off, nothing differs but the rounding; rows are refined before columns."""
    shares = mean_changed(True, colours=False)
    assert all(shares[name] < 0.01 for name in list(shares)[:3]), shares
    assert shares["rows for columns"] < 0.1, shares


def test_less_contrast():
    """An image with less contrast, darker, brighter or with a hot pixel has nearly the same mask."""
    for name in SOME:
        image, scribbles, mask = half(name)
        wide = image.astype(np.uint16) * 16 + 1000
        wide[3, 3] = 65535
        for other in (image // 2, image // 2 + 127, image // 10 + 200, wide):
            assert np.mean(segment(other, scribbles).mask != mask) < 0.015, name
    for low, high, size in ((100, 110, 200), (110, 100, 600), (248, 255, 200), (0, 3, 200)):
        halves, marks = np.repeat(np.uint8([[low] * size + [high] * size]), size, 0), np.zeros((size, 2 * size), np.uint8)
        marks[size // 2, [int(0.9 * size), int(1.8 * size)]] = 1, 2
        assert (segment(halves, marks).mask == np.repeat((1, 2), size)).all(), (low, high)


def test_darker():
    """A dark image, of either depth, has nearly the same mask."""
    changes = {}
    for name in ("coffee", "lake", "picos"):
        image, scribbles, mask = half(name)
        for white, samples in ((255, np.uint8), (65535, np.uint16)):
            dark = samples(np.rint((image / 255) ** 2 * white))
            changes[name, white] = np.mean(segment(dark, scribbles).mask != mask)
    assert np.mean(list(changes.values())) < 0.01, changes
    image, marks = np.asarray(Image.open(photo("picos")).convert("RGB")), np.asarray(Image.open(strokes("picos")))
    dark = np.uint8(np.rint((image / 255) ** 2 * 255))  # features of a reduced copy
    assert np.mean(segment(dark, marks).mask != segment(image, marks).mask) < 0.01


def test_dark_volume():
    """Slices and frames are made brighter, too, all alike: a ball in noise is found as well as in a bright volume."""
    z, y, x = np.mgrid[:12, :80, :80]
    truth = 1 + (9 * (z - 6) ** 2 + (y - 40) ** 2 + (x - 40) ** 2 < 900)
    noisy = np.clip(np.array([0, 90, 140])[truth] + np.random.default_rng(0).normal(0, 25, truth.shape), 0, 255) / 255
    marks = np.zeros(truth.shape, np.uint8)
    marks[6, 40, 30:50], marks[6, 5, 10:70] = 2, 1
    for video in (False, True):
        wrong = [np.mean(segment(np.uint8(np.rint(noisy ** power * 255))[..., None], marks, video=video).mask != truth) for power in (1, 3)]
        assert wrong[1] < 1.1 * wrong[0] < 0.01, wrong


def test_colour_casts():
    """An image in green, red, blue or yellow light has nearly the same mask."""
    for light in ((0.4, 1, 0.4), (1, 0.4, 0.4), (0.25, 0.8, 1), (1, 0.8, 0.4)):
        changes = []
        for name in SOME:
            image, scribbles, mask = half(name)
            changes.append(np.mean(segment(np.uint8(np.rint(image * light)), scribbles).mask != mask))
        assert np.mean(changes) < 0.002, (light, changes)


def test_noise():
    """Noise changes few pixels of a mask."""
    for name in SOME:
        image, scribbles, mask = half(name)
        for deviation, most in ((5, 0.005), (10, 0.006), (20, 0.011)):
            noisy = image + np.random.default_rng(1).normal(0, deviation, image.shape)
            noisy = np.uint8(np.clip(np.rint(noisy), 0, 255))
            assert np.mean(segment(noisy, scribbles).mask != mask) < most, (name, deviation)
