#!/bin/bash
# Images that are read by tiles: the mask is that of the whole to the byte, whatever the tiles, samples and compression;
# what tiles cannot have is refused by name; files that are damaged, cut off or do not fit leave nothing behind.
. "$(dirname "$0")/lib.sh"
scene=$(dirname "$PROGRAM")/tests/tiled_scene
[ -x "$scene" ] || exit 77

# make WIDTH HEIGHT TILE COMPRESSION KIND: image.tif, strokes.geojson and labels.pgm.
make() {
    "$scene" make "$@" image.tif && "$scene" strokes "$1" "$2" strokes.geojson && "$scene" labels "$1" "$2" labels.pgm ||
        fail "no image: $*"
}

# same SCRIBBLES OPTIONS: both ways give the same bytes. In .err is what the run by tiles says.
same() {
    local strokes=$1
    shift
    expect 0 image.tif -s "$strokes" --no-overlay -q -o whole.tif "$@"
    expect 0 image.tif -s "$strokes" --no-overlay -v -o tiled.tif --tiled "$@"
    cmp -s whole.tif tiled.tif || fail "tiles give another mask: $strokes $*"
}

# Tiles that do not divide the image, and strips (0).
for tile in 16 32 48 0; do
    make 200 150 $tile deflate rgb8
    same strokes.geojson
    cp tiled.tif "mask-$tile.tif"
    cmp -s mask-16.tif "mask-$tile.tif" || fail "tiles of $tile pixels give another mask than those of 16"
done
same strokes.geojson --threads 1
cmp -s tiled.tif mask-16.tif || fail "one thread gives other bytes"
for options in "--islands remove" "--refine none" "--method ccskl" "--min-region 1"; do
    # shellcheck disable=SC2086 # several words
    same labels.pgm $options
done
bmp two.bmp 200 150 'if (y == 75 && x > 20 && x < 60) b = 255; if (x == 150 && y > 20 && y < 90) r = 255'
same two.bmp
same two.bmp --object
same two.bmp --thin on
expect 0 image.tif -k 3 --no-overlay -q -o whole.tif
expect 0 image.tif -k 3 --no-overlay -q -o tiled.tif --tiled
cmp -s whole.tif tiled.tif || fail "tiles give other regions without strokes"

# Samples of all kinds.
for kind in rgb16 grey8 grey12in16 rgba8 assoc8 palette; do
    make 101 75 16 lzw $kind
    same labels.pgm
    make 101 75 16 none $kind # 256 bytes a tile and less
    same strokes.geojson
done
make 101 75 0 lzw planar8 # in strips: libvips reads no tiles of planes
same labels.pgm
for kind in rgb8 grey8; do
    make 101 75 32 jpeg $kind
    same labels.pgm
done

# Lines of one pixel.
printf 'P5\n90 1\n255\n' >row.pgm
{
    head -c 30 /dev/zero | tr '\0' '\1'
    head -c 30 /dev/zero
    head -c 30 /dev/zero | tr '\0' '\2'
} >>row.pgm
make 90 1 16 deflate rgb8
same row.pgm
sed 's/^90 1$/1 90/' row.pgm >column.pgm
make 1 90 16 deflate rgb8
same column.pgm

# Windows of 2048 pixels, several in both directions; strokes of another scale.
make 2200 2100 256 jpeg rgb8
same strokes.geojson
"$scene" score 2200 2100 tiled.tif >.note || fail "another program cannot read the mask"
awk '{ exit !($2 > 0.99) }' .note || fail "the mask is wrong: $(cat .note)"
"$scene" score 2200 2100 tiled.tif 2 >.note || fail "the second reduced copy is not a quarter"
awk '{ exit !($2 > 0.99) }' .note || fail "a reduced copy is wrong: $(cat .note)"
"$scene" pages tiled.tif >.said
diff .said - <<'END' || fail "these are not the pages"
TIFF
2200 x 2100 tiles 512 x 512 reduced 0 photometric 3 compression 8
1100 x 1050 tiles 512 x 512 reduced 1 photometric 3 compression 8
550 x 525 tiles 512 x 512 reduced 1 photometric 3 compression 8
275 x 263 tiles 512 x 512 reduced 1 photometric 3 compression 8
END
"$scene" labels 550 525 labels.pgm
same labels.pgm --islands remove
make 2200 2100 256 deflate dark8 # features and net see it in more and whiter light, here too
same strokes.geojson
[ "$(grep -c "see the image's red, green and blue times" .err)" -eq 1 ] || fail "tiles are not made brighter"

# Under a limit that the whole passes, tiles are taken without being asked for.
if ! grep -q __asan_init "$PROGRAM"; then # which takes more itself
    make 5000 5000 256 jpeg rgb8
    expect 0 image.tif -s strokes.geojson --max-memory 180M -v --overlay small.png
    grep -q "by tiles" .err || fail "the image was read as a whole"
    [ -f image-mask.tif ] || fail "the mask has another default name"
    expect 0 score image-mask.tif image-mask.tif # segment reads it as well
    rm -f image-mask.tif small.png
fi

# What is not for tiles.
make 200 150 32 deflate rgb8
touch pairs.csv
for option in "--patch 10" "--prob p.npy" "--uncertainty u.png" "--export coco" "--table t.csv" \
    "--truth whole.tif" "--save-run r.json" "--json" "--constraints pairs.csv"; do
    # shellcheck disable=SC2086 # option and value
    refuse 2 "${option%% *} cannot be used for an image that is read tile by tile" image.tif -s strokes.geojson --tiled $option
done
refuse 2 "graph full cannot be used for an image" image.tif -s strokes.geojson --tiled --graph full --method ncut
refuse 2 "is a TIFF file; give a name" image.tif -s strokes.geojson --tiled -o mask.png
refuse 2 "standard input cannot be read twice" - -s strokes.geojson --tiled -o mask.tif
cp image.tif other.tif
mkdir out
refuse 2 "--tiled takes one image" image.tif other.tif -k 2 --tiled -o out
rmdir out

# Files that are not, or not whole.
refuse 3 "is not a TIFF file" "$SOURCE/images/coffee.jpg" --tiled -k 2
head -c 20000 image.tif >cut.tif
refuse 3 "cut.tif" cut.tif --tiled -k 2
make 200 150 32 none rgb8
head -c 50000 image.tif >cut.tif
refuse 3 "cut.tif" cut.tif --tiled -k 2
make 200 150 32 deflate rgb8
printf 'P5\n20 40\n255\n' >odd.pgm
head -c 80 /dev/zero | tr '\0' '\1' >>odd.pgm
head -c 720 /dev/zero >>odd.pgm
refuse 3 "image's size or proportions" image.tif --tiled -s odd.pgm
refuse 3 "cannot read" image.tif --tiled -s missing.json

# No room: nothing is left but the sentence.
make 2200 2100 256 deflate rgb8
rm -f whole.tif tiled.tif mask-*.tif cut.tif
before=$(files)
(
    ulimit -f 8 # blocks of 1024 bytes
    trap '' XFSZ
    "$PROGRAM" image.tif -s strokes.geojson --tiled --no-overlay -o mask.tif 2>.err
    [ $? -eq 1 ] || exit 1
) || fail "a file that cannot grow does not end with 1"
grep -q "cannot write 'mask.tif'" .err || fail "the sentence does not say what could not be written"
[ "$(files)" = "$before" ] || fail "half a mask was left: $(files)"
exit 0
