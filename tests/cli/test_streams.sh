#!/bin/bash
# - as each input and each output that can be one: the same as by a file; two of them are refused.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
printf '0,1,1\n' >pairs.csv
printf 'sky:0,0,255::\nrust:255,0,0::\n' >map.txt
kinds="coco yolo geojson svg npy labelme"
exports=()
for kind in $kinds; do exports+=(--export "$kind=file.$kind"); done
all=(photo.bmp --scribbles scribbles.bmp --constraints pairs.csv --labelmap map.txt --truth truth.bmp)
expect 0 "${all[@]}" -o file.mask --overlay file.overlay --prob file.prob --uncertainty file.uncertainty \
    --save-run file.save-run "${exports[@]}"
cp .out file.scores

# Each input.
for i in 0 2 4 6 8; do
    arguments=("${all[@]}")
    input=${arguments[i]}
    arguments[i]=-
    got=0
    "$PROGRAM" "${arguments[@]}" -o m.png --overlay o.png <"$input" >.out 2>.err || got=$?
    LAST="${arguments[*]}"
    [ $got -eq 0 ] || fail "exit $got: $LAST"
    cmp -s m.png file.mask && cmp -s o.png file.overlay && cmp -s .out file.scores || fail "another result: $LAST"
done
rm m.png o.png

# Each output.
quiet=(photo.bmp --scribbles scribbles.bmp --constraints pairs.csv --labelmap map.txt -q)
expect 0 "${quiet[@]}" --no-overlay -o -
cmp -s .out file.mask || fail "another mask"
for what in overlay prob uncertainty save-run; do
    only=(--no-overlay)
    [ $what = overlay ] && only=()
    expect 0 "${quiet[@]}" "${only[@]}" -o /dev/null "--$what" -
    silent
    if [ $what = save-run ]; then # the truth is an input of the run by files
        cmp -s <(jq 'del(.inputs.truth)' file.save-run) <(jq . .out) || fail "another record"
    else
        cmp -s .out file.$what || fail "another output by --$what -"
    fi
done
for kind in $kinds; do
    expect 0 "${quiet[@]}" --no-overlay -o /dev/null --export "$kind=-"
    cmp -s .out "file.$kind" || fail "another export as $kind"
done

# In pipes: the image in, the mask out, its scores.
"$PROGRAM" - --scribbles scribbles.bmp --no-overlay -o - <photo.bmp | "$PROGRAM" score - truth.bmp >.note || fail "a pipe"
"$PROGRAM" photo.bmp --scribbles scribbles.bmp --no-overlay -o - | "$PROGRAM" score truth.bmp - --json >.said || fail "a pipe"
[ "$(jq .pixels .said)" = 2400 ] || [ "$(awk '$1 == "scored" { print $2 }' .note)" = 2400 ] || fail "no scores"

# Two at once.
refuse 2 "standard input" - --scribbles -
refuse 2 "standard input" - -k 2 --truth -
refuse 2 "standard input" photo.bmp --scribbles - --constraints -
refuse 2 "standard input" photo.bmp --scribbles - --labelmap -
refuse 2 "standard input" score - -
refuse 2 "standard output" photo.bmp -k 2 -o - --overlay -
refuse 2 "standard output" photo.bmp -k 2 -o - --json
refuse 2 "standard output" photo.bmp -k 2 -o - --truth truth.bmp
refuse 2 "standard output" photo.bmp -k 2 --prob - --export svg=-
refuse 2 "standard output" photo.bmp -k 2 --export svg=- --export coco=-
refuse 2 "standard output" photo.bmp -k 2 --save-run - --json
refuse 2 "standard output" photo.bmp -k 2 --export masks=-
# The same of clusters.
printf '0,0\n0,1\n5,5\n5,6\n1,0\n6,5\n' >v.csv
printf 'a\na\nb\nb\na\nb\n' >l.txt
printf '0,1,1\n0,2,-1\n' >p.csv
expect 0 cluster v.csv -k 2 --labels l.txt --constraints p.csv --method pckmeans
mv .out file.clusters
for input in v.csv l.txt p.csv; do
    arguments=(cluster v.csv -k 2 --labels l.txt --constraints p.csv --method pckmeans)
    for i in "${!arguments[@]}"; do [ "${arguments[i]}" = $input ] && arguments[i]=-; done
    "$PROGRAM" "${arguments[@]}" -o - <$input >.out 2>.err || fail "$input as -"
    cmp -s .out file.clusters || fail "other clusters with $input as -"
done
refuse 2 "standard input" cluster - -k 2 --labels -
refuse 2 "standard input" cluster - -k 2 --constraints -
refuse 2 "standard output" cluster v.csv -k 2 -o - --json
exit 0
