"""A mask that exists is corrected by strokes (start)."""
import numpy as np
import pytest
from conftest import photo, run, strokes
from PIL import Image

import pysegment
from pysegment import Session, segment


@pytest.fixture(scope="module")
def scene():
    """A bright disc and a bright square on dark noise; the mask has the disc alone, and a part of the ground."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:120, :160]
    disc = np.hypot(y - 50, x - 50) < 30
    square = (abs(y - 80) < 15) & (abs(x - 120) < 15)
    image = np.clip(40 + 140 * (disc | square)[..., None] + rng.normal(0, 8, (120, 160, 3)), 0, 255).astype(np.uint8)
    return image, disc | ((abs(y - 10) < 8) & (abs(x - 120) < 14)), disc, square


def dots(shape, *marks):
    given = np.zeros(shape, np.uint8)
    for y, x, label in marks:
        given[y - 2:y + 3, x - 2:x + 3] = label
    return given


def test_stays_without_strokes(scene):
    image, start, _, _ = scene
    for agreeing in None, dots(start.shape, (50, 50, 1), (110, 10, 2)):
        assert np.array_equal(segment(image, agreeing, start=start).mask, np.where(start, 1, 2))
    labels = 3 + (np.arange(160) // 40)[None, :] * np.ones((120, 1), np.uint8)
    assert np.array_equal(segment(image, start=labels).mask, labels)
    labels[:, :40] = 0  # one more region
    assert np.array_equal(segment(image, start=labels).mask, np.where(labels, labels, 7))


def test_adds_and_takes_away(scene):
    image, start, disc, square = scene
    added = segment(image, dots(start.shape, (80, 120, 1)), start=start).mask == 1
    assert (added & square).sum() > 0.95 * square.sum()
    assert (added & ~square & ~start).sum() < 20
    assert np.array_equal(added[:60], start[:60])
    both = segment(image, dots(start.shape, (80, 120, 1), (10, 120, 2)), start=start).mask == 1
    assert ((both == (disc | square)).mean()) > 0.995
    assert np.array_equal(both[:, :80], start[:, :80])


def test_object_of_a_start(scene):
    """One stroke leaves what it does not touch; two tell that the start knows nothing of the object. A third label is a region."""
    image, start, disc, square = scene
    wrong, given, half = start & ~disc, dots(start.shape, (80, 120, 1)), np.where(np.arange(160) < 80, 1, 2) * np.ones((120, 1), int)
    for marks, least in [((50, 50, 1),), 0.85], [((50, 50, 1), (10, 120, 2)), 0.99]:
        mask = segment(image, dots(start.shape, *marks), start=wrong).mask == 1
        assert (mask & disc).sum() > least * ((mask & ~wrong) | disc).sum() and mask[wrong].all() == (len(marks) == 1)
    for of, alike in (start, True), (half, False):  # half has too much of the frame for an object
        assert np.array_equal(*(segment(image, given, start=of, **also).mask for also in ({}, {"object": True}))) == alike
    assert (segment(image, given * 3, start=start).mask[square] == 3).all()
    with pytest.raises(ValueError, match="3 labels"):
        segment(image, given * 3, start=half, object=True)


@pytest.mark.parametrize("grown, least", [(-8, 0.99), (-5, 0.99), (3, 0.95), (6, 0.99)])
def test_a_shifted_border(grown, least):
    """One stroke at a border that is off by some pixels moves all of it, of both discs; a border that is right stays."""
    y, x = np.mgrid[:200, :300]
    away = np.minimum(np.hypot(y - 100, x - 90), np.hypot(y - 100, x - 210))
    noise = np.random.default_rng(3).normal(0, 12, (200, 300, 3))
    image = np.clip(np.where((away < 45)[..., None], [200, 80, 60], [70, 110, 160]) + noise, 0, 255).astype(np.uint8)
    for reach in 300, 150:  # both discs, the left one
        start = away < 45 + grown * (x < reach)
        mask = segment(image, dots(start.shape, (100, 47 if grown < 0 else 42, 1 if grown < 0 else 2)), start=start).mask == 1
        both = [(mask & (away < 45))[:, part].sum() / (mask | (away < 45))[:, part].sum() for part in (slice(150), slice(150, 300))]
        assert min(both) > least and (reach == 300 or both[1] == 1), (grown, reach, both)


def test_a_new_label(scene):
    image, start, _, square = scene
    mask = segment(image, dots(start.shape, (80, 120, 3)), start=start).mask
    assert (mask[square] == 3).mean() > 0.95
    assert np.array_equal(mask[:, :80], np.where(start, 1, 2)[:, :80])


def test_a_whole_region_is_taken_away(scene):
    image, _, disc, _ = scene
    mask = segment(image, dots(disc.shape, (50, 50, 2)), start=disc).mask
    assert (mask[dots(disc.shape, (50, 50, 2)) > 0] == 2).all()
    uniform = segment(image, dots(disc.shape, (50, 50, 1)), start=np.full(disc.shape, 2, np.uint8)).mask
    assert (uniform[disc] == 1).mean() > 0.9


@pytest.mark.parametrize("marks", [((50, 50, 1),), ((50, 50, 1), (80, 120, 2)), ((50, 50, 1), (80, 120, 1))])
def test_an_empty_start(scene, tmp_path, marks):
    """A mask without the object, 0 everywhere, is the background, label 2; strokes find the object as from nothing."""
    image, _, disc, square = scene
    given, empty = dots(disc.shape, *marks), np.zeros(disc.shape, np.uint8)
    Image.fromarray(empty).save(tmp_path / "empty.png")
    assert (segment(image, start=empty).mask == 2).all()
    found, same = (segment(image, given, start=of).mask for of in (empty, tmp_path / "empty.png"))
    assert np.array_equal(found, same) and (found[disc] == 1).mean() > 0.95
    objects = (segment(image, given, object=True, **also).mask for also in ({}, {"start": empty}))
    assert (next(objects) == next(objects)).mean() > 0.99


def test_same_bytes(scene):
    """Other threads, a session of several masks and another order of strokes give the same; so does each kind of start."""
    image, start, _, _ = scene
    given = dots(start.shape, (80, 120, 1), (10, 120, 2))
    expected = segment(image, given, start=start, probability=True)
    assert np.array_equal(segment(image, given, start=start, threads=3).mask, expected.mask)
    assert np.array_equal(expected.probability.argmax(axis=2) + 1, expected.mask)
    with Session(image, start=start) as session:
        session.segment(dots(start.shape, (10, 120, 2)))
        session.segment(dots(start.shape, (60, 20, 2)))
        assert np.array_equal(session.segment(given).mask, expected.mask)
        assert np.array_equal(session.segment().mask, np.where(start, 1, 2))
    sure = np.where(start, 0.9, 0.2)
    for same in (start.astype(np.uint8), start * np.uint8(255), np.where(start, 1, 2), sure, np.dstack([sure, 1 - sure])):
        assert np.array_equal(segment(image, given, start=same).mask, expected.mask)


def test_files(scene, tmp_path):
    image, start, _, _ = scene
    given = dots(start.shape, (80, 120, 1))
    expected = segment(image, given, start=start).mask
    sure = np.where(start, 0.9, 0.2).astype(np.float32)
    pysegment.write_mask(tmp_path / "mask.png", np.where(start, 1, 2).astype(np.uint8))
    for name, array in ("labels.npy", start.astype(np.int64)), ("sure.npy", sure), ("sure3.npy", np.dstack([sure, 1 - sure])):
        np.save(tmp_path / name, array)
    for name in ("mask.png", "labels.npy", "sure.npy", "sure3.npy"):
        assert np.array_equal(segment(image, given, start=tmp_path / name).mask, expected), name
    for array in (np.where(start, 1.0, 2.0), sure[..., None], np.where(start, 255, 128), np.where(start, 255, given.astype(float)),
                  np.dstack([start, ~start, start & False])):
        np.save(tmp_path / "same.npy", array)
        ours, theirs = (segment(image, given, start=of, probability=True) for of in (array, tmp_path / "same.npy"))
        assert np.array_equal(ours.mask, theirs.mask) and np.array_equal(ours.probability, theirs.probability), array


@pytest.mark.parametrize("bad, words", [
    (np.ones((5, 5), np.uint8), r"shape \(5, 5\)"), (np.full((120, 160), np.nan), "number nan; labels are"),
    (np.full((120, 160), 300), "300"), (np.zeros((120, 160, 2, 2)), "shape"), (np.full((120, 160), -1), "-1"),
    (np.full((120, 160), 1.5), "1.5; labels are whole numbers up to 255, probabilities 0 to 1"), (np.full((120, 160, 2), -0.5), "-0.5")])
def test_refused(scene, bad, words):
    with pytest.raises(ValueError, match=words):
        segment(scene[0], start=bad)
    for also in {"box": (5, 5, 50, 50)}, {"k": 2}, {"constraints": [[0, 0, 9, 9, 1]]}:
        with pytest.raises(ValueError, match="start"):
            segment(scene[0], start=scene[1], **also)


def test_labels_of_more_than_a_byte(scene):
    given = dots(scene[1].shape, (80, 120, 1)).astype(np.int32)
    with pytest.raises(ValueError, match="up to 254"):
        segment(scene[0], given * 300, start=scene[1])
    expected = segment(scene[0], given, start=scene[1]).mask.astype(np.int32)
    given[:9] = -1  # ignored, as without a start
    assert np.array_equal(segment(scene[0], given, start=scene[1]).mask, np.where(given < 0, -1, expected))


def test_colours_of_the_palette(tmp_path):
    image, marks, mask = (tmp_path / name for name in ("image.png", "strokes.png", "mask.png"))
    for whole, third in (photo("coffee"), image), (strokes("coffee"), marks):
        Image.fromarray(np.asarray(Image.open(whole))[::3, ::3]).save(third)
    run(image, "-s", marks, "-o", mask, "--no-overlay", "-q")
    palette = Image.open(mask).getpalette()
    for labels in ([3], [3, None], [None, 2, 4], [None]):
        drawn = np.full((134, 200, 3), 255, np.uint8)
        for i, label in enumerate(labels):
            drawn[14 + 20 * i:20 + 20 * i, 34:46] = palette[3 * label:3 * label + 3] if label else (1, 2, 250)
        Image.fromarray(drawn).save(tmp_path / "fix.png")
        run(image, "--start", mask, "-s", tmp_path / "fix.png", "-o", tmp_path / "fixed.png", "--no-overlay", "-q")
        wanted = np.asarray(Image.open(tmp_path / "fixed.png"))
        assert np.array_equal(segment(image, tmp_path / "fix.png", start=mask).mask, wanted), labels


def test_photograph():
    """A spoilt mask of an image comes back by one dot; far from it nothing changes."""
    image = pysegment.read_image(photo("chelsea"))
    truth = segment(image, strokes("chelsea")).mask
    start = truth.copy()
    start[90:170, 180:280] = 2
    mask = segment(image, dots(start.shape, (130, 230, 1)), start=start).mask
    assert (mask != truth).sum() < 0.1 * (start != truth).sum()
