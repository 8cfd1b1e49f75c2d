#!/bin/bash
# segment experiment: results against a recount, the same bytes however the work is divided or interrupted.
. "$(dirname "$0")/lib.sh"
set -m # background jobs take SIGINT

# Two classes of 14 points with some noise; the last column is the class.
awk 'BEGIN { for (i = 0; i < 28; i++) { c = i % 2; printf "%.3f,%.3f,%d\n", c + (i * 7 % 11) / 7, (i * 5 % 13) / 6, c + 1 } }' >small.csv
small=(--data small.csv --realizations 2 --restarts 2 --jobs 1)

# same FOLDER FOLDER: all but the journals are equal.
same() {
    local file
    for file in "$1"/*; do
        [ "$(basename "$file")" = journal ] || cmp "$file" "$2/$(basename "$file")" || fail "$file differs"
    done
    [ "$(find "$1" -type f | wc -l)" -eq "$(find "$2" -type f | wc -l)" ] || fail "$1 and $2 hold other files"
}

# The journal's records without the time and the checksum of each.
records() {
    sort "$1/journal" | awk '!/^#/ { NF -= 2 } { print }'
}

# What cannot be run.
refuse 2 "needs a name" experiment
refuse 2 "did you mean 'error-curve'" experiment error-curv
refuse 2 "experiment takes one name" experiment error-curve held-out
refuse 2 "--jobs" experiment held-out --jobs many
refuse 3 "missing.csv" experiment held-out --data missing.csv
printf '1,2,1\n3,4,1\n' >one.csv
refuse 3 "one.csv" experiment held-out --data one.csv
mkdir empty
refuse 3 "empty" experiment held-out --data empty
rm -r one.csv empty
refuse 2 "exclude each other" experiment held-out --data small.csv --tf-idf --standardise
refuse 2 "--wrong" experiment held-out --data small.csv --wrong 0.6
refuse 2 "active-curve asks questions, which are answered correctly" experiment active-curve --data small.csv --wrong 0.1
refuse 2 "leave out wrong pairs and confidences" experiment active-curve --data small.csv --confidences
refuse 1 "a file has this name" experiment held-out --data small.csv --out small.csv/folder

# The list names every protocol, and every protocol runs and draws.
expect 0 experiment list
silent
grep -o '^[a-z-]*:' .out | tr -d : >names
[ "$(wc -l <names)" -eq 8 ] || fail "not eight protocols in the list"
grep -q '^  compares: kmeans, sskk, sskk:paper, pcp, pcp-sample, ' .out || fail "the list does not say what is compared"
while read -r name; do
    sizes=()
    [[ $name != *-curve ]] || sizes=(--sizes "0,4,8")
    expect 0 experiment "$name" "${small[@]}" --realizations 1 "${sizes[@]}" --out "run-$name" -q
    silent
    endings="csv svg"
    [[ $name != distances && $name != kernels ]] || endings=csv # these have a table only
    for ending in $endings; do
        find "run-$name" -name "*.$ending" -size +0 | grep -q . || fail "$name left no .$ending"
    done
done <names
[ -f run-running-time/times.csv ] && [ ! -f run-running-time/results.csv ] || fail "times are not apart"

# results.csv: a line per item; the means are those of a recount.
expect 0 experiment error-curve "${small[@]}" --restarts 1 --out errors -q
[ "$(head -n 1 errors/results.csv | tr ',' '\n' | wc -l)" -eq 22 ] || fail "results.csv has other columns"
[ "$(wc -l <errors/results.csv)" -eq $((1 + 2 * (1 + 5 * 10))) ] || fail "results.csv has $(wc -l <errors/results.csv) lines"
# Every error lies in 0..0.5 (two classes); the best mean over the nine graphs is what the summary says.
awk -F, 'NR == FNR && FNR > 1 { key = $2 "," $3
             for (g = 0; g < 9; g++) { if ($(5 + g) < 0 || $(5 + g) > 0.5) exit 1; sum[key, g] += $(5 + g) / 2 } }
         NR > FNR && FNR > 1 { key = $2 "," $3; least = 1
             for (g = 0; g < 9; g++) if (sum[key, g] < least) least = sum[key, g]
             if (least - $6 > 1e-5 || $6 - least > 1e-5 || $8 > $6 + 1e-9 || $9 < $6 - 1e-9) exit 1; lines++ }
         END { exit lines != 51 }' errors/results.csv errors/error-best-graph.csv || fail "the means are not those of the items"
# Chosen blindly: in each realization the graph of the least choice_G, of equals the nearest to the middle.
awk -F, 'BEGIN { split("4 3 5 2 6 1 7 0 8", order, " ") }
         NR == FNR && FNR > 1 { least = 2
             for (o = 1; o <= 9; o++) { g = order[o]; if ($(14 + g) < least) { least = $(14 + g); error = $(5 + g) } }
             sum[$2 "," $3] += error / 2 }
         NR > FNR && FNR > 1 { d = sum[$2 "," $3] - $6; if (d > 1e-5 || d < -1e-5) exit 1 }' \
    errors/results.csv errors/error-blind-graph.csv || fail "the blind choice is another"

# Methods of one's own, with variants and parameters; those of the experiment by name.
few=("${small[@]}" --restarts 1 --sizes "4,8")
expect 0 experiment accuracy-curve "${few[@]}" --methods ncut,enpakl1:paper,CCSKL:m=3,pcp --out chosen -q
cut -d, -f2,3 chosen/results.csv | sort -u | tr '\n' ' ' >names
[ "$(cat names)" = "ccskl:m=3,4 ccskl:m=3,8 enpakl1:paper,4 enpakl1:paper,8 method,constraints ncut,0 pcp,4 pcp,8 " ] ||
    fail "other methods or sizes: $(cat names)"
grep -q 'numbers 4, 8; seed 1; methods ncut,enpakl1:paper,ccskl:m=3,pcp; data small:' chosen/journal || fail "the journal does not name them"
grep -q 'realizations 2; restarts 1;' chosen/accuracy.svg ||
    fail "the figure does not say how it was made"
# Six methods, of the experiment and others, have six colours.
expect 0 experiment accuracy-curve "${few[@]}" --methods ccskl,ccskl:paper,ccsr,sskk:penalty=1,pckmeans,enpakl --out six -q
[ "$(grep -o 'stroke="#[0-9a-f]*" stroke-width="1.2"' six/accuracy.svg | sort -u | wc -l)" -eq 6 ] || fail "two methods share a colour"
refuse 2 "there is no method 'nocut'" experiment accuracy-curve "${few[@]}" --methods nocut
refuse 2 "'ncut' twice" experiment accuracy-curve "${few[@]}" --methods ncut,ncut
refuse 2 "list of methods is empty" experiment accuracy-curve "${few[@]}" --methods ,
refuse 2 "takes STRATEGY or STRATEGY:METHOD, not 'ncut'" experiment active-curve "${few[@]}" --methods ncut
refuse 2 "there is no method 'nocut'" experiment active-curve "${few[@]}" --methods random:nocut
refuse 2 "'random' twice" experiment active-curve "${few[@]}" --methods random,random
expect 0 experiment active-curve "${few[@]}" --methods minmax,explore --out asked -q
[ "$(cut -d, -f2 asked/results.csv | sort -u | tr '\n' ' ')" = "explore method minmax " ] || fail "other strategies"
# The strategy goes with the name, not with its place: the same numbers as with all four.
expect 0 experiment active-curve "${few[@]}" --out all-asked -q
grep ',minmax,' all-asked/results.csv | cmp - <(grep ',minmax,' asked/results.csv) || fail "minmax alone is another strategy"
# A method behind the strategy, as printed or not; the strategy's name ignores case.
expect 0 experiment active-curve "${few[@]}" --out behind -q \
    --methods Random,Random:PCKMeans:w=0,random:pckmeans:paper,explore:seeded-kmeans,explore-unknown-k
[ "$(cut -d, -f2 behind/results.csv | sort | uniq -c | awk '{ printf "%s %s ", $1, $2 }')" = \
    "4 explore-unknown-k 4 explore:seeded-kmeans 1 method 4 random 4 random:pckmeans:paper 4 random:pckmeans:w=0 " ] ||
    fail "other methods behind a strategy: $(cat behind/results.csv)"
grep -q 'methods random,random:pckmeans:w=0,random:pckmeans:paper,explore:seeded' behind/journal || fail "the journal does not name them"
[ "$(head -n 1 behind/results.csv)" = "dataset,method,constraints,realization,nmi_test,f_test,nmi_all,asked,objective" ] ||
    fail "active-curve has other columns"
[ -s behind/objective.svg ] || fail "the objective is not drawn"
# Matrices of methods by their names, as printed or not; what has no embedding cannot be measured.
expect 0 experiment distances "${few[@]}" --methods data,ccskl:paper,ccskl,pckmeans --widths 1 --out matrices
grep -q 'pckmeans/.*has no embedding' .err || fail "PCKMeans has an embedding: $(cat .err)"
grep -q ',pckmeans,.*,nan' matrices/results.csv || fail "a matrix of PCKMeans was measured"
awk -F, 'NR > 1 && $2 == "data" && ($8 < -1 || $8 > 1 || $9 < 0 || $9 > 1 || $9 * 28 % 1 > 1e-6 && $9 * 28 % 1 < 1 - 1e-6) { exit 1 }' \
    matrices/results.csv || fail "no silhouette or purity: $(cat matrices/results.csv)"

# Graphs and kernels: two paths of ten nodes, joined by one edge, counted from 1 and from 0; their labels in files.
for base in 0 1; do
    awk -v b=$base 'BEGIN { for (i = 0; i < 19; i++) print i + b, i + b + 1; for (i = 0; i < 18; i++) if (i != 8 && i != 9) print i + b, i + b + 2 }' >paths-$base.edges
done
awk 'BEGIN { for (i = 0; i < 20; i++) print i < 10 ? "a" : "b" }' >paths.labels
awk 'BEGIN { for (i = 0; i < 20; i++) for (j = 0; j < 20; j++) printf "%g%s", exp(-(i - j) ^ 2 / 20), j < 19 ? "," : "\n" }' >near.csv
graphs=(--graph paths-0.edges --labels paths.labels --graph paths-1.edges --labels paths.labels)
expect 0 experiment held-out "${graphs[@]}" --kernel near.csv --labels paths.labels --data small.csv --sizes 4,8 --realizations 2 \
    --methods ncut,sskk:paper,ccskl,kmeans --out graphs
[ "$(cut -d, -f1 graphs/results.csv | uniq | tr '\n' ' ')" = "dataset small paths-0 paths-1 near " ] || fail "other sets: $(cat graphs/results.csv)"
cmp -s <(sed -n 's/^paths-0,ncut,//p' graphs/results.csv) <(sed -n 's/^paths-1,ncut,//p' graphs/results.csv) || fail "the base counts"
[ "$(sed -n 's/^paths-0,ncut,0,.,//p' graphs/results.csv | sort -u)" = 1,1 ] || fail "N-cuts do not part the paths: $(cat graphs/results.csv)"
[ "$(grep -c '^paths-.,kmeans,.*,nan,nan$' graphs/results.csv)" -eq 4 ] || fail "k-means without vectors: $(cat graphs/results.csv)"
grep -q 'the method kmeans needs feature vectors' .err || fail "no warning of k-means: $(cat .err)"
grep -q '^near/sskk' graphs/journal && ! grep -q '^near,sskk:paper,.*nan' graphs/results.csv || fail "no SSKK by the kernel"
expect 0 experiment error-curve "${graphs[@]}" --sizes 4 --realizations 1 --restarts 1 --methods ncut,ccsr --out one-graph -q
awk -F, 'NR > 1 && ($5 == "nan" || $6 != "nan" || $14 == "nan" || $15 != "nan") { exit 1 }' one-graph/results.csv ||
    fail "a graph is not the one candidate: $(cat one-graph/results.csv)"
expect 0 experiment rank-table "${graphs[@]}" --sizes 4 --realizations 1 --methods ncut,ccsr --out ranked -q
refuse 2 "needs one --labels FILE" experiment held-out --graph paths-0.edges
refuse 2 "needs one --labels FILE" experiment held-out --data small.csv --labels paths.labels
refuse 2 "no columns to scale" experiment held-out "${graphs[@]}" --standardise
refuse 2 "leave out graphs and kernels" experiment active-curve "${graphs[@]}"
refuse 2 "--base" experiment held-out "${graphs[@]}" --base 2
refuse 3 "node" experiment held-out "${graphs[@]}" --base 1
refuse 3 "small.labels" experiment held-out --graph paths-0.edges --labels small.labels
head -n 19 paths.labels >short.labels
refuse 3 "short.labels" experiment held-out --graph paths-0.edges --labels short.labels
refuse 3 "paths-0" experiment held-out --graph paths-0.edges --labels paths.labels --graph paths-0.edges --labels paths.labels

# A parameter for every method that has it.
sskk=sskk:paper
expect 0 experiment accuracy-curve "${few[@]}" --methods ccskl,ncut --param m=1 --out free -q
expect 0 experiment accuracy-curve "${few[@]}" --methods ccskl,ncut --param m=9 --out bound -q
cmp -s free/results.csv bound/results.csv && fail "--param changes nothing"
grep -q 'parameters m=1;' free/journal || fail "the journal does not name the parameter"
refuse 2 "no method of this run has a parameter 'depth=3'" experiment accuracy-curve "${few[@]}" --param depth=3
refuse 2 "penalty" experiment accuracy-curve "${few[@]}" --methods $sskk --param penalty=-1

# The candidate graphs by their widths: each by itself gives what the grid says of it (the method has no randomness).
expect 0 experiment error-curve "${few[@]}" --methods $sskk --widths 0.5,1,4 --out grid -q
grep -q 'widths 0.5, 1, 4;' grid/journal || fail "the journal does not name the graphs"
! grep -q nine grid/*.svg || fail "a figure of three graphs names nine"
for g in 1 2 3; do
    width=$(cut -d' ' -f$g <<<"0.5 1 4")
    expect 0 experiment error-curve "${few[@]}" --methods $sskk --widths "$width" --out "grid-$width" -q
    cmp -s <(cut -d, -f1-4,$((4 + g)) grid/results.csv | tail -n +2) <(cut -d, -f1-5 "grid-$width/results.csv" | tail -n +2) ||
        fail "the graph $width by itself gives other errors"
done
for wrong in 1,1 2,1 0 one "1," 1,2,3,4,5,6,7,8,9,10; do
    refuse 2 "--widths takes" experiment error-curve "${few[@]}" --widths $wrong
done
refuse 2 "--sizes takes whole numbers" experiment held-out "${small[@]}" --sizes 1.5
refuse 2 "does not try candidate graphs" experiment held-out "${few[@]}" --widths 1

# The wall time is printed.
expect 0 experiment held-out "${few[@]}" --methods $sskk --out timed
grep -q '^segment: 4 items, 4 of them in this run: wall time [0-9.]* s$' .err ||
    fail "no wall time: $(cat .err)"
expect 0 experiment held-out "${few[@]}" --methods $sskk --out timed
grep -q '4 items, 0 of them in this run' .err || fail "the second run says another number: $(cat .err)"

# Jobs do not show; other seeds do.
expect 0 experiment held-out "${small[@]}" --out first -q
expect 0 experiment held-out "${small[@]}" --jobs 2 --out second -q
same first second
expect 0 experiment held-out "${small[@]}" --seed 2 --out other -q
cmp -s first/results.csv other/results.csv && fail "another seed gives the same results"

# Other settings are refused, the same go on, --restart begins anew.
refuse 2 "other settings" experiment held-out "${small[@]}" --seed 2 --out first
expect 0 experiment held-out "${small[@]}" --seed 2 --out second --restart -q
same other second

# Cut off anywhere, as by a crash, the run goes on to the same bytes.
size=$(stat -c %s first/journal)
for cut in 10 $((size / 3)) $((size - 5)); do
    mkdir cut
    head -c "$cut" first/journal >cut/journal
    expect 0 experiment held-out "${small[@]}" --out cut -q
    same first cut
    cmp -s <(records first) <(records cut) || fail "the journal cut at $cut did not come back"
    rm -r cut
done
sed -i '3s/small/smell/' first/journal
refuse 3 "damaged" experiment held-out "${small[@]}" --out first

# Killed in the middle of the work, it goes on as well.
interrupt() { # SIGNAL: start, and send it when some more items are done
    local before=0
    [ ! -f killed/journal ] || before=$(wc -l <killed/journal)
    "$PROGRAM" experiment held-out --data small.csv --realizations 2000 --jobs 1 --out killed -q 2>.err &
    pid=$!
    until [ -f killed/journal ] && [ "$(wc -l <killed/journal)" -ge $((before + 8)) ]; do
        kill -0 $pid 2>/dev/null || fail "it ended before it was interrupted"
        sleep 0.01
    done
    kill -"$1" $pid
    got=0
    wait $pid 2>/dev/null || got=$?
}
interrupt KILL
[ $got -eq 137 ] || fail "exit $got after SIGKILL"
interrupt INT
[ $got -eq 130 ] || fail "exit $got after SIGINT"
grep -q "interrupted.*journal" .err || fail "nothing said about the interruption"
[ ! -f killed/results.csv ] || fail "results of a run that was interrupted"

# rank-table: ranks are those of a recount from the errors, failures last; a block's ranks sum to what they must, and
# the Markdown table names each method once, the best first.
awk -F, 'NR > 1 { block = $1 "," $2; error[block, $3] = $4; method[$3]; blocks[block]; rank[block, $3] = $7 }
    function value(x) { return x == "nan" || x == "-nan" ? 1e9 : x + 0 }
    END {
        for (b in blocks)
            for (m in method) {
                less = equal = 0
                for (o in method) {
                    less += value(error[b, o]) < value(error[b, m])
                    equal += value(error[b, o]) == value(error[b, m])
                }
                if (rank[b, m] != less + (equal + 1) / 2) { print b, m, rank[b, m]; exit 1 }
            }
    }' run-rank-table/rank-table.csv || fail "a rank of rank-table.csv is not that of its error"
awk -F'|' 'NR > 2 && NR < 21 { for (c = 3; c < 10; c++) sum[c] += $c } END { for (c in sum) if (sum[c] < 170.9 || sum[c] > 171.1) exit 1 }' \
    run-rank-table/ranks.md || fail "mean ranks of 18 methods do not sum to 171"
[ "$(sed -n 3p run-rank-table/ranks.md | cut -d'|' -f3)" = "$(sed -n '3,20s/^|[^|]*|\([^|]*\)|.*/\1/p' run-rank-table/ranks.md | sort -n | head -n 1)" ] ||
    fail "ranks.md does not begin with the best"
# Counts weighted by tf-idf.
mkdir dense
awk 'BEGIN { for (i = 1; i <= 24; i++) { c = i % 2; row = ""; for (j = 1; j <= 6; j++) { v = (i * j * 7 + j) % 5 + (c == j % 2 ? 1 : 0) - 1; row = row (v > 0 ? v : 0) "," } print row (c ? "odd" : "even") } }' >dense/words.csv
held=(held-out --methods 'kmeans,pckmeans' --sizes '0,10' --realizations 2 --jobs 1 -q)
expect 0 experiment "${held[@]}" --data dense/words.csv --tf-idf --out dense-words
silent
grep -q 'weighed by tf-idf' dense-words/journal || fail "the journal does not say how columns were weighed"
expect 0 experiment "${held[@]}" --data dense --out raw-words
! cmp -s dense-words/results.csv raw-words/results.csv || fail "--tf-idf changes nothing"
exit 0
