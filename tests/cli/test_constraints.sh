#!/bin/bash
# Listed constraints: used, refused with exit 4 when they contradict each other, or dropped.
. "$(dirname "$0")/lib.sh"
make_pictures # 12 x 8 patches of 5 pixels

# A chain of must-links whose ends cannot link.
printf 'i,j,sign\n3,17,1\n17,22,1\n# and yet\n3,22,-1\n' >contradiction.csv
refuse 4 "3" photo.bmp -k 2 --constraints contradiction.csv
refuse 4 "" photo.bmp --scribbles scribbles.bmp --constraints contradiction.csv
expect 0 photo.bmp -k 2 --constraints contradiction.csv --contradictions drop
grep -q '^segment: warning: ' .err || fail "a pair was dropped without a warning"
expect 0 photo.bmp -k 2 --constraints contradiction.csv --contradictions drop -q
silent

# A must-link between two labels' strokes, by pixels.
printf '12,15,47,15,1\n' >join.csv
refuse 4 "" photo.bmp --scribbles scribbles.bmp --constraints join.csv
expect 0 photo.bmp --scribbles scribbles.bmp --constraints join.csv --contradictions drop
expect 0 photo.bmp -k 2 --constraints join.csv --method kmeans

# Messages name pairs as their file does: lines, and pixels or patches, one of which may be under two pixels.
printf '# two\n2,2,40,40,1\n' >far.csv
refuse 3 "far.csv:2: field 4: the row 40 is outside 0..39" photo.bmp -k 2 --constraints far.csv
printf '2,2,40,2,1\n2,2,40,2,-1\n' >twice.csv
refuse 4 "at the cannot-link (2,2) != (40,2) (twice.csv, line 2): a chain of must-links joins its ends;" \
    photo.bmp -k 2 --constraints twice.csv
printf '2,2,40,2,1\n44,4,1,1,-1\n' >patch.csv
refuse 4 "at the cannot-link (44,4) != (1,1) (patch.csv, line 2): a chain" \
    photo.bmp -k 2 --constraints patch.csv
printf 'x1,y1,x2,y2,sign\n2,2,20,35,1\n\n21,36,55,35,1\n0,0,56,36,-1\n56,36,40,20,1\n' >chain.csv
refuse 4 "at the cannot-link (0,0) != (56,36) (chain.csv, line 5): a chain" \
    photo.bmp -k 2 --constraints chain.csv
refuse 4 "(standard input, line 5)" photo.bmp -k 2 --constraints - <chain.csv
refuse 4 "at the cannot-link 3 != 22 (contradiction.csv, line 5): a chain" \
    photo.bmp -k 2 --constraints contradiction.csv
expect 0 photo.bmp -k 2 --constraints chain.csv --contradictions drop
grep -qF 'dropped the cannot-link (0,0) != (56,36) (chain.csv, line 5)' .err || fail "dropped: $(cat .err)"
refuse 4 "at the must-link (12,15) = (47,15) (join.csv, line 1): it would join the labels 1 and 2;" \
    photo.bmp --scribbles scribbles.bmp --constraints join.csv
expect 0 photo.bmp --scribbles scribbles.bmp --constraints join.csv --contradictions drop
grep -qF 'dropped the must-link (12,15) = (47,15) (join.csv, line 1): it would join the labels 1 and 2' .err ||
    fail "dropped: $(cat .err)"
printf '12,12,12,27,-1\n' >inside.csv
refuse 4 "at the cannot-link (12,12) != (12,27) (inside.csv, line 1): both ends have label 1;" \
    photo.bmp --scribbles scribbles.bmp --constraints inside.csv
