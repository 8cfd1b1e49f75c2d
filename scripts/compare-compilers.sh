#!/bin/bash
# Do builds by different compilers give the same masks? Every method over the images of images/; the share of pixels
# whose label is that of the first build. Fails below 99.9 % for any image and method.
#
#     scripts/compare-compilers.sh [--short] [FOLDER | NAME=VALUE ...]     (build and build-clang where none are named)
#
# --short takes one image and the methods that take less than a second each. NAME=VALUE is the first build in
# another environment, to stand for another processor: OPENBLAS_CORETYPE=Prescott,
# GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
LEAST=0.999

# A method and options, one per line. Those that solve a semidefinite program, or compare all patches, get larger patches.
ways="auto
enpakl
ccskl
ncut"
photos=()
whole=yes
if [ "${1:-}" = --short ]; then
    shift
    whole=
    photos=(coffee)
else
    for photo in images/*.jpg; do
        photos+=("$(basename "$photo" .jpg)")
    done
    ways+="
auto --refine none --patch 3
kmeans
enpakl1
ccsr
spectral-learning
sskk
kernel-hmrf-kmeans --patch 10
kernel-kmeans --patch 16
tragek --patch 40
pcp --patch 40
seeded-kmeans
constrained-kmeans
pckmeans
mpck-means
cop-kmeans
hmrf-kmeans
ncut --graph full --patch 10"
fi
[ $# -gt 0 ] || set -- build build-clang
for folder in "$@"; do
    [[ $folder == *=* && $folder != "$1" ]] || [ -x "$folder/segment" ] || { echo "compare-compilers.sh: no program in '$folder'; build it first" >&2 && exit 2; }
done
for method in $("$1/segment" methods --json | jq -r '.[].name'); do
    [ "$whole" ] || continue
    grep -q "^$method\b" <<<"$ways" || { echo "no line for method $method" >&2 && exit 2; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run FOLDER|NAME=VALUE MASK PHOTO METHOD [OPTIONS]
first=$1
run() {
    local program=("$1/segment")
    [[ $1 != *=* ]] || program=(env "$1" "$first/segment")
    "${program[@]}" "images/$3.jpg" --scribbles "images/$3-scribbles.png" --method "${@:4}" -q --threads 1 --no-overlay -o "$2"
}

bad=0
printf '%-32s %-18s %9s %9s  %s\n' method build identical least 'image of the least'
while read -r -a way; do
    for name in "${photos[@]}"; do
        run "$1" "$work/$name.png" "$name" "${way[@]}"
    done
    for folder in "${@:2}"; do
        least=1 worst=- same=0
        for name in "${photos[@]}"; do
            run "$folder" "$work/other.png" "$name" "${way[@]}"
            if cmp -s "$work/other.png" "$work/$name.png"; then
                same=$((same + 1))
                continue
            fi
            share=$("$first/segment" score "$work/other.png" "$work/$name.png" | awk '$1 == "error_rate" { print 1 - $2 }')
            if jq -en "$share < $least" >/dev/null; then
                least=$share worst=$name
            fi
        done
        printf '%-32s %-18.18s %6d/%-2d %9.5f  %s\n' "${way[*]}" "$folder" $same ${#photos[@]} "$least" "$worst"
        jq -en "$least >= $LEAST" >/dev/null || bad=$((bad + 1))
    done
done <<<"$ways"
[ $bad -eq 0 ] || { echo "$bad below $LEAST" >&2 && exit 1; }
