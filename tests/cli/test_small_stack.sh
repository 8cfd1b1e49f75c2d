#!/bin/bash
# SEG_LEAST_STACK (segment/context.h) is enough for the program: the main job, every method, and an evaluation, whose
# threads have as much.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
grep -qE '__asan_init|__tsan_init' "$PROGRAM" && exit 77 # they put more on the stack than the code asks for
kib=$(sed -n 's/^#define SEG_LEAST_STACK ((size_t)\([0-9]*\) << 10)$/\1/p' "$SOURCE/include/segment/context.h")
[ "${kib:-0}" -gt 0 ] || fail "context.h does not state SEG_LEAST_STACK in KiB"
bmp photo.bmp 96 64 't = (x * 7 + y * 13) % 11 * 3; if (x < 50) { r = 200 - t; g = 60 + t } else { g = 80 + t; b = 180 - t }'
bmp scribbles.bmp 96 64 'if (y >= 10 && y < 40) { if (x == 12) b = 255; if (x == 80) r = 255 }'
bmp truth.bmp 96 64 'if (x < 50) b = 255; else r = 255'
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 3 * 9 + i % 7 / 7 "," (i * 13) % 11 "," i / 60 }' >table.csv
printf '%s\n' 0,3,1 1,4,1 0,1,-1 1,2,-1 >pairs.csv
methods=$("$PROGRAM" methods --json | jq -r '.[].name')

ulimit -s "$kib"
for refine in none fast; do
    expect 0 photo.bmp --scribbles scribbles.bmp -o mask.png --overlay over.png --prob p.npy --refine $refine --threads 3 -q
done
expect 0 "$SOURCE/images/camera.jpg" --scribbles "$SOURCE/images/camera-scribbles.png" -o camera.png -q
for method in $methods; do
    expect 0 cluster table.csv -k 3 --method "$method" --constraints pairs.csv -o labels.txt --threads 2 -q
done
expect 0 cluster table.csv -k 3 --graph full --method ncut -o labels.txt -q
mkdir set truth && cp photo.bmp set/a.bmp && cp truth.bmp truth/a.bmp
expect 0 eval set --truth truth --out report -q
expect 0 query table.csv -o answers.csv -q <<<quit
exit 0
