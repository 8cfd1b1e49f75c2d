#!/bin/bash
# Channels: TIFF files, also of OME and ImageJ, that another program wrote, their pages, planes or samples being channels; arrays and folders of files; what is refused.
# shellcheck disable=SC2086 # options are words
. "$(dirname "$0")/lib.sh"

/usr/bin/python3 - <<'END' || fail "the files of this test cannot be made: Debian's python3-tifffile and python3-pil are needed"
import os
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
                         *((f"{unit}.ome", stack[:2], {"metadata": {"axes": "ZYX", "PhysicalSizeX": .5, "PhysicalSizeZ": 1000 * size, "PhysicalSizeZUnit": unit}})
                           for unit, size in (("nm", 1), ("mm", 1e-6), ("pixel", 1))),
                         ("colours", np.moveaxis(stack[[[0, 1, 2], [2, 3, 4]]], 1, -1), {"photometric": "rgb"}),
                         ("colours.ome", np.moveaxis(stack[[[0, 1, 2], [2, 3, 4]]], 1, -1), {"photometric": "rgb", "metadata": {"axes": "ZYXS"}}),
                         ("scaled", (stack * np.array([1e-6, 1, -1e6, 1, 0.1])[:, None, None]).astype(np.float32), {}),
                         ("signed", stack.astype(np.int16) - 700, {"planarconfig": "separate"}), ("wide.ome", stack.astype(np.uint32) + 70000, {"metadata": {"axes": "CYX"}}),
                         ("strokes", np.stack([kind * inside] * 2).astype(np.uint8), {}), ("bytes", (stack >> 3).astype(np.uint8), {}), ("one", stack[0], {}), ("white", np.where(stack[0] > 600, 255, 0).astype(np.uint8), {}),
                         ("imagej", np.stack([stack] * 2), {"imagej": True, "resolution": (2, 2), "metadata": {"axes": "ZCYX", "spacing": 1.25, "unit": "um"}}),
                         ("behind", stack, {"imagej": True, "truncate": True}), ("split", stack[0], {"metadata": None, "description": "ImageJ=1.53t\nimages=5\nslices=5\n"}),
                         ("rgb", np.moveaxis(stack, 0, -1), {"planarconfig": "contig", "photometric": "rgb"})):
    tifffile.imwrite(name + ".tif", array, **{"photometric": "minisblack", **how})
