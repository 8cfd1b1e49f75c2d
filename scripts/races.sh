#!/bin/bash
# Look for data races with clang's thread sanitizer: the pool, eight contexts at once, the main job, `cluster` by several
# methods, and `eval`. Builds what it needs in build-clang/ with every warning an error; any finding is an error.
#
#     scripts/races.sh
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD

cmake -S . -B build-clang -G Ninja -DCMAKE_C_COMPILER=clang -DSEGMENT_TSAN=ON -DSEGMENT_PAINT=OFF -DSEGMENT_WERROR=ON >/dev/null
cmake --build build-clang --target segment_program test_parallel test_many_contexts
# Children start threads of their own, which the sanitizer takes for a mistake. Libraries outside are not built with it.
export TSAN_OPTIONS=exitcode=99:die_after_fork=0:halt_on_error=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=$source/build-clang/segment
for test in parallel many_contexts; do
    build-clang/tests/test_$test >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
done
for threads in 2 5; do
    "$program" images/coffee.jpg --scribbles images/coffee-scribbles.png -o "$folder/mask$threads.png" \
        --overlay "$folder/overlay.png" --prob "$folder/prob.npy" --threads $threads -q
done
cmp "$folder/mask2.png" "$folder/mask5.png"
awk 'BEGIN {for (i = 0; i < 240; i++) printf "%d.%d,%d.%d,%d\n", i % 3 * 9, i * 37 % 10, i % 2 * 5, i * 53 % 10, i % 7}' \
    >"$folder/points.csv"
printf '%s\n' 0,3,1 1,4,1 0,1,-1 1,2,-1 >"$folder/pairs.csv"
for method in enpakl kmeans pckmeans kernel-kmeans ccskl ncut; do
    "$program" cluster "$folder/points.csv" -k 3 --method $method --constraints "$folder/pairs.csv" --threads 3 -q \
        -o "$folder/labels.txt"
done
mkdir -p "$folder/set/images" "$folder/set/groundtruth"
cp images/coffee.jpg "$folder/set/images"
cp groundtruth/coffee.png "$folder/set/groundtruth"
"$program" eval "$folder/set/images" --truth "$folder/set/groundtruth" --out "$folder/report" --methods auto --jobs 2 -q >/dev/null
echo "races: none found"
