#!/bin/bash
# The variants of the methods: what is printed, and what was found to help.
. "$(dirname "$0")/lib.sh"
awk 'BEGIN { srand(3); for (i = 0; i < 90; i++) { c = i % 3; print c * 3 + rand() * 2 "," (c == 1) * 3 + rand() * 2 "," c } }' >data.csv
awk 'BEGIN { for (i = 0; i < 30; i++) print i "," i + 3 ",1\n" i "," i + 1 ",-1" }' >pairs.csv

# The parameters are those of the paper, whatever the order of the options.
for how in "--method sskk:paper" "--method SSKK:Paper"; do
    # shellcheck disable=SC2086 # several words
    expect 0 cluster data.csv --labels last --constraints pairs.csv --json $how
    holds '.variant == "paper" and .restarts == 1 and (.parameters | .start == "farthest" and .shift == "0" and .sweeps == 0)'
done
expect 0 cluster data.csv --labels last --constraints pairs.csv --json --param sweeps=7 --method sskk:paper --restarts 5
holds '.restarts == 5 and .parameters.sweeps == 7 and .parameters.shift == "0"'
expect 0 cluster data.csv --labels last --constraints pairs.csv --json --method sskk
holds '.variant == "improved" and .parameters.start == "best"'
expect 0 cluster data.csv --labels last --constraints pairs.csv --method sskk:paper -v -o out.txt
grep -q '^segment: sskk:paper: 90 samples' .err || fail "the sentence does not name the variant"

# Every method that has a variant of its paper runs in it, without a warning on separated classes.
"$PROGRAM" methods --json | jq -r '.[] | select(.paper) | .name' >names
[ "$(wc -l <names)" -ge 17 ] || fail "only $(wc -l <names) methods have a variant paper"
while read -r method; do
    expect 0 cluster data.csv --labels last --constraints pairs.csv --method "$method:paper" -o "$method.txt"
    [ "$(sort -u "$method.txt" | wc -l)" -eq 3 ] || fail "$method:paper: not three clusters"
    expect 0 cluster data.csv --labels last --constraints pairs.csv --method "$method:paper" --threads 3 -o again.txt
    cmp "$method.txt" again.txt || fail "$method:paper depends on the number of threads"
done <names

# The paper's graph, unless another is asked for.
expect 0 cluster data.csv --labels last --constraints pairs.csv --method ccskl:paper --json
printed=$(jq .sigma .out)
expect 0 cluster data.csv --labels last --constraints pairs.csv --method ccskl --json
holds ".sigma != $printed"
expect 0 cluster data.csv --labels last --constraints pairs.csv --method ccskl:paper --knn 7 --json
holds '.neighbours == 7'
expect 0 cluster data.csv --labels last --constraints pairs.csv --method tragek:paper --json
holds '.graph_edges == 4005' # of all pairs

# COP-KMeans fails where it fails: rows 0 and 1 lie together and may, which leaves no cluster to row 4.
printf '0,0\n0,0.1\n5,5\n5,5.1\n9,0\n9,0.1\n' >crown.csv
printf '0,3,-1\n0,5,-1\n2,1,-1\n2,5,-1\n4,1,-1\n4,3,-1\n' >crown-pairs.csv
expect 0 cluster crown.csv -k 2 --constraints crown-pairs.csv --method cop-kmeans -o crown.txt
[ "$(tr -d '\n' <crown.txt | tr 01 xy)" = xyxyxy ] || [ "$(tr -d '\n' <crown.txt | tr 10 xy)" = xyxyxy ] || fail "crown: $(cat crown.txt)"
refuse 2 "COP-KMeans as printed fails: sample 4" cluster crown.csv -k 2 --constraints crown-pairs.csv --method cop-kmeans:paper

# What there is not.
refuse 2 "auto is of no paper" cluster data.csv --labels last --constraints pairs.csv --method auto:paper
refuse 2 "'printed' is not a variant of sskk" cluster data.csv --labels last --constraints pairs.csv --method sskk:printed
refuse 2 "unknown method 'sskx'" cluster data.csv --labels last --constraints pairs.csv --method sskx:paper

# Images: recorded, reported and replayed.
make_pictures
expect 0 photo.bmp --scribbles scribbles.bmp --method ccskl:paper -o mask.png --save-run run.json --json
holds '.method == "ccskl" and .variant == "paper"'
jq -e 'any(.. | objects; .method == "ccskl:paper")' run.json >/dev/null || fail "the record does not name the variant"
cp mask.png first.png
expect 0 replay run.json
cmp mask.png first.png || fail "a replay is another mask"
exit 0
