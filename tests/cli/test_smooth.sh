#!/bin/bash
# --smooth and --min-region: borders and pieces of the mask, by the perimeters and pixels of --table.
. "$(dirname "$0")/lib.sh"
inputs=$(files)
image=("$SOURCE/images/coffee.jpg" --scribbles "$SOURCE/images/coffee-scribbles.png" --no-overlay)

# perimeter FILE: of all regions.
perimeter() {
    awk -F, 'NR > 1 { sum += $12 } END { print sum }' "$1"
}

expect 0 "${image[@]}" -o plain.png --table plain.csv
expect 0 "${image[@]}" -o same.png --smooth 0 --min-region 0
cmp -s plain.png same.png || fail "0 is not the default"
expect 0 "${image[@]}" -o smooth.png --table smooth.csv --smooth 3 --save-run run.json
awk "BEGIN { exit !($(perimeter smooth.csv) < 0.97 * $(perimeter plain.csv)) }" || fail "borders are not shorter"
expect 0 score smooth.png plain.png --json
holds '.scores.mean_dice > 0.97'
expect 0 "${image[@]}" -o again.png --smooth 3 --threads 1
cmp -s smooth.png again.png || fail "other bytes with one thread"
expect 0 replay run.json --no-overlay -o again.png
cmp -s smooth.png again.png || fail "a replay smooths otherwise"

# Pieces below the size go but for those that hold a stroke: of each label one connected piece is left at the end.
expect 0 "${image[@]}" -o large.png --min-region 240000 --export geojson=large.geojson
pieces=$(grep -o '\[\[\[' large.geojson | wc -l)
expect 0 "${image[@]}" -o all.png --min-region 1 --export geojson=all.geojson
[ "$(grep -o '\[\[\[' all.geojson | wc -l)" -gt "$pieces" ] || fail "--min-region 1 leaves no more pieces than 240000"

# The blocks of --refine none are smoothed, and lose small pieces, where it is asked for; else they stay as they are.
expect 0 "${image[@]}" -o blocks.png --refine none --table blocks.csv
expect 0 "${image[@]}" -o smooth.png --refine none --table smooth.csv --smooth 4
awk "BEGIN { exit !($(perimeter smooth.csv) < 0.95 * $(perimeter blocks.csv)) }" || fail "--refine none goes without --smooth"
image=("$SOURCE/images/nuthatch.jpg" --scribbles "$SOURCE/images/nuthatch-scribbles.png" --no-overlay --method kmeans --refine none)
expect 0 "${image[@]}" -o all.png --export geojson=all.geojson
expect 0 "${image[@]}" -o large.png --min-region 400000 --export geojson=large.geojson
[ "$(grep -o '\[\[\[' all.geojson | wc -l)" -gt "$(grep -o '\[\[\[' large.geojson | wc -l)" ] ||
    fail "--refine none goes without --min-region"
rm ./*.png ./*.csv ./*.geojson run.json

refuse 2 "--smooth" "${image[@]}" --smooth 17
refuse 2 "--smooth" "${image[@]}" --smooth -1
refuse 2 "--min-region" "${image[@]}" --min-region x
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
