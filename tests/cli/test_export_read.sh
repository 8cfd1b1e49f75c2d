#!/bin/bash
# Every export is read back, by libraries of other makes, as the same mask: the truths of the images, odd masks with
# holes in holes and single pixels, and what the program itself writes.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
TOOL=$(dirname "$PROGRAM")/tests/export_mask
READER=$SOURCE/tests/cli/read_exports.py
$python -c 'import numpy, PIL, cairo, shapely.geometry' 2>/dev/null && command -v rsvg-convert >/dev/null || exit 77

mkdir odd
$python "$READER" odd odd || fail "no masks"
pairs=()
for mask in odd/*.png "$SOURCE"/groundtruth/*.png; do
    made=made-$(basename "$mask" .png)
    mkdir "$made"
    "$TOOL" "$mask" "$made" >.out 2>.err || fail "no exports of $mask"
    pairs+=("$mask" "$made")
done
[ ${#pairs[@]} -ge 50 ] || fail "only ${#pairs[@]} masks and folders"
$python "$READER" check "${pairs[@]}" >.out 2>.err || fail "another mask"

# The program's own, beside its mask.
make_pictures
mkdir made
expect 0 photo.bmp --scribbles scribbles.bmp -k 3 --no-overlay -o made/m.png --export coco --export yolo --export geojson \
    --export svg --export npy --export labelme --export masks
$python "$READER" check made/m.png made >.out 2>.err || fail "the program's exports are another mask"

# A reader that cannot fail proves nothing.
$python - <<'PYTHON' || fail "cannot change an export"
import json
a = json.load(open("made/m.geojson"))
ring = a["features"][0]["geometry"]["coordinates"][0][0]
ring[1][0] -= 1
json.dump(a, open("made/m.geojson", "w"))
PYTHON
! $python "$READER" check made/m.png made >.out 2>.err || fail "a changed export is not noticed"
exit 0
