#!/bin/bash
# Volumes: a TIFF file with a page for each slice, which another program wrote, and what is refused.
. "$(dirname "$0")/lib.sh"

/usr/bin/python3 - <<'END' || fail "the files of this test cannot be made: Debian's python3-pil and python3-numpy are needed"
import numpy as np
from PIL import Image
rng = np.random.default_rng(4)
z, y, x = np.mgrid[:9, :40, :50]
inside = ((z - 4) * 4) ** 2 + (y - 20) ** 2 + (x - 25) ** 2 < 14 ** 2
volume = (np.where(inside, 170, 80) + rng.integers(0, 30, inside.shape)).astype(np.uint8)
marks = np.zeros(inside.shape, np.uint8)
marks[4, 18:22, 20:30] = 1
marks[4, 2:5, 5:45] = 2
for name, pages in ("stack", volume), ("marks", marks), ("truth", np.where(inside, 1, 2).astype(np.uint8)), ("few", marks[:4]):
    first, *rest = map(Image.fromarray, pages)
    first.save(f"{name}.tif", save_all=True, append_images=rest, compression="tiff_lzw")
Image.fromarray(marks[4]).save("slice.png")
END

expect 0 stack.tif -s marks.tif --truth truth.tif
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.02)}' || fail "the mask is wrong: $(score error_rate)"
[ -f stack-mask.tif ] || fail "the mask of a volume has another default name"
[ ! -f stack-overlay.png ] || fail "a volume has an overlay"
expect 0 stack.tif -s marks.tif --threads 3 -o again.tif --prob p.npy --save-run run.json -q
cmp stack-mask.tif again.tif || fail "threads change the mask"
grep -q "'shape': (9, 40, 50, 2)" p.npy || fail "the probabilities have another shape"
expect 0 replay run.json -o played.tif -q
cmp stack-mask.tif played.tif || fail "the record gives another mask"

# One page of it is an image, and its mask that of the image.
expect 0 "stack.tif[4]" -s slice.png --no-overlay -o page.png -q
expect 0 "stack.tif[4]" -s "marks.tif[4]" --no-overlay -o same.png -q
cmp page.png same.png || fail "a page of the scribbles is not its image"

refuse 3 "'stack.tif' has 9 pages and 'few.tif' 4" stack.tif -s few.tif
refuse 2 "has 9 pages, not 5; leave --slices out" stack.tif -s marks.tif --slices 5
refuse 3 "has 9 pages, counted from 0, and none of the number 9" "stack.tif[9]" -k 2
refuse 3 "there is no file 'missing.tif[3]'" "missing.tif[3]" -k 2
refuse 2 "spacing" stack.tif -s marks.tif --spacing 0
for option in "--table t.csv" "--export coco" "--overlay o.png" "--constraints pairs.csv"; do
    # shellcheck disable=SC2086 # option and value
    refuse 2 "${option%% *} is for images, and 'stack.tif' is a volume of 9 slices" stack.tif -s marks.tif $option
done
echo "volume: all good"
