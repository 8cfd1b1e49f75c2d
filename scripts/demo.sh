#!/bin/bash
# From a fresh clone to a segmented photograph: install what is missing, build, run.
#
#     scripts/demo.sh [NAME]     NAME of images/NAME.* and images/NAME-marks.png (default coffee)
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-coffee}
marks=images/$name-marks.png
photo=
for candidate in "images/$name".{jpg,jpeg,png,bmp}; do
    [ -e "$candidate" ] && photo=$candidate && break
done
if [ -z "$photo" ] || [ ! -e "$marks" ]; then
    echo "demo.sh: there is no images/$name with its marks" >&2
    exit 2
fi

scripts/install-packages.sh build
echo "Building in build/ ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ -e build/CMakeCache.txt ]; then # keep what was chosen before
    options=()
else
    options=(-G Ninja -DSEGMENT_TESTS=OFF)
fi
if ! { cmake -S . -B build "${options[@]}" && cmake --build build --target segment_program; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

build/segment "$photo" --scribbles "$marks" -o "$name-mask.png" --overlay "$name-overlay.png" -v
echo
echo "Photograph $PWD/$photo"
echo "Strokes    $PWD/$marks"
echo "Mask       $PWD/$name-mask.png"
echo "Overlay    $PWD/$name-overlay.png"
