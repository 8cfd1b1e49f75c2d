#!/bin/bash
# Listed constraints: used, refused with exit 4 when they contradict each other, or dropped.
. "$(dirname "$0")/lib.sh"
make_pictures # 12 x 8 patches of 5 pixels

# A chain of must-links whose ends cannot link.
printf 'i,j,sign\n3,17,1\n17,22,1\n# and yet\n3,22,-1\n' >contradiction.csv
refuse 4 "3" photo.bmp -k 2 --constraints contradiction.csv
for name in 3 17 22; do
    grep -q "\b$name\b" .err || fail "the chain does not name $name"
done
refuse 4 "" photo.bmp --scribbles marks.bmp --constraints contradiction.csv
expect 0 photo.bmp -k 2 --constraints contradiction.csv --contradictions drop
grep -q '^segment: warning: ' .err || fail "a pair was dropped without a warning"
expect 0 photo.bmp -k 2 --constraints contradiction.csv --contradictions drop -q
silent

# A must-link between two labels' strokes, by pixels.
printf '12,15,47,15,1\n' >join.csv
refuse 4 "" photo.bmp --scribbles marks.bmp --constraints join.csv
expect 0 photo.bmp --scribbles marks.bmp --constraints join.csv --contradictions drop
expect 0 photo.bmp -k 2 --constraints join.csv --method kmeans

# Pairs alone: left must-links left, right right, left cannot-links right.
printf '2,2,20,35,1,2\n40,2,55,35,+1\n2,2,55,35,-1,0.5\n' >good.csv
expect 0 photo.bmp -k 2 --constraints good.csv --truth truth.bmp
silent
awk "BEGIN { exit !($(score pairwise_accuracy) > 0.9) }" || fail "pairwise accuracy of $(score pairwise_accuracy)"
expect 0 photo.bmp -k 2 --constraints - --truth truth.bmp <good.csv
expect 0 photo.bmp --scribbles marks.bmp --pairs 10 --truth truth.bmp
awk "BEGIN { exit !($(score pairwise_accuracy) > 0.9) }" || fail "sampled pairs: $(score pairwise_accuracy)"

# Few pairs, or of one kind: two regions as without any, the pairs kept, and the report says what was taken.
printf '2,2,20,35,1\n' >must.csv
printf '2,2,20,35,1\n2,2,7,7,1\n40,2,55,35,1\n' >musts.csv
printf '2,2,55,35,-1\n' >cannot.csv
printf '2,2,20,35,1\n2,2,55,35,-1\n' >each.csv
for pairs in must musts cannot each; do
    expect 0 photo.bmp -k 2 --constraints $pairs.csv --truth truth.bmp
    silent
    awk "BEGIN { exit !($(score pairwise_accuracy) > 0.9) }" || fail "$pairs.csv: pairwise accuracy $(score pairwise_accuracy)"
    expect 0 photo.bmp -k 2 --constraints $pairs.csv --json
    grep -q '"method": "auto"' .out || fail "$pairs.csv: not the default"
    grep -Eq '"ran": "(ncut|random-walker)"' .out || fail "$pairs.csv: the report does not say what was taken"
done
grep -q '"ran": "ncut"' .out || fail "two pairs were thought to be enough to learn from"

# ENPAKL by name has nothing to learn from must-links alone, says so and gives N-cuts' regions.
for method in enpakl enpakl1; do
    expect 0 photo.bmp -k 2 --constraints musts.csv --method $method --truth truth.bmp
    [ "$(grep -c 'must-links alone' .err)" -eq 1 ] || fail "$method: no warning"
    awk "BEGIN { exit !($(score pairwise_accuracy) > 0.9) }" || fail "$method: pairwise accuracy $(score pairwise_accuracy)"
    expect 0 photo.bmp -k 2 --constraints musts.csv --method $method -q
    silent
done
exit 0
