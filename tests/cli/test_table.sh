#!/bin/bash
# --table and --names: what is in the table, read by other programs, of one image and of a folder.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
inputs=$(files)
head=image,label,name,pixels,share,centroid_x,centroid_y,left,top,right,bottom,perimeter,outline,mean_red,mean_green,mean_blue,mean_probability

# field FILE LINE COLUMN
field() {
    sed -n "$2p" "$1" | cut -d, -f"$3"
}

expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay -o m.png --table t.csv --names 'left side,right' --export coco=c.json \
    --export geojson=g.json --json
[ "$(jq -r .outputs.table .out)" = t.csv ] && [ "$(jq -c '[.regions[].name]' .out)" = '["left side","right"]' ] ||
    fail "the report names neither table nor labels"
[ "$(head -n 1 t.csv)" = "$head" ] && [ "$(wc -l <t.csv)" -eq 3 ] || fail "another head, or another number of lines"
[ "$(field t.csv 2 1-3)" = "photo.bmp,1,left side" ] && [ "$(field t.csv 3 2-3)" = 2,right ] || fail "other names"
[ $(($(field t.csv 2 4) + $(field t.csv 3 4))) -eq 2400 ] || fail "the pixels are not those of the image"
[ "$(jq -c '[.categories[].name]' c.json)" = '["left side","right"]' ] || fail "COCO's categories have other names"
awk -F, 'NR == 2 && !($14 > 150 && $16 < 60 && $17 > 0.9 && $17 <= 1) { exit 1 }' t.csv || fail "another colour or probability"
# The mask is the same with a table and without; so is the overlay, whose drawing uses the image up.
expect 0 photo.bmp --scribbles scribbles.bmp -o m2.png --overlay o2.png --table - --names 'left side,right'
cmp -s .out t.csv || fail "another table on standard output, or with an overlay"
expect 0 photo.bmp --scribbles scribbles.bmp -o m3.png --overlay o3.png
cmp -s m.png m3.png && cmp -s o2.png o3.png || fail "--table changes mask or overlay"

# By shapely and scikit-image.
if /usr/bin/python3 -c 'import shapely.geometry, skimage.measure, numpy, PIL' 2>/dev/null; then
    /usr/bin/python3 - <<'PYTHON' || fail "shapely or scikit-image measures another region"
import csv, json
import numpy, shapely.geometry, skimage.measure
from PIL import Image
mask = numpy.array(Image.open("m.png"))
photo = numpy.array(Image.open("photo.bmp").convert("RGB")).astype(float)
shapes = {f["properties"]["label"]: shapely.geometry.shape(f["geometry"]) for f in json.load(open("g.json"))["features"]}
rows = list(csv.DictReader(open("t.csv")))
assert len(rows) == 2
for row in rows:
    inside = mask == int(row["label"])
    shape = shapes[int(row["label"])]
    number = {k: float(v) for k, v in row.items() if k not in ("image", "name")}
    near = lambda a, b: abs(a - b) < 0.001
    assert near(number["pixels"], shape.area) and near(number["outline"], shape.length)
    assert near(number["centroid_x"], shape.centroid.x) and near(number["centroid_y"], shape.centroid.y)
    assert shape.bounds == tuple(number[k] for k in ("left", "top", "right", "bottom"))
    assert near(number["perimeter"], skimage.measure.perimeter_crofton(numpy.pad(inside, 1), 4))
    for c, name in enumerate(("mean_red", "mean_green", "mean_blue")):
        assert near(number[name], photo[inside][:, c].mean())
PYTHON
fi
rm m.png m2.png m3.png o2.png o3.png t.csv c.json g.json

# Names over a label map's, in part.
printf 'rust:255,0,0::\nsky:0,0,255::\n' >map.txt
expect 0 photo.bmp --scribbles scribbles.bmp --labelmap map.txt --names ,air --no-overlay -o /dev/null --table t.csv
[ "$(field t.csv 2 3)" = rust ] && [ "$(field t.csv 3 3)" = air ] || fail "the label map's names are not kept"
rm map.txt t.csv

# A region without a stroke has no name and a line of its own; a name with a comma is quoted.
cp photo.bmp 'a,b.bmp'
expect 0 'a,b.bmp' --scribbles scribbles.bmp -k 3 --no-overlay -o /dev/null --table t.csv --names one
[ "$(wc -l <t.csv)" -eq 4 ] && grep -q '^"a,b.bmp",3,,' t.csv || fail "no line of the third region"
rm 'a,b.bmp' t.csv

# A folder: one table, in the order of the images; what fails has no line.
mkdir in && for name in a b c; do cp photo.bmp in/$name.bmp && cp scribbles.bmp in/$name-scribbles.bmp; done
head -c 500 photo.bmp >in/b.bmp
expect 5 in --scribbles in --no-overlay -o out --table t.csv --names l,r
[ "$(cut -d, -f1-3 t.csv | tr '\n' ' ')" = 'image,label,name in/a.bmp,1,l in/a.bmp,2,r in/c.bmp,1,l in/c.bmp,2,r ' ] ||
    fail "another table of the folder"
[ "$(find out t.csv -type f | sort | tr '\n' ' ')" = 'out/a-mask.png out/c-mask.png t.csv ' ] || fail "other files"
expect 0 in/c.bmp --scribbles scribbles.bmp --no-overlay -o /dev/null --table one.csv --names l,r
[ "$(sed -n 2,3p one.csv)" = "$(sed -n 4,5p t.csv)" ] || fail "other lines in a folder's table"
rm one.csv
expect 5 in --scribbles in --no-overlay -o out --table - --names l,r
cmp -s .out t.csv || fail "another table on standard output"
rm -r out t.csv
refuse 2 "standard output" in --scribbles in --table - --json
for name in a b c; do echo 0,1,1 >in/$name-pairs.csv; done
refuse 2 "a-pairs.csv" in --scribbles in --constraints in --table in/a-pairs.csv
rm -r in

refuse 2 "--names gives labels 1 and 2 one name" photo.bmp --scribbles scribbles.bmp --names a,a
refuse 2 "--names calls label 1 'label 2', which is another" photo.bmp --scribbles scribbles.bmp --names "label 2"
refuse 2 "not .png" photo.bmp --scribbles scribbles.bmp --table t.png
refuse 2 "both be written" photo.bmp --scribbles scribbles.bmp -o a --table a
refuse 2 "standard output" photo.bmp --scribbles scribbles.bmp -o - --table -
refuse 1 "nowhere" photo.bmp --scribbles scribbles.bmp --table nowhere/t.csv
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
