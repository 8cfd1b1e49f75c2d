#!/bin/bash
# As many clusters and regions as were asked for, or a sentence; in any unit of the data, with any weight.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

parts() { # clusters numbered as they appear
    awk '!($1 in number) { number[$1] = n++ } { print number[$1] }'
}

awk 'BEGIN { srand(4); for (i = 0; i < 24; i++) printf "%.6f,%.6f\n", 9 * (i % 3) + rand(), 5 * (i % 2) + rand() }' >v.csv
printf '0,3,1\n1,4,1\n0,1,-1\n' >p.csv
printf '0 1\n1 2\n2 0\n3 4\n4 5\n5 3\n2 3 0.1\n' >g.txt
printf '0,1,-1\n' >apart.csv

# More clusters than samples that may lie apart: exit 2 and a sentence, whatever the method.
printf '1,2\n3,4\n' >two.csv
printf '0,1,1\n' >must.csv
"$PROGRAM" methods --json >methods.json || fail "no list of methods"
methods=$(jq -r '.[].name' methods.json)
[ "$(echo "$methods" | wc -w)" -gt 15 ] || fail "the list of methods is short: $methods"
for method in $methods; do
    refuse 2 "k = 2 clusters of 2 samples" cluster two.csv -k 2 --method "$method" --constraints must.csv
    refuse 2 "k = 23 clusters of 24 samples" cluster v.csv -k 23 --method "$method" --constraints p.csv
    for k in 2 22; do
        expect 0 cluster v.csv -k $k --method "$method" --constraints p.csv --json
        holds "(.sizes | length) == $k and all(.sizes[]; . > 0)"
    done
done
for method in walk ncut kernel-kmeans sskk spectral-learning ccsr; do
    expect 0 cluster --graph g.txt -k 5 --method "$method" --constraints apart.csv
    [ "$(sort -u .out | wc -l)" -eq 5 ] || fail "$method: $(sort -u .out | wc -l) clusters of a graph in place of 5"
done
refuse 2 "method forest needs a table of vectors" cluster --graph g.txt -k 2 --method forest --constraints apart.csv

bmp small.bmp 96 96 't = (x * 7 + y * 13) % 11 * 4; r = 2 * x + t; g = 2 * y + t; b = x > y ? 40 + t : 200 - t'

# The main job: 64 patches, two of which may lie apart.
awk 'BEGIN { for (i = 1; i < 64; i++) if (i != 32) print i - 1 "," i ",1" }' >patches.csv
for method in auto sskk kernel-hmrf-kmeans ncut; do
    refuse 2 "k = 3 clusters of 64 samples" small.bmp --patch 12 -k 3 --constraints patches.csv --method $method
    expect 0 small.bmp --patch 12 -k 2 --constraints patches.csv --method $method -o mask.png \
        --overlay overlay.png --json
    holds '.regions_found == 2'
done

# Every method on an image; one patch less than there are is the most that the must-link leaves.
printf '0,1,1\n0,63,-1\n' >few.csv
for method in $methods; do
    for k in 9 63; do
        expect 0 small.bmp --patch 12 -k $k --constraints few.csv --method "$method" -o mask.png \
            --overlay overlay.png --json
        found=$(jq .regions_found .out)
        [ "$found" -eq $k ] || grep -q "warning: the mask has only $found of the $k" .err ||
            fail "$found regions in place of $k and no word: $method"
    done
done

# Images: regions that refinement would leave without a pixel keep their patches.
photo=$SOURCE/images/camera.jpg
for arguments in "-k 10" "-k 20 --patch 12 --method kmeans" "-k 30 --patch 16 --refine none"; do
    # shellcheck disable=SC2086 # words
    expect 0 "$photo" $arguments -o mask.png --overlay overlay.png --json
    asked=$(echo "$arguments" | awk '{ print $2 }')
    holds "[.regions_requested, .regions_found, (.regions | length)] == [$asked, $asked, $asked] and all(.regions[]; .pixels > 0)"
done

# The unit of the features of an image: colours alone count where their weight is far above the position's.
scribbles=$SOURCE/images/coffee-scribbles.png
for weight in 1e10 1e45 1e100; do # 1e45 is beyond single precision
    expect 0 "$SOURCE/images/coffee.jpg" --scribbles "$scribbles" --patch 16 --features "mean=$weight,position=1" -o mask.png \
        --overlay overlay.png --json
    mv mask.png "mask-$weight.png"
done
cmp mask-1e10.png mask-1e45.png || fail "a weight of 1e45 gives another mask than 1e10"
cmp mask-1e10.png mask-1e100.png || fail "a weight of 1e100 gives another mask than 1e10"
refuse 2 "a weight is a number from 0 to 1e+100" "$SOURCE/images/coffee.jpg" --scribbles "$scribbles" --features mean=1e101

# Vectors in other units, up to the largest that are read.
printf '0,2,1\n0,1,-1\n' >pairs.csv
for method in auto kernel-kmeans kernel-hmrf-kmeans hmrf-kmeans; do
    expect 0 cluster v.csv -k 3 --method $method --constraints pairs.csv
    parts <.out >plain.txt
    for unit in e-290 e-155 e40 e198; do
        sed "s/,/$unit,/; s/\$/$unit/" v.csv >unit.csv
        expect 0 cluster unit.csv -k 3 --method $method --constraints pairs.csv
        parts <.out | cmp - plain.txt || fail "$method answers otherwise in units of 1$unit"
    done
done
sed "s/,/e200,/" v.csv >beyond.csv
refuse 3 "is infinite or above 1e200" cluster beyond.csv -k 3 --method kmeans

# Labels that a double cannot tell apart.
awk 'BEGIN { for (i = 0; i < 24; i++) print i % 2 ? "9007199254740993" : "9007199254740992" }' >labels.txt
expect 0 cluster v.csv --labels labels.txt --method kmeans --json
holds '.k == 2' # labels beyond 2^53

# Weights near zero: standard output is the report and nothing else. One cannot-link is enough for a learned kernel.
printf '0,2,1,1e-100\n0,1,-1,1\n' >tiny.csv
for method in tragek pcp enpakl1; do
    expect 0 cluster v.csv -k 2 --method $method --constraints tiny.csv --json
    holds '.method'
    expect 0 cluster v.csv -k 2 --method $method --constraints apart.csv
done
printf '0,2,1,1e101\n' >heavy.csv
refuse 3 "heavy.csv:1" cluster v.csv -k 2 --method tragek --constraints heavy.csv
printf '0,2,1,1e-320\n0,1,-1,1\n' >light.csv
refuse 3 "light.csv:1" cluster v.csv -k 2 --method tragek --constraints light.csv
exit 0
