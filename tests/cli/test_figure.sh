#!/bin/bash
# segment figure: one line of the panel figure.
. "$(dirname "$0")/lib.sh"
make_pictures
expect 0 figure photo.bmp scribbles.bmp truth.bmp --methods kmeans,auto
[ -s photo-figure.pdf ] || fail "no photo-figure.pdf"
[ "$(head -c 5 photo-figure.pdf)" = "%PDF-" ] || fail "photo-figure.pdf is not a PDF"
[ "$(awk '{ print $1 }' .out | tr '\n' ' ')" = "kmeans auto " ] || fail "not an accuracy a method"
awk '$2 < 0.9 || $2 > 1 { exit 1 }' .out || fail "two plain halves are not found"
silent
expect 0 figure photo.bmp scribbles.bmp truth.bmp --methods kmeans,auto -o a.svg
grep -q '<svg' a.svg || fail "a.svg is not a SVG"
expect 0 figure photo.bmp truth.bmp --pairs 10 --methods enpakl:lambda=0.5 -o b.png --seed 2
[ "$(od -An -tx1 -N4 b.png | tr -d ' \n')" = 89504e47 ] || fail "b.png is not a PNG"
cp b.png c.png
expect 0 figure photo.bmp truth.bmp --pairs 10 --methods enpakl:lambda=0.5 -o b.png --seed 2
cmp -s b.png c.png || fail "not the same bytes again"
refuse 2 "three files" figure photo.bmp truth.bmp
refuse 2 "two files" figure photo.bmp scribbles.bmp truth.bmp --pairs 3
refuse 2 ".pdf, .svg or .png" figure photo.bmp scribbles.bmp truth.bmp -o d.jpg
refuse 2 "overwritten" figure photo.bmp scribbles.bmp c.png -o c.png
refuse 2 "nonsense" figure photo.bmp scribbles.bmp truth.bmp --methods nonsense
refuse 3 "absent" figure absent.bmp scribbles.bmp truth.bmp
bmp plain.bmp 60 40 'g = 255'
refuse 3 "one class" figure photo.bmp scribbles.bmp plain.bmp
exit 0
