"""Volumes: slices x height x width."""
import numpy as np
import pytest

import pysegment
from conftest import larger
from pysegment import Session, segment


def ball(shape=(14, 50, 64), noise=12, seed=2):
    """A bright ball in dark noise, whose middle slices are the widest; label 1 is the ball, 2 what surrounds it."""
    rng = np.random.default_rng(seed)
    z, y, x = np.mgrid[:shape[0], :shape[1], :shape[2]]
    truth = np.where(((z - 6.5) * 2.8) ** 2 + (y - 25) ** 2 + (x - 30) ** 2 < 17 ** 2, 1, 2).astype(np.uint8)
    volume = np.where(truth == 1, 170, 90) + rng.normal(0, noise, shape)
    return np.clip(volume, 0, 255).astype(np.uint8), truth


@pytest.fixture(scope="module")
def scene():
    """The ball, marked in one slice alone."""
    volume, truth = ball()
    marks = np.zeros_like(truth)
    marks[7, 24:27, 26:34] = 1
    marks[7, 4:7, 6:58] = 2
    return volume, marks, truth


def test_one_slice_marks_all(scene):
    volume, marks, truth = scene
    result = segment(volume, marks, probability=True, uncertainty=True)
    assert result.mask.shape == volume.shape and result.mask.dtype == np.uint8
    assert np.mean(result.mask == truth) > 0.985
    for z in (0, 13):  # the ball does not reach them, though every image with its strokes would have it
        assert np.mean(result.mask[z] == 2) > 0.995
    assert result.probability.shape == volume.shape + (2,) and np.allclose(result.probability.sum(axis=3), 1, atol=1e-5)
    assert result.uncertainty.shape == volume.shape
    assert result.overlay().shape == volume.shape + (3,)
    assert "64 x 50 x 14" in repr(result)


def test_a_volume_of_one_slice_is_an_image(scene):
    volume, marks, _ = scene
    image = segment(volume[7], marks[7]).mask
    assert np.array_equal(segment(volume[7:8], marks[7:8]).mask, image[None])
    assert np.array_equal(segment(volume[7:8, :, :, None], marks[7:8]).mask, image[None])


def test_spread_is_of_images_and_videos(scene):
    volume, marks, _ = scene
    usual = segment(volume, marks, uncertainty=True).uncertainty
    for spread, same in (("", True), (",spread=0.6", False)):
        given = segment(volume, marks, uncertainty=True, features="mean=1,texture=0.1" + spread).uncertainty
        assert np.array_equal(usual, given) == same
    one = (volume[7], marks[7])
    assert np.array_equal(segment(*one).mask, segment(*one, features="mean=1,spread=0.6,position=0.5,texture=0.1").mask)


def test_order_and_copies(scene):
    volume, marks, _ = scene
    mask = segment(volume, marks).mask
    assert np.mean(segment(volume[::-1], marks[::-1]).mask[::-1] == mask) > 0.999
    same = segment(np.repeat(volume[7:8], 6, 0), np.repeat(marks[7:8], 6, 0)).mask
    assert (same == same[0]).all()


@larger
def test_patches_of_large_volumes_are_as_deep_as_wide():
    """Features of a copy reduced twice: a patch has 10 x 10 pixels of two slices, of those that are far apart of one."""
    z, y, x = np.mgrid[:27, :120, :130]
    truth = np.where(((z - 12) * 4) ** 2 + (y - 60) ** 2 + (x - 64) ** 2 < 42 ** 2, 1, 2).astype(np.uint8)
    volume = np.clip(np.where(truth == 1, 150, 90) + np.random.default_rng(3).normal(0, 25, truth.shape), 0, 255).astype(np.uint8)
    marks = np.zeros_like(truth)
    marks[12, 57:63, 50:80] = 1
    marks[12, 10:15, 10:120] = 2
    reduced = {"patch": 10, "reduce": 2}
    with Session(volume, **reduced) as session:
        mask = session.segment(marks).mask
    assert np.mean(mask == truth) > 0.98
    assert np.mean(mask[[0, 26]] == 2) > 0.999
    assert np.mean(mask != truth, axis=(1, 2)).max() < 0.05  # of every slice, between the middles of layers too
    assert np.array_equal(segment(volume, marks, threads=1, **reduced).mask, mask)
    assert np.mean(segment(volume, marks, spacing=4.0, **reduced).mask == truth) > 0.97


def test_slices_do_not_touch_at_their_ends():
    """An object at the bottom of each slice, and the ground at the top of the next: rows beside each other in memory."""
    volume = np.full((5, 40, 60), 60, np.uint8)
    volume[:, 28:] = 200
    volume = volume + np.random.default_rng(1).integers(0, 9, volume.shape, np.uint8)
    marks = np.zeros((5, 40, 60), np.uint8)
    marks[2, 34, 10:50] = 1
    marks[2, 6, 10:50] = 2
    expected = np.where(np.arange(40) >= 28, 1, 2)[None, :, None] * np.ones(volume.shape)
    assert np.array_equal(segment(volume, marks).mask, expected)


