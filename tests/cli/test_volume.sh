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
for name, pages in ("stack", volume), ("marks", marks), ("truth", np.where(inside, 1, 2).astype(np.uint8)), ("few", marks[:4]), ("none", 0 * marks), ("lone", volume[4:5]), ("mark", marks[4:5]):
    first, *rest = map(Image.fromarray, pages)
    first.save(f"{name}.tif", save_all=True, append_images=rest, compression="tiff_lzw")
    np.save(name, pages if name != "stack" else pages.astype(np.int16) * 9 - 1000) # as of a scanner
np.save("flat", volume[4])
Image.fromarray(marks[4]).save("slice.png")
import os
for folder, which, pages in ("slices", range(9), volume), ("strokes", [4], marks), ("truths", [3, 8], np.where(inside, 1, 2)), \
        ("odd", [4], marks[:, 1:]), ("bare", [4], 0 * marks), ("one", [0], volume[4:]), ("its", [0], marks[4:]):
    os.mkdir(folder)
    for z in which:  # natural order: s2 precedes s10
        Image.fromarray(pages[z].astype(np.uint8)).save(f"{folder}/s{z + 2}.png")
END

expect 0 stack.tif -s marks.tif --truth truth.tif --spacing 4 --table t.csv
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.02)}' || fail "the mask is wrong: $(score error_rate)"
[ -f stack-mask.tif ] || fail "the mask of a volume has another default name"
# The table and the contact sheet, by NumPy: nine slices of 50 x 40 with gaps of 4 pixels.
/usr/bin/python3 - <<'END' || fail "the table or the overlay of the volume is wrong"
import csv
import numpy as np
from PIL import Image
mask, image = Image.open("stack-mask.tif"), Image.open("stack.tif")
labels = np.array([(mask.seek(i), np.array(mask))[1] for i in range(9)])
pages = np.array([(image.seek(i), np.array(image))[1] for i in range(9)])
for row in csv.DictReader(open("t.csv")):
    z, y, x = np.nonzero(labels == int(row["label"]))
    assert int(row["voxels"]) == len(z) and float(row["volume"]) == 4 * len(z) and abs(float(row["share"]) - len(z) / labels.size) < 1e-6
    for axis, name, low, high in (x, "x", "left", "right"), (y, "y", "top", "bottom"), (z, "z", "first", "last"):
        assert abs(float(row["centroid_" + name]) - axis.mean() - 0.5) < 1e-3
        assert int(row[low]) == axis.min() and int(row[high]) == axis.max() + 1
    assert abs(float(row["mean_red"]) - pages[z, y, x].mean()) < 1e-3
sheet = np.array(Image.open("stack-overlay.png")).astype(int)
columns = (sheet.shape[1] + 4) // 54
for i in range(9):
    y, x = i // columns * 44, i % columns * 54
    red = sheet[y:y + 40, x:x + 50, 0] # the second colour has none: the tint takes 40 %, and outlines are few
    assert (np.abs(red - 0.6 * pages[i])[labels[i] == 2] < 2).mean() > 0.75, i
