#!/bin/bash
# Exports of a folder in one file, simplified polygons and VOC's colours, read by other programs.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
inputs=$(files)

mkdir in && for name in a b c; do cp photo.bmp in/$name.bmp && cp scribbles.bmp in/$name-scribbles.bmp; done
bmp in/b.bmp 50 40 'if (x < 20) { r = 200 } else { b = 180 }'
bmp in/b-scribbles.bmp 50 40 'if (y >= 10 && y < 30) { if (x == 12) b = 255; if (x == 37) r = 255 }'
head -c 500 photo.bmp >in/c.bmp # fails, and is in nothing

expect 5 in --scribbles in --no-overlay -o out --names 'one "1",two' --export coco=all.json --export yolo=yolo --export voc
[ "$(jq -c '[.images[] | [.id, .file_name, .width, .height]]' all.json)" = '[[1,"a.bmp",60,40],[2,"b.bmp",50,40]]' ] ||
    fail "other images"
[ "$(jq -c '[.annotations[] | [.id, .image_id, .category_id]]' all.json)" = '[[1,1,1],[2,1,2],[3,2,1],[4,2,2]]' ] ||
    fail "other annotations"
[ "$(jq -c '[.annotations[].area] | [.[0] + .[1], .[2] + .[3]]' all.json)" = '[2400,2000]' ] || fail "other areas"
[ "$(jq -c .categories all.json)" = '[{"id":1,"name":"one \"1\""},{"id":2,"name":"two"}]' ] || fail "other categories"
[ "$(find out yolo -type f | sort | tr '\n' ' ')" = \
    'out/a-mask.png out/a-mask.voc.png out/b-mask.png out/b-mask.voc.png yolo/data.yaml yolo/labels/a.txt yolo/labels/b.txt ' ] ||
    fail "other files: $(find out yolo -type f)"
grep -q '^  0: "one \\"1\\""$' yolo/data.yaml && grep -q '^  1: "two"$' yolo/data.yaml && grep -q '^train: images$' yolo/data.yaml ||
    fail "other names in data.yaml"
# Each image's part is what it is alone.
expect 0 in/b.bmp --scribbles in/b-scribbles.bmp --no-overlay -o out/b.png --names 'one "1",two' --export yolo --export coco --export voc
cmp -s out/b.yolo.txt yolo/labels/b.txt && cmp -s out/b.voc.png out/b-mask.voc.png || fail "another file alone"
[ "$(jq -c '[.annotations[] | select(.image_id == 2) | .segmentation]' all.json)" = "$(jq -c '[.annotations[].segmentation]' out/b.coco.json)" ] ||
    fail "other annotations alone"
# A label that a later image alone has, and one that none has.
cp in/b-scribbles.bmp in/a-scribbles.bmp
expect 5 in --scribbles in -k 3 --no-overlay -o out --export coco=- --names ,,,far
[ "$(jq -c '[.categories[].name]' .out)" = '["label 1","label 2","label 3","far"]' ] || fail "other names of labels"
rm -r out yolo all.json

refuse 2 "coco=FILE" in --scribbles in --export svg=all.svg
refuse 2 "not .png" in --scribbles in --export coco=all.png
refuse 2 "folder" in --scribbles in --export yolo=-
refuse 2 "both be written" in --scribbles in --export coco=all.json --export coco=all.json
refuse 2 "standard output" in --scribbles in --export coco=- --json
refuse 1 "nowhere" in --scribbles in --export coco=nowhere/all.json
rm -r in

# Simplified: fewer corners, areas of the mask; 0 is exact.
image=("$SOURCE/images/coffee.jpg" --scribbles "$SOURCE/images/coffee-scribbles.png" --no-overlay)
kinds=(--export coco --export yolo --export geojson --export svg --export labelme)
mkdir exact none half
expect 0 "${image[@]}" -o exact/m.png "${kinds[@]}" --export voc
expect 0 "${image[@]}" -o none/m.png "${kinds[@]}" --export voc --simplify 0
expect 0 "${image[@]}" -o half/m.png "${kinds[@]}" --export voc --simplify 0.5 --save-run run.json
diff -r exact none >/dev/null || fail "--simplify 0 changes something"
cmp -s exact/m.png half/m.png && cmp -s exact/m.voc.png half/m.voc.png || fail "--simplify changes the mask"
for kind in yolo.txt geojson labelme.json; do
    [ $(($(wc -c <half/m.$kind) * 5)) -lt $(($(wc -c <exact/m.$kind) * 3)) ] || fail "$kind is not much shorter"
