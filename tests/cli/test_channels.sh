#!/bin/bash
# Channels: TIFF files that another program wrote, their pages, planes or samples being channels, and what is refused.
. "$(dirname "$0")/lib.sh"

/usr/bin/python3 - <<'END' || fail "the files of this test cannot be made: Debian's python3-tifffile and python3-pil are needed"
import numpy as np
import tifffile
from PIL import Image
kind = 1 + np.arange(80) // 20 + np.zeros((60, 1), int)  # four labels, each bright in its channel; the fifth is noise
noise = np.random.default_rng(4).integers(0, 200, (5, 60, 80))
stack = (np.stack([np.where(kind == k, 900, 300) for k in (1, 2, 3, 4, 0)]) + noise).astype(np.uint16)
inside = (np.arange(80) % 20 // 4 == 2) & (np.arange(60) // 10 % 5 > 0)[:, None]
Image.fromarray((kind * inside).astype(np.uint8)).save("marks.png")
Image.fromarray(kind.astype(np.uint8)).save("truth.png")
for name, array, how in (("pages", stack, {}), ("planes", stack, {"planarconfig": "separate"}),
                         ("samples", np.moveaxis(stack, 0, -1), {"planarconfig": "contig", "compression": "zlib"}),
                         ("rgb", np.moveaxis(stack, 0, -1), {"planarconfig": "contig", "photometric": "rgb"}),
                         ("many", np.zeros((60, 80, 65), np.uint8), {"planarconfig": "contig"})):
    tifffile.imwrite(name + ".tif", array, **{"photometric": "minisblack", **how})
for page in stack[0], stack[1, :50]:
    tifffile.imwrite("sizes.tif", page, append=len(page) < 60, photometric="minisblack")
END

expect 0 pages.tif -s marks.png --channels 5 --truth truth.png
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.03)}' || fail "the mask is wrong: $(score error_rate)"
for file in planes samples rgb; do
    expect 0 $file.tif -s marks.png --show 4,5,0 --save-run $file.json --threads 3 -q
    cmp pages-mask.png $file-mask.png || fail "$file.tif has another mask than its pages"
    cmp pages-overlay.png $file-overlay.png >/dev/null 2>&1 && fail "--show changes nothing"
done
expect 0 replay rgb.json -o played.png -q
cmp pages-mask.png played.png || fail "the record gives another mask"
expect 0 rgb.tif -s marks.png --channels 1 -o colours.png
grep -q "'rgb.tif' has 5 samples per pixel; the first 3 are used" .err || fail "samples are dropped silently"

refuse 2 "'pages.tif' has 5 pages, not 4 channels" pages.tif -s marks.png --channels 4
refuse 2 "channels is 65; it must be 1 to 64" many.tif -s marks.png
refuse 3 "page 1 of 'sizes.tif[0-1]' has 80 x 50 pixels" sizes.tif -s marks.png --channels 2
refuse 3 "has 5 pages, counted from 0, and none of the number 5" "planes.tif[5]" -s marks.png
refuse 2 "--show takes three numbers of channels, 0 to 5, as in 2,1,0, not '6,1,2'" planes.tif -s marks.png --show 6,1,2
refuse 3 "60 rows of pixels are not 7 channels of equal height" marks.png -s marks.png --channels 7
echo "channels: all good"
