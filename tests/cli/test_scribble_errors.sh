#!/bin/bash
# Scribbles that are something else, or too few: each is said, and scores say over what share of the image they are.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/eval_lib.sh"
make_pictures

warns() {
    [ "$(grep -c "^segment: warning: .*$1" .err)" -eq 1 ] || fail "not one warning that says '$1': $LAST"
}
no_warning() {
    ! grep -q warning .err || fail "a warning: $LAST"
}

# Scribbles and truth as they should be, then swapped: the marked share, the scored share and the swap are said.
expect 0 photo.bmp --scribbles scribbles.bmp --truth truth.bmp -o m.png --no-overlay --threads 1
no_warning
[ "$(score scored_share)" = 1.000000 ] || fail "not all of the image is scored"
expect 0 photo.bmp --scribbles truth.bmp --truth scribbles.bmp -o s.png --no-overlay --threads 1
warns "truth.bmp marks 100.0 % of the pixels"
warns "were --scribbles and --truth swapped"
[ "$(score scored_share)" = 0.016667 ] || fail "the share that is scored is not said"
expect 0 photo.bmp --scribbles truth.bmp --truth scribbles.bmp -o s.png --no-overlay --threads 1 --json
warns "were --scribbles and --truth swapped"
holds '.scribbles_share == 1 and .scores.scored_share > 0.0166 and .scores.scored_share < 0.0167'
expect 0 photo.bmp --scribbles scribbles.bmp --truth truth.bmp -o m.png --no-overlay --threads 1 --json
holds '.scribbles_share < 0.02 and .scores.scored_share == 1'

# score says the share too.
expect 0 score m.png scribbles.bmp --json
holds '.scores.scored_share > 0.0166 and .scores.scored_share < 0.0167'
expect 0 score m.png truth.bmp --json
holds '.scores.scored_share == 1'

# Scribbles all over, of which the truth knows more than they do; nine tenths is the limit.
bmp half.bmp 60 40 'if (y < 36) { if (x < 30) b = 255; else r = 255 }'
expect 0 photo.bmp --scribbles half.bmp -o s.png --no-overlay --threads 1
warns "half.bmp marks 90.0 % of the pixels"
bmp half.bmp 60 40 'if (y < 20) { if (x < 30) b = 255; else r = 255 }'
expect 0 photo.bmp --scribbles half.bmp --truth truth.bmp -o s.png --no-overlay --threads 1
no_warning

# One label: an object and the rest, which is said; with -k 1 the whole image is one region.
bmp one.bmp 60 40 'if (x == 12 && y >= 10 && y < 30) b = 255'
expect 0 photo.bmp --scribbles one.bmp -o s.png --no-overlay --threads 1
warns "the rest of the image is taken for background"
expect 0 photo.bmp --scribbles one.bmp -k 1 -o s.png --no-overlay --threads 1
warns "only label 1 is marked"
expect 0 photo.bmp --scribbles one.bmp -k 2 --method enpakl -o s.png --no-overlay --threads 1
expect 0 score s.png truth.bmp --json
holds '.scores.pairwise_accuracy > 0.9' # a method of a paper finds the rest

# Nothing painted: black, white, the image itself.
bmp black.bmp 60 40 ''
bmp white.bmp 60 40 'r = g = b = 255'
for scribbles in black white photo; do
    rm -f s.png
    refuse 3 "nothing is marked" photo.bmp --scribbles $scribbles.bmp -o s.png --no-overlay
done

# eval: each result has its share; a truth with void has less.
make_set
rm -f set/p[3-7]*
bmp set/p2-truth.bmp 50 40 'if (x < 10) b = 255; else if (x >= 30) r = 255'
expect 0 eval set --out report --methods kmeans --no-timing --jobs 1 -q
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { share[$1] = $at["scored_share"] } END { exit !(NR == 3 && share["p1"] == "1.000000" && share["p2"] == "0.600000") }' \
    report/results.csv || fail "scored_share in results.csv"
jq -e '[.items[].methods.kmeans.scored_share * 1000 | round] == [1000, 600]' report/results.json >/dev/null ||
    fail "scored_share in results.json"
exit 0
