#!/bin/bash
# segment learn and segment apply: what is learned from some images segments the others; files, orders and errors.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77

# Reddish left and bluish right of a border that is elsewhere in each image, and strokes for them: red 1, green 2 by the
# order of the colours' values, which is 2 and 1.
picture() { # picture NAME BORDER
    bmp "photos/$1.bmp" 60 40 "e = (x * 7 + y * 13) % 23; if (x < $2) { r = 200 + e; g = 60 } else { b = 160 + e; g = 90 }"
    bmp "truths/$1.bmp" 60 40 "if (x < $2) g = 255; else r = 255"
}
mkdir photos truths marks new
picture a 30 && picture b 20 && picture c 42 && picture d 25 && picture e 37
strokes() { # strokes NAME BORDER
    bmp "marks/$1-scribbles.bmp" 60 40 "if (y == 8 || y == 31) { if (x < $2 - 5) g = 255; if (x > $2 + 5) r = 255 }"
}
strokes a 30 && strokes b 20 && strokes c 42
mv photos/d.bmp photos/e.bmp new/

expect 0 learn photos --scribbles marks -o series.model
silent
grep -qx 'images 3' .out && grep -qx 'labels 2' .out && grep -qx 'accuracy 1.0000' .out || fail "not what was learned"
grep -q '^worst 1.0000 photos/' .out || fail "no worst image"
[ "$(awk '/^bytes/ { print $2 }' .out)" -eq "$(wc -c <series.model)" ] || fail "another size"
expect 0 apply series.model new -o masks/ -q --truth truths
silent
[ "$(ls masks)" = "$(printf '%s\n' d-mask.png d-overlay.png e-mask.png e-overlay.png)" ] || fail "other files: $(ls masks)"
awk '/^pairwise_accuracy/ && $2 < 0.97 { exit 1 }' .out || fail "the masks are not those of the truths"
[ "$(grep -c '^mean_dice 0.9[89]\|^mean_dice 1' .out)" -eq 2 ] || fail "labels have other numbers than the strokes' colours"

