"""Images of any number of channels: height x width x channels."""
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import larger
from pysegment import InputError, Model, SegmentWarning, Session, segment

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import channels as bench  # noqa: E402  its synthetic fluorescence

planes, truth, strokes = bench.make(0)


def iou(image):
    return bench.iou(segment(image, strokes).mask, truth)


@larger
def test_all_channels_tell_what_three_do_not():
    whole = iou(planes)
    assert whole > 0.75 and iou(bench.three(planes, (0, 2, 4))) < 0.55
    for same in planes[..., ::-1], np.concatenate([planes, planes], 2), (planes >> 8).astype(np.uint8):
        assert abs(iou(same) - whole) < 0.03
    assert abs(iou(1e6 - 3.5 * planes.astype(float)) - whole) < 0.08


def test_the_same_bytes():
    part, marks = planes[:200, :220].copy(), strokes[:200, :220].copy()
    result = segment(part, marks)
    for again in segment(np.asfortranarray(part), marks, threads=3), Session(part, channels=8).segment(marks):
        assert np.array_equal(again.mask, result.mask)
    assert segment(part[None], marks[None], channels=8).mask.shape == (1,) + marks.shape
    assert not np.array_equal(result.overlay(show=(8,)), result.overlay())
    with pytest.raises(ValueError, match=r"show is \[9\]; give one to three numbers of channels, 1 to 8"):
        result.overlay(show=(9,))
    with pytest.warns(SegmentWarning, match="outside of the region"):
        mask = segment(part, marks, region=(60, 40, 140, 150)).mask[40:190, 60:200]
    assert np.array_equal(mask, segment(part[40:190, 60:200], marks[40:190, 60:200]).mask)


def test_few_channels():
    image = np.random.default_rng(3).integers(0, 30, (60, 80, 3)).astype(np.uint8)
    image[:, 40:, 1] += 90
    marks = np.zeros((60, 80), np.uint8)
    marks[10:50, 8], marks[10:50, 70] = 1, 2
    assert np.array_equal(segment(image[..., 1:2], marks, channels=1).mask, segment(image[..., 1], marks).mask)
    for of in image[..., :2], image, image[..., [0, 0, 0, 1]]:  # the last of four does not mean opacity
        assert np.mean(segment(of, marks, channels=of.shape[2]).mask == np.where(np.arange(80) < 40, 1, 2)) > 0.98


def test_noise_beside():
    """Channels of noise leave an object as it is, whatever their number and place; those that are equal are one grey image."""
    random = np.random.default_rng(5)
    y, x = np.mgrid[:120, :150]
    seen = (np.hypot(x - 60, y - 60) < 40) | ((abs(y - 60) < 7) & (x > 60) & (x < 135))
    signal = 60 + 70 * seen + random.normal(0, 3, seen.shape)
    one, two = random.integers(0, 200, seen.shape), random.normal(128, 30, seen.shape)
    marks = np.zeros(seen.shape, np.uint8)
    marks[56:64, 40:80], marks[4:8, 10:140] = 1, 2
    for of in (signal, one), (one, signal), (one, signal, two), (signal, signal), (two, one, one[::-1], signal, two[::-1]):
        image = np.clip(np.stack(of, -1), 0, 255).astype(np.uint8)
        assert np.sum(segment(image, marks, channels=len(of)).mask != np.where(seen, 1, 2)) < 30
    noise = np.stack([one, two], -1).astype(np.uint8)  # nothing else: an answer all the same
    assert set(np.unique(segment(noise, marks, channels=2).mask)) == {1, 2}


def test_bad_channels():
    broken, flat = planes.astype(np.float32), planes[:200, :220].copy()
    broken[7, 5, 3], flat[..., 7] = np.nan, 9
    for image, given, said in ((broken, {}, r"channel 3 of pixel \(5, 7\) is nan"), (planes, {"channels": 7}, "x 7 channels"),
                               (np.zeros((320, 320, 65), np.uint8), {}, "channels is 65; it must be 1 to 64")):
        with pytest.raises(ValueError, match=said):
            segment(image, strokes, **given)
    with pytest.warns(SegmentWarning, match="channel 8 of 8 has one value everywhere and tells nothing"):
        found = [bench.iou(segment(image, strokes[:200, :220]).mask, truth[:200, :220]) for image in (flat, flat[..., :7].copy())]
    assert abs(found[0] - found[1]) < 0.03


@larger
def test_a_model_of_channels(tmp_path):
    model, one = bench.series(range(8)), bench.series(range(8), 1)
    assert model.accuracy > 0.9
    model.save(tmp_path / "a.model")
    read, few = Model.load(tmp_path / "a.model"), bench.series(range(3))
    assert read.to_bytes() == model.to_bytes() and bench.series(range(3), threads=1).to_bytes() == few.to_bytes()
    of, true, marks = bench.make(3)
    mask = model.apply(of).mask
    assert bench.iou(mask, true) > 0.72 and bench.iou(few.apply(of[..., :3].copy()).mask, true) < 0.45
    assert np.array_equal(read.apply(of).mask, mask)
    for same in of // 2, (of >> 8).astype(np.uint8), of / 65535:
        assert bench.iou(model.apply(same).mask, true) > 0.72
    assert bench.iou(model.apply(of[..., ::-1]).mask, true) < 0.2
    assert bench.iou(model.apply(of, marks).mask, true) > bench.iou(mask, true)
    flat = of.copy()
    flat[..., 3] = 7
    with pytest.warns(SegmentWarning, match="channel 4 of 8 has one value everywhere"):
        assert 0.4 < bench.iou(model.apply(flat).mask, true) < bench.iou(mask, true)
    some, true, _ = bench.make(3, kinds=(0, 2, 5))  # channels of noise stay dark, of floats too
    assert min(bench.iou(model.apply(same).mask, true) for same in (some, some / 65535 - 3)) > 0.8
    with pytest.warns(SegmentWarning, match="100 % of the image resembles nothing"):  # dark, but for noise
        model.apply(np.random.default_rng(3).integers(0, 9000, planes.shape, np.uint16))
    with pytest.raises(ValueError, match="give height x width x 8 channels"):
        model.apply(planes[..., :7])
    with pytest.raises(InputError, match=r"learned from images of 8 channel\(s\), but this image has 4"):
        model.apply(planes, channels=4)
    assert bench.iou(one.apply(planes).mask, truth) > 0.75
