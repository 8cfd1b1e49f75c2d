"""A part of an image is segmented as if it were the image (region)."""
import json

import numpy as np
import pytest
from conftest import photo, run, strokes, larger
from PIL import Image

import pysegment
from pysegment import Session, segment


def scene(seed, depth=8):
    """An image with noise, three kinds of ground, and strokes of three labels all over it."""
    rng = np.random.default_rng(seed)
    height, width = rng.integers(60, 130, 2)
    y, x = np.mgrid[:height, :width]
    ground = (x > width / 2).astype(int) + (y > height / 2)
    image = 50 + 70 * ground[..., None] + rng.normal(0, 15, (height, width, 3))
    image = np.clip(image, 0, 255).astype(np.uint8)
    if depth == 16:
        image = image.astype(np.uint16) * 40
    scribbles = np.zeros((height, width), np.uint8)
    for _ in range(30):
        top, left = rng.integers(0, height - 3), rng.integers(0, width - 3)
        scribbles[top:top + 3, left:left + 3] = 1 + ground[top, left]
    return rng, image, scribbles


def cut(array, region):
    x, y, w, h = region
    return np.ascontiguousarray(array[y:y + h, x:x + w])


def outside(array, region):
    x, y, w, h = region
    rest = array.copy()
    rest[y:y + h, x:x + w] = 0
    return rest


def some_region(rng, shape, marks=None):
    """One that holds strokes of two labels, if marks are given."""
    while True:
        w, h = rng.integers(10, shape[1] + 1), rng.integers(10, shape[0] + 1)
        region = (int(rng.integers(0, shape[1] - w + 1)), int(rng.integers(0, shape[0] - h + 1)), int(w), int(h))
        if marks is None or len(np.unique(cut(marks, region))) > 2:
            return region


@pytest.mark.parametrize("seed", range(12))
def test_is_the_image_cut_by_hand(seed):
    rng, image, scribbles = scene(seed, 16 if seed % 3 == 2 else 8)
    region = some_region(rng, image.shape, scribbles)
    how = {"probability": True, "uncertainty": True, "threads": 1 + seed % 2}
    whole = segment(image, scribbles, region=region, **how)
    part = segment(cut(image, region), cut(scribbles, region), **how)
    assert whole.mask.shape == image.shape[:2]
    for name in ("mask", "probability", "uncertainty"):
        assert np.array_equal(cut(getattr(whole, name), region), getattr(part, name)), name
        assert not outside(getattr(whole, name), region).any(), name
    assert np.array_equal(whole.labels, part.labels) and whole.regions == part.regions
    share = region[2] * region[3] / (image.size / 3)
    moved = [(a.label, a.runner_up, tuple(np.add(a.box, region[:2] * 2)), a.island) for a in part.ambiguous]
    assert [(a.label, a.runner_up, a.box, a.island) for a in whole.ambiguous] == moved
    assert np.allclose([a.share for a in whole.ambiguous], [a.share * share for a in part.ambiguous])


@pytest.mark.parametrize("seed", range(3))
def test_a_region_of_all_changes_nothing(seed):
    _, image, scribbles = scene(seed, 16 if seed == 2 else 8)
    how = {"probability": True, "uncertainty": True}
    all_of_it = segment(image, scribbles, region=(0, 0, image.shape[1], image.shape[0]), **how)
    plain = segment(image, scribbles, **how)
    for name in ("mask", "probability", "uncertainty"):
        assert np.array_equal(getattr(all_of_it, name), getattr(plain, name)), name


def test_strokes_outside_are_ignored():
    rng, image, scribbles = scene(20)
    region = some_region(rng, image.shape, scribbles)
    found = segment(image, scribbles, region=region).mask
    within = scribbles - outside(scribbles, region)
    assert np.array_equal(segment(image, within, region=region).mask, found)
    image = np.where((np.ones_like(scribbles) - outside(np.ones_like(scribbles), region))[..., None], image, 7)
    assert np.array_equal(segment(image.astype(np.uint8), scribbles, region=region).mask, found)  # nor is its colour seen


