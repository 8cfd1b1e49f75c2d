"""Images, scribbles and masks as arrays and as files."""
import copy
import io
import json
import multiprocessing
import pickle

import numpy as np
import pytest
from conftest import ROOT, photo, run, strokes, larger

import pysegment
from pysegment import segment


def test_layouts_give_one_mask(halves):
    image, scribbles = halves
    expected = segment(image, scribbles).mask
    padded = np.zeros((60, 100, 3), np.uint8)
    padded[:, :80] = image
    read_only = image.copy()
    read_only.flags.writeable = False
    big_endian = (image.astype(">u2") * 257)
    for same in (padded[:, :80], image[::-1].copy()[::-1], np.asfortranarray(image), read_only, image.tolist(),
                 np.dstack([image, np.full((60, 80), 255, np.uint8)]), image[:, :, ::-1].copy()[:, :, ::-1]):
        if isinstance(same, list):
            same = np.array(same, np.uint8)
        assert np.array_equal(segment(same, scribbles).mask, expected)
    assert np.array_equal(segment(big_endian, scribbles).mask, segment(image.astype(np.uint16) * 257, scribbles).mask)
    floats = segment((image / 255).astype(np.float32), scribbles).mask
    assert np.array_equal(segment(image / 255, scribbles).mask, floats)
    assert (floats == expected).mean() > 0.999


def test_grey_and_bool(halves):
    image, scribbles = halves
    grey = segment(image[:, :, 0], scribbles).mask
    assert np.array_equal(segment(image[:, :, :1], scribbles).mask, grey)
    assert np.array_equal(grey[0], np.repeat([1, 2], 40))
    assert np.array_equal(segment(image[:, :, 0] > 100, scribbles).mask[5], np.repeat([1, 2], 40))


def test_images_are_not_copied_where_their_layout_allows(halves, monkeypatch):
    image, scribbles = halves
    seen = []
    make_image = pysegment.images.make_image

    def watch(context, array, borrow=False):
        made = make_image(context, array, borrow)
        seen.append((array, int(pysegment.images.ffi.cast("uintptr_t", made.data))))
        return made

    monkeypatch.setattr(pysegment.images, "make_image", watch)
    segment(image, scribbles)
    assert seen[-1][1] == image.ctypes.data  # the library reads the very bytes
    wide = np.zeros((60, 100, 3), np.uint16)[:, :80]
    segment(wide, scribbles)
    assert np.shares_memory(seen[-1][0], wide)  # by the row stride, without a copy of NumPy's
    pysegment.Session(image).close()
    assert seen[-1][1] != image.ctypes.data  # a session keeps its own


def test_labels_as_random_walker_takes_them(halves):
    image, scribbles = halves
    plain = segment(image, scribbles).mask
    for dtype in (np.int64, np.int32, np.uint16, np.int8):
        assert np.array_equal(segment(image, scribbles.astype(dtype)).mask, plain)
    large = segment(image, scribbles.astype(np.int64) * 1000, probability=True)
    assert np.array_equal(large.mask, plain.astype(np.int64) * 1000) and large.labels.tolist() == [1000, 2000]
    inactive = scribbles.astype(np.int64)
    inactive[:5] = -1
    found = segment(image, inactive)
    assert (found.mask[:5] == -1).all() and np.array_equal(found.mask[5:], plain[5:])
    skimage = pytest.importorskip("skimage.segmentation")
    theirs = skimage.random_walker(image, scribbles, channel_axis=-1)
    assert (theirs == plain).mean() > 0.99
    three = segment(image, scribbles.astype(int) * 300, k=3).mask
    assert set(np.unique(three)) <= {300, 600, 601}


def test_saved_as_the_name_says(halves, tmp_path):
    from PIL import Image

    image, scribbles = halves
    inactive = scribbles.astype(int) * 5
    inactive[:3] = -1
    found = segment(image, inactive)
    expected = np.where(found.mask < 0, 255, found.mask)
    assert set(np.unique(found.mask)) == {-1, 5, 10}
    for name, form in ("m.png", "PNG"), ("m", "PNG"), ("m.tif", "TIFF"):
        found.save(tmp_path / name)
        with Image.open(tmp_path / name) as file:
            assert file.format == form and np.array_equal(np.asarray(file), expected)
    pysegment.write_mask(tmp_path / "m.npy", found)
    assert np.array_equal(np.load(tmp_path / "m.npy"), expected)
    found.save(tmp_path / "m.svg")
    assert (tmp_path / "m.svg").read_text().count("<path") == 2
    with pytest.raises(ValueError, match="m.jpg ends in .jpg; of an image masks are written as .png, .tif, .*.geojson"):
        found.save(tmp_path / "m.jpg")
    with pytest.raises(ValueError, match="the mask has the label 1000, and files have labels of 1 to 254"):
        segment(image, np.where(scribbles == 2, 1000, 5 * scribbles.astype(int))).save(tmp_path / "k.png")


