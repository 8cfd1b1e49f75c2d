#!/bin/bash
# segment cluster: known clusters are found from vectors, a graph and a kernel; every misuse and every unfit input is one
# sentence and its exit code.
. "$(dirname "$0")/lib.sh"

# Three blobs of 20 samples far from each other, in turn: sample i belongs to class i % 3.
awk 'BEGIN {
    for (i = 0; i < 60; i++) {
        c = i % 3
        x = (i * 37 % 19) / 19 + (c == 1) * 10
        y = (i * 53 % 23) / 23 + (c == 2) * 10
        printf "%g,%g,%s\n", x, y, c == 0 ? "red" : c == 1 ? "green" : "blue"
    }
}' >blobs.csv
cut -d, -f1,2 blobs.csv >bare.csv
cut -d, -f3 blobs.csv >labels.txt
{
    echo "height,width,colour"
    cat blobs.csv
} | gzip >blobs.csv.gz
awk -F, '{ print $3 "\t" $1 "\t" $2 }' blobs.csv >first.tsv
# The samples of a blob are a ring; a weak edge joins the blobs.
awk 'BEGIN { for (i = 1; i <= 60; i++) print i, (i > 57 ? i - 57 : i + 3), 1; print 1, 2, 0.001; print 2, 3, 0.001 }' >ring.txt
awk -F, '{ x[NR] = $1; y[NR] = $2 }
END {
    for (i = 1; i <= NR; i++)
        for (j = 1; j <= NR; j++)
            printf "%.12g%s", exp(-((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2) / 2), j < NR ? "," : "\n"
}' bare.csv >kernel.csv

# found FILE: its 60 numbers, one per line, are the three classes under some names.
found() {
    awk 'NR <= 3 { name[NR % 3] = $1; seen[$1]++ }
    $1 != name[NR % 3] || $1 !~ /^[012]$/ { bad = 1 }
    END { exit bad || NR != 60 || seen[name[0]] + seen[name[1]] + seen[name[2]] != 3 }' "$1" ||
        fail "not the three blobs: $LAST"
}

for method in kmeans ncut; do
    expect 0 cluster bare.csv -k 3 --method $method
    silent
    found .out
done
cp .out .note
expect 0 cluster - -k 3 --method ncut <bare.csv
cmp -s .out .note || fail "standard input makes a difference"
expect 0 cluster bare.csv -k 3 --method ncut --threads 1
cmp -s .out .note || fail "the number of threads makes a difference"
expect 0 cluster bare.csv -k 3 --method ncut -o -
cmp -s .out .note || fail "-o - makes a difference"

# Labels: in either column, in a file, with a header, packed; the scores are those of a perfect clustering.
for data in "blobs.csv --labels last" "blobs.csv.gz --labels last" "first.tsv --labels first" "bare.csv --labels labels.txt"; do
    # shellcheck disable=SC2086 # words on purpose
    expect 0 cluster $data -o out.txt --json
    silent
    found out.txt
    holds '.scores == {pairwise_accuracy: 1, adjusted_rand: 1, clustering_error: 0, nmi: 1, pairwise_f: 1, scored: 60}'
done
expect 0 cluster blobs.csv --labels last -o out.txt
silent
[ "$(wc -l <.out)" -eq 6 ] && [ "$(score nmi)" = 1.000000 ] && [ "$(score scored)" = 60 ] || fail "not the six scores"
expect 0 cluster blobs.csv --labels last
found .out
grep -q 'clustering error 0.0000' .err || fail "no scores beside the labels"
expect 0 cluster blobs.csv --labels last -q
silent

# The forms of the output.
expect 0 cluster blobs.csv --labels last -o out.csv
[ "$(head -1 out.csv)" = sample,label ] || fail "no header in out.csv"
tail -n +2 out.csv | cut -d, -f2 >.note
found .note
[ "$(tail -1 out.csv | cut -d, -f1)" = 59 ] || fail "samples are not counted from 0"
expect 0 cluster blobs.csv --labels last -o out.npy
[ "$(wc -c <out.npy)" -eq $((128 + 60 * 8)) ] || fail "out.npy has $(wc -c <out.npy) bytes"
# What was written is read as labels again.
for labels in out.csv out.npy out.txt; do
    expect 0 cluster bare.csv --labels $labels -o again.txt --json
    holds '.scores.nmi == 1'
done

# A graph and a kernel.
expect 0 cluster --graph ring.txt -k 3 --method ncut
found .out
expect 0 cluster --graph ring.txt --labels labels.txt --sample 5 --method ccskl -o out.txt
found out.txt
sed 's/ [0-9.]*$//' ring.txt | tail -n 62 | gzip >plain.gz
expect 0 cluster --graph plain.gz -k 3 --base 1 --nodes 61 --method ncut
[ "$(wc -l <.out)" -eq 61 ] || fail "node 61 is missing"
printf '1,2\n3,4\n' >kernel2.csv
if "$PROGRAM" methods --json | jq -e '[.[] | select((.needs_graph or .needs_features or .needs_constraints) | not)] | length > 0' >.note; then
    expect 0 cluster --kernel kernel.csv -k 3
    found .out
    refuse 3 "not symmetric" cluster --kernel kernel2.csv -k 2
else
    refuse 2 "no default method for a kernel" cluster --kernel kernel.csv -k 3
fi

# A graph made of a kernel, and the ways to make one of vectors; each is named in the report.
expect 0 cluster --kernel kernel.csv -k 3 --method ncut --knn 6
found .out
expect 0 cluster --kernel kernel.csv --labels labels.txt --sample 5 --method ccskl --knn 6 --json
holds '[.kernel, .neighbours, .sigma, .scores.nmi > 0.9] == ["kernel.csv", 6, null, true]'
expect 0 cluster bare.csv --labels labels.txt --method ncut --knn 8 --sigma 0.5 --json
holds '[.neighbours, .sigma, .scores.nmi > 0.9] == [8, 0.5, true]'

# Approximate neighbours: so few samples are searched exactly either way; the recall is stated.
for how in exact approximate auto; do
    expect 0 cluster bare.csv --labels labels.txt --method ncut --knn 8 --neighbours $how --json
    holds '.recall == 1'
    jq -c '.labels, .graph_edges' .out >"$how.labels"
    cmp -s exact.labels "$how.labels" || fail "--neighbours $how gives other clusters"
done
refuse 2 "--neighbours takes auto, exact or approximate" cluster bare.csv -k 3 --neighbours near
refuse 2 "--neighbours needs a table" cluster --graph ring.txt -k 3 --neighbours approximate
refuse 2 "exclude each other" cluster bare.csv -k 3 --method ncut --graph full --neighbours exact

# Constraints: from a file, and drawn from the labels; both are counted and kept.
printf '0,3,1\n0,1,-1,2.5\n# comment\n4,5,-1\n' >pairs.csv
expect 0 cluster bare.csv -k 3 --constraints pairs.csv --json
holds '.constraints | [.must_links, .cannot_links, .violated] == [1, 2, 0]'
expect 0 cluster blobs.csv --labels last --sample 4 --constraints pairs.csv --method ccskl --knn 8 --json
holds '.constraints | [.must_links, .cannot_links, .violated] == [13, 14, 0]'
holds '[.samples, .features, .k, .sizes, .classes, .scores.nmi] == [60, 2, 3, [20, 20, 20], ["blue", "green", "red"], 1]'
holds '.labels | length == 60'
jq '.labels[]' .out >.note
found .note
expect 0 cluster blobs.csv --labels last --sample 4 --method tragek --knn 8 --json
holds '.learned_kernel | .psd >= 0 and .psd < 1e-5 and .diagonal < 1e-5 and .duality_gap < 1e-5'
expect 0 cluster blobs.csv --labels last --sample 4 --json -o out.txt
holds 'has("learned_kernel") and .learned_kernel == null and .labels == null and .output == "out.txt"'

# The same seed gives the same bytes, another may draw other pairs; every method keeps its promise of three clusters.
strip='del(.seconds, .stages, .peak_memory)'
expect 0 cluster blobs.csv --labels last --sample 3 --json --seed 5
jq -S "$strip" .out >.note
expect 0 cluster blobs.csv --labels last --sample 3 --json --seed 5 --threads 2
jq -S "$strip" .out | cmp -s - .note || fail "the same seed gives something else"

# Standardising is what lets k-means see a column of small numbers beside one of large noise.
awk 'BEGIN { for (i = 0; i < 60; i++) printf "%g,%g\n", (i * 37 % 61) * 1000, i % 2 }' >scales.csv
expect 0 cluster scales.csv -k 2 --method kmeans --standardise --restarts 20
awk 'NR > 2 && $1 != before[NR % 2] { bad = 1 } { before[NR % 2] = $1 } END { exit bad || before[0] == before[1] }' .out ||
    fail "--standardise does not help"

# Constraints on a graph without vectors: two rings of chords, joined by an edge, by the default method.
awk 'BEGIN { for (i = 0; i < 30; i++) { s = i < 15 ? 0 : 15; for (d = 1; d < 4; d++) print i, s + (i - s + d) % 15 } print 0, 20 }' >rings.txt
printf '0,3,1\n' >one.csv
printf '0,3,1\n1,20,-1\n' >two.csv
awk 'BEGIN { for (i = 0; i < 13; i++) print i "," i + 2 ",1\n" i "," i + 16 ",-1" }' >many.csv
for pairs in one two many; do
    expect 0 cluster --graph rings.txt -k 2 --constraints $pairs.csv --json
    holds '(.sizes | sort) == [15, 15] and .method == "auto" and .constraints.violated == 0 and .ran != null'
done
printf '0,3,0\n' >skipped.csv # a question without an answer: as without constraints
expect 0 cluster --graph rings.txt -k 2 --constraints skipped.csv -o skipped.txt
expect 0 cluster --graph rings.txt -k 2 --method ncut -o plain.txt
cmp skipped.txt plain.txt || fail "no answer is not like no question"
refuse 2 "there are none" cluster --graph rings.txt -k 2 --constraints skipped.csv --method ccskl
expect 0 cluster blobs.csv --labels last --active random --queries 9 --unknown-rate 1 --json
holds '.method == "ncut"'
expect 0 cluster blobs.csv --labels last --sample 3 -v -o labels.txt
grep -Eq '^segment: auto \(mixture\): ' .err || fail "-v does not say what the default took"

# Wrong options: 2.
refuse 2 "nothing to cluster" cluster
refuse 2 "exclude each other" cluster bare.csv --graph ring.txt -k 3
refuse 2 "one table at a time" cluster bare.csv bare.csv -k 3
refuse 2 "-k K" cluster bare.csv
refuse 2 "-k takes a whole number" cluster bare.csv -k 0
refuse 2 "--labels last is a column" cluster --graph ring.txt --labels last
refuse 2 "--sample draws" cluster bare.csv -k 3 --sample 3
refuse 2 "--sample takes" cluster blobs.csv --labels last --sample 0
refuse 2 "did you mean 'kmeans'" cluster bare.csv -k 3 --method kmens
refuse 2 "needs --constraints" cluster bare.csv -k 3 --method ccskl
refuse 2 "needs a table of vectors" cluster --graph ring.txt -k 3 --method kmeans
refuse 2 "needs a table of vectors" cluster --kernel kernel.csv -k 3 --method kmeans
refuse 2 "'m=3' is not NAME=VALUE with a parameter of ncut" cluster bare.csv -k 3 --param m=3
refuse 2 "'m=3' is not NAME=VALUE with a parameter of kernel-kmeans" cluster --kernel kernel.csv -k 3 --param m=3
expect 0 cluster blobs.csv --labels last --sample 2 --param folds=4 --json
holds '.method == "auto" and .parameters.folds == 4'
refuse 2 "m" cluster blobs.csv --labels last --sample 2 --method ccskl --param m=0
refuse 2 "--standardise needs" cluster --graph ring.txt -k 3 --standardise
refuse 2 "--knn needs" cluster --graph ring.txt -k 3 --knn 3
refuse 2 "--sigma needs a table" cluster --kernel kernel.csv -k 3 --method ncut --sigma 3
refuse 2 "--sigma takes a number of at least 0, not '3,1'" cluster bare.csv -k 3 --sigma 3,1
refuse 2 "lambda of enpakl" cluster blobs.csv --labels last --sample 3 --method enpakl --param lambda=-0.5
refuse 2 "--base needs --graph" cluster bare.csv -k 3 --base 0
refuse 2 "--nodes needs --graph" cluster bare.csv -k 3 --nodes 60
refuse 2 "--base takes" cluster --graph ring.txt -k 3 --base 2
refuse 2 "standard input" cluster - --labels - -k 3
refuse 2 "standard output" cluster bare.csv -k 3 --json -o -
refuse 2 "would be overwritten" cluster bare.csv -k 3 -o ./bare.csv
refuse 2 "would be overwritten" cluster bare.csv --labels labels.txt -o labels.txt
refuse 2 "did you mean '--labels'" cluster bare.csv --label=last --labls last
refuse 2 "needs a value" cluster bare.csv -k

# Unfit inputs: 3, with file and line where there is one.
refuse 3 "none.csv" cluster none.csv -k 3
: >empty.csv
refuse 3 "'empty.csv' is empty" cluster empty.csv -k 3
echo "a,b" >header.csv
refuse 3 "'header.csv' has no row of numbers" cluster header.csv -k 1
refuse 3 "blobs.csv:1: column 3, 'red', is not a number" cluster blobs.csv -k 3
printf '1,2\n3,\n' >missing.csv
refuse 3 "missing.csv:2: column 2 is empty" cluster missing.csv -k 2
printf '1,2\n3,4,5\n' >ragged.csv
refuse 3 "ragged.csv:2: 3 columns" cluster ragged.csv -k 2
printf '1,2\n\n3,inf\n' >infinite.csv
refuse 3 "infinite.csv:3: column 2, 'inf', is infinite" cluster infinite.csv -k 2
refuse 3 "'bare.csv' has 60 samples" cluster bare.csv -k 61
awk '{ print $0 ",same" }' bare.csv >one.csv
refuse 3 "'one.csv': all 60 labels are 'same'" cluster one.csv --labels last
head -59 labels.txt >short.txt
refuse 3 "'short.txt' has 59 labels for 60 samples" cluster bare.csv --labels short.txt
awk 'BEGIN { for (i = 0; i < 300; i++) print i "," i }' >measured.csv
refuse 3 "300 different labels" cluster measured.csv --labels last
head -c 50 blobs.csv.gz >cut.gz
refuse 3 "cut off" cluster cut.gz --labels last
printf '1 2\n2 x\n' >edges.txt
refuse 3 "edges.txt:2: column 2, 'x'" cluster --graph edges.txt -k 2
printf '0,60,1\n' >outside.csv
refuse 3 "outside.csv:1" cluster bare.csv -k 3 --constraints outside.csv
printf '0,3,maybe\n' >maybe.csv
refuse 3 "maybe.csv:1" cluster bare.csv -k 3 --constraints maybe.csv

# More clusters than different samples: equal ones are divided, and it says so, once.
printf '%s\n' 1,2 3,4 1,2 0,-0 3,4 -0,0 >equal.csv
expect 0 cluster equal.csv -k 3 --method kmeans
silent
[ "$(tr '\n' ' ' <.out | sed 's/\(.\) \(.\) \1 \(.\) \2 \3 /equal/')" = equal ] || fail "equal samples are in clusters of their own"
for method in kmeans ncut mixture; do
    expect 0 cluster equal.csv -k 4 --method $method
    [ "$(grep -c '3 different rows of numbers for 4 clusters' .err)" -eq 1 ] || fail "equal samples are divided without a word: $(cat .err)"
done
rm equal.csv

# Constraints that contradict each other: 4, and the pair is named.
printf '0,3,1\n3,6,1\n0,6,-1\n' >against.csv
AGAINST='at the cannot-link 0 != 6 (against.csv, line 3): a chain'
refuse 4 "$AGAINST" cluster bare.csv -k 3 --constraints against.csv
# The remedy that the sentence names is there: the last of them goes, what is kept is written, and gives the same clusters.
expect 0 cluster bare.csv -k 3 --constraints against.csv --contradictions drop --save-constraints kept.csv -o dropped.txt
grep -q 'against.csv, line 3' .err || fail "a pair was dropped without a word: $(cat .err)"
[ "$(grep -v '^#' kept.csv)" = "$(printf '0,3,1,1\n3,6,1,1')" ] || fail "other pairs were kept: $(cat kept.csv)"
expect 0 cluster bare.csv -k 3 --constraints kept.csv -o kept.txt
cmp -s dropped.txt kept.txt || fail "a dropped pair counted"
rm kept.csv kept.txt dropped.txt
# Constraints count as the graph's nodes do, and messages as their file.
awk 'BEGIN { for (i = 1; i < 20; i++) print i, i + 1 }' >path.txt
awk 'BEGIN { for (i = 0; i < 19; i++) print i, i + 1 }' >path0.txt
refuse 3 "against.csv:1: field 1: the sample 0 is outside 1..20; the samples are counted from 1 here" \
    cluster --graph path.txt --base 1 -k 3 --constraints against.csv
refuse 3 "against.csv:1: field 1: the sample 0 is outside 1..20" cluster --graph path.txt -k 3 --constraints against.csv
printf '1,4,1\n4,7,1\n1,7,-1\n' >against1.csv
AGAINST1='at the cannot-link 1 != 7 (against1.csv, line 3): a chain'
refuse 4 "$AGAINST1" cluster --graph path.txt -k 3 --constraints against1.csv
refuse 4 "$AGAINST1" cluster --graph path0.txt -k 3 --constraints against1.csv
refuse 4 "$AGAINST1" cluster bare.csv -k 3 --constraints against1.csv --base 1
printf '19,20,1\n' >last.csv
refuse 3 "last.csv:1: field 2: the sample 20 is outside 0..19; the samples are counted from 0 here, the file may count them from 1" \
    cluster --graph path0.txt -k 3 --constraints last.csv
printf '2,21,1\n' >beyond.csv
refuse 3 "beyond.csv:1: field 2: the sample 21 is outside 1..20" cluster --graph path.txt -k 3 --constraints beyond.csv
printf '5,5,1\n' >itself.csv
refuse 3 "itself.csv:1: sample 5 is paired with itself" cluster --graph path.txt -k 3 --constraints itself.csv
# The same edges and pairs counted from 0 and from 1 are the same problem, for rows of a table, too.
printf '0,5,1\n6,12,-1\n13,19,1\n2,17,-1\n' >pairs0.csv
awk -F, '{ print $1 + 1 "," $2 + 1 "," $3 }' pairs0.csv >pairs1.csv
for method in sskk pcp auto; do
    expect 0 cluster --graph path0.txt -k 2 --method $method --constraints pairs0.csv -o from0.txt
    expect 0 cluster --graph path.txt -k 2 --method $method --constraints pairs1.csv -o from1.txt
    cmp from0.txt from1.txt || fail "$method: pairs counted from 1 are other pairs"
done
expect 0 cluster bare.csv -k 3 --method ccsr --constraints pairs0.csv -o from0.txt
expect 0 cluster bare.csv -k 3 --method ccsr --constraints pairs1.csv --base 1 -o from1.txt
cmp from0.txt from1.txt || fail "rows counted from 1 are other rows"
# A pair of little confidence is left out where pairs join samples, with a warning, and counts by its weight elsewhere.
printf '0,5,1,0.9\n6,12,-1\n2,17,-1,0.4\n' >unsure.csv
printf '0,5,1,0.9\n6,12,-1\n' >sure.csv
for method in spectral-learning cop-kmeans mixture sskk; do
    expect 0 cluster bare.csv -k 3 --method $method --constraints sure.csv -o from0.txt
    expect 0 cluster bare.csv -k 3 --method $method --constraints unsure.csv -o from1.txt
    if [ $method = sskk ]; then
        ! grep -q 'leaves out' .err || fail "sskk leaves a pair out: $(cat .err)"
    else
        grep -q "$method leaves out 1 of 3 listed pairs" .err || fail "$method says nothing: $(cat .err)"
        cmp from0.txt from1.txt || fail "$method: a pair that is left out changes the result"
    fi
done
printf '4,2,1\n2,4,-1\n' >twice.csv
refuse 4 "at the cannot-link 2 != 4 (twice.csv, line 2): a chain" cluster --graph path.txt --base 1 -k 3 --constraints twice.csv

# Broken pairs are said and counted.
awk -F, 'NR == 1 { x = $1 } NR > 1 && ($1 - x) ^ 2 > 25 && !done { print "0," NR - 1 ",1"; done = 1 }' bare.csv >broken.csv
expect 0 cluster bare.csv -k 3 --method kmeans --constraints broken.csv --json
grep -q 'warning: the result of kmeans breaks 1 of 1 must-link; the default method, auto,' .err || fail "broken: $(cat .err)"
holds '.constraints.violated_must_links == 1'

# Words in place of files in any case, unless a file has that name.
expect 0 cluster blobs.csv --labels LAST -k 3
cp labels.txt LAST
head -59 labels.txt >First
refuse 3 "'First' has 59 labels for 60 samples" cluster bare.csv --labels First

# Results that cannot be written: 1.
mkdir folder
refuse 1 "folder" cluster bare.csv -k 3 -o folder
refuse 1 "none" cluster bare.csv -k 3 -o none/out.txt
if [ -e /dev/full ]; then
    code=0
    "$PROGRAM" cluster bare.csv -k 3 >/dev/full 2>.err || code=$?
    [ $code -eq 1 ] || fail "exit $code on a full device"
    grep -q 'standard output' .err || fail "no sentence on a full device"
fi
exit 0
