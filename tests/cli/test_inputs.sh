#!/bin/bash
# Inputs that cannot be read or do not fit: exit 3, one sentence, no output.
. "$(dirname "$0")/lib.sh"
make_pictures
bmp small.bmp 59 40 'if (x == 12) b = 255; if (x == 47) r = 255'
bmp side.bmp 40 60 'if (x == 12) b = 255; if (x == 37) r = 255'
bmp unmarked.bmp 60 40 ''
head -c 1000 photo.bmp >cut.bmp
head -c 30 photo.bmp >head.bmp
printf 'no image at all\n' >text.png
: >empty.png
mkdir folder.png
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >cut.png
printf '\377\330\377\340\0\020JFIF' >cut.jpg

for photo in cut.bmp head.bmp text.png empty.png folder.png cut.png cut.jpg missing.png; do
    refuse 3 "$photo" "$photo" -k 2
    refuse 3 "$photo" photo.bmp --scribbles "$photo"
    refuse 3 "$photo" photo.bmp -k 2 --truth "$photo"
    refuse 3 "$photo" score "$photo" truth.bmp
    refuse 3 "$photo" score truth.bmp "$photo"
done
refuse 3 "" - -k 2 <empty.png
refuse 3 "small.bmp" photo.bmp --scribbles small.bmp
refuse 3 "lies on its side" photo.bmp --scribbles side.bmp
refuse 3 "one of them is rotated" photo.bmp -k 2 --truth side.bmp
refuse 3 "small.bmp" photo.bmp -k 2 --truth small.bmp
refuse 3 "" score small.bmp truth.bmp
refuse 3 "" photo.bmp --scribbles unmarked.bmp
refuse 3 "" photo.bmp --scribbles photo.bmp
refuse 3 "missing.txt" photo.bmp --scribbles scribbles.bmp --labelmap missing.txt
printf 'rust 255 0 0\n' >map.txt
refuse 3 "map.txt" photo.bmp --scribbles scribbles.bmp --labelmap map.txt
printf 'rust:255,0,0\n' >map.txt # blue is not in it
refuse 3 "" photo.bmp --scribbles scribbles.bmp --labelmap map.txt
refuse 3 "missing.csv" photo.bmp -k 2 --constraints missing.csv
printf '0,1,1\n0,1,2\n' >pairs.csv
refuse 3 "2" photo.bmp -k 2 --constraints pairs.csv
printf '0,96,1\n' >pairs.csv # patches are 0 to 95
refuse 3 "96" photo.bmp -k 2 --constraints pairs.csv

# The name of a file cannot break the one line.
refuse 3 "two\x0Alines" $'two\nlines.png' -k 2

# Images whose only fault is to be small are not refused.
bmp tiny.bmp 2 1 'r = x * 200'
bmp tiny-scribbles.bmp 2 1 'if (x) r = 255; else b = 255'
expect 0 tiny.bmp --scribbles tiny-scribbles.bmp --patch 1
silent
exit 0
