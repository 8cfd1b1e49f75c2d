#!/bin/bash
# Images without any content, and with nothing but noise, by every method and every two of feature, number of neighbours and
# size of patches: their graphs have equal rows, equal eigenvalues, or hundreds of parts that hardly touch. None of it ends a run.
. "$(dirname "$0")/lib.sh"

# Noise that is the same for every awk.
noise='if (!s) s = 42; for (c = 0; c < 3; c++) { s = s * 16807 % 2147483647; v[c] = int(s / 8388608) }
       r = v[0]; g = v[1]; b = v[2]'
bmp one.bmp 32 24 'r = 120; g = 60; b = 200'
bmp gradient.bmp 32 24 'r = x * 8; g = y * 10; b = (x + y) * 4'
bmp noise.bmp 32 24 "$noise"
bmp two.bmp 32 24 'if (x < 16) { r = 200; g = b = 40 } else { r = g = 40; b = 200 }'
bmp checker.bmp 32 24 'r = g = b = (int(x / 4) + int(y / 4)) % 2 ? 230 : 20'
bmp scribbles.bmp 32 24 'if (y >= 6 && y < 18) { if (x == 4) b = 255; if (x == 27) r = 255 }'

# A run's line says what went wrong; a program over all pixels is refused, with its limit.
run() {
    local said
    said=$("$PROGRAM" "$2.bmp" --scribbles scribbles.bmp --method "$1" --features "$3" --knn "$4" --patch "$5" --threads 1 \
        --no-overlay -q -o "mask-$1-$2-$3-$4-$5.png" 2>&1 >/dev/null) && return
    case "$1 $5 $said" in
        'tragek 1 '*'semidefinite program'* | 'pcp 1 '*'semidefinite program'*) ;;
        *) echo "$*: $said" ;;
    esac
}
export -f run
export PROGRAM
"$PROGRAM" methods --json | jq -r '.[].name' >names
while read -r method; do
    printf '%s\n' "$method "{one,gradient,noise,two,checker}\ {histogram,mean}\ {1,12}\ {1,5}
done <names | awk '(($2 ~ /^(one|noise|checker)$/) + ($3 == "mean") + ($4 == 1) + ($5 == 1)) % 2' >runs
# shellcheck disable=SC2016,SC2094 # the inner shell's; a name, not the file
xargs -P 2 -L 60 bash -c 'while [ $# -gt 0 ]; do run "$1" "$2" "$3" "$4" "$5"; shift 5; done' runs <runs >wrong || fail "xargs"
[ ! -s wrong ] || fail "$(wc -l <wrong) runs of $(wc -l <runs): $(head -3 wrong)"
[ "$(find . -name 'mask-*' | wc -l)" -ge 400 ] || fail "only $(find . -name 'mask-*' | wc -l) masks"

# A region without a stroke is found outside of the regions that have one, by every method that completes the groups.
bmp squares.bmp 48 36 'r = g = 60; b = 160; if (y >= 12 && y < 24 && x >= 18 && x < 30) { if (x < 24) r = 200; else g = 170 }'
bmp some.bmp 48 36 'if (y == 3 && x > 2 && x < 46) r = 255; if (x == 20 && y > 13 && y < 22) b = 255'
for method in auto walk enpakl; do
    expect 0 squares.bmp --scribbles some.bmp --method $method -k 3 --patch 2 --truth squares.bmp --no-overlay -q --json -o squares.png
    holds '.scores.clustering_error < 0.02'
done

# A drawing in plain colours: every texture column tells the few marked patches apart, and none of them means anything.
bmp drawing.bmp 600 400 'r = g = b = 240; if ((x - 200) ^ 2 + (y - 150) ^ 2 < 10000) { r = 200; g = b = 60 }
    if (x >= 350 && x < 550 && y >= 100 && y < 300) { r = 60; g = 90; b = 200 } if (y >= 320 && y < 380 && x >= 50 && x < 550) { r = 60; g = 160; b = 80 }'
for length in 8 24; do
    bmp strokes.bmp 600 400 'n = '$length'; if (y >= 20 && y < 28 && x >= 20 && x < 20 + n) r = 255
        if (y >= 200 && y < 208 && x >= 150 && x < 150 + n) b = 255; if (y >= 280 && y < 288 && x >= 360 && x < 360 + n) g = 255
        if (y >= 350 && y < 358 && x >= 60 && x < 60 + n) r = g = 255'
    expect 0 drawing.bmp --scribbles strokes.bmp --truth drawing.bmp --no-overlay -q --json -o drawing.png
    holds '.scores.clustering_error < 0.01'
done

# Without strokes a few patches apart from the rest are not a region, unless normalized cuts are as printed.
bmp dot.bmp 400 300 'n = (x * 7 + y * 13) % 19; r = 60 + int(x / 4) + n; g = 60 + int(y / 4) + n; b = 90
    if (int(x / 15) == 10 && int(y / 15) == 10) { r = b = 255; g = 0 }'
expect 0 dot.bmp -k 2 --no-overlay -q --json -o dot.png && holds '[.regions[].pixels] | min > 500'
expect 0 dot.bmp -k 2 --method ncut:paper --no-overlay -q --json -o dot.png && holds '[.regions[].pixels] | min < 500'

# More nodes than LAPACK is given: one mask, whatever the number of threads.
bmp large.bmp 97 32 "$noise"
bmp large-scribbles.bmp 97 32 'if (y >= 8 && y < 24) { if (x == 12) b = 255; if (x == 84) r = 255 }'
for threads in 1 3; do
    expect 0 large.bmp --scribbles large-scribbles.bmp --method ncut --knn 1 -k 5 --features mean --patch 1 --threads $threads \
        --no-overlay -q -o "large-$threads.png"
done
cmp large-1.png large-3.png || fail "the mask depends on the number of threads"
