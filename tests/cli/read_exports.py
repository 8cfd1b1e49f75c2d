"""Read every export format back with libraries of other makes and compare with the mask.

    read_exports.py odd FOLDER       write odd masks (PNG) there
    read_exports.py check MASK.png FOLDER ...   what export_mask or --export wrote as FOLDER/m.*
"""
import json
import os
import subprocess
import sys

import cairo
import numpy
import shapely.geometry
from PIL import Image

try:
    from pycocotools.coco import COCO
except ImportError:
    COCO = None


def write_mask(path, labels):
    """A palette PNG whose colours differ."""
    image = Image.fromarray(labels.astype(numpy.uint8), "P")
    colours = [0, 0, 0]
    for i in range(1, 256):
        colours += [(i * 37) % 256, (i * 91 + 40) % 256, i]
    image.putpalette(colours)
    image.save(path)


def odd(folder):
    y, x = numpy.mgrid[0:48, 0:64]
    ring = numpy.maximum(abs(x - 32), abs(y - 24))
    noise = numpy.random.RandomState(3)
    masks = {
        "pixel": numpy.ones((1, 1)),
        "nothing": numpy.zeros((5, 4)),
        "void": numpy.full((4, 7), 255),
        "line": numpy.arange(9)[None, :] // 2,
        "column": numpy.arange(9)[:, None] // 2,
        "rings": 1 + ring // 4 % 2,  # holes in holes
        "islands": numpy.where(ring // 4 % 2, 1, 0),  # and nothing between
        "chess": 1 + (x // 3 + y // 3) % 2,  # meetings at corners
        "pixels": 1 + (x + y) % 2,
        "diagonals": numpy.where((x + y) % 5 == 0, 2, numpy.where((x - y) % 7 == 0, 1, 3)),
        "noise": noise.randint(0, 4, (48, 64)),
        "dust": numpy.where(noise.rand(48, 64) < 0.03, noise.randint(2, 255, (48, 64)), 1),
        "absent": numpy.where(x < 20, 3, numpy.where(y < 20, 255, 9)),  # 1, 2, 4 .. 8 occur nowhere
        "frame": numpy.where((x == 0) | (y == 0) | (x == 63) | (y == 47), 5, 0),  # along the border
        "many": 1 + (x // 4 * 12 + y // 4) % 254,
        "wide": numpy.tile(numpy.arange(4096) % 7, (3, 1)),
    }
    for name, labels in masks.items():
        write_mask(os.path.join(folder, name + ".png"), labels)


def fill(shape, rings, rule):
    """The pixels inside, by cairo."""
    height, width = shape
    surface = cairo.ImageSurface(cairo.FORMAT_A8, width, height)
    context = cairo.Context(surface)
    context.set_antialias(cairo.ANTIALIAS_NONE)
    context.set_fill_rule(rule)
    for ring in rings:
        context.new_sub_path()
        for point in ring:
            context.line_to(*point)
        context.close_path()
    context.fill()
    surface.flush()
    pixels = numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(height, surface.get_stride())
    return pixels[:, :width] > 127


class Picture:
    """Labels drawn piece by piece; no pixel twice."""

    def __init__(self, shape):
        self.label = numpy.zeros(shape, int)

    def draw(self, inside, label):
        assert not self.label[inside].any(), "a pixel belongs to two pieces"
        self.label[inside] = label


def coco(path, shape):
    made = Picture(shape)
    everything = json.load(open(path))
    assert {c["id"] for c in everything["categories"]} == {a["category_id"] for a in everything["annotations"]}
    for a in everything["annotations"]:
        counts = numpy.array(a["segmentation"]["counts"])
        assert tuple(a["segmentation"]["size"]) == shape
        inside = numpy.repeat(numpy.arange(len(counts)) % 2, counts).reshape(shape, order="F") == 1
        rows, columns = numpy.nonzero(inside)
        assert a["area"] == inside.sum()
        assert a["bbox"] == [columns.min(), rows.min(), numpy.ptp(columns) + 1, numpy.ptp(rows) + 1]
        made.draw(inside, a["category_id"])
    if COCO:
        theirs = COCO(path)
        total = sum((theirs.annToMask(a).astype(int) * a["category_id"] for a in theirs.anns.values()),
                    numpy.zeros(shape, int))
        assert (total == made.label).all(), "pycocotools reads another mask"
    return made.label


def geojson(path, shape):
    made = Picture(shape)
    for feature in json.load(open(path))["features"]:
        area = shapely.geometry.shape(feature["geometry"])
        assert area.is_valid and area.area == feature["properties"]["pixels"]
        for polygon in area.geoms:
            assert polygon.exterior.is_ccw and not any(hole.is_ccw for hole in polygon.interiors)
            rings = [polygon.exterior.coords] + [hole.coords for hole in polygon.interiors]
            made.draw(fill(shape, rings, cairo.FILL_RULE_EVEN_ODD), feature["properties"]["label"])
    return made.label


def polygons(shape, pieces):
    """The same by either rule of filling: a hole is no more than a way round."""
    made = Picture(shape)
    for label, points in pieces:
        inside = fill(shape, [points], cairo.FILL_RULE_EVEN_ODD)
        assert (inside == fill(shape, [points], cairo.FILL_RULE_WINDING)).all()
        made.draw(inside, label)
    return made.label


def yolo(path, shape):
    pieces = []
    for line in open(path):
        numbers = line.split()
        points = numpy.array(numbers[1:], float).reshape(-1, 2) * (shape[1], shape[0])
        pieces.append((int(numbers[0]) + 1, points))
    return polygons(shape, pieces)


def labelme(path, shape):
    everything = json.load(open(path))
    assert (everything["imageHeight"], everything["imageWidth"]) == shape
    return polygons(shape, [(s["group_id"], s["points"]) for s in everything["shapes"]])


def svg(path, shape):
    """By librsvg, in colours; two labels of one colour are one."""
    subprocess.run(["rsvg-convert", path, "-o", path + ".png"], check=True)
    drawn = numpy.array(Image.open(path + ".png").convert("RGBA")).astype(int)
    assert drawn.shape[:2] == shape and set(numpy.unique(drawn[:, :, 3])) <= {0, 255}
    return drawn


def masks(path, shape):
    made = Picture(shape)
    for name in os.listdir(path):
        picture = Image.open(os.path.join(path, name))
        assert picture.mode == "L" and set(numpy.unique(picture)) <= {0, 255}
        made.draw(numpy.array(picture) > 0, int(name[len("label-"):-len(".png")]))
    return made.label


def check(path, folder):
    picture = Image.open(path)
    stored = numpy.array(picture).astype(int)
    palette = numpy.zeros((256, 3), int)
    colours = numpy.array(picture.getpalette()).reshape(-1, 3)
    palette[: len(colours)] = colours
    labels = numpy.where(stored == 255, 0, stored)
    shape = labels.shape
    at = os.path.join(folder, "m.")
    array = numpy.load(at + "npy")
    assert array.dtype == numpy.uint8 and (array == stored).all(), "npy"
    for name, got in {
        "coco": coco(at + "coco.json", shape),
        "geojson": geojson(at + "geojson", shape),
        "yolo": yolo(at + "yolo.txt", shape),
        "labelme": labelme(at + "labelme.json", shape),
        "masks": masks(at + "masks", shape),
    }.items():
        assert (got == labels).all(), "%s: %d pixels of %s differ" % (name, (got != labels).sum(), path)
    drawn = svg(at + "svg", shape)
    assert ((drawn[:, :, 3] == 255) == (labels > 0)).all(), "svg: another outline of %s" % path
    assert (drawn[labels > 0][:, :3] == palette[labels[labels > 0]]).all(), "svg: other colours of %s" % path


if sys.argv[1] == "odd":
    odd(sys.argv[2])
else:
    for path, made in zip(sys.argv[2::2], sys.argv[3::2]):
        check(path, made)