@pytest.mark.parametrize("kind", [">f8", ">f2", ">f4", ">u2"])
def test_other_byte_orders(halves, kind):
    image, scribbles = halves
    given = (image / 255 if "f" in kind else image * 257.0).astype(kind)
    same = given.astype(given.dtype.newbyteorder("="))
    for ours, plain in (given, same), (given[..., :2], same[..., :2]):  # colours, and two channels
        assert segment(ours, scribbles).overlay().tobytes() == segment(plain, scribbles).overlay().tobytes()


def test_result(halves):
    image, scribbles = halves
    found = segment(image, scribbles, probability=True, uncertainty=True)
    assert found.mask.dtype == np.uint8 and found.mask.shape == (60, 80)
    assert found.probability.shape == (60, 80, 2) and found.probability.dtype == np.float32
    assert np.allclose(found.probability.sum(axis=2), 1, atol=1e-5)
    assert found.uncertainty.shape == (60, 80) and found.labels.tolist() == [1, 2]
    assert (found.k, found.regions, found.method, found.ran) == (2, 2, "auto", "random-walker")
    assert found.seconds > 0 and found.stages["graph"] > 0 and found.converged and found.ambiguous == []
    assert "2 regions of 80 x 60" in repr(found)
    kept = found.probability[0]
    del found
    assert kept.sum() > 0  # the memory lives as long as a view of it


def test_ambiguous_regions():
    image = pysegment.read_image(photo("coffee"))
    scribbles = np.zeros(image.shape[:2], np.uint8)
    scribbles[190:210, 100:110] = 1
    scribbles[10:14, 300:310] = 2
    found = segment(image, scribbles, refine="none")
    for region in found.ambiguous:
        left, top, right, bottom = region.box
        assert 0 <= left < right <= 600 and 0 <= top < bottom <= 400 and 0 < region.share < 1
        assert {region.label, region.runner_up} == {1, 2}
    assert found.ambiguous


def test_overlay_and_png(halves):
    from PIL import Image

    image, scribbles = halves
    found = segment(image, scribbles)
    drawn = found.overlay(alpha=0.5, outline=1)
    assert np.array_equal(drawn, pysegment.overlay(image, found, 0.5, 1))
    assert np.array_equal(drawn, pysegment.overlay(image, found.mask, alpha=0.5, outline=1, colours=found.colours))
    assert not np.array_equal(drawn, found.overlay())
    shown = np.asarray(Image.open(io.BytesIO(found._repr_png_())))
    assert np.array_equal(shown, found.overlay())


@larger
def test_overlay_is_the_programs(tmp_path):
    from PIL import Image

    run(photo("coffee"), "--scribbles", strokes("coffee"), "-o", tmp_path / "m.png", "--overlay", tmp_path / "o.png", "-q")
    found = segment(photo("coffee"), strokes("coffee"))
    expected = np.asarray(Image.open(tmp_path / "o.png"))
    assert np.array_equal(found.overlay(), expected)
    assert np.array_equal(pysegment.overlay(photo("coffee"), found), expected)


def test_files(tmp_path, halves):
    from PIL import Image

    image, scribbles = halves
    Image.fromarray(image).save(tmp_path / "rgb.png")
    Image.fromarray(image[:, :, 0]).save(tmp_path / "grey.png")
    Image.fromarray(image[:, :, 0].astype(np.uint16) * 100).save(tmp_path / "deep.png")
    assert np.array_equal(pysegment.read_image(tmp_path / "rgb.png"), image)
    assert np.array_equal(pysegment.read_image(tmp_path / "grey.png"), image[:, :, 0])
    assert pysegment.read_image(tmp_path / "deep.png").dtype == np.uint16
    colours = np.array([[0, 0, 0], [9, 8, 7], [200, 1, 2]], np.uint8)
    pysegment.write_mask(tmp_path / "s.png", scribbles, colours)
    written = Image.open(tmp_path / "s.png")
    assert written.mode == "P" and written.getpalette()[:9] == colours.ravel().tolist()
    assert np.array_equal(pysegment.read_scribbles(tmp_path / "s.png"), scribbles)
    found = segment(tmp_path / "rgb.png", tmp_path / "s.png")
    assert np.array_equal(found.mask, segment(image, scribbles).mask)
    assert np.array_equal(found.colours[1:3], colours[1:3])
    found.save(tmp_path / "mask.png")
    pysegment.write_mask(str(tmp_path / "again.png"), found)
    assert (tmp_path / "mask.png").read_bytes() == (tmp_path / "again.png").read_bytes()