def test_small_regions():
    """One pixel, a line, and regions with one label of strokes or as many as pixels."""
    image = np.zeros((20, 30, 3), np.uint8)
    image[:, 15:] = 200
    scribbles = np.zeros((20, 30), np.uint8)
    scribbles[5, 3:9], scribbles[5, 20:26] = 1, 2
    one = segment(image, scribbles, k=1, region=(3, 5, 1, 1)).mask
    assert one[5, 3] == 1 and not outside(one, (3, 5, 1, 1)).any()
    line = segment(image, scribbles, region=(0, 5, 30, 1)).mask
    assert (line[5, 3:9] == 1).all() and (line[5, 20:26] == 2).all() and not outside(line, (0, 5, 30, 1)).any()
    rest = segment(image, scribbles, region=(0, 0, 30, 20)).mask
    assert (rest != 0).all()
    alone = segment(image, scribbles, region=(0, 0, 18, 20)).mask  # label 1, and the rest is background, not label 2
    assert set(np.unique(alone[:, :18])) == {1, 3} and not alone[:, 18:].any()


@pytest.mark.parametrize("region", [(0, 0, 31, 20), (0, 0, 30, 21), (1, 0, 30, 20), (29, 19, 2, 1), (30, 0, 1, 1), (500, 500, 9, 9),
                                    (999999999, 0, 999999999, 1)])
def test_partly_outside(region):
    image, scribbles = np.zeros((20, 30, 3), np.uint8), np.ones((20, 30), np.uint8)
    with pytest.raises(pysegment.UsageError, match="region .* is not inside the image of 30 x 20 pixels"):
        segment(image, scribbles, region=region)


@pytest.mark.parametrize("region", [(0, 0, 0, 5), (0, 0, 5, 0), (-1, 0, 5, 5), (0, 0, 5), "a,b,c,d"])
def test_no_region(region):
    with pytest.raises(pysegment.UsageError, match="as in 10,20,200,100"):
        segment(np.zeros((20, 30, 3), np.uint8), np.ones((20, 30), np.uint8), region=region)


def test_no_stroke_in_it():
    _, image, scribbles = scene(3)
    scribbles[:20] = 0
    region = (0, 0, 40, 20)
    with pytest.raises(ValueError, match="no stroke lies in the region 0,0,40,20"):
        segment(image, scribbles, region=region)
    free = segment(image, k=2, region=region).mask  # nor need there be any
    assert np.array_equal(cut(free, region), segment(cut(image, region), k=2).mask)


@larger
def test_box():
    _, image, scribbles = scene(4)
    region, box = (10, 12, 40, 35), (20, 20, 15, 18)
    found = segment(image, region=region, box=box).mask
    assert np.array_equal(cut(found, region), segment(cut(image, region), box=(10, 8, 15, 18)).mask)
    assert not outside(found, region).any()
    scribbles[:47] = 0  # none in the region
    assert np.array_equal(segment(image, scribbles, region=region, box=box).mask, found)
    for bad in [(9, 20, 15, 18), (20, 20, 31, 18), (0, 0, 60, 60), (20, 11, 2, 2)]:
        with pytest.raises(pysegment.UsageError, match="is not inside the region 10,12,40,35"):
            segment(image, region=region, box=bad)
    with pytest.raises(pysegment.UsageError, match="covers the whole image"):
        segment(image, region=region, box=region)