def test_the_option_is_the_array(scene):
    volume, marks, _ = scene
    tall = segment(volume.reshape(-1, 64), marks.reshape(-1, 64), slices=14).mask
    assert np.array_equal(tall.reshape(volume.shape), segment(volume, marks).mask)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_same_bytes(scene, threads):
    volume, marks, _ = scene
    one = segment(volume, marks, threads=threads, probability=True)
    assert one.mask.tobytes() + one.probability.tobytes() == (
        lambda r: r.mask.tobytes() + r.probability.tobytes())(segment(volume, marks, probability=True))


def test_samples(scene):
    """Of 16 bits, and of three colours."""
    volume, marks, _ = scene
    mask = segment(volume, marks).mask
    assert np.array_equal(segment(np.repeat(volume[..., None], 3, 3), marks).mask, mask)
    assert np.mean(segment(volume.astype(np.uint16) * 257, marks).mask == mask) > 0.999


def test_session(scene):
    volume, marks, truth = scene
    with Session(volume) as session:
        session.segment(marks)
        more = marks.copy()
        more[3, 40:43, 10:20] = 2
        assert np.array_equal(session.segment(more).mask, segment(volume, more).mask)
    only = np.where(marks == 1, 1, 0)
    assert np.mean(segment(volume, only).mask == truth) > 0.95  # the rest is background


def test_spacing(scene):
    """Slices far apart are mixed less; the strokes of one still find the ball."""
    volume, marks, truth = scene
    found = [segment(volume, marks, spacing=spacing, probability=True) for spacing in (0.5, 1, 4)]
    for result in found:
        assert np.mean(result.mask == truth) > 0.97
    assert not np.array_equal(found[0].probability, found[2].probability)
    for spacing in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="spacing"):
            segment(volume, marks, spacing=spacing)


def test_files(scene, tmp_path):
    """A page for each slice: written here, read by another program, and the other way round."""
    from PIL import Image, ImageSequence

    volume, marks, _ = scene
    result = segment(volume, marks)
    result.save(tmp_path / "mask.tif")
    with Image.open(tmp_path / "mask.tif") as file:
        pages = [np.asarray(page) for page in ImageSequence.Iterator(file)]
    assert np.array_equal(pages, result.mask)
    result.save(tmp_path / "mask.npy")
    assert np.array_equal(np.load(tmp_path / "mask.npy"), result.mask)
    with pytest.raises(ValueError, match="of a volume masks are written as .tif, .tiff, .npy"):
        result.save(tmp_path / "mask.png")
    first, *rest = map(Image.fromarray, volume)
    first.save(tmp_path / "stack.tif", save_all=True, append_images=rest)
    for z in (0, 7, 13):
        assert np.array_equal(pysegment.read_image(f"{tmp_path}/stack.tif[{z}]"), volume[z])
    assert np.array_equal(pysegment.read_image(f"{tmp_path}/stack.tif[2-5]"), volume[2:6].reshape(-1, 64))
    with pytest.raises(ValueError, match="14 pages, counted from 0, and none of the number 14"):
        pysegment.read_image(f"{tmp_path}/stack.tif[14]")
    with pytest.raises(OSError):
        pysegment.read_image(f"{tmp_path}/stack.tif[5-2]")
    Image.fromarray(volume[0]).save(tmp_path / "one.png")
    with pytest.raises(ValueError, match="pages, which are read of TIFF files only"):
        pysegment.read_image(f"{tmp_path}/one.png[0]")
    Image.fromarray(volume[1]).save(tmp_path / "x.png[0]", format="PNG")  # a file that has such a name itself
    assert np.array_equal(pysegment.read_image(f"{tmp_path}/x.png[0]"), volume[1])
    first.save(tmp_path / "odd.tif", save_all=True, append_images=[rest[0].resize((30, 50))])
    with pytest.raises(ValueError, match="page 1 of .* has 30 x 50 pixels"):
        pysegment.read_image(f"{tmp_path}/odd.tif[0-1]")


def test_a_region_is_of_each_slice(scene):
    """The mask of the volume that is cut beforehand, and nothing beside."""
    volume, marks, _ = scene
    left, top, right, bottom = 7, 5, 57, 47
    for image in (volume, volume.astype(np.uint16) * 257):
        whole = segment(image, marks, region=(left, top, right - left, bottom - top)).mask
        part = segment(image[:, top:bottom, left:right], marks[:, top:bottom, left:right]).mask
        assert np.array_equal(whole[:, top:bottom, left:right], part)
        whole[:, top:bottom, left:right] = 0
        assert whole.shape == marks.shape and not whole.any()
    with pytest.raises(ValueError, match="is not inside the image of 64 x"):
        segment(volume, marks, region=(left, top, 50, 1 + volume.shape[1] - top))


