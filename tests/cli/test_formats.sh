#!/bin/bash
# Images of every format from the command line: a folder of them, the same mask of the same pixels.
. "$(dirname "$0")/lib.sh"
corpus=$SOURCE/tests/fuzz/corpus

# The same pixels in another format give the same mask, read from a pipe, too.
mkdir photos masks
cp "$corpus/pnm/p6" photos/bytes.ppm
cp "$corpus/pnm/two" photos/two.PPM
expect 0 photos --patch 1 -k 2 -o masks --overlay masks
for name in bytes two; do
    [ -s masks/$name-mask.png ] || fail "$name has no mask"
    cmp masks/bytes-mask.png masks/$name-mask.png || fail "$name has another mask"
done
expect 0 - --patch 1 -k 2 -o piped.png --overlay none.png <"$corpus/pnm/p6"
cmp masks/bytes-mask.png piped.png || fail "the mask of standard input is another"
for kind in webp jxl; do
    cp "$corpus/vips/$kind-lossless" "photos/$kind.$kind"
    expect 0 "photos/$kind.$kind" --patch 1 -k 2 -o other.png --overlay none.png
    cmp masks/bytes-mask.png other.png || fail "$kind has another mask"
done

# Scribbles and truths, too: values of PGM are labels.
{
    printf 'P5 7 5 255\n\1\0\0\0\0\0\2'
    head -c 21 /dev/zero
    printf '\1\0\0\0\0\0\2'
} >scribbles.pgm
expect 0 photos/bytes.ppm --patch 1 --scribbles scribbles.pgm -o mask.png --overlay none.png --json
holds '.scribbles_kind == "grey"'

# Camera raw files are named, with what to do.
printf 'II*\0\20\0\0\0CR\2\0\0\0\0\0' >photo.cr2
printf 'FUJIFILMCCD-RAW 0201' >photo.raf
printf 'IIRO\10\0\0\0\0\0\0\0\0\0\0\0' >photo.orf
printf 'IIU\0\10\0\0\0\0\0\0\0\0\0\0\0' >photo.rw2
for raw in "cr2 CR2" "raf RAF" "orf ORF" "rw2 RW2"; do
    refuse 3 "${raw#* }" "photo.${raw% *}" -k 2
    grep -q "darktable" .err || fail "no remedy for ${raw#* }"
done

# What is exported is scribbles again, with the same labels; scribbles of half the size are scaled, which is said.
make_pictures
for kind in labelme geojson coco npy; do
    expect 0 photo.bmp --scribbles scribbles.bmp -o mask.png --overlay none.png --export "$kind=again.$kind"
    expect 0 photo.bmp --scribbles "again.$kind" -o "$kind.png" --overlay none.png
    expect 0 score "$kind.png" mask.png --json
    holds '.scores.pairwise_accuracy == 1'
done
bmp half.bmp 30 20 'if (x == 6) b = 255; if (x == 23) r = 255'
expect 0 photo.bmp --scribbles half.bmp -o mask.png --overlay none.png
grep -q "half.bmp has 30 x 20 pixels and was scaled to the image's 60 x 40" .err || fail "nothing is said of the scaling"
refuse 3 "far outside" photo.bmp --scribbles <(printf '{"shapes":[{"label":"a","points":[[1e9,1]]}]}')