# The same bytes in any order, on any number of threads, and where images without strokes lie beside.
expect 0 learn photos/c.bmp photos/a.bmp photos/b.bmp -s marks -o again.model --threads 1
cmp -s series.model again.model || fail "the order of the images matters"
cp new/d.bmp photos/zz.bmp && cp marks/*.bmp photos/
expect 0 learn photos -o again.model
sentence_is='segment: skipped 1 of 4 images, which have no scribbles'
[ "$(cat .err)" = "$sentence_is" ] || fail "the image without strokes is not told of"
cmp -s series.model again.model || fail "strokes beside the images make another model"
expect 0 learn photos -o - -q >/dev/null
cmp -s series.model .out || fail "another model on standard output"
rm photos/zz.bmp photos/*-scribbles.bmp again.model
expect 0 learn photos -s marks -o seed.model --seed 2
! cmp -s series.model seed.model || fail "the seed does not matter"

# One image, strokes on some of the images, --model of the main job, and its replay.
expect 0 apply series.model new/d.bmp -o one.png --no-overlay
cmp -s one.png masks/d-mask.png || fail "one image is not as in a folder"
[ "$(files | grep -c overlay)" -eq 2 ] || fail "an overlay was drawn"
expect 0 new/d.bmp --model series.model -o main.png --no-overlay --save-run run.json --json --thin on --chromaticity on
cmp -s one.png main.png && [ "$(grep -c ' stays off: ' .err)" = 2 ] || fail "--model is not apply, or an option is dropped silently"
[ "$(jq -r '[.regions[].label] | join(" ")' .out)" = "1 2" ] || fail "other regions"
[ "$(jq -c '[.ran, .model, .regions_requested, .regions_found, .unknown_share == 0]' .out)" = '["random-walker","series.model",2,2,true]' ] ||
    fail "with a model the report says $(jq -c '[.ran, .model, .regions_requested, .regions_found, .unknown_share]' .out)"
bmp green.bmp 60 40 'r = 20; g = 200 + (x * 7 + y * 13) % 23; b = 30'
expect 0 apply series.model green.bmp -o green.png --no-overlay --json
grep -q '^segment: warning: 100 % of the image resembles nothing that the model has learned.*--no-unknown$' .err ||
    fail "a mask without a region, and no word: $(cat .err)"
[ "$(jq -c '[.regions_requested, .regions_found, .unknown_share == 1]' .out)" = '[2,0,true]' ] || fail "255 counts as a region"
expect 0 apply series.model green.bmp -o green.png --no-overlay --no-unknown -q
expect 0 replay run.json -o replayed.png --no-overlay && cmp -s one.png replayed.png || fail "the replay is another"
mkdir some && bmp some/d-scribbles.bmp 60 40 'if (x > 40 && x < 50 && y > 10 && y < 30) g = 255'
expect 0 apply series.model new -s some -o with/ --no-overlay -q
! cmp -s with/d-mask.png one.png || fail "strokes do not matter"
cmp -s with/e-mask.png masks/e-mask.png || fail "an image without strokes is not as before"
expect 0 new/d.bmp --scribbles some/d-scribbles.bmp --model series.model -o strokes.png --no-overlay -q
cmp -s strokes.png with/d-mask.png || fail "strokes and --model are not apply with strokes"
rm -r with some masks ./*.png run.json seed.model green.bmp

# JSON, names of labels.
printf 'right:255,0,0\nleft:0,255,0\n' >labels.txt
expect 0 learn photos -s marks --labelmap labels.txt -o named.model --json
[ "$(jq -r '[.labels[] | "\(.label)\(.name)\(.colour)"] | join(" ")' .out)" = "1right#ff0000 2left#00ff00" ] ||
    fail "labels are not those of the label map"
[ "$(jq -r '[.images[].photo] | join(" ")' .out)" = "photos/a.bmp photos/b.bmp photos/c.bmp" ] || fail "other images"
[ "$(jq -r '[.images[].accuracy] | add / length == 1' .out)" = true ] || fail "another accuracy"
expect 0 apply named.model new/d.bmp -o d.png --no-overlay --json
[ "$(jq -r '[.regions[].name] | join(" ")' .out)" = "right left" ] || fail "regions have no names"
printf 'left:0,255,0\nright:255,0,0\n' >labels.txt
refuse 2 "in the model's order" apply named.model new/d.bmp -o d.png --no-overlay --labelmap labels.txt
printf 'droite:255,0,0\nleft:0,255,0\n' >labels.txt
expect 0 apply named.model new/d.bmp -o d.png --no-overlay --labelmap labels.txt --json
[ "$(jq -r '[.regions[].name] | join(" ")' .out)" = "droite left" ] || fail "another name for a label of the model"
printf 'right:255,0,0\nleft:0,255,0\n' >labels.txt
mkdir numbers && cp marks/[bc]*.bmp numbers
{ echo "P5 60 40 255" && awk 'BEGIN { for (i = 0; i < 2400; i++) printf "%d", (i > 480 && i < 540) * (i % 60 > 35 ? 1 : i % 60 < 25 ? 2 : 0) }' | tr 012 '\000\001\002'; } >numbers/a-scribbles.pgm
expect 0 learn photos -s numbers --labelmap labels.txt -o named.model --json # the first strokes have no colours
holds '[.labels[].colour] == ["#ff0000", "#00ff00"]'
rm -r d.png named.model numbers

# Names of shapes are numbered among all images; an output replaces nothing that a folder gave.
mkdir shapes
for name in a b c; do
    cp "photos/$name.bmp" shapes
    printf '{"version": "5.0", "imageHeight": 40, "imageWidth": 60, "shapes": [' >"shapes/$name-scribbles.json"
    [ $name = b ] || printf '{"label": "left", "shape_type": "line", "points": [[3, 8], [12, 8]]},' >>"shapes/$name-scribbles.json"
    printf '{"label": "right", "shape_type": "line", "points": [[50, 8], [56, 30]]}]}' >>"shapes/$name-scribbles.json"
done
expect 0 learn shapes -o shapes.model --json
[ "$(jq -r '[.labels[] | "\(.label)\(.name)"] | join(" ")' .out)" = "1left 2right" ] || fail "names are not those of the shapes"
expect 0 apply shapes.model new/d.bmp -o d.png --no-overlay --truth truths/d.bmp
awk '/^pairwise_accuracy/ && $2 < 0.97 { exit 1 }' .out || fail "names are other labels in another image: $(cat .out)"
expect 0 shapes/a.bmp -s shapes/a-scribbles.json --no-overlay -q -o d.png --json && holds '[.regions[].name] == ["left", "right"]'
refuse 2 "labels, left,right" shapes/a.bmp -s shapes/a-scribbles.json --no-overlay -o d.png --names right,left
refuse 2 "would be overwritten" learn shapes -o shapes/b.bmp
refuse 2 "would be overwritten" learn shapes -o shapes/b-scribbles.json
sed -i 's/"label": "right"/"label": "right", "group_id": 2/' shapes/b-scribbles.json
refuse 3 "some scribbles use names and others label numbers" learn shapes -o shapes.model
rm -r shapes shapes.model d.png

# A label that one image lacks has the same number in all; palettes and colours do not mix.
bmp marks/b-scribbles.bmp 60 40 'if ((y == 8 || y == 31) && x > 25) r = 255'
expect 0 learn photos -s marks -o lacking.model --json
[ "$(jq -r '[.labels[].colour] | join(" ")' .out)" = "#00ff00 #ff0000" ] || fail "other colours"
expect 0 apply lacking.model new/d.bmp -o lacking.png --no-overlay --truth truths/d.bmp
awk '/^mean_dice/ && $2 < 0.97 { exit 1 }' .out || fail "a label that one image lacks got another's number"
rm lacking.*

# One image: nothing is left out, and it says so.
expect 0 learn photos/a.bmp -s marks/a-scribbles.bmp -o one.model
grep -q '^accuracy unknown: there is only one image' .out || fail "one image, and an accuracy"
expect 0 apply one.model new/d.bmp -o one.png --no-overlay --truth truths/d.bmp -q
awk '/^mean_dice/ && $2 < 0.95 { exit 1 }' .out || fail "one image teaches nothing"
rm one.*

# What is wrong is a sentence, and leaves nothing behind.
refuse 2 'learn needs images' learn
refuse 2 '-o MODEL' learn photos -s marks
refuse 3 "there is no file 'photos/absent.bmp'" learn photos/a.bmp photos/absent.bmp -s marks -o x.model
refuse 3 'none of the 2 images has scribbles' learn new -s marks -o x.model
refuse 2 'not a folder' learn photos -s marks/a-scribbles.bmp -o x.model
refuse 2 'would be overwritten' learn photos/a.bmp -s marks -o photos/a.bmp
refuse 2 'would be overwritten' learn photos/a.bmp -s marks/a-scribbles.bmp -o marks/a-scribbles.bmp
refuse 2 'apply needs a model and images' apply series.model
refuse 3 'missing.model' apply missing.model new/d.bmp -o x.png
refuse 3 'is not a model' apply photos/a.bmp new/d.bmp -o x.png
refuse 2 'leave out --model' apply series.model new/d.bmp --model series.model -o x.png
refuse 2 'has labels of its own' new/d.bmp --model series.model -k 2 -o x.png
for its in "--patch 9" "--features mean=1"; do refuse 2 'features and patches of its own' apply series.model new/d.bmp "${its% *}" "${its#* }" -o x.png; done
refuse 2 'not with ncut' new/d.bmp --model series.model --method ncut -o x.png
head -c 3000 series.model >cut.model
refuse 3 'truncated' apply cut.model new/d.bmp -o x.png
{ head -c 3000 series.model && printf x && tail -c +3002 series.model; } >flipped.model
refuse 3 'checksum' apply flipped.model new/d.bmp -o x.png
{ head -c 8 series.model && printf '\7' && tail -c +10 series.model; } >later.model
refuse 3 'format 7' apply later.model new/d.bmp -o x.png
mkdir other && bmp other/a-scribbles.bmp 61 40 'if (x == 5) g = 255; if (x == 54) r = 255'
refuse 3 '61 x 40' learn photos/a.bmp -s other -o x.model
bmp other/a-scribbles.bmp 60 40 'r = 0'
refuse 3 'marked' learn photos/a.bmp -s other -o x.model
echo text >photos/bad.bmp && cp marks/a-scribbles.bmp marks/bad-scribbles.bmp
refuse 3 'photos/bad.bmp' learn photos -s marks -o x.model
rm photos/bad.bmp marks/bad-scribbles.bmp
cp series.model kept.model
refuse 1 'cannot write' learn photos -s marks -o no-folder/x.model
expect 0 learn photos/a.bmp photos/c.bmp -s marks -o series.model -q
! cmp -s series.model kept.model || fail "the model was not written over"
# Names of any bytes: one line each on standard output.
mkdir odd odd-strokes
cp photos/a.bmp $'odd/a <b>\n\xe9.bmp' && cp marks/a-scribbles.bmp $'odd-strokes/a <b>\n\xe9-scribbles.bmp'
cp photos/c.bmp odd/c.bmp && cp marks/c-scribbles.bmp odd-strokes/c-scribbles.bmp
expect 0 learn odd -s odd-strokes -o odd.model
! grep -qv '^\(images\|labels\|accuracy\|worst\|bytes\) ' .out || fail "a name breaks a line of the output"
rm -r odd odd-strokes odd.model
! files | grep -qE 'tmp|~|\.part' || fail "something is left beside the model"