cells = np.moveaxis(stack, 0, -1)
constant = np.where(np.arange(5) == 1, 7, cells).astype(np.uint16)
hole = cells / 7
hole[3, 4, 2] = np.nan
for name, array in (("uint16", cells), ("big", cells.astype(">u2")), ("fortran", np.asfortranarray(cells)), ("int32", cells.astype(np.int32)),
                    ("float", cells / 7 - 50), ("float32", (cells / 7).astype(np.float32)), ("bytes", (cells >> 3).astype(np.uint8)), ("one", cells[:, :, 0]), ("bool", stack[0] > 600),
                    ("plane", cells[:, :, :1]), ("photo", (cells[:, :, :3] // 300 * 60).astype(np.uint8)), ("whole", cells[:, :, :3].astype(np.int64)),
                    ("constant", constant), ("hole", hole), ("many", np.zeros((6, 8, 65), np.uint8))):
    np.save(name + ".npy", array) or np.save("deep", np.stack([cells] * 2))
Image.fromarray((cells[:, :, :3] // 300 * 60).astype(np.uint8)).save("photo.png") or os.mkdir("cells")
for i, name in enumerate(("DAPI", "GFP", "RFP", "CY5", "BF")):
    tifffile.imwrite(f"cells/a_{name}.tif", stack[i], photometric="minisblack")
tifffile.imwrite("cells/low.tif", stack[1][:40], photometric="minisblack")
for name in ("colours", "colours2"): Image.open("photo.png").save(f"cells/{name}.png")
END

expect 0 pages.tif -s marks.png --channels 5 --truth truth.png
awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.03)}' || fail "the mask is wrong: $(score error_rate)"
for file in planes rgb named.ome wide.ome; do
    expect 0 $file.tif -s marks.png --show 4,5,0 --save-run $file.json --threads 3 -q
    cmp pages-mask.png $file-mask.png || fail "$file.tif has another mask than its pages"
    cmp pages-overlay.png $file-overlay.png >/dev/null 2>&1 && fail "--show changes nothing"
done
expect 0 replay rgb.json -o played.png -q && cmp pages-mask.png played.png || fail "the record gives another mask"
for file in cells.ome imagej; do
    expect 0 $file.tif -s strokes.tif --save-run $file.json -o $file-mask.tif -q
    jq -e '.options | .slices == "2" and .channels == "5" and .spacing == "2.5"' $file.json >/dev/null || fail "the description of $file.tif is not followed"
done
cmp cells.ome-mask.tif imagej-mask.tif || fail "ImageJ's stack has another mask than OME's"
expect 0 deep.npy -s strokes.tif --spacing 2.5 --prob p.npy -o deep-mask.tif -q
expect 0 deep.npy -s strokes.tif --spacing 2.5 --start p.npy -o started.tif -q
cmp cells.ome-mask.tif deep-mask.tif && cmp deep-mask.tif started.tif || fail "an array of slices and channels, or its probabilities as start, has another mask"
refuse 2 "'deep.npy' has 2 slices, not 4; leave --slices out" deep.npy -s strokes.tif --slices 4
for file in nm.ome.tif mm.ome.tif pixel.ome.tif "mm.ome.tif[0-1]"; do
    expect 0 "$file" -s strokes.tif --save-run unit.json -o unit.tif -q
    [ "$(jq -r .options.spacing unit.json)" = "$([ "$file" = pixel.ome.tif ] && echo 1 || echo 2)" ] || fail "$file: spacing $(jq .options.spacing unit.json)"
done
[ ! -x "$PROGRAM-paint" ] || python3 "$SOURCE/tests/cli/paint_requests.py" "$PROGRAM" "$SOURCE" spaced >.out 2>.err || fail "$(cat .out .err)"
# Pages of colours: OME counts three channels for each of them.
for page in 0 1; do
    for file in colours colours.ome; do expect 0 "$file.tif[$page]" -s marks.png -o $file.png -q --no-overlay; done
    cmp colours.png colours.ome.png || fail "page $page of colours is another by OME"
done
for file in colours colours.ome; do expect 0 $file.tif -s strokes.tif -o $file-mask.tif -q --no-overlay; done
cmp colours-mask.tif colours.ome-mask.tif || fail "a volume of colours has another mask by OME"
refuse 3 "'behind.tif' has 5 images behind one page, as ImageJ writes" behind.tif -k 2
expect 0 rgb.tif -s marks.png --channels 1 -o colours.png && grep -q "'rgb.tif' has 5 samples per pixel; the first 3 are used" .err || fail "samples are dropped silently"

# Floats and numbers with a sign or of 32 bits: each channel from its least to its largest. Such numbers are refused as labels.
for file in scaled signed; do
    expect 0 $file.tif -s marks.png --channels 5 --truth pages-mask.png -o $file.png -q
    awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.001)}' || fail "$file.tif has another mask than whole numbers: $(score error_rate)"
done
refuse 3 "'scaled.tif' has a kind of samples (floats, signed or of 32 bits), which is not read by tiles" scaled.tif -s marks.png --tiled -o tiled.tif
refuse 3 "scaled.tif[0] has numbers from 0.0003 to 0.001099, which are not labels" pages.tif --channels 5 -s "scaled.tif[0]"

# Arrays and folders of files: the masks of the TIFF files of the same data.
for file in uint16 big fortran int32 float float32; do
    expect 0 $file.npy -s marks.png -q
    cmp pages-mask.png $file-mask.png && cmp pages-overlay.png $file-overlay.png || fail "$file.npy has another mask than the pages of a TIFF file"