def test_truth_and_scores_are_the_programs(tmp_path):
    name = ROOT / "groundtruth" / "coffee.png"
    truth = pysegment.read_truth(name)
    assert truth.shape == (400, 600) and truth.min() >= 1
    found = segment(photo("coffee"), strokes("coffee"), method="kmeans")
    found.save(tmp_path / "mask.png")
    scores = json.loads(run("score", "--json", tmp_path / "mask.png", name))["scores"]
    for ours, theirs in (("pairwise_accuracy", "pairwise_accuracy"), ("nmi", "nmi"),
                         ("clustering_error", "clustering_error"), ("dice", "mean_dice")):
        assert getattr(pysegment, ours)(truth, found.mask, void=255) == pytest.approx(scores[theirs], abs=1e-6)


def test_strokes_painted_on_the_image(tmp_path, halves):
    from PIL import Image

    image, scribbles = halves
    painted = image.copy()
    painted[scribbles == 1], painted[scribbles == 2] = (255, 0, 0), (0, 255, 0)
    Image.fromarray(painted).save(tmp_path / "painted.png")
    Image.fromarray(image).save(tmp_path / "image.png")
    (tmp_path / "map.txt").write_text("left:255,0,0\nright:0,255,0\n")
    for given in (image, tmp_path / "image.png"):
        assert np.array_equal(pysegment.read_scribbles(tmp_path / "painted.png", given, tmp_path / "map.txt"), scribbles)
    found = segment(image, tmp_path / "painted.png")
    assert sorted(np.unique(found.mask)) == [1, 2]


def test_session_gives_the_same_masks(halves):
    image, scribbles = halves
    reports = []
    with pysegment.Session(image, progress=lambda done, stage: reports.append((done, stage))) as session:
        session.prepare()
        first = session.segment(scribbles)
        assert np.array_equal(first.mask, segment(image, scribbles).mask)
        scribbles[30:40, 5:30] = 2
        second = session.segment(scribbles)
        assert np.array_equal(second.mask, segment(image, scribbles).mask)
        assert not np.array_equal(first.mask, second.mask)
        with pytest.raises(pysegment.SegmentError):
            session.segment(np.zeros_like(scribbles))
        assert np.array_equal(session.segment(scribbles).mask, second.mask)  # after a failure, too
        image[:] = 0  # the session has a copy
        assert np.array_equal(session.segment(scribbles).mask, second.mask)
        assert np.array_equal(session.segment(scribbles).overlay(), second.overlay())
    assert reports[-1] == (1.0, "mask")
    session.close()
    with pytest.raises(ValueError, match="the session is closed"):
        session.segment(scribbles)
    with pytest.raises(ValueError, match="the session is closed"):
        with session:
            pass


def test_session_from_file():
    with pysegment.Session.from_file(photo("coffee"), method="kmeans", seed=3) as session:
        found = session.segment(strokes("coffee"))
    assert np.array_equal(found.mask, segment(photo("coffee"), strokes("coffee"), method="kmeans", seed=3).mask)


def test_without_scribbles(halves):
    image, _ = halves
    found = segment(image, k=2)
    assert found.method == "ncut" and sorted(np.unique(found.mask)) == [1, 2]
    assert (found.mask[:, :40] == found.mask[0, 0]).all()
    assert 0 <= found.objective_bound <= found.objective + 1e-9 < 2 and np.isnan(segment(image, k=2, method="kmeans").objective_bound)


def test_options_are_the_programs(halves, tmp_path):
    from PIL import Image

    image, scribbles = halves
    Image.fromarray(image).save(tmp_path / "i.png")
    pysegment.write_mask(tmp_path / "s.png", scribbles)
    run(tmp_path / "i.png", "--scribbles", tmp_path / "s.png", "-o", tmp_path / "m.png", "--no-overlay", "-q", "--patch", "8",
        "--features", "mean=1,texture=0.5", "--refine", "none", "--sigma", "0.2", "--method", "ccskl",
        "--param", "m=5", "-k", "3", "--knn", "9", "--seed", "7")
    found = segment(image, scribbles, 3, "ccskl", patch=8, features={"mean": 1, "texture": 0.5}, refine="none", object=False,
                    sigma=0.2, m=5, knn=9, seed=7, islands=None)
    found.save(tmp_path / "ours.png")
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "m.png").read_bytes()
    run(tmp_path / "i.png", "--scribbles", tmp_path / "s.png", "-o", tmp_path / "m.png", "--no-overlay", "-q", "--object")
    segment(image, scribbles, object=True, trees=40).save(tmp_path / "ours.png")
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "m.png").read_bytes()
    with pytest.raises(TypeError, match="no option or parameter 'colour' of the method auto; there are "):
        segment(image, scribbles, colour=3)


