#!/bin/bash
# --export: the files and their names; what is in them is read back by tests/unit/test_exports.c.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
inputs=$(files)
all=(--export coco --export yolo --export geojson --export svg --export npy --export labelme --export masks)
made="./m/label-1.png ./m/label-2.png"

expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay "${all[@]:0:12}" --export masks=m --json
[ "$(jq -r '[.outputs.exports[] | .format + " " + .path] | join(",")' .out)" = \
    "coco photo-mask.coco.json,yolo photo-mask.yolo.txt,geojson photo-mask.geojson,svg photo-mask.svg,npy photo-mask.npy,labelme photo-mask.labelme.json,masks m" ] ||
    fail "the report names other exports"
for file in $(jq -r '.outputs.exports[].path' .out) $made; do
    [ -s "$file" ] || fail "no $file"
done
[ "$(jq -c '[.images[0].file_name, .categories[].id]' photo-mask.coco.json)" = '["photo.bmp",1,2]' ] ||
    fail "other COCO categories"
[ "$(jq '[.annotations[].area] | add' photo-mask.coco.json)" = 2400 ] || fail "the COCO areas are not the image"
grep -q 'id="label-1" fill="#0000ff"' photo-mask.svg || fail "the SVG has other colours"
# The runs in another hand: pycocotools, where it is there.
if python3 -c 'import pycocotools' 2>/dev/null; then
    python3 - <<'PYTHON' || fail "pycocotools reads another mask"
import json, numpy
from pycocotools.coco import COCO
truth = numpy.load("photo-mask.npy")
coco = COCO("photo-mask.coco.json")
got = sum(coco.annToMask(a).astype(int) * a["category_id"] for a in coco.anns.values())
assert got.shape == truth.shape and (got == truth).all()
PYTHON
fi
rm -r photo-mask* m

# Beside the mask, or named after the image where the mask is not a file; names of labels; standard output.
mkdir out
expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay -o out/a.b.png --export svg --export masks
[ -s out/a.b.svg ] && [ -s out/a.b.masks/label-2.png ] || fail "not beside the mask"
rm -r out
printf 'rust:255,0,0::\nsky:0,0,255::\n' >map.txt
expect 0 photo.bmp --scribbles scribbles.bmp --labelmap map.txt --no-overlay -o /dev/null --export geojson --export svg=-
[ "$(jq -c '[.features[].properties.name]' photo-mask.geojson)" = '["rust","sky"]' ] || fail "no names of labels"
grep -q '<title>rust</title>' .out || fail "no SVG on standard output"
rm map.txt photo-mask.geojson

refuse 2 "--export takes coco, yolo" photo.bmp -k 2 --export gif
# the page of the formats has them all
kinds=$(sed -n 's/.*--export takes \(.*\), alone or as.*/\1/p' .err | tr -d ,)
[ "$(wc -w <<<"$kinds")" -ge 8 ] || fail "no list of kinds: $(cat .err)"
for kind in $kinds; do
    grep -q "^| .$kind. | " "$SOURCE/docs/formats.md" || fail "docs/formats.md has no row for $kind"
done
refuse 2 "did you mean 'geojson'" photo.bmp -k 2 --export geojsn=a
refuse 2 "both be written" photo.bmp -k 2 --export svg=a --export npy=./a
refuse 2 "both be written" photo.bmp -k 2 --export svg --export svg
refuse 2 "would be overwritten" photo.bmp -k 2 --export svg=photo.bmp
refuse 2 "standard output" photo.bmp -k 2 --export masks=-
refuse 2 "standard output" photo.bmp -k 2 --export npy=- --json
refuse 1 "nowhere" photo.bmp -k 2 --export coco=nowhere/a.json
refuse 1 "not a folder" photo.bmp -k 2 --export masks=scribbles.bmp
refuse 1 "is not a file name" photo.bmp -k 2 --export svg=
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