done
expect 0 uint16.npy -s marks.png --save-run uint16.json --max-memory 1G -q && expect 0 replay uint16.json -o played.png -q
cmp pages-mask.png played.png || fail "the record of an array gives another mask"
for pair in "bytes.tif --channels 5:bytes.npy" "one.tif:one.npy" "white.tif:bool.npy" "one.tif:split.tif" "one.tif:plane.npy" "photo.png:photo.npy" "photo.png:photo.npy --channels 3"; do
    expect 0 ${pair%:*} -s marks.png -q -o first.png
    expect 0 ${pair#*:} -s marks.png -q -o second.png
    cmp first.png second.png || fail "$pair: the masks differ"
done
expect 0 constant.npy -s marks.png && grep -q "channel 2 of 5 has one value everywhere" .err || fail "a constant channel is not told"
expect 0 cells/ -s marks.png --channels "*_DAPI.tif,*_GFP*,a_[R]FP.tif,*_CY5.tif,a_BF.tif" -q
cmp pages-mask.png cells-mask.png && cmp pages-overlay.png cells-overlay.png || fail "files of channels have another mask than the pages of a TIFF file"
expect 0 cells -s marks.png --channels "*_DAPI.tif" -q -o single.png
expect 0 cells/a_DAPI.tif -s marks.png -q -o alone.png
cmp single.png alone.png || fail "one channel is another image than its file"

# Images side by side in one folder, by what the star stands for: each as if it had a folder of its own.
mkdir two twice && cp cells/a_DAPI.tif two/b_DAPI.tif && cp cells/a_BF.tif two/b_GFP_1.tif
cp two/b_DAPI.tif "twice/b 1_DAPI.tif" && cp two/b_GFP_1.tif "twice/b 1_GFP_1.tif" && cp cells/a_RFP.tif twice/a_DAPI.tif && cp cells/a_CY5.tif twice/a_GFP.tif
expect 0 two -s marks.png --channels "*_DAPI.tif,*_GFP*" -q
mkdir hints && cp marks.png "hints/b 1-scribbles.png" && cp marks.png hints/a-scribbles.png
expect 0 twice -s hints --channels "*_DAPI.tif,*_GFP*" -o pair -q
cmp two-mask.png "pair/b 1-mask.png" || fail "an image has another mask beside another image"
cmp "pair/b 1-mask.png" pair/a-mask.png >/dev/null 2>&1 && fail "both images have one mask"
expect 0 learn twice -s hints --channels "*_DAPI.tif,*_GFP*" -o twice.model && grep -q "images 2" .out || fail "not both images are learned from"
expect 0 apply twice.model twice --channels "*_DAPI.tif,*_GFP*" -o learned -q
test -s "learned/b 1-mask.png" -a -s learned/a-mask.png || fail "the model was not applied to both"
rm twice/a_GFP.tif
expect 5 twice -s hints --channels "*_DAPI.tif,*_GFP*" -o rest
grep -q "no file of 'twice' has the name '\*_GFP\*' of --channels with a" .err && test -s "rest/b 1-mask.png" || fail "a missing channel is not told"

refuse 3 "'hole.npy': row 3, column 4 (from 0) is a missing value" hole.npy -s marks.png
refuse 3 "'many.npy' is an array of 6 x 8 x 65 numbers; give height x width x channels, of these 64 at most, or state that it is a volume" many.npy -k 2
refuse 3 "'whole.npy' (save whole numbers as uint8 or uint16): pixels: channel 0 of pixel (0, 0) is " whole.npy -k 2
refuse 2 "'uint16.npy' has 5 channels, not 4" uint16.npy -s marks.png --channels 4
refuse 2 "'uint16.npy' has 5 channels, not 1" uint16.npy -s marks.png --channels 1
cp marks.png marks.npy
refuse 3 "'marks.npy' is neither an NPY nor an NRRD file" marks.npy -k 2
refuse 3 "no file of 'cells' has the name '*_XY.tif' of --channels" cells -k 2 --channels "*_DAPI.tif,*_XY.tif"
refuse 3 "'a_BF.tif' and 'a_CY5.tif' both have the name 'a_*' of --channels in 'cells'; a channel is one file" cells -k 2 --channels "a_*"
refuse 3 "'cells/low.tif' has 80 x 40 pixels of 1 sample(s) of 16 bits, but the first has 80 x 60" cells -k 2 --channels "a_BF.tif,low.tif"
refuse 3 "a channel is a grey image, and these have colours" cells -k 2 --channels "colours.png,colours2.png"
for words in "uint16.npy" "cells --volume"; do
    refuse 2 "--channels takes a number or, with folders and without --volume" $words -k 2 --channels a_BF.tif
done
refuse 2 "--save-run records files, and 'cells' is a folder; give one TIFF file of all channels" cells -k 2 --channels a_BF.tif --save-run a.json
refuse 2 "--channels takes a whole number from 1 to 64, not '65'" pages.tif -k 2 --channels 65

# A model is the same from every kind of files, and knows how many channels others have; the last one below is noise.
files="*_DAPI.tif,*_GFP*,a_[R]FP.tif,*_CY5.tif,a_BF.tif"
expect 0 learn pages.tif -s marks.png --channels 5 -o pages.model
for file in planes.tif named.ome.tif uint16.npy "cells/ --channels $files"; do
    expect 0 learn $file -s marks.png -o other.model -q
    cmp pages.model other.model || fail "$file teaches another model than the pages of a TIFF file"
done
cp -r cells more
for file in pages.tif rgb.tif named.ome.tif big.npy bytes.npy float.npy signed.tif "more --channels $files"; do
    expect 0 apply pages.model $file -o applied.png --truth truth.png -q
    awk -v v="$(score error_rate)" 'BEGIN {exit !(v < 0.03)}' || fail "the model's mask of $file is wrong: $(score error_rate)"
done
expect 0 apply pages.model cells more --channels "$files" -o applied/ -q
cmp applied.png applied/cells-mask.png && cmp applied/cells-mask.png applied/more-mask.png || fail "of two folders the masks are others"
expect 0 apply pages.model cells --channels "a_BF.tif,*_CY5.tif,*_RFP.tif,*_GFP.tif,*_DAPI.tif" -o turned.png --truth truth.png -q
awk -v v="$(score error_rate)" 'BEGIN {exit !(v > 0.5)}' || fail "channels in another order are taken for the same"
refuse 3 "the model was learned from images of 5 channel(s), but this image has 1" apply pages.model photo.png
refuse 2 "'photo.npy' has 3 channels, not 5" apply pages.model photo.npy
refuse 2 "'strokes.tif' has 2 pages, not 5 channels" apply pages.model strokes.tif
refuse 3 "of 5 channel(s), but this image has 2" apply pages.model cells --channels "a_BF.tif,*_CY5.tif"
mkdir marks && cp marks.png marks/uint16-scribbles.png && cp marks.png marks/photo-scribbles.png
refuse 3 "'uint16.npy' has 5 channel(s), but 'photo.png' has 1; a model is learned from images with equally" learn photo.png uint16.npy -s marks -o x.model
refuse 3 "'cells.ome.tif' is a volume of 2 slices; a model is learned from images" learn cells.ome.tif -s strokes.tif -o x.model
refuse 2 "--channels takes a number or, with folders" learn uint16.npy -s marks --channels a_BF.tif -o x.model

sed 's|</OME>|      |' named.ome.tif >cut.tif
refuse 3 "'cut.tif': its OME-XML is cut off; save it anew" cut.tif -k 2
sed 's|<?xml version="1.0"|<!DOCTYPE OME [ <!E|' named.ome.tif >entities.tif
refuse 3 "'entities.tif': its OME-XML defines entities, which are not read" entities.tif -k 2
refuse 2 "'pages.tif' has 5 pages, not 4 channels" pages.tif -s marks.png --channels 4
refuse 2 "--show takes three numbers of channels, 0 to 5, as in 2,1,0, not '6,1,2'" planes.tif -s marks.png --show 6,1,2
refuse 3 "60 rows of pixels are not 7 channels of equal height" marks.png -s marks.png --channels 7
echo "channels: all good"
