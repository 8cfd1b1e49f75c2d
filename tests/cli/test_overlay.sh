#!/bin/bash
# The overlay's styles and cut-outs.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
inputs=$(files)
quiet=(photo.bmp --scribbles scribbles.bmp)

# side FILE: width and height of a PNG; kind: bits and colour type.
side() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}
kind() {
    od -An -tu1 -j24 -N2 "$1" | tr -s ' '
}

expect 0 "${quiet[@]}" -o m.png --overlay both.png
expect 0 "${quiet[@]}" -o m.png --overlay both2.png --overlay-style both --outline 2
expect 0 "${quiet[@]}" -o m.png --overlay tint.png --overlay-style tint
expect 0 "${quiet[@]}" -o m.png --overlay tint2.png --outline 0
expect 0 "${quiet[@]}" -o m.png --overlay outline.png --overlay-style outline
expect 0 "${quiet[@]}" -o m.png --overlay outline2.png --alpha 0
cmp -s both.png both2.png && cmp -s tint.png tint2.png && cmp -s outline.png outline2.png || fail "styles are not what they are made of"
! cmp -s both.png tint.png && ! cmp -s both.png outline.png || fail "the styles do not differ"

# A cut-out is RGBA, in the labels alone; a record makes it again.
expect 0 "${quiet[@]}" -o m2.png --overlay cut.png --overlay-style cutout --cutout-labels 1 --save-run run.json
cmp -s m.png m2.png || fail "a cut-out changes the mask"
[ "$(kind cut.png)" = ' 8 6' ] && [ "$(side cut.png)" = "60 40" ] || fail "the cut-out is not RGBA of the image's size"
expect 0 replay run.json -o m2.png --overlay cut2.png
cmp -s cut.png cut2.png || fail "a replay makes another cut-out"
if /usr/bin/python3 -c 'import numpy, PIL' 2>/dev/null; then
    /usr/bin/python3 - <<'PYTHON' || fail "Pillow reads another cut-out"
import numpy
from PIL import Image
mask = numpy.array(Image.open("m.png"))
photo = numpy.array(Image.open("photo.bmp").convert("RGB"))
cut = numpy.array(Image.open("cut.png"))
assert cut.shape == (40, 60, 4)
assert ((cut[:, :, 3] >= 128) == (mask == 1)).all()
assert (cut[cut[:, :, 3] > 0][:, :3] == photo[cut[:, :, 3] > 0]).all() and (cut[cut[:, :, 3] == 0] == 0).all()
assert (cut[:, :20, 3] == 255).all() and (cut[:, 40:, 3] == 0).all()
PYTHON
fi
expect 0 "${quiet[@]}" -o m2.png --overlay all.png --overlay-style cutout --cutout-labels all
rm ./*.png run.json
# Labels that are not there are named; the mask is written all the same.
expect 0 photo.bmp --scribbles scribbles.bmp -o m2.png --overlay cut.png --overlay-style cutout --cutout-labels 9
grep -q 'warning: no pixel has a label of --cutout-labels: the cut-out is empty' .err || fail "an empty cut-out is not said"
[ "$(side m2.png)" = "60 40" ] || fail "no mask beside an empty cut-out"
expect 0 photo.bmp --scribbles scribbles.bmp -o m2.png --overlay cut.png --overlay-style cutout --cutout-labels 1,9
grep -q 'warning: no pixel has label 9 of --cutout-labels$' .err || fail "a label that is not there is not said"
for labels in 1,2 all; do
    expect 0 photo.bmp --scribbles scribbles.bmp -o m2.png --overlay cut.png --overlay-style cutout --cutout-labels $labels
    ! grep -q cutout .err || fail "a warning about --cutout-labels $labels"
done
rm m2.png cut.png

refuse 2 "--cutout-labels" "${quiet[@]}" --overlay-style cutout
refuse 2 "--overlay-style" "${quiet[@]}" --cutout-labels 1
refuse 2 "needs --overlay-style cutout" "${quiet[@]}" --overlay-style tint --cutout-labels 1
refuse 2 "exclude" "${quiet[@]}" --no-overlay --overlay-style cutout --cutout-labels 1
refuse 2 "--outline" "${quiet[@]}" --outline 33
refuse 2 "--outline" "${quiet[@]}" --outline -1
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
