#!/bin/bash
# The tests of numbers (ctest's label "numbers") with OpenBLAS's kernels for each processor that this one can stand in
# for; and how the masks of images/ differ from those with the kernels that it takes by itself.
#
#     scripts/check-processors.sh [BUILD]     (build)
#
# The tests run with the oldest, the commonest and the newest kernels (TESTED), the masks are made with all.
# What cannot be run is named: kernels that this processor lacks instructions for, and those that this OpenBLAS was built
# without, in place of which it takes others and says nothing. Those that it takes by itself are left to the tests proper.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
LEAST=0.999 # share of pixels that keep their label
TESTED=" Prescott Haswell SkylakeX "
# OpenBLAS builds these from SkylakeX's files (kernel/x86_64/KERNEL.COOPERLAKE), and has others for 16-bit floats alone.
SAME_AS_SKYLAKEX=" Cooperlake SapphireRapids "
export LC_ALL=C
kernels=$build/tests/blas_kernels
[ -x "$kernels" ] || { echo "check-processors: there is no '$kernels': build with the tests first" >&2 && exit 2; }
unset OPENBLAS_CORETYPE
own=$("$kernels")
if [ "$own" = none ]; then
    echo "check-processors: this BLAS has one kind of kernels only: nothing to compare"
    exit 0
fi
flags=" $(sed -n 's/^flags[[:space:]]*: //p' /proc/cpuinfo | head -n 1) "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A name of OpenBLAS's and the instructions that its kernels are made of, as the kernel of Linux calls them.
types="Prescott pni
Nehalem sse4_2
Sandybridge avx
Haswell avx2 fma
Zen avx2 fma
SkylakeX avx512f avx512cd avx512bw avx512dq avx512vl
Cooperlake avx512f avx512cd avx512bw avx512dq avx512vl avx512_bf16
SapphireRapids avx512f avx512cd avx512bw avx512dq avx512vl avx512_bf16 amx_bf16"

masks() { # FOLDER
    mkdir "$1"
    for photo in coffee fig; do
        for method in auto ccskl; do
            "$build/segment" "images/$photo.jpg" --scribbles "images/$photo-scribbles.png" --method "$method" --no-overlay \
                -q -o "$1/$photo-$method.png"
        done
    done
}
masks "$work/own"
bad=0
while read -r type needed; do
    lacking=
    for flag in $needed; do
        [[ $flags == *" $flag "* ]] || lacking+=" $flag"
    done
    if [ -n "$lacking" ]; then
        echo "$type: skipped, this processor lacks$lacking"
        continue
    fi
    taken=$(OPENBLAS_CORETYPE=$type "$kernels")
    if [ "$taken" != "$type" ]; then
        echo "$type: skipped, this OpenBLAS has no such kernels and takes those of $taken"
        continue
    fi
    if [ "$type" = "$own" ]; then
        echo "$type: skipped, taken by itself and so run by the tests proper"
        continue
    fi
    said="masks alone"
    if [[ $TESTED != *" $type "* ]]; then
        :
    elif [ "$type" = SkylakeX ] && [[ $SAME_AS_SKYLAKEX == *" $own "* ]]; then
        said="masks alone, the tests proper ran with the same kernels, those of $own"
    elif OPENBLAS_CORETYPE=$type ctest --test-dir "$build" --label-regex '^numbers$' --label-exclude '^long$' --output-on-failure --parallel $(($(nproc) + 1)) \
        >"$work/log" 2>&1; then
        said=$(grep 'tests passed' "$work/log")
    else
        cat "$work/log" && bad=1
        said="tests FAILED"
    fi
    OPENBLAS_CORETYPE=$type masks "$work/$type"
    same=0 count=0 least=1
    for mask in "$work/own"/*; do
        other=$work/$type/${mask##*/} count=$((count + 1))
        cmp -s "$mask" "$other" && same=$((same + 1)) && continue
        least=$("$build/segment" score "$other" "$mask" | awk -v least="$least" '$1 == "error_rate" { s = 1 - $2; print s < least ? s : least }')
    done
    said+="; $same of $count masks are those of $own to the byte"
    [ $same -eq $count ] || said+=", in the others at least $least of the pixels have the same label"
    echo "$type: $said"
    awk -v least="$least" -v wanted=$LEAST 'BEGIN { exit !(least >= wanted) }' || bad=1
done <<<"$types"
exit $bad
