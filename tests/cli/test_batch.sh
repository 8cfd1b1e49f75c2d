#!/bin/bash
# Several images at once: files by name, the same bytes as one by one, and what happens where some fail.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
bmp small.bmp 2 1 'r = x * 200'
content() {
    (cd "$1" && printf '%s ' *)
}
mkdir photos scribbles truths out
for name in a b.v2 c; do
    cp photo.bmp photos/$name.bmp
    cp scribbles.bmp scribbles/$name-scribbles.bmp
    cp truth.bmp truths/$name.bmp
done
mv scribbles/c-scribbles.bmp scribbles/c.bmp
bmp photos/c.bmp 60 40 'if (x < 30) r = 220 - y; else { g = 150; b = x }'
cp scribbles.bmp photos/a-scribbles.bmp # belongs to an image and is not one itself
expect 0 photo.bmp --scribbles scribbles.bmp -o one.png --overlay one-overlay.png
expect 0 photos/c.bmp --scribbles scribbles.bmp -o c.png --no-overlay

expect 0 photos --scribbles scribbles --truth truths -o out --export svg --save-run out --prob out -q
silent
[ "$(grep -c . .out)" -eq 30 ] && [ "$(grep '^photo' .out | tr '\n' ' ')" = "photo photos/a.bmp photo photos/b.v2.bmp photo photos/c.bmp " ] ||
    fail "not the scores of three images"
[ "$(content out)" = "$(printf '%s\n' {a,b.v2,c}-{mask.png,mask.svg,overlay.png,prob.npy,run.json} | sort | tr '\n' ' ')" ] ||
    fail "other files: $(content out)"
for name in a b.v2; do
    cmp -s out/$name-mask.png one.png && cmp -s out/$name-overlay.png one-overlay.png || fail "$name: not as on its own"
done
cmp -s out/c-mask.png c.png || fail "c: not as on its own"
expect 0 replay out/c-run.json --no-overlay -o again.png
cmp -s again.png c.png || fail "c: its replay is another"
rm -r again.png out/*

# Named one by one, in the working folder; -- and names like options; what is said; reports.
cp photo.bmp ./-d.bmp && cp scribbles.bmp scribbles/-d-scribbles.bmp
expect 0 --scribbles scribbles photos/a.bmp photos/c.bmp --no-overlay --json -- -d.bmp
[ "$(grep -c ' of 3: ' .err)" -eq 3 ] || fail "no progress over the images"
[ "$(jq -rs '[.[].outputs.mask] | join(" ")' .out)" = "a-mask.png c-mask.png -d-mask.png" ] || fail "other reports"
cmp -s c-mask.png c.png || fail "c: another mask"
rm -- *-mask.png -d.bmp scribbles/-d-scribbles.bmp
expect 0 photos -k 2 -o out --no-overlay --progress json
[ "$(grep '"photo"' .err | jq -cs '[.[].number]')" = '[1,2,3]' ] || fail "no line of JSON an image"
rm out/*

# Endings and what stands before them in any case; the first of two; folders in the folder are left alone.
mkdir -p any/photos/more any/scribbles
cp photo.bmp any/photos/One.BMP && cp photo.bmp any/photos/two.bmp && cp photo.bmp any/photos/more/three.bmp
cp photo.bmp any/photos/one-SCRIBBLES.BMP && cp scribbles.bmp any/scribbles/One-Scribbles.BMP && cp scribbles.bmp any/scribbles/TWO.bmp
cp scribbles.bmp any/scribbles/two.BMP && cp small.bmp any/scribbles/two.tif
expect 0 any/photos --scribbles any/scribbles -o out --no-overlay
[ "$(content out)" = "One-mask.png two-mask.png " ] || fail "other masks: $(content out)"
cmp -s out/One-mask.png one.png && cmp -s out/two-mask.png one.png || fail "other scribbles were taken"
rm -r any out/*

# Some fail: the others are done, each failure has its sentence.
echo text >photos/bad.bmp && cp scribbles.bmp scribbles/bad.bmp && rm scribbles/b.v2-scribbles.bmp
expect 5 photos --scribbles scribbles -o out --no-overlay
grep -q "'photos/b.v2.bmp' has no --scribbles in 'scribbles'" .err || fail "the missing scribbles are not named"
expect 5 photos/absent.bmp photos/bad.bmp --scribbles scribbles -o out --no-overlay
grep -q "there is no file 'photos/absent.bmp'" .err || fail "a missing image is not named: $(cat .err)"
expect 5 photos --scribbles scribbles -o out --no-overlay
grep -q "photos/bad.bmp.*text file" .err || fail "the bad image is not named"
grep -q '^segment: 2 of 4 images failed$' .err || fail "no summary"
[ "$(content out)" = "a-mask.png c-mask.png " ] || fail "other masks: $(content out)"
rm -r out/* photos/bad.bmp

# What is wrong with the options is said before anything is done.
mkdir empty
refuse 2 "is not a folder" photos -k 2 --overlay photo.bmp
refuse 2 "give the kind alone" photos -k 2 --export svg=a.svg
refuse 2 "have the same name" photo.bmp scribbles/../photo.bmp -k 2
refuse 2 "'photo.bmp' is given twice" photo.bmp photo.bmp -k 2
refuse 2 "both be written" photos -k 2 --export svg --export svg
refuse 2 "-k K" photos photo.bmp
refuse 3 "no image" empty -k 2
exit 0