END
expect 0 stack.tif -s marks.tif --spacing 4 --threads 3 -o again.tif --export NPY=labels.npy --export nrrd --prob p.npy --save-run run.json -q
cmp stack-mask.tif again.tif || fail "threads change the mask"
# Arrays are volumes too: with scribbles of slices, with --volume, and what --export npy wrote.
expect 0 stack.npy -s marks.npy --truth labels.npy --spacing 4 -o array.tif
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.005)}' || fail "an array has another mask: $(score error_rate)"
expect 0 stack.npy --volume -s marks.tif --spacing 4 -o of-pages.tif -q
cmp array.tif of-pages.tif || fail "scribbles in an array are not those of the pages"
expect 0 stack.tif -s marks.npy --start labels.npy -o from-array.tif -q
/usr/bin/python3 -c 'import numpy as np; m = np.load("labels.npy"); np.save("plane.npy", np.where(m == 1, 0.9, 0.1)); m[:] = 2; m[..., 7] = 1; np.save("hot.npy", m % 2)'
expect 0 stack.tif -s marks.npy --start plane.npy -o from-plane.tif -q
cmp from-array.tif from-plane.tif || fail "the probabilities of one label of a volume give another mask than its labels"
expect 0 stack.tif -s marks.npy --start hot.npy -q -o hot.tif # one 1 in each row: no probabilities of 50 labels
expect 0 stack.tif -s marks.tif --start again.tif -o from-pages.tif -q
cmp from-array.tif from-pages.tif || fail "a start in an array is not that of the pages"
# NRRD: what --export wrote, and files as 3D Slicer writes them, which say how far apart the slices are.
expect 0 stack.tif -s marks.npy --start again.nrrd -o from-nrrd.tif -q
cmp from-array.tif from-nrrd.tif || fail "a start in NRRD is not that of the array"
/usr/bin/python3 - <<'END' || fail "no NRRD files"
import gzip
import numpy as np
def write(name, array, kind, encoding="gzip", more="", cut=None):
    sizes = " ".join(map(str, reversed(array.shape)))
    head = f"NRRD0005\n# a comment\ntype: {kind}\ndimension: {array.ndim}\nspace: left-posterior-superior\nsizes: {sizes}\n{more}encoding: {encoding}\nkey:=type: none\n\n"
    numbers = array.tobytes() if encoding == "raw" else gzip.compress(array.tobytes())
    open(name, "wb").write(head.encode() + numbers[:cut])
stack, marks = np.load("stack.npy"), np.load("marks.npy")
vectors = "space directions: (0.5,0,0) (0, 0.3, 0.4) (0,0,2)\n"
write("stack.nrrd", stack, "short", more=vectors + "endian: little\n")
write("big.nrrd", stack.astype(">i2"), "signed short int", "raw", "endian: big\nspacings: 1 1 4\n")
write("float.nrrd", stack.astype("<f4"), "float", more="spacings: 0.25 0.25 1\n")
write("marks.nrrd", marks, "uchar")
write("colours.nrrd", np.stack([np.load("flat.npy")] * 3, -1), "uint8", "raw", "kinds: RGB-color domain domain\nspacings: nan 1 1\n")
write("cut.nrrd", stack, "int16", cut=99)
write("short.nrrd", stack, "int16", "raw", cut=99)
write("text.nrrd", stack, "int16", "ascii")
write("block.nrrd", stack, "block")
write("five.nrrd", stack.reshape(3, 3, 2, 20, 50), "int16")
open("apart.nrrd", "w").write("NRRD0004\ntype: short\ndimension: 2\nsizes: 5 5\nencoding: raw\ndata file: a.raw\n")
END
for file in stack big float; do
    expect 0 $file.nrrd -s marks.nrrd -o $file-nrrd.tif -q
    cmp array.tif $file-nrrd.tif || fail "$file.nrrd has another mask than the array"
done
expect 0 colours.nrrd -s slice.png -o colours.png -q
expect 0 flat.npy -s slice.png -o flat.png -q
cmp colours.png flat.png || fail "an image in NRRD has another mask than the array"
for bad in "cut:is cut off" "short:it has another number of values than its sizes say" "text:its encoding must be raw or gzip" "block:its type is neither" \
    "five:it must have a dimension of 2 to 4" "apart:its numbers are not in it"; do
    refuse 3 "${bad#*:}" "${bad%%:*}.nrrd" -s marks.npy