printf '2,2,12,12,1\n3,3,47,28,1\n' >over.csv
refuse 4 "= (47,28) (over.csv, line 2)" photo.bmp --scribbles scribbles.bmp --constraints over.csv
printf '#\n1,1,3,3,-1\n' >same.csv
refuse 3 "same.csv:2: (1,1) != (3,3), but both pixels lie in one patch of 5 x 5" photo.bmp -k 2 --constraints same.csv
printf '1,1,1,1,-1\n' >itself.csv
refuse 3 "itself.csv:1: pixel (1,1) cannot link to itself" photo.bmp -k 2 --constraints itself.csv
printf '1,1,3,3,1\n1,2,3,3,-1\n' >both.csv
refuse 3 "both.csv:2: (1,2) != (3,3), but both pixels lie in one patch of 5 x 5" photo.bmp -k 2 --constraints both.csv

# What few pairs leave undecided, and what a result breaks, is said by any method and counted in the report.
bmp large.bmp 100 100 't = (x * 7 + y * 13) % 11 * 3; if (x < 60) { r = 200 - t; g = 60 + t; b = 50 } else { r = 40; g = 80 + t; b = 180 - t }'
printf '10,10,20,20,1\n' >one.csv
expect 0 "$SOURCE/images/coffee.jpg" -k 2 --constraints one.csv --method sskk --param start=farthest --restarts 1 -o coffee.png
grep -q 'warning: the constraints say little: 1 pair without a cannot-link for 2 clusters, and the smallest cluster of sskk has' .err ||
    fail "one must-link: $(cat .err)"
printf '2,2,20,35,-1\n2,2,90,35,1\n2,2,90,60,1\n' >odd.csv
expect 0 large.bmp -k 2 --constraints odd.csv --method kmeans --json
grep -q 'warning: the result of kmeans breaks 2 of 2 must-links and 1 of 1 cannot-link;' .err || fail "kmeans: $(cat .err)"
expect 0 large.bmp -k 2 --constraints odd.csv --method kmeans -v
grep -q 'broken: 0 != 144' .err && [ "$(grep -c ' broken: ' .err)" -eq 3 ] || fail "unnamed: $(cat .err)"
expect 0 large.bmp -k 2 --constraints odd.csv --method kmeans --json
holds '.listed_pairs == {must_links: 2, cannot_links: 1, violated: 3, violated_must_links: 2, violated_cannot_links: 1}'
expect 0 photo.bmp --scribbles scribbles.bmp --json
! grep -q 'warning' .err || fail "scribbles alone: $(cat .err)"

# Pairs alone: left must-links left, right right, left cannot-links right.
printf '2,2,20,35,1,2\n40,2,55,35,+1\n2,2,55,35,-1,0.5\n' >good.csv
expect 0 photo.bmp -k 2 --constraints good.csv --truth truth.bmp --json
silent
holds '.scores.pairwise_accuracy > 0.9'
expect 0 photo.bmp -k 2 --constraints - --truth truth.bmp <good.csv
expect 0 photo.bmp --scribbles scribbles.bmp --pairs 10 --truth truth.bmp --json
holds '.scores.pairwise_accuracy > 0.9'

# Few pairs, or of one kind: two regions as without any, the pairs kept, and the report says what was taken.
printf '2,2,20,35,1\n' >must.csv
printf '2,2,20,35,1\n2,2,7,7,1\n40,2,55,35,1\n' >musts.csv
printf '2,2,55,35,-1\n' >cannot.csv
printf '2,2,20,35,1\n2,2,55,35,-1\n' >each.csv
for pairs in must musts cannot each; do
    expect 0 photo.bmp -k 2 --constraints $pairs.csv --truth truth.bmp --json
    silent
    holds '.scores.pairwise_accuracy > 0.9 and .method == "auto" and (.ran == "ncut" or .ran == "random-walker")'
done
holds '.ran == "ncut"' # two pairs are not enough to learn from

# ENPAKL by name has nothing to learn from must-links alone, says so and gives N-cuts' regions.
for method in enpakl enpakl1; do
    expect 0 photo.bmp -k 2 --constraints musts.csv --method $method --truth truth.bmp --json
    [ "$(grep -c 'must-links alone' .err)" -eq 1 ] || fail "$method: no warning"
    holds '.scores.pairwise_accuracy > 0.9'
    expect 0 photo.bmp -k 2 --constraints musts.csv --method $method -q
    silent
done
exit 0
