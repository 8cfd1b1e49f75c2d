#!/bin/bash
# Channels: (OME-)TIFF files that another program wrote, their pages, planes or samples being channels; what is refused.
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
                         ("named.ome", stack, {"metadata": {"axes": "CYX"}}),
                         ("cells.ome", np.stack([stack] * 2), {"metadata": {"axes": "ZCYX", "PhysicalSizeX": .5, "PhysicalSizeZ": 1.25}}),
                         ("strokes", np.stack([kind * inside] * 2).astype(np.uint8), {}),
                         ("rgb", np.moveaxis(stack, 0, -1), {"planarconfig": "contig", "photometric": "rgb"})):
    tifffile.imwrite(name + ".tif", array, **{"photometric": "minisblack", **how})
END

expect 0 pages.tif -s marks.png --channels 5 --truth truth.png
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.03)}' || fail "the mask is wrong: $(score error_rate)"
for file in planes rgb named.ome; do
    expect 0 $file.tif -s marks.png --show 4,5,0 --save-run $file.json --threads 3 -q
    cmp pages-mask.png $file-mask.png || fail "$file.tif has another mask than its pages"
    cmp pages-overlay.png $file-overlay.png >/dev/null 2>&1 && fail "--show changes nothing"
done
expect 0 replay rgb.json -o played.png -q
cmp pages-mask.png played.png || fail "the record gives another mask"
expect 0 cells.ome.tif -s strokes.tif --save-run cells.json -q
jq -e '.options | .slices == "2" and .channels == "5" and .spacing == "2.5"' cells.json >/dev/null || fail "the XML is not followed"
expect 0 rgb.tif -s marks.png --channels 1 -o colours.png
grep -q "'rgb.tif' has 5 samples per pixel; the first 3 are used" .err || fail "samples are dropped silently"

sed 's|</OME>|      |' named.ome.tif >cut.tif
refuse 3 "'cut.tif': its OME-XML is cut off; save it anew" cut.tif -k 2
sed 's|<?xml version="1.0"|<!DOCTYPE OME [ <!E|' named.ome.tif >entities.tif
refuse 3 "'entities.tif': its OME-XML defines entities, which are not read" entities.tif -k 2
refuse 2 "'pages.tif' has 5 pages, not 4 channels" pages.tif -s marks.png --channels 4
refuse 2 "--show takes three numbers of channels, 0 to 5, as in 2,1,0, not '6,1,2'" planes.tif -s marks.png --show 6,1,2
refuse 3 "60 rows of pixels are not 7 channels of equal height" marks.png -s marks.png --channels 7
echo "channels: all good"
