#!/bin/bash
# --min-region: small pieces of the mask.
. "$(dirname "$0")/lib.sh"
inputs=$(files)
image=("$SOURCE/images/coffee.jpg" --scribbles "$SOURCE/images/coffee-scribbles.png" --no-overlay)

expect 0 "${image[@]}" -o plain.png
expect 0 "${image[@]}" -o same.png --min-region 0
cmp -s plain.png same.png || fail "0 is not the default"

# Pieces below the size go but for those that hold a stroke: of each label one connected piece is left at the end.
expect 0 "${image[@]}" -o large.png --min-region 240000 --export geojson=large.geojson
pieces=$(grep -o '\[\[\[' large.geojson | wc -l)
expect 0 "${image[@]}" -o all.png --min-region 1 --export geojson=all.geojson
[ "$(grep -o '\[\[\[' all.geojson | wc -l)" -gt "$pieces" ] || fail "--min-region 1 leaves no more pieces than 240000"

# The blocks of --refine none lose small pieces where it is asked for; else they stay as they are.
image=("$SOURCE/images/nuthatch.jpg" --scribbles "$SOURCE/images/nuthatch-scribbles.png" --no-overlay --method kmeans --refine none)
expect 0 "${image[@]}" -o all.png --export geojson=all.geojson
expect 0 "${image[@]}" -o large.png --min-region 400000 --export geojson=large.geojson
[ "$(grep -o '\[\[\[' all.geojson | wc -l)" -gt "$(grep -o '\[\[\[' large.geojson | wc -l)" ] ||
    fail "--refine none goes without --min-region"
rm ./*.png ./*.geojson

refuse 2 "--min-region" "${image[@]}" --min-region x
# Where every piece is small there is no region to join: two would change places.
bmp halves.bmp 12 12 'if (x < 6) { r = 200; g = b = 30 } else r = g = b = 120'
expect 0 halves.bmp -k 2 --no-overlay -o halves.png --prob halves.npy
/usr/bin/python3 -c 'import numpy, PIL.Image
assert (numpy.load("halves.npy").argmax(2) + 1 == numpy.array(PIL.Image.open("halves.png"))).all()' || fail "labels contradict their probabilities"
rm halves.*
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
