# shellcheck shell=bash
# What the tests of `segment eval` share: a small data set, and comparing reports.

# make_set: set/NAME.bmp with NAME-scribbles.bmp and NAME-truth.bmp, in different colours, two or three regions.
make_set() {
    local i colour
    mkdir -p set
    for i in 1 2 3 4 5 6 7; do
        colour="t = (x * 7 + y * 13 * $i) % 11 * 4;"
        bmp "set/p$i.bmp" 50 40 "$colour if (x < 20 + $i) { r = 180 - t - 10 * $i; g = 60 + t; b = 50 } else if ($i > 4 && y > 22) { r = t + 60; g = 140; b = 60 } else { r = 40 + 9 * $i; g = 80 + t; b = 170 - t }"
        bmp "set/p$i-scribbles.bmp" 50 40 "if (y >= 8 && y < 16) { if (x == 10) b = 255; if (x == 40) r = 255 } if ($i > 4 && y == 32 && x > 30 && x < 44) g = 255"
        bmp "set/p$i-truth.bmp" 50 40 "if (x < 20 + $i) b = 255; else if ($i > 4 && y > 22) g = 255; else r = 255"
    done
}

# add_photograph: one of images/ with its strokes and truth.
add_photograph() {
    cp "$SOURCE/images/chelsea.jpg" set/chelsea.jpg
    cp "$SOURCE/images/chelsea-scribbles.png" set/chelsea-scribbles.png
    cp "$SOURCE/groundtruth/chelsea.png" set/chelsea-truth.png
}

# same_report A B: everything but journals is equal to the byte.
same_report() {
    diff -r -x journal -x '*.journal' "$1" "$2" >.note 2>&1 || fail "the reports $1 and $2 differ: $(head -n 3 .note)"
}