done
expect 0 replay run.json --no-overlay -o again.png --export geojson=again.geojson
cmp -s again.geojson half/m.geojson || fail "a replay simplifies otherwise"
refuse 2 "--simplify 1 needs --export" "${image[@]}" --simplify 1
refuse 2 "--simplify" "${image[@]}" --simplify -1
refuse 2 "--simplify" "${image[@]}" --simplify 101
if /usr/bin/python3 -c 'import numpy, PIL, cairo, shapely.geometry, shapely.ops' 2>/dev/null; then
    /usr/bin/python3 - <<'PYTHON' || fail "other programs see gaps, overlaps or other regions"
import json, math
import numpy, cairo, shapely.geometry, shapely.ops
from PIL import Image
mask = numpy.array(Image.open("half/m.png"))
height, width = mask.shape
shapes = {f["properties"]["label"]: shapely.geometry.shape(f["geometry"]) for f in json.load(open("half/m.geojson"))["features"]}
assert set(shapes) == set(numpy.unique(mask))
for label, shape in shapes.items():
    assert shape.is_valid and abs(shape.area - (mask == label).sum()) < 0.01 * shape.length * 10
assert sum(s.area for s in shapes.values()) == width * height  # neither gaps
for a in shapes:
    for b in shapes:
        assert a >= b or shapes[a].intersection(shapes[b]).area == 0  # nor overlaps
assert shapely.ops.unary_union(list(shapes.values())).area == width * height

def fill(polygons):
    surface = cairo.ImageSurface(cairo.FORMAT_A8, width, height)
    context = cairo.Context(surface)
    context.set_antialias(cairo.ANTIALIAS_NONE)
    for points in polygons:
        for point in points:
            context.line_to(*point)
        context.close_path()
        context.fill()
    surface.flush()
    return numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(height, surface.get_stride())[:, :width] > 127

def dice(a, b):
    return 2 * (a & b).sum() / (a.sum() + b.sum())

pairs = lambda numbers: numpy.array(numbers, float).reshape(-1, 2)
for a in json.load(open("half/m.coco.json"))["annotations"]:
    own = mask == a["category_id"]
    assert a["area"] == own.sum() and dice(own, fill(map(pairs, a["segmentation"]))) > 0.99, "coco"
lines = [line.split() for line in open("half/m.yolo.txt")]
labelme = json.load(open("half/m.labelme.json"))["shapes"]
for label in shapes:
    own = mask == label
    assert dice(own, fill(pairs(l[1:]) * (width, height) for l in lines if int(l[0]) + 1 == label)) > 0.99, "yolo"
    assert dice(own, fill(s["points"] for s in labelme if s["group_id"] == label)) > 0.99, "labelme"
voc = Image.open("half/m.voc.png")
assert (numpy.array(voc) == mask).all()
colours = numpy.array(voc.getpalette()).reshape(-1, 3)
# As the development kit's VOCcolormap prints them.
assert colours[[0, 1, 2, 3, 15, 20, 255]].tolist() == [[0, 0, 0], [128, 0, 0], [0, 128, 0], [128, 128, 0],
                                                       [192, 128, 128], [0, 64, 128], [224, 224, 192]]
PYTHON
fi
# The SVG is what the GeoJSON is.
if command -v rsvg-convert >/dev/null && /usr/bin/python3 -c 'import numpy, PIL' 2>/dev/null; then
    rsvg-convert half/m.svg -o svg.png 2>.err || fail "librsvg does not read the SVG"
    /usr/bin/python3 -c '
import numpy
from PIL import Image
drawn, mask = numpy.array(Image.open("svg.png").convert("RGB")), Image.open("half/m.png")
colours = numpy.array(mask.getpalette()).reshape(-1, 3)
assert (drawn == colours[numpy.array(mask)]).all(2).mean() > 0.99' || fail "the SVG has other regions"
    rm -f svg.png
fi
rm -r exact none half run.json again.*
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