done
# Labels of a large image, and of more rows than an image has.
/usr/bin/python3 -c 'import numpy as np
tall = np.ones((140, 512, 64), np.uint8); tall[:, :, :20] = 2
np.save("tall", tall); np.save("wide", np.ones((1100, 1000), np.uint8) + np.eye(1100, 1000, dtype=np.uint8)); np.save("shares", np.full((1100, 1000), 0.7))'
expect 0 score tall.npy tall.npy && grep -q "^scored $((140 * 512 * 64))$" .out || fail "a tall volume is not scored"
expect 0 score wide.npy wide.npy && grep -q "^scored 1100000$" .out || fail "labels of a large image are not scored"
expect 0 score shares.npy shares.npy && grep -q "^scored 1100000$" .out || fail "probabilities of a large image are not scored"
refuse 3 "'stack.npy' has 9 pages and 'few.npy' 4" stack.npy -s few.npy
refuse 3 "marks.npy has 50 x 360 pixels, the image 50 x 40" flat.npy -s marks.npy
grep -q "'shape': (9, 40, 50, 2)" p.npy || fail "the probabilities have another shape"
/usr/bin/python3 - <<'END' || fail "the exports npy and nrrd are not the mask"
import numpy as np
from PIL import Image, ImageSequence
mask = np.array([np.array(page) for page in ImageSequence.Iterator(Image.open("again.tif"))])
assert (np.load("labels.npy") == mask).all()
header, samples = open("again.nrrd", "rb").read().split(b"\n\n", 1)
assert header.startswith(b"NRRD0004\n") and {b"type: uint8", b"sizes: 50 40 9", b"spacings: 1 1 4", b"encoding: raw"} < set(header.split(b"\n")), header
assert samples == mask.tobytes()
END
expect 0 replay run.json -o played.tif -q
cmp stack-mask.tif played.tif || fail "the record gives another mask"
mkdir empty both marked
# One of several images: its mask has pages too.
cp stack.tif both/stack.tif && cp marks.tif marked/stack-scribbles.tif
expect 0 both -s marked --spacing 4 --no-overlay -o series -q
cmp stack-mask.tif series/stack-mask.tif && [ "$(ls series)" = stack-mask.tif ] || fail "another mask in a folder of stacks: $(ls series)"
touch -r marks.tif series/stack-mask.tif
expect 0 both -s marked --spacing 4 --no-overlay -o series --resume -q
[ ! series/stack-mask.tif -nt marks.tif ] || fail "a mask that is there is made again"
# One page of it is an image, and its mask that of the image.
expect 0 "stack.tif[4]" -s slice.png --no-overlay -o page.png -q
expect 0 "stack.tif[4]" -s "marks.tif[4]" --no-overlay -o same.png -q
cmp page.png same.png || fail "a page of the scribbles is not its image"
refuse 3 "'stack.tif' has 9 pages and 'few.tif' 4" stack.tif -s few.tif
refuse 2 "has 9 pages, not 5; leave --slices out" stack.tif -s marks.tif --slices 5
refuse 3 "has 9 pages, counted from 0, and none of the number 9" "stack.tif[9]" -k 2
refuse 3 "there is no file 'missing.tif[3]'" "missing.tif[3]" -k 2
refuse 2 "spacing" stack.tif -s marks.tif --spacing 0
for option in "--cutout-labels 1 --overlay-style cutout" "--constraints pairs.csv" "--box 5,5,20,20"; do
    # shellcheck disable=SC2086 # option and value
    refuse 2 "${option%% *} is for images, and 'stack.tif' is a volume of 9 slices" stack.tif -s marks.tif $option
