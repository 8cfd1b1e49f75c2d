#!/bin/bash
# Seconds, memory and accuracy of images that are read by tiles, from 12 megapixels to a gigapixel, and of the ordinary
# way where that goes: a line of a table each. The images are made by the tests' tiled_scene, whose regions are known.
#
#     tests/bench/tiled.sh BUILD [FOLDER] [THREADS] > lines      FOLDER: for 200 megabytes of images (default /tmp)
set -euo pipefail
export LC_ALL=C

build=$(realpath "$1")
work=$(mktemp -d "${2:-/tmp}/tiled.XXXXXX")
threads=${3:-2}
trap 'rm -rf "$work"' EXIT
cd "$work"

# run NAME OPTIONS: wall seconds, processor seconds, MiB.
run() {
    /usr/bin/time -f "%e %U %S %M" "$build/segment" image.tif -s strokes.geojson -q --no-overlay --threads "$threads" "$@" 2>time.txt
    tail -1 time.txt | awk '{ printf "%.1f | %.1f | %.0f", $1, $2 + $3, $4 / 1024 }'
}

echo "| megapixels | file, MB | whole: wall s | processor s | peak MiB | tiles: wall s | processor s | peak MiB | accuracy | same bytes |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for size in "4096 3072" "8192 6144" "16384 12288" "24576 20480" "32768 32768"; do
    read -r width height <<<"$size"
    "$build/tests/tiled_scene" make "$width" "$height" 256 jpeg rgb8 image.tif
    "$build/tests/tiled_scene" strokes "$width" "$height" strokes.geojson
    whole="- | - | -" same=-
    [ $((width * height)) -le 268435456 ] && whole=$(run -o whole.tif)
    tiles=$(run -o tiled.tif --tiled)
    if [ -f whole.tif ]; then
        cmp -s whole.tif tiled.tif && same=yes || same=no
        rm whole.tif
    fi
    echo "| $((width * height / 1000000)) | $(($(stat -c %s image.tif) / 1000000)) | $whole | $tiles |" \
        "$("$build/tests/tiled_scene" score "$width" "$height" tiled.tif | cut -d' ' -f2) | $same |"
done
