#!/bin/bash
# --save-run and replay: the same bytes from the record alone, and a refusal where that cannot be.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
printf '0,5,-1\n' >pairs.csv
printf 'sky:0,0,255::\nrust:255,0,0::\n' >map.txt

# again ARGUMENTS: the run and its replay write the same mask and overlay; leaves run.json and m.png.
again() {
    expect 0 "$@" -o m.png --overlay o.png --save-run run.json
    mkdir elsewhere
    expect 0 replay run.json -o elsewhere/m.png --overlay elsewhere/o.png --threads 2 --save-run elsewhere/run.json
    for file in m.png o.png run.json; do
        cmp -s $file elsewhere/$file || fail "another $file: $*"
    done
    rm -r elsewhere o.png
}
for method in auto enpakl tragek kmeans; do
    again photo.bmp --scribbles scribbles.bmp --method "$method" --seed 7
done
again photo.bmp --scribbles scribbles.bmp --constraints pairs.csv --labelmap map.txt --alpha 0.3 --outline 1 -k 3 \
    --patch 4 --features mean=0.1,position --graph knn --knn 7 --sigma 0.3 --pairs 9 \
    --contradictions drop --restarts 3 --refine none --method ccskl --param m=7 --truth truth.bmp --json
[ "$(jq -c '[.options["regions", "alpha", "patch", "knn", "sigma", "refine", "seed", "method"]]' run.json)" = \
    '["3","0.3","4","7","0.3","none","1","ccskl"]' ] ||
    fail "other options in the record"
[ "$(jq -r .inputs.truth.sha256 run.json)" = "$(sha256sum truth.bmp | cut -d' ' -f1)" ] || fail "no SHA-256 of the truth"
[ "$(jq -r .inputs.photo.path run.json)" = photo.bmp ] || fail "no image in the record"
# Where defaults are found from the data, and a complete graph.
again photo.bmp -k 2 --graph both
again photo.bmp -k 2 --method ncut --graph full
again photo.bmp --scribbles scribbles.bmp --object
[ "$(jq -c '.options.object' run.json)" = '"1"' ] || fail "--object is not in the record"
again photo.bmp --scribbles scribbles.bmp
[ "$(jq -c '.options | has("object")' run.json)" = false ] || fail "--object in the record of a run without it"
[ "$(jq -c '.options | has("regions")' run.json)" = false ] || fail "a number of regions that was not given"
expect 0 replay - -o - --no-overlay <run.json
cmp -s .out m.png || fail "a record from standard input gives another mask"
expect 0 help replay
expect 0 replay --help
grep -q 'RUN.json' .out || fail "no help of replay"

# Nothing is written where the mask cannot be the same.
refuse 2 "unknown option '--patch'" replay run.json --patch 7 -o n.png
jq '.options.patch = "16" | .options.refine = "none"' run.json >other.json
refuse 1 "differs from that of the saved run" replay other.json -o n.png
rm other.json
jq '.version = "0.0.1"' run.json >old.json
expect 0 replay old.json -o m.png --no-overlay
grep -q 'version 0.0.1' .err || fail "another version is not said"
rm old.json
bad() {
    jq "$1" run.json >bad.json
    refuse 3 "$2" replay bad.json
}
bad 'del(.options)' "'options'"
bad '.options.output = "x.png"' "'output'"
bad '.options["no-overlay"] = "1"' "'no-overlay'"
bad '.options.patch = 5' "'patch'"
bad 'del(.inputs.photo)' "'photo'"
bad '.inputs.photo.path = "-"' "'photo'"
bad '.inputs.scribbles.path = "none.bmp"' "none.bmp"
bad '.inputs.photo.path = "/dev/zero"' "read twice"
bad 'del(.mask_sha256)' "'mask_sha256'"
bad '[]' "'version'"
rm bad.json
refuse 3 "not a saved run" replay photo.bmp
refuse 3 "cannot read" replay none.json
refuse 2 "replay needs" replay
refuse 2 "replay needs" replay -o m.png run.json
refuse 2 "no further image" replay run.json truth.bmp
refuse 2 "standard input" - -k 2 --save-run x.json
refuse 2 "both be written" photo.bmp -k 2 --save-run a --overlay a
cp scribbles.bmp kept.bmp && printf 'x' >>scribbles.bmp
refuse 3 "'scribbles.bmp' has changed since" replay run.json
mv kept.bmp scribbles.bmp
expect 0 replay run.json -q
exit 0
