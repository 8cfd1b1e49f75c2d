#!/bin/bash
# Odd strokes and odd sizes: a mask that holds to the strokes, or one sentence with the right code.
. "$(dirname "$0")/lib.sh"
make_pictures

# mask ARGUMENTS: exit 0, and a palette PNG of the image's size.
mask() {
    rm -f m.png
    expect 0 "$@" -o m.png --no-overlay --threads 1 -q
    is_palette_png m.png
}

# One label, wherever it is: there is nothing to part, and that is said or everything takes it.
bmp one.bmp 60 40 'if (x == 12 && y == 12) b = 255'
got=0
"$PROGRAM" photo.bmp --scribbles one.bmp -o m.png --no-overlay -q >.out 2>.err || got=$?
LAST="one label"
case $got in
0) is_palette_png m.png ;;
2 | 3) sentence "label" ;;
*) fail "exit $got with one label" ;;
esac
rm -f m.png

# One pixel a label, in a corner each; an island within the other's strokes; every pixel marked.
bmp pixels.bmp 60 40 'if (x == 0 && y == 0) b = 255; if (x == 59 && y == 39) r = 255'
mask photo.bmp --scribbles pixels.bmp
bmp island.bmp 60 40 'if (x > 40 && x < 50 && y > 10 && y < 20) b = 255; if (x == 45 && y == 15) { b = 0; r = 255 }'
mask photo.bmp --scribbles island.bmp
mask photo.bmp --scribbles truth.bmp
expect 0 score m.png truth.bmp --json
holds '.scores.error_rate == 0'

# Contradictory scribbles: two labels in one patch count by their pixels; listed pairs against strokes are refused.
bmp mixed.bmp 60 40 'if (x == 12) { if (y % 2) b = 255; else r = 255 } if (x == 47 && y > 5) r = 255'
mask photo.bmp --scribbles mixed.bmp
printf '12,12,12,27,-1\n' >pairs.csv
refuse 4 "" photo.bmp --scribbles scribbles.bmp --constraints pairs.csv -o m2.png --no-overlay -q
printf '12,12,47,12,1\n' >pairs.csv
refuse 4 "" photo.bmp --scribbles scribbles.bmp --constraints pairs.csv -o m2.png --no-overlay -q

# Sizes at the edge.
bmp dot.bmp 1 1 'r = 255'
got=0
"$PROGRAM" dot.bmp --scribbles dot.bmp -o m2.png --no-overlay -q >.out 2>.err || got=$?
LAST="1 x 1"
case $got in
0) is_palette_png m2.png && rm m2.png ;;
2 | 3) sentence ;;
*) fail "exit $got for an image of one pixel" ;;
esac
for size in "40 1" "1 40" "3 2" "4 4" "5 5" "2 1"; do
    # shellcheck disable=SC2086 # two numbers
    bmp thin.bmp $size 'r = x < 20 && y < 20 ? 200 : 20; g = (x + y) % 5'
    # shellcheck disable=SC2086
    bmp thin-scribbles.bmp $size 'if (x + y == 0) b = 255; if (x + y == '"$(echo "$size" | awk '{ print $1 + $2 - 2 }')"') r = 255'
    mask thin.bmp --scribbles thin-scribbles.bmp --patch 1
    mask thin.bmp --scribbles thin-scribbles.bmp # patches of fewer pixels than the default, where these are one patch
    mask thin.bmp --scribbles thin-scribbles.bmp --refine none
done
refuse 2 "patches" thin.bmp --scribbles thin-scribbles.bmp --patch 5 -o m2.png --no-overlay -q # one patch, two labels

# The longest side there is, and one more.
wide=$((65535 * 3 + 3))
{
    printf 'BM'; printf '\0\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\377\377\0\0\001\0\0\0\001\0\030\0'
    head -c 24 /dev/zero
    head -c $((wide / 2 / 3 * 3)) /dev/zero
    head -c $((wide - wide / 2 / 3 * 3)) /dev/zero | tr '\0' '\310'
} >wide.bmp
{
    printf 'BM'; printf '\0\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\377\377\0\0\001\0\0\0\001\0\030\0'
    head -c 24 /dev/zero
    printf '\377\0\0'
    head -c $((65533 * 3)) /dev/zero
    printf '\0\0\377\0\0\0'
} >wide-scribbles.bmp
mask wide.bmp --scribbles wide-scribbles.bmp
{
    printf 'BM'; printf '\0\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\0\0\001\0\001\0\0\0\001\0\030\0'
    head -c 24 /dev/zero
    head -c $((65536 * 3)) /dev/zero
} >wider.bmp
refuse 3 "wider.bmp" wider.bmp -k 2 -o m2.png --no-overlay

# Label 255 is void, scribbles of 16 bits keep their small values, more than 254 labels are refused.
if command -v python3 >/dev/null; then
    python3 - <<'END'
import struct, zlib
def png(name, width, height, bits, row):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + row(y) for y in range(height))
    with open(name, "wb") as to:
        to.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)) +
                 chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
def stroke(x, y, left, right):
    return (left if x == 12 else right if x == 47 else 0) if 10 <= y < 30 else 0
png("void.png", 60, 40, 8, lambda y: bytes(stroke(x, y, 1, 255) or (2 if x == 40 and y > 30 else 0) for x in range(60)))
png("deep.png", 60, 40, 16, lambda y: b"".join(struct.pack(">H", stroke(x, y, 1, 2)) for x in range(60)))
png("high.png", 60, 40, 16, lambda y: b"".join(struct.pack(">H", stroke(x, y, 1, 300)) for x in range(60)))
png("many.png", 60, 40, 16, lambda y: b"".join(struct.pack(">H", y * 60 + x if y < 6 else 0) for x in range(60)))
END
    for scribbles in void deep; do
        got=0
        "$PROGRAM" photo.bmp --scribbles $scribbles.png -o m2.png --no-overlay -q >.out 2>.err || got=$?
        LAST="$scribbles.png"
        case $got in
        0) is_palette_png m2.png && rm m2.png ;;
        2 | 3) sentence ;;
        *) fail "exit $got for $scribbles.png" ;;
        esac
    done
    for scribbles in high many; do
        refuse 3 "$scribbles.png" photo.bmp --scribbles $scribbles.png -o m2.png --no-overlay -q
    done
fi
exit 0
