#!/bin/bash
# What is written: the right files, nothing else, the same bytes whatever the threads.
. "$(dirname "$0")/lib.sh"
make_pictures
inputs=$(files)

# The defaults, in the working folder and not beside the image.
mkdir there && cp photo.bmp there/shot.v2.bmp
expect 0 there/shot.v2.bmp --scribbles scribbles.bmp
silent
[ ! -s .out ] || fail "something on standard output"
is_palette_png shot.v2-mask.png
[ -s shot.v2-overlay.png ] || fail "no overlay"
[ "$(ls there)" = shot.v2.bmp ] || fail "something was written beside the image"
rm -r there shot.v2-mask.png shot.v2-overlay.png
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"

# With -o FILE what has no name of its own is named after the mask and lies beside it.
mkdir out photos && cp photo.bmp photos/a.bmp
names() {
    find out -mindepth 1 -printf '%P\n' | sort | tr '\n' ' '
}
expect 0 photos/a.bmp --scribbles scribbles.bmp -o out/m.png --export svg
[ "$(names)" = 'm-overlay.png m.png m.svg ' ] || fail "beside out/m.png: $(names)"
rm out/*
expect 0 photos/a.bmp --scribbles scribbles.bmp -o out/b-mask.png --save-run run.json
[ "$(names)" = 'b-mask.png b-overlay.png ' ] || fail "beside out/b-mask.png: $(names)"
expect 0 replay run.json -o out/-mask.tif
[ "$(names)" = '-mask-overlay.png -mask.tif b-mask.png b-overlay.png ' ] || fail "of a replay: $(names)"
rm out/* run.json
cp photo.bmp photos/c.bmp
expect 0 photos -k 2 -o out --export svg
[ "$(names)" = 'a-mask.png a-mask.svg a-overlay.png c-mask.png c-mask.svg c-overlay.png ' ] || fail "of a batch: $(names)"
rm -r out photos
[ "$(files)" = "$inputs" ] || fail "something outside of out: $(files)"
cp photo.bmp m-overlay.png
refuse 2 "'m-overlay.png' would be overwritten" m-overlay.png -k 2 -o m.png
rm m-overlay.png

# Named outputs; an older file is replaced; no overlay.
echo old >m.png
expect 0 photo.bmp --scribbles scribbles.bmp -o m.png --no-overlay
is_palette_png m.png
[ ! -e photo-overlay.png ] || fail "an overlay in spite of --no-overlay"
[ "$(od -An -tu1 -j16 -N8 m.png | tr -s ' ')" = ' 0 0 0 60 0 0 0 40' ] || fail "the mask has another size"
# The strokes' colours are those of labels 1 (blue) and 2 (red) in the palette.
palette=$(od -An -v -tx1 m.png | tr -d ' \n')
palette=${palette#*504c5445}
[ "${palette:6:12}" = 0000ffff0000 ] || fail "the palette is not that of the strokes: ${palette:0:24}"
expect 0 score m.png truth.bmp --json
holds '.scores.mean_dice > 0.95'

# Standard input and output.
expect 0 - --scribbles scribbles.bmp --no-overlay -o - <photo.bmp
silent
cmp -s .out m.png || fail "the mask on standard output is another"
expect 0 photo.bmp --scribbles - --no-overlay -o - <scribbles.bmp
cmp -s .out m.png || fail "scribbles from standard input give another mask"
expect 0 - --scribbles scribbles.bmp <photo.bmp
cmp -s stdin-mask.png m.png && [ -s stdin-overlay.png ] || fail "no default names for standard input"
rm stdin-*
expect 0 photo.bmp --scribbles scribbles.bmp -o /dev/null --overlay -
[ "$(head -c 4 .out | tail -c 3)" = PNG ] || fail "no overlay on standard output"
[ -c /dev/null ] || fail "/dev/null was replaced"

# What the pixels belong to, and how sure that is: asking for it leaves the mask as it was.
expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay -o plain.png
expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay -o m2.png --prob p.npy --uncertainty u.png
cmp -s plain.png m2.png || fail "--prob changes the mask"
head -c 80 p.npy | grep -q "'descr': '<f4', 'fortran_order': False, 'shape': (40, 60, 2), }" || fail "no shape in p.npy"
[ "$(wc -c <p.npy)" -eq $((128 + 40 * 60 * 2 * 4)) ] || fail "p.npy has $(wc -c <p.npy) bytes"
tail -c +129 p.npy | od -An -v -tf4 -w8 | awk '{ if ($1 < 0 || $2 < 0 || $1 + $2 < 0.9999 || $1 + $2 > 1.0001) exit 1 }' ||
    fail "the numbers of a pixel do not add up to one"
[ "$(od -An -tu1 -j16 -N10 u.png | tr -s ' ')" = ' 0 0 0 60 0 0 0 40 8 0' ] || fail "u.png is not a grey image of 60 x 40"
expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay -o m2.png --refine none --prob p.npy
refuse 2 "p.npy" photo.bmp --scribbles scribbles.bmp --prob p.npy --uncertainty p.npy
refuse 2 "photo.bmp" photo.bmp --scribbles scribbles.bmp --uncertainty photo.bmp
refuse 1 "nowhere" photo.bmp --scribbles scribbles.bmp --prob nowhere/p.npy
refuse 2 "standard output" photo.bmp --scribbles scribbles.bmp --prob - --uncertainty -
rm plain.png m2.png p.npy u.png

# -- ends the options.
cp photo.bmp ./-photo.bmp && cp photo.bmp score
expect 0 --scribbles scribbles.bmp --no-overlay -- -photo.bmp
cmp -s ./-photo-mask.png m.png || fail "-- does not end the options"
expect 0 --no-overlay --scribbles scribbles.bmp -o score.png -- score
expect 0 ./score --scribbles scribbles.bmp --no-overlay -o score.png
rm -- -photo.bmp -photo-mask.png score score.png

# A mask is made of scribbles too: every pixel marked.
expect 0 photo.bmp --scribbles m.png -o again.png --no-overlay
expect 0 score again.png m.png --json
holds '.scores.error_rate == 0'

# The same bytes with one and two threads and on every run; another seed is accepted.
for method in $("$PROGRAM" methods --json | jq -r '.[].name'); do
    expect 0 photo.bmp --scribbles scribbles.bmp --method "$method" --threads 1 -o one.png --overlay o1.png
    expect 0 photo.bmp --scribbles scribbles.bmp --method "$method" --threads 2 -o two.png --overlay o2.png
    cmp -s one.png two.png && cmp -s o1.png o2.png || fail "$method: one thread and two give other bytes"
    # Another seed, and k above the number of labels.
    expect 0 photo.bmp --scribbles scribbles.bmp --method "$method" --seed 7 -k 3 -o three.png --no-overlay --json
    [ "$(jq -c '[.regions[].label]' .out)" = '[1,2,3]' ] || fail "$method: -k 3 did not give labels 1, 2 and 3"
done
for coffee in "$SOURCE"/images/coffee.{jpg,png}; do
    [ -e "$coffee" ] || continue
    for threads in 1 2; do
        expect 0 "$coffee" --scribbles "$SOURCE/images/coffee-scribbles.png" --threads $threads -o $threads.png \
            --overlay o$threads.png
    done
    cmp -s 1.png 2.png && cmp -s o1.png o2.png || fail "coffee: one thread and two give other bytes"
done
rm -f ./*.png

# Writing that fails is exit 1 with one sentence, and no file is left half-written.
if [ -c /dev/full ]; then
    got=0
    "$PROGRAM" photo.bmp --scribbles scribbles.bmp --no-overlay -o - >/dev/full 2>.err || got=$?
    : >.out
    [ $got -eq 1 ] || fail "mask to a full disk: exit $got"
    sentence
    for arguments in "--help" "--version" "methods" "methods --json" "score truth.bmp truth.bmp" \
        "score truth.bmp truth.bmp --json" "photo.bmp --scribbles scribbles.bmp -o m.png --no-overlay --json"; do
        got=0
        # shellcheck disable=SC2086
        "$PROGRAM" $arguments >/dev/full 2>.err || got=$?
        [ $got -eq 1 ] || fail "$arguments to a full disk: exit $got"
        sentence "standard output"
    done
    rm m.png
    refuse 1 "/dev/full" photo.bmp --scribbles scribbles.bmp -o /dev/full --no-overlay
fi
refuse 1 "nowhere" photo.bmp -k 2 -o nowhere/m.png
refuse 1 "folder" photo.bmp -k 2 --overlay "$WORK"
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"

# An ending says what is written: another is refused, in any case; none, - and what is not a file are any.
for option in -o --overlay --uncertainty; do
    [ $option = -o ] && written=".png, .tif or .tiff" || written=.png
    for ending in jpg JPEG pdf npy txt svg; do
        refuse 2 "is written as $written, not .$ending" photo.bmp -k 2 $option out.$ending
    done
done
refuse 2 "is written as .npy, not .txt" photo.bmp -k 2 --prob p.txt
refuse 2 "is written as .json, not .txt" photo.bmp -k 2 --save-run r.txt
for kind in coco:json:txt yolo:txt:json geojson:geojson:png svg:svg:png npy:npy:npz labelme:json:txt; do
    IFS=: read -r name good bad <<<"$kind"
    refuse 2 "not .$bad" photo.bmp -k 2 --export "$name=x.$bad"
    expect 0 photo.bmp -k 2 --no-overlay -o mask --export "$name=x.$good" --export "$name=y"
    [ -s mask ] && [ -s "x.$good" ] && [ -s y ] || fail "$name: not written"
    rm mask "x.$good" y
done
refuse 2 "looks like a file name" photo.bmp -k 2 --export masks=x.png
printf '1,2\n3,4\n9,9\n' >table.csv
refuse 2 "-o is written as .csv, .npy or .txt, not .png" cluster table.csv -k 2 -o labels.png
rm table.csv
expect 0 photo.bmp -k 2 --no-overlay -o M.PNG
expect 0 photo.bmp -k 2 --no-overlay -o mask.2026
rm M.PNG mask.2026

# Two outputs in one file, or an output in an input's place, by whatever way: nothing is done.
mkdir d d/e && ln -s d link && ln -s m.png dangling.png && ln -s dangling.png twice.png
cp photo.bmp hard.bmp && ln hard.bmp other.bmp
names=$(files)
for pair in "m.png dangling.png" "dangling.png m.png" "m.png twice.png" "dangling.png twice.png" "m.png ./m.png" "m.png d/../m.png" \
    "d/m.png link/m.png" "d/m.png link/e/../m.png" "m.png $PWD/m.png"; do
    read -r a b <<<"$pair"
    refuse 2 "both be written" photo.bmp -k 2 -o "$a" --overlay "$b"
    refuse 2 "both be written" photo.bmp -k 2 -o "$a" --no-overlay --uncertainty "$b"
    refuse 2 "both be written" photo.bmp -k 2 -o "$a" --no-overlay --prob "${b%.png}" --save-run "${b%.png}"
done
ln -s run l
refuse 2 "both be written" photo.bmp -k 2 --no-overlay -o run --save-run l
refuse 2 "both be written" photo.bmp -k 2 --no-overlay -o l --export npy=run
rm l
refuse 2 "would be overwritten" hard.bmp -k 2 --no-overlay -o other.bmp
refuse 2 "would be overwritten" photo.bmp -k 2 -o photo.bmp
mkdir labels && cp scribbles.bmp labels/label-1.png
refuse 2 "would be overwritten" photo.bmp --scribbles labels/label-1.png --no-overlay -o m.png --export masks=labels
refuse 2 "both be written" photo.bmp -k 2 --no-overlay -o labels/label-2.png --export masks=labels
rm -r labels
[ "$names" = "$(files)" ] || fail "something was written: $(files)"
# In a batch, of one image and another.
cp photo.bmp a.png && cp photo.bmp a-mask.png
refuse 2 "and it is an input of 'a-mask.png'" a.png a-mask.png -k 2
rm a.png a-mask.png
# Names that differ by case are two files where the file system says so.
if [ ! -e PHOTO.bmp ]; then
    expect 0 photo.bmp -k 2 -o m.png --overlay M.png
    cmp -s m.png M.png && fail "one file"
    rm m.png M.png
fi
rm -r d link dangling.png twice.png hard.bmp other.bmp

# Folders of a batch are made, and go again where nothing comes of it.
mkdir photos && cp photo.bmp photos/a.bmp && cp photo.bmp photos/b.bmp
refuse 2 "-k K" photos -o new/masks
expect 0 photos -k 2 -o new/masks --overlay overlays
[ -s new/masks/a-mask.png ] && [ -s overlays/b-overlay.png ] || fail "the folders were not made: $(files)"
rm -r photos new overlays

# On a terminal one line says what was written; not with -q, and not elsewhere.
if command -v script >/dev/null; then
    for quiet in "" " -q"; do
        script -qec "'$PROGRAM' photo.bmp -k 2 -o m.png --overlay o.png --progress none$quiet" /dev/null >.note 2>&1 </dev/null
        [ "$(grep -c 'wrote m.png, o.png' .note)" -eq "$([ "$quiet" ] && echo 0 || echo 1)" ] || fail "on a terminal$quiet: $(cat .note)"
    done
    rm m.png o.png
fi
expect 0 photo.bmp -k 2 -o m.png --no-overlay
silent
rm m.png
[ "$(files)" = "$inputs" ] || fail "something else was left: $(files)"
exit 0
