"""Models: what the library's own tests show of masks, here that arrays, paths and files come through."""
import numpy as np
import pytest
from conftest import run
from PIL import Image

import pysegment
from pysegment import Model


def image_of(border, seed):
    random = np.random.default_rng(seed)
    image = np.where(np.arange(90)[None, :, None] < border, [200, 70, 60], [60, 90, 190]) + random.integers(-8, 9, (60, 90, 3))
    scribbles = np.zeros((60, 90), int)
    for y in (15, 45):
        scribbles[y, 3:border - 6] = 1
        scribbles[y, border + 6:87] = 2
    return image.astype(np.uint8), scribbles


@pytest.fixture
def model():
    made = Model()
    for seed, border in enumerate((30, 45, 62)):
        made.add(*image_of(border, seed))
    return made.learn()


def test_learned_from_some_applied_to_another(model):
    image, scribbles = image_of(52, 9)
    found = model.apply(image, probability=True)
    truth = np.where(np.arange(90) < 52, 1, 2)
    assert (found.mask == truth).mean() > 0.98
    assert found.labels.tolist() == [1, 2, 255]
    assert found.probability.shape == (60, 90, 3)
    assert model.apply(image, unknown=False).labels.tolist() == [1, 2]
    assert model.images == 3 and model.labels.tolist() == [1, 2]
    assert model.accuracy == pytest.approx(np.mean(model.accuracies)) and model.accuracy > 0.95
    scribbles[:] = 0
    scribbles[5:55, 75:85] = 7  # a label of its own
    marked = model.apply(image, scribbles).mask
    assert (marked[scribbles == 7] == 7).all() and (marked[:, :40] == 1).mean() > 0.98
    grey = Model()
    grey.add(np.uint8([[100] * 45 + [130] * 45] * 60), np.uint8([[1] * 9 + [0] * 72 + [2] * 9] * 60))
    for blank in (100, 130):  # their contrast is not stretched
        assert (grey.learn().apply(np.full((60, 90), blank, np.uint8)).mask == 1 + (blank > 100)).all()


def test_files_and_bytes(model, tmp_path):
    image, _ = image_of(52, 9)
    model.save(tmp_path / "series.model")
    assert (tmp_path / "series.model").read_bytes() == model.to_bytes()
    read = Model.load(tmp_path / "series.model")
    assert read.to_bytes() == model.to_bytes() and read.images == 3 and read.accuracies == []
    assert np.array_equal(read.apply(image).mask, model.apply(image).mask)
    with pytest.raises(pysegment.UsageError, match="cannot learn more images"):
        read.learn()
    (tmp_path / "cut.model").write_bytes(model.to_bytes()[:500])
    with pytest.raises(pysegment.InputError, match="truncated"):
        Model.load(tmp_path / "cut.model")
    with pytest.raises(pysegment.FileError):
        Model.load(tmp_path / "missing.model")


def test_colours_and_names(tmp_path):
    """Strokes in colours, of which an image lacks one: labels are those of the first image, or of a label map."""
    colours, paths = [(20, 200, 10), (200, 0, 0)], []
    for border in (30, 40, 20):
        image, labels = image_of(border, border)
        drawn = np.full(labels.shape + (3,), 255, np.uint8)
        for label, colour in enumerate(colours, 1):
            if border != 20 or label == 2:
                drawn[labels == label] = colour
        paths.append((tmp_path / f"{border}.png", tmp_path / f"{border}-scribbles.png"))
        Image.fromarray(image).save(paths[-1][0])
        Image.fromarray(drawn).save(paths[-1][1])
    run("learn", *(path for path, _ in paths), "-s", tmp_path, "-o", tmp_path / "a.model", "-q")
    (tmp_path / "map.txt").write_text("left:20,200,10\nright:200,0,0\n")
    run("learn", *(path for path, _ in paths), "-s", tmp_path, "-o", tmp_path / "b.model", "-q", "--labelmap", tmp_path / "map.txt")
    for named, file in (None, "a.model"), (tmp_path / "map.txt", "b.model"):
        model = Model()
        for path, marks in paths if named is None else sorted(paths):
            model.add(path, marks, labelmap=named)
        learned = model.learn()
        assert list(learned.labels) == [1, 2]
        if named:
            assert learned.to_bytes() == (tmp_path / file).read_bytes()
        run("apply", tmp_path / file, paths[2][0], "-s", paths[2][1], "-o", tmp_path / "m.png", "--no-overlay", "-q")
        assert np.array_equal(Model.load(tmp_path / file).apply(*paths[2]).mask, np.asarray(Image.open(tmp_path / "m.png")))
    model = Model()
    model.add(*paths[2])
    with pytest.raises(pysegment.InputError, match="not in the label map"):
        model.add(*paths[0])


def test_misuse():
    model = Model()
    image, scribbles = image_of(40, 1)
    with pytest.raises(ValueError, match="1 to 254"):
        model.add(image, scribbles * 1000)
    with pytest.raises(ValueError, match="size"):
        model.add(image, scribbles[:-1])
    model.add(image, scribbles)
    assert np.isnan(model.learn().accuracy)
    with pytest.raises(pysegment.UsageError, match="object is for scribbles"):
        model.apply(image, object=True)
