#!/bin/bash
# A contact sheet of a data set: image with strokes, mask, truth and what is wrong, the worst images on the
# left, the best on the right; all of them with their Dice on standard output.
#
#     scripts/contact-sheet.sh DIR SHEET.png [N [OPTION...]]
#
# DIR is a data set in a form that `segment eval` knows (icgbench, GrabCut, a folder of NAME.jpg, NAME-scribbles.png and
# truths, ...); N worst and N best, 20 without it; options go to `segment eval`, as in --truth groundtruth or
# --scribbles scribbles-set-2. BUILD is the folder of the built program, build without it.
set -euo pipefail

if [[ $# -lt 2 ]]; then
    sed -n '5,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
data=$1 sheet=$2 count=${3:-20}
shift $(($# < 3 ? $# : 3))
build=${BUILD:-$(dirname "$0")/../build}

report=$(mktemp -d) # of images, strokes, truths and masks
trap 'rm -rf "$report"' EXIT
"$build/segment" eval --methods auto --out "$report" --shard 1/1 --quiet "$@" "$data" # the whole, without a report
"$build/tests/bench/segment_bench" sheet --count "$count" --out "$sheet" "$report"
