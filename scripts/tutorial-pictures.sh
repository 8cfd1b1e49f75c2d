#!/bin/bash
# The pictures of docs/tutorial.md, and README.md's of all images, made from images/ and the strokes of docs/tutorial/ alone. Wants graphicsmagick and
# the built program (BUILD is its folder, build without it).
#
#     scripts/tutorial-pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v gm >/dev/null; then
    echo "tutorial-pictures.sh: gm is missing: apt-get install graphicsmagick" >&2
    exit 1
fi
segment=$(realpath "${BUILD:-build}/segment")
root=$PWD
out=$root/docs/pictures
font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$root/images" "$root/groundtruth" "$root/docs" .

# strokes PHOTO SCRIBBLES OUT [MODULATE]: the strokes on the image, made thicker so that they are seen in a small
# picture, over its colours made pale.
strokes() {
    gm convert "$2" -depth 8 -transparent black lines.miff
    cp "$1" under.jpg
    gm convert under.jpg -modulate "${4:-100,45}" under.miff
    for offset in -2-2 -2+0 -2+2 +0-2 +0+2 +2-2 +2+0 +2+2 +0+0; do
        gm composite -geometry "$offset" lines.miff under.miff under.miff
    done
    mv under.miff "$3"
}

# sheet COLUMNS WIDTHxHEIGHT QUALITY OUT [PICTURE CAPTION ...]
sheet() {
    local columns=$1 size=$2 quality=$3 file=$4 arguments=()
    shift 4
    while [ $# -gt 0 ]; do
        arguments+=(-label "$2" "$1")
        shift 2
    done
    gm montage -font "$font" -pointsize 14 -background white -tile "${columns}x" -geometry "$size+4+3" \
        "${arguments[@]}" sheet.miff
    gm convert sheet.miff -strip -sampling-factor 1x1 -quality "$quality" "$out/$file"
}

run() {
    "$segment" -q "$@"
}

for strokes in one all; do
    scribbles=images/chelsea-scribbles.png
    [ $strokes = one ] && scribbles=docs/tutorial/chelsea-one.png
    run images/chelsea.jpg --scribbles $scribbles -o $strokes.png --overlay $strokes-overlay.png \
        --uncertainty $strokes-uncertainty.png
    strokes images/chelsea.jpg $scribbles $strokes-strokes.miff
done
sheet 3 300x200 86 tutorial-strokes.jpg \
    one-strokes.miff "one stroke per region" one-overlay.png "overlay" one-uncertainty.png "uncertainty" \
    all-strokes.miff "a few more" all-overlay.png "overlay" all-uncertainty.png "uncertainty"

run images/aizkorri.jpg --scribbles docs/tutorial/aizkorri-three.png -k 4 -o a.png --overlay a-overlay.png
strokes images/aizkorri.jpg docs/tutorial/aizkorri-three.png a-strokes.miff
sheet 2 420x312 80 tutorial-unmarked.jpg a-strokes.miff "strokes for sky, mountain and trees" \
    a-overlay.png "-k 4: the meadow is the fourth"

# README.md: all images, with strokes and what is found, in rows of about one width.
mkdir overview
for photo in images/*.jpg; do
    name=$(basename "$photo" .jpg)
    run "$photo" --scribbles "images/$name-scribbles.png" -o o.png --overlay o-overlay.png
    strokes "$photo" "images/$name-scribbles.png" o-strokes.miff
    gm convert o-strokes.miff -resize x240 o-left.miff
    gm convert o-overlay.png -resize x240 o-right.miff
    gm convert o-left.miff o-right.miff +append -bordercolor white -border 3x3 "overview/$name.miff"
done
cd overview
gm convert chelsea.miff aizkorri.miff camera.miff +append row-1.miff
gm convert coffee.miff fig.miff drum.miff +append row-2.miff
gm convert lake.miff picos.miff nuthatch.miff astronaut.miff +append row-3.miff
for row in 1 2 3; do
    gm convert row-$row.miff -resize 1440x row-$row.miff
done
gm convert row-1.miff row-2.miff row-3.miff -background white -append -strip -quality 84 "$out/overview.jpg"
cd ..

ls -l "$out"/tutorial-* "$out/overview.jpg"