@pytest.mark.parametrize("depth, tall", [(14, 50), (40, 60)])
def test_start(depth, tall, tmp_path):
    """A mask that is right but for a part in some slices and a blob far away: one stroke brings the part back in all slices,
    and nothing else changes; without a stroke nothing does. A volume of one slice is the image."""
    volume, truth = ball((depth, tall, 64)) if depth == 14 else ball((depth, tall, 64), noise=5)
    wrong = truth.copy()
    wrong[5:9, 20:30, 28:40] = 2
    wrong[5:9, 2:5, 2:5] = 1
    marks = np.zeros_like(truth)
    marks[7, 25, 33] = 1
    assert np.array_equal(segment(volume, start=wrong).mask, wrong)
    result = segment(volume, marks, start=wrong)
    assert np.sum(result.mask != truth) < 36 + 0.05 * np.sum(wrong != truth)  # the blob has 36 voxels
    changed = result.mask != wrong
    assert not changed[:3].any() and not changed[12:].any() and np.array_equal(result.mask[5:9, 2:5, 2:5], wrong[5:9, 2:5, 2:5])
    if depth > 14:  # what follows is the same in a volume of any depth
        return
    assert np.array_equal(segment(volume, marks, start=np.eye(2)[wrong - 1]).mask, result.mask)
    np.save(tmp_path / "first.npy", np.where(wrong == 1, 0.9, 0.1))
    assert np.array_equal(segment(volume, marks, start=tmp_path / "first.npy").mask, result.mask)
    assert np.array_equal(segment(volume, marks, start=wrong, threads=3).mask, result.mask)
    assert np.array_equal(segment(volume, 3 - marks - 3 * (marks == 0), start=3 - wrong).mask, 3 - result.mask)
    one = segment(volume[7:8], marks[7:8], start=wrong[7:8]).mask
    assert np.array_equal(one[0], segment(volume[7], marks[7], start=wrong[7]).mask)
    result.save(tmp_path / "mask.tif")
    assert np.array_equal(segment(volume, start=tmp_path / "mask.tif").mask, result.mask)
    with pytest.raises(ValueError, match="start has the shape"):
        segment(volume, start=wrong[1:])


def test_refused(scene):
    volume, marks, _ = scene
    for of, given, also, said in (
            (volume, marks[:5], {}, "scribbles have the shape"), (volume, marks[7], {}, "scribbles have the shape"),
            (volume.reshape(-1, 64), marks.reshape(-1, 64), {"slices": 9}, "not 9 slices or channels of equal height"),
            (volume, np.zeros_like(marks), {}, "nothing is marked"), (volume, marks, {"box": (5, 5, 20, 20)}, "leave model and box out"),
            (volume, marks, {"constraints": np.array([[0, 1, 1]])}, "not by listed pairs")):
        with pytest.raises(ValueError, match=said):
            segment(of, given, **also)


def film(frames=16, seed=5):
    """A disc (label 1, strokes in frame 5), another of the same texture that comes near, and ground: all of them move."""
    rng = np.random.default_rng(seed)
    ground, skin = (np.kron(rng.integers(low, low + 90, (40, 60, 3)), np.ones((3, 3, 1))) for low in (60, 90))
    y, x = np.mgrid[:60, :90]
    volume, truth = np.empty((frames, 60, 90, 3), np.uint8), np.full((frames, 60, 90), 2, np.uint8)
    for t in range(frames):
        volume[t] = ground[t:60 + t, 20:110]
        for label, left in ((1, 20 + 2 * t), (2, 80 - t)):
            inside = (y - 30) ** 2 + (x - left) ** 2 < 15 ** 2
            volume[t][inside] = skin[y[inside] + 20, x[inside] - left + 60]
            truth[t][inside] = label
    marks = np.zeros_like(truth)
    marks[5, 20:40, 28:32] = 1
    marks[5, 4:8, 5:85] = marks[5, 25:35, 72:78] = 2
    return volume, marks, truth


@larger
def test_video():
    """Strokes of one frame reach those before and behind, and tell the disc from the other."""
    volume, marks, truth = film()
    errors = [np.mean(segment(volume, marks, video=video).mask != truth) for video in (False, True)]
    assert errors[1] < 0.07 and errors[1] < errors[0], errors
    one = segment(volume, marks, video=True, threads=1, probability=True)
    assert one.probability.tobytes() == segment(volume, marks, video=True, threads=3, probability=True).probability.tobytes()
    assert np.array_equal(segment(volume[5], marks[5]).mask, segment(volume[5:6], marks[5:6], video=True).mask[0])
    still = segment(np.repeat(volume[5:6], 6, 0), np.repeat(marks[5:6], 6, 0), video=True).mask
    assert np.mean(still != still[0]) < 0.001  # a pixel may be undecided
    assert np.mean(segment(volume.astype(np.uint16) * 257, marks, video=True).mask == one.mask) > 0.99


def test_video_of_three_tiny_frames():
    volume = film(6)[0]
    tiny = segment(volume[:3, :4, :3], np.repeat(np.uint8([[[1, 2, 0]] * 4]), 3, 0), video=True).mask
    assert tiny.shape == (3, 4, 3)
