#!/bin/bash
# --start: a mask that exists, corrected by strokes; files of every kind, folders, records, and what is refused.
. "$(dirname "$0")/lib.sh"

bmp photo.bmp 60 40 'v = (x < 30 ? 60 : 180) + (x * 7 + y * 13) % 9; r = g = b = v'
bmp start.bmp 60 40 'if (x >= 20) r = g = b = 255' # 255 is the object, label 1; ten columns of it are wrong
expect 0 photo.bmp --start start.bmp --no-overlay -o same.png -q
expect 0 score same.png start.bmp
[ "$(score error_rate)" = 0.000000 ] || fail "the mask changed without strokes"

bmp one.bmp 60 40 'if (x > 22 && x < 27 && y > 15 && y < 25) b = 255'
printf 'object:255,0,0\nground:0,0,255\n' >map.txt
expect 0 photo.bmp --start start.bmp -s one.bmp --labelmap map.txt --no-overlay -o fixed.png --json
grep -q '"marked_pixels": 36' .out || fail "the marked pixels are not those of the stroke"
bmp truth.bmp 60 40 'if (x >= 30) r = g = b = 255'
expect 0 score fixed.png truth.bmp
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.02)}' || fail "the stroke did not correct the mask: $(score error_rate)"

# A stroke in a colour of the start's palette has its label there, one in another colour is a new region.
bmp two.bmp 60 40 'if (x > 3 && x < 9 && y < 30) b = 255; if (x > 45 && x < 50) r = 255'
bmp red.bmp 60 40 'if (x > 22 && x < 27 && y > 15 && y < 25) r = 255'
bmp both.bmp 60 40 'if (x > 22 && x < 27 && y > 15 && y < 25) r = 255; if (x > 3 && x < 9 && y > 10 && y < 30) g = 255'
expect 0 photo.bmp -s two.bmp --no-overlay -o coloured.png -q # blue is 1, red is 2
expect 0 photo.bmp --start coloured.png -s red.bmp --no-overlay -o red.png --json
grep -q 'ground (#000000): 2 #ff0000 36 pixels' .err || fail "red is not label 2: $(cat .err)"
expect 0 photo.bmp --start coloured.png -s both.bmp --no-overlay -o third.png --json
jq -e '[.regions[].label] == [1, 2, 3]' .out >/dev/null || fail "a further colour makes no further region: $(jq -c '[.regions[].label]' .out)"

# Another stroke order, threads, a record that is replayed.
expect 0 photo.bmp --start start.bmp -s one.bmp --labelmap map.txt --no-overlay --threads 3 -o again.png --save-run run.json -q
cmp fixed.png again.png || fail "threads change the mask"
expect 0 replay run.json --no-overlay -o played.png -q
cmp fixed.png played.png || fail "the record gives another mask"

# Folders: each image has its mask; strokes for one of them alone.
mkdir photos starts marks masks
for n in a b; do cp photo.bmp photos/$n.bmp; cp start.bmp starts/$n-mask.bmp; done
cp one.bmp marks/a-scribbles.bmp
expect 0 photos --start starts --scribbles marks --labelmap map.txt --no-overlay -o masks -q
cmp masks/a-mask.png fixed.png || fail "a folder gives another mask"
cmp masks/b-mask.png same.png >.note || expect 0 score masks/b-mask.png start.bmp
rm -r starts/b-mask.bmp
expect 5 photos --start starts --scribbles marks --labelmap map.txt --no-overlay -o masks -q
grep -q "has no --start in 'starts'" .err || fail "a missing mask is not named: $(cat .err)"

bmp small.bmp 30 40 'if (x >= 20) r = g = b = 255'
bmp turned.bmp 40 60 'if (x >= 20) r = g = b = 255'
printf '\x93NUMPY\x01\x00\x46\x00{"descr": "<f8"' >cut.npy
refuse 3 "a start must have the size" photo.bmp --start small.bmp
refuse 3 "rotated; a start must have the orientation" photo.bmp --start turned.bmp
refuse 3 "truncated" photo.bmp --start cut.npy
refuse 3 "missing.png" photo.bmp --start missing.png
refuse 2 "corrected by strokes alone" photo.bmp --start start.bmp -k 2
refuse 2 "corrected by strokes alone" photo.bmp --start start.bmp --box 5,5,20,20
echo "start: all good"