@larger
def test_a_box_in_place_of_scribbles(tmp_path):
    from PIL import Image

    image = np.full((60, 80, 3), 90, np.uint8)
    image[20:45, 25:60] = (200, 60, 40)
    found = segment(image, box=(20, 15, 45, 35))
    assert ((found.mask == 1) == (image[..., 0] == 200)).all() and found.k == 2
    assert np.array_equal(segment(image, np.zeros(image.shape[:2], int), box=[20, 15, 45, 35]).mask, found.mask)
    Image.fromarray(image).save(tmp_path / "i.png")
    run(tmp_path / "i.png", "--box", "20,15,45,35", "-o", tmp_path / "m.png", "--no-overlay", "-q")
    assert np.array_equal(np.asarray(Image.open(tmp_path / "m.png")), found.mask)
    with pytest.raises(pysegment.UsageError, match="not inside the image"):
        segment(image, box=(20, 15, 450, 35))


def test_constraints_of_pixels_and_patches(halves, tmp_path):
    image, _ = halves
    pixels = [[10, 10, 12, 50, 1], [70, 10, 72, 50, 1], [10, 10, 70, 10, -1], [10, 10, 11, 11, 1]]
    found = segment(image, k=2, constraints=pixels)
    (tmp_path / "pairs.csv").write_text("\n".join(",".join(map(str, row)) for row in pixels) + "\n")
    assert np.array_equal(segment(image, k=2, constraints=tmp_path / "pairs.csv").mask, found.mask)
    patches = [[2 * 16 + 2, 10 * 16 + 2, 1, 1.0], [2 * 16 + 14, 10 * 16 + 14, 1, 1.0], [2 * 16 + 2, 2 * 16 + 14, -1, 1.0]]
    assert np.array_equal(segment(image, k=2, constraints=patches).mask, found.mask)
    assert np.array_equal(segment(image, k=2, constraints=[]).mask, segment(image, k=2).mask)
    assert (found.mask[:, :40] == found.mask[0, 0]).all() and (found.mask[:, 40:] == found.mask[0, 79]).all()


def test_warnings_of_the_library_are_pythons(blobs):
    with pytest.warns(pysegment.SegmentWarning, match="cannot-link"):
        pysegment.cluster(blobs[0], 2, must_link=[[0, 1]], method="enpakl")


def _halves_elsewhere(image, scribbles):
    return segment(image, scribbles, probability=True, uncertainty=True)


@pytest.mark.parametrize("travel", [lambda found: pickle.loads(pickle.dumps(found)), copy.deepcopy, copy.copy],
                         ids=["pickle", "deepcopy", "copy"])
@pytest.mark.parametrize("kind", ["rgb", "grey12", "labels"])
def test_results_are_pickled_and_copied(halves, tmp_path, travel, kind):
    image, scribbles = halves
    if kind == "grey12":  # its own black and white, which the overlay is drawn by
        samples = image[:, :, 0].astype(">u2") * 16
        image = tmp_path / "grey.pgm"
        image.write_bytes(b"P5 80 60 65535\n" + samples.tobytes())
    if kind == "labels":
        scribbles = scribbles.astype(np.int32) * 1000
    found = segment(image, scribbles, probability=True, uncertainty=True)
    again = travel(found)
    for name, value in vars(found).items():
        if isinstance(value, np.ndarray):
            assert np.array_equal(getattr(again, name), value) and getattr(again, name).dtype == value.dtype
        elif not name.startswith("_"):
            assert getattr(again, name) == value or value != value
    drawn = found.overlay()
    del found
    assert np.array_equal(again.overlay(), drawn)
    assert repr(again).startswith("<pysegment.Result")


def test_results_come_back_from_other_processes(halves):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        again = pool.apply(_halves_elsewhere, halves)
    found = _halves_elsewhere(*halves)
    assert np.array_equal(again.mask, found.mask) and np.array_equal(again.probability, found.probability)
    assert np.array_equal(again.overlay(), found.overlay())


def test_clusterings_are_pickled(blobs):
    found = pysegment.cluster(blobs[0], 3)
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.labels, found.labels) and np.array_equal(again.scores, found.scores)


def test_what_stays_in_its_process_says_so(halves, blobs):
    with pysegment.Session(halves[0]) as session:
        for of, instead in ((session, "a Session cannot be pickled or copied: send the image and the scribbles"),
                            (pysegment.Model(), r"a Model cannot be pickled or copied: send what to_bytes\(\) gives"),
                            (pysegment.ActiveConstraints(blobs[0]), "cannot be pickled or copied: send its must_link")):
            for travel in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match=instead):
                    travel(of)