def test_start():
    rng, image, scribbles = scene(5)
    start = 1 + (np.arange(image.shape[1]) // 20)[None, :] * np.ones((image.shape[0], 1), np.uint8)
    region = (12, 9, 36, 40)
    kept = segment(image, start=start, region=region).mask
    assert np.array_equal(cut(kept, region), cut(start, region)) and not outside(kept, region).any()
    given = scribbles - outside(scribbles, region)
    mask = segment(image, given, start=start, region=region).mask
    by_hand = segment(cut(image, region), cut(given, region), start=cut(start, region)).mask
    assert np.array_equal(cut(mask, region), by_hand)
    start[:, :30] = 0  # one more region, by the same number wherever the region lies
    kept = segment(image, start=start, region=(12, 9, 36, 40)).mask
    assert np.array_equal(cut(kept, region), cut(np.where(start, start, start.max() + 1), region))
    only = segment(image, start=start, region=(2, 3, 20, 20)).mask
    assert (cut(only, (2, 3, 20, 20)) == start.max() + 1).all()


def test_pairs():
    _, image, _ = scene(6)
    with pytest.raises(pysegment.UsageError, match="a region is for strokes, not for listed pairs"):
        segment(image, k=2, constraints=[[0, 0, 20, 20, 1]], region=(0, 0, 40, 40))


def test_sizes():
    _, image, scribbles = scene(7)
    small = scribbles[:40, :40].copy()
    with pytest.raises(ValueError, match="size"):
        segment(image, small, region=(0, 0, 40, 40))


def test_session():
    _, image, scribbles = scene(8)
    region = (5, 5, 50, 45)
    with Session(image, region=region) as session:
        assert session.shape == image.shape[:2]
        first = session.segment(scribbles).mask
        more = scribbles.copy()
        more[20:24, 20:24] = 1
        for given in (more, scribbles, more):
            assert np.array_equal(session.segment(given).mask, segment(image, given, region=region).mask)
        with pytest.raises(ValueError, match="no stroke lies"):
            session.segment(outside(scribbles, region))
        assert np.array_equal(session.segment(scribbles).mask, first)


@larger
def test_memory(tmp_path):
    """Patches follow the part's size, and a limit that the image's own job would not keep does not change them."""
    rng = np.random.default_rng(9)
    image = rng.integers(0, 60, (1500, 2000, 3), np.uint8)
    image[700:760, 700:760] += 150
    Image.fromarray(image).save(tmp_path / "i.png")
    words = [tmp_path / "i.png", "--box", "695,695,70,70", "--no-overlay", "-q", "-o", tmp_path / "m.png"]
    run(*words, "--region", "650,650,160,160", "--max-memory", "70M")
    mask = np.asarray(Image.open(tmp_path / "m.png"))
    assert np.array_equal(mask, segment(image, region=(650, 650, 160, 160), box=(695, 695, 70, 70)).mask)
    assert ((mask == 1) == (image[..., 0] >= 150)).mean() > 0.999


@larger
def test_program(tmp_path):
    """Files, the record, the overlay, what is printed, and the scores."""
    image = pysegment.read_image(photo("chelsea"))
    marks = pysegment.read_scribbles(strokes("chelsea"))
    region = (20, 10, 400, 200)
    assert outside(marks, region).any() and len(np.unique(cut(marks, region))) > 2
    out = tmp_path / "m.png"
    words = [photo("chelsea"), "-s", strokes("chelsea"), "--region", "20,10,400,200", "-o", out]
    truth = segment(image, marks).mask
    Image.fromarray(truth).save(tmp_path / "truth.png")
    told = json.loads(run(*words, "--truth", tmp_path / "truth.png", "--json", "--save-run", tmp_path / "run.json",
                          "--uncertainty", tmp_path / "u.png", "--prob", tmp_path / "p.npy", "--table", tmp_path / "t.csv",
                          "--overlay", tmp_path / "o.png"))
    mask = np.asarray(Image.open(out))
    assert np.array_equal(mask, segment(image, marks, region=region).mask)
    inside = np.zeros_like(mask)
    inside[10:210, 20:420] = 1
    assert np.array_equal(mask != 0, inside == 1)
    right = (mask == truth)[inside == 1].mean()
    assert abs(told["scores"]["error_rate"] - (1 - right)) < 1e-6 and told["scores"]["scored"] == 400 * 200
    overlay = np.asarray(Image.open(tmp_path / "o.png"))
    assert np.array_equal(overlay[inside == 0], image[inside == 0]) and (overlay != image).any()
    assert not np.asarray(Image.open(tmp_path / "u.png"))[inside == 0].any()
    assert not np.load(tmp_path / "p.npy")[inside == 0].any()
    run("replay", tmp_path / "run.json", "-o", tmp_path / "again.png", "--no-overlay")
    assert np.array_equal(np.asarray(Image.open(tmp_path / "again.png")), mask)
    run(*words, "--overlay-style", "cutout", "--cutout-labels", "1,2", "--overlay", tmp_path / "c.png", "-q")
    assert not np.asarray(Image.open(tmp_path / "c.png"))[inside == 0].any()
