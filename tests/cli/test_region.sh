#!/bin/bash
# --region: a part of an image alone; folders, records, scores, and what is refused.
. "$(dirname "$0")/lib.sh"

bmp photo.bmp 60 40 'v = (x < 30 ? 60 : 180) + (x * 7 + y * 13) % 9; r = g = b = v'
bmp marks.bmp 60 40 'if (x > 20 && x < 24 && y > 5 && y < 35) r = 255; if (x > 40 && x < 44 && y > 5 && y < 35) b = 255'

expect 0 photo.bmp -s marks.bmp --region 10,15,40,20 -o part.png
[ "$(grep -c 'pixels of strokes lie outside of the region 10,15,40,20 and are ignored' .err)" -eq 1 ] || fail "not one warning"
grep -q '54 pixels of strokes' .err || fail "the stroke pixels outside are not counted: $(cat .err)"
expect 0 photo.bmp -s marks.bmp --region 0,0,60,40 --no-overlay -o all.png -q
expect 0 photo.bmp -s marks.bmp --no-overlay -o plain.png -q
cmp all.png plain.png || fail "a region of all changes the mask"

# Two threads, a record, a folder, exports and the table: of the part alone.
expect 0 photo.bmp -s marks.bmp --region 10,15,40,20 --threads 2 --no-overlay -o again.png --save-run run.json -q
cmp part.png again.png || fail "threads change the mask"
expect 0 replay run.json --no-overlay -o played.png -q
cmp part.png played.png || fail "the record gives another mask"
mkdir photos scribbles masks
cp photo.bmp photos/a.bmp
cp marks.bmp scribbles/a-scribbles.bmp
expect 0 photos -s scribbles --region 10,15,40,20 --no-overlay -o masks -q --table table.csv --export coco
cmp part.png masks/a-mask.png || fail "a folder gives another mask"
awk -F, 'NR > 1 {pixels += $4} END {exit !(NR == 3 && pixels == 800)}' table.csv || fail "the table is of other pixels: $(cat table.csv)"

# Scores leave out what lies outside, whatever the truth says there.
bmp truth.bmp 60 40 'if (x >= 30) r = g = b = 255; if (y < 15) r = g = b = 255 - r'
expect 0 photo.bmp -s marks.bmp --region 10,15,40,20 --truth truth.bmp --no-overlay -o part.png --json -q
grep -q '"scored": 800,' .out || fail "scored are $(grep scored .out)"
grep -q '"error_rate": 0.0,' .out || fail "errors outside of the region count: $(grep error_rate .out)"

refuse 2 "the region 10,15,51,20 (left, top, width, height) is not inside the image of 60 x 40 pixels" photo.bmp -s marks.bmp --region 10,15,51,20
refuse 2 "as in 10,20,200,100" photo.bmp -s marks.bmp --region 10,15,0,20
refuse 2 "as in 10,20,200,100" photo.bmp -s marks.bmp --region 10,15,5
refuse 3 "no stroke lies in the region 0,0,9,9; draw strokes in it" photo.bmp -s marks.bmp --region 0,0,9,9
refuse 2 "the box 5,15,20,20 is not inside the region 10,15,40,20" photo.bmp --box 5,15,20,20 --region 10,15,40,20
echo '0,1,1' >pairs.csv
refuse 2 "a region is for strokes, not for listed pairs" photo.bmp -s marks.bmp --constraints pairs.csv --region 10,15,40,20
echo "region: all good"