done
refuse 2 "svg=a.svg is for images, and 'stack.tif' is a volume of 9 slices; export npy or nrrd" stack.tif -s marks.tif --export npy --export svg=a.svg
[ ! -e stack-mask.npy ] || fail "an export was written before the other was refused"
# A folder of slices gives the bytes of the same slices in one file.
expect 0 slices/ --volume -s strokes/ --truth truths --spacing 4 -o folder.tif
awk -v v="$(score scored)" 'BEGIN {exit !(v == 4000)}' || fail "slices without a truth are scored: $(score scored)"
cmp stack-mask.tif folder.tif || fail "a folder of slices gives another mask"
expect 0 slices --volume -s marks.tif --spacing 4 --param prior=0.004 -q # ten times the default is a volume's, and what is set is taken as it is
cmp stack-mask.tif slices-mask.tif && grep -q '"prior=0.004"' run.json && grep -q '"mean=1,texture=0.1"' run.json || fail "with the strokes in one file, or with a volume's own prior, the mask is another, or the record does not say what was used"
expect 0 slices/ --volume -s strokes/ -o all/ --spacing 4 -q
expect 0 stack.tif --video -s marks.tif -o two.tif -q --save-run two.json
expect 0 replay two.json -o twice.tif -q
cmp two.tif twice.tif && grep -q '"mean=1,spread=0.6,position=0.2,texture=0.1"' two.json || fail "the record of --video gives another mask"
expect 0 slices --video -s strokes -o frames -q --window 4
expect 0 stack.tif --video -s marks.tif -o pages -q --window 4 --features mean=1,spread=0.6,position=0.2,texture=0.1 # a video's usual ones
for z in {0..8}; do cmp "frames/s$((z + 2)).png" "pages/stack-$z.png" || fail "frame $z has another mask as a page"; done
# Marks and truths of some pages, each a file that is called as the mask of its page.
for kind in strokes truths; do
    mkdir "page-$kind"
    for file in "$kind"/s*.png; do number=${file#*/s} && cp "$file" "page-$kind/stack-$((${number%.png} - 2)).png"; done
done
expect 0 stack.tif --volume -s page-strokes --truth page-truths --spacing 4 -o called.tif
awk -v v="$(score scored)" 'BEGIN {exit !(v == 4000)}' || fail "pages without a truth are scored: $(score scored)"
cmp stack-mask.tif called.tif || fail "marks that are called as pages give another mask"
expect 0 stack.tif --video -s page-strokes -o called -q --window 4
diff -r pages called || fail "frames with marks that are called as pages have other masks"
refuse 3 "'strokes/s6.png' has the name of no slice; name it after one, as 'stack-0.png' is" stack.tif --volume -s strokes -o no.tif
refuse 3 "nothing is marked" stack.tif --video -s none.tif -o no --window 4
refuse 2 "--export needs all frames at once" stack.tif --video -s marks.tif -o no --window 4 --export npy
refuse 2 "--save-run needs all frames at once" stack.tif --video -s marks.tif -o no --window 4 --save-run no.json
[ ! -e no ] || fail "a refused run leaves a folder"
# A range of pages is a volume of them, called by their numbers; a stack whose name has a dot; masks in a folder.
cp stack.tif a.stack.tif && mkdir dotted && cp slice.png dotted/a.stack-4.png
expect 0 a.stack.tif --volume -s dotted -o dotted.tif --spacing 4 -q
cmp stack-mask.tif dotted.tif || fail "a dot in the name gives another mask"
expect 0 "a.stack.tif[2-6]" --volume -s dotted -o part -q
expect 0 "a.stack.tif[2-6]" --volume -s "marks.tif[2-6]" -o part.tif -q --save-run part.json
expect 0 replay part.json -o part2 -q
expect 0 score part.tif part.tif
awk -v v="$(score scored)" 'BEGIN {exit !(v == 10000)}' || fail "a range of five pages has as many slices: $(score scored)"
[ "$(cd part && echo *)" = "a.stack-2.png a.stack-3.png a.stack-4.png a.stack-5.png a.stack-6.png" ] || fail "$(ls part)"
for z in 2 3 4 5 6; do
    expect 0 score "part.tif[$((z - 2))]" "part/a.stack-$z.png"
    [ "$(score error_rate)" = 0.000000 ] && cmp "part/a.stack-$z.png" "part2/a.stack-$z.png" || fail "slice $z has another mask in a folder"
done
# A mask to correct: of a file or a folder, alone and with a stroke.
mkdir starts && cp all/*.png starts
expect 0 stack.tif --start stack-mask.tif -o kept.tif --volume --spacing 4 -q
expect 0 score kept.tif stack-mask.tif
[ "$(score error_rate)" = 0.000000 ] || fail "a start changes without strokes"
expect 0 slices --volume --start starts -s strokes --spacing 4 -o kept2.tif -q --threads 3
expect 0 stack.tif --volume --start stack-mask.tif -s marks.tif --spacing 4 -o kept3.tif -q --save-run kept.json
cmp kept2.tif kept3.tif || fail "a folder of starts gives another mask"
expect 0 replay kept.json -o kept4.tif -q
cmp kept3.tif kept4.tif || fail "the record of a start gives another mask"
rm starts/s4.png
refuse 3 "'starts' has no mask of 'slices/s4.png'; a mask to correct is one of all slices" slices --volume --start starts -o no.tif
# A region of each slice, and a page, in records; scores of all slices.
expect 0 stack.tif -s marks.tif --region 5,4,40,30 -o region.tif --truth truth.tif --save-run region.json
awk -v v="$(score scored)" 'BEGIN {exit !(v == 10800)}' || fail "pixels outside of the region are scored: $(score scored)"
grep -q "is this a file of scribbles" .err && fail "the region is taken for a truth that is void"
expect 0 replay region.json -o region2.tif -q
cmp region.tif region2.tif || fail "the record of a region gives another mask"
expect 0 "stack.tif[4]" -s "marks.tif[4]" --no-overlay -o same.png --save-run page.json -q
expect 0 replay page.json -o page2.png -q
cmp page.png page2.png || fail "the record of a page gives another mask"
expect 0 score stack-mask.tif truth.tif
awk -v v="$(score scored)" 'BEGIN {exit !(v == 18000)}' || fail "one page is scored: $(score scored)"
expect 0 slices --video -s strokes -o film.tif --truth truths
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.02)}' || fail "the mask of a video is wrong: $(score error_rate)"
[ "$(cd all && echo *)" = "s10.png s2.png s3.png s4.png s5.png s6.png s7.png s8.png s9.png" ] || fail "$(ls all)"
/usr/bin/python3 -c '
import numpy as np
from PIL import Image, ImageSequence
pages = [np.asarray(page) for page in ImageSequence.Iterator(Image.open("folder.tif"))]
assert all((np.asarray(Image.open(f"all/s{z + 2}.png")) == pages[z]).all() for z in range(9))' || fail "masks of slices"
expect 0 one --volume -s its -o alone -q && expect 0 lone.npy -s mark.npy -o lone.png -q
cmp alone/s2.png page.png && cmp lone.png page.png || fail "a volume of one slice is not its image"
refuse 2 "'slices' would be overwritten, and it is an input" slices --volume -s strokes -o slices
refuse 2 "the mask writes a folder, but 'm.png' looks like a file name" slices --volume -s strokes -o m.png
refuse 2 "--volume takes one folder of slices or one TIFF file" slices --volume -s strokes -o m --jobs 2
refuse 2 "--save-run records files, and 'slices' is a folder" slices --volume -s strokes -o m --save-run r.json
refuse 2 "a model is of images" apply m.model slices --volume
refuse 3 "there is no image (PNG" empty --volume -s strokes -o m
refuse 3 "bare: nothing is marked" slices --volume -s bare -o m
refuse 3 "'odd/s6.png' has 50 x 39 pixels, but the slices have 50 x 40" slices --volume -s odd -o m
refuse 3 "'all/s3.png' has the name of no slice; name it after one" one --volume -s all -o m
cp odd/s6.png slices/s7.png
refuse 3 "'slices/s7.png' has 50 x 39 pixels of 1 sample(s) of 8 bits, but the first has 50 x 40" slices --volume -s strokes -o m
head -c 90 slices/s8.png >slices/s7.png
refuse 3 "slices/s7.png" slices --volume -s strokes -o m
[ ! -e m ] || fail "a refused run leaves a folder"
echo "volume: all good"
