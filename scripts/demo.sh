#!/bin/bash
# From a fresh clone to a segmented image: install what is missing, build, run.
#
#     scripts/demo.sh [NAME [CMAKE OPTIONS]]     NAME of images/NAME.* and images/NAME-scribbles.png (default coffee)
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-coffee}
scribbles=images/$name-scribbles.png
photo=
for candidate in "images/$name".{jpg,jpeg,png,bmp}; do
    [ -e "$candidate" ] && photo=$candidate && break
done
if [ -z "$photo" ] || [ ! -e "$scribbles" ]; then
    echo "demo.sh: there is no images/$name with its scribbles" >&2
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
if ! { cmake -S . -B build "${options[@]}" "${@:2}" && cmake --build build --target segment_program; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

build/segment "$photo" --scribbles "$scribbles" -o "$name-mask.png" --overlay "$name-overlay.png" -v
echo
echo "Image $PWD/$photo"
echo "Strokes    $PWD/$scribbles"
echo "Mask       $PWD/$name-mask.png"
echo "Overlay    $PWD/$name-overlay.png"
