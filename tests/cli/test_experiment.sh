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

# What cannot be run.
refuse 2 "needs a name" experiment
refuse 2 "did you mean 'error-curve'" experiment error-curv
refuse 2 "one experiment at a time" experiment error-curve held-out
refuse 2 "--jobs" experiment held-out --jobs many
refuse 3 "missing.csv" experiment held-out --data missing.csv
printf '1,2,1\n3,4,1\n' >one.csv
refuse 3 "one.csv" experiment held-out --data one.csv
mkdir empty
refuse 3 "empty" experiment held-out --data empty
rm -r one.csv empty
refuse 1 "no/folder" experiment held-out --data small.csv --out no/folder

# The list names every protocol, and every protocol runs and draws.
expect 0 experiment list
silent
grep -o '^[a-z-]*:' .out | tr -d : >names
[ "$(wc -l <names)" -eq 8 ] || fail "not eight protocols in the list"
while read -r name; do
    expect 0 experiment "$name" "${small[@]}" --realizations 1 --out "run-$name" -q
    silent
    for ending in svg pdf png csv; do
        find "run-$name" -name "*.$ending" -size +0 | grep -q . || fail "$name left no .$ending"
    done
    grep -q '^%PDF' "$(find "run-$name" -name '*.pdf' | head -n 1)" || fail "$name: no PDF"
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
    cmp -s <(sort first/journal) <(sort cut/journal) || fail "the journal cut at $cut did not come back"
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
exit 0

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
awk -F, 'NR > 1 { sum[$1] += $4 } END { for (c in sum) if (sum[c] < 170.999 || sum[c] > 171.001) exit 1; exit length(sum) != 5 }' \
    run-rank-table/ranks.csv || fail "mean ranks of 18 methods do not sum to 171"
[ "$(sed -n 3p run-rank-table/ranks.md | cut -d'|' -f3)" = "$(sed -n '3,20s/^|[^|]*|\([^|]*\)|.*/\1/p' run-rank-table/ranks.md | sort -n | head -n 1)" ] ||
    fail "ranks.md does not begin with the best"
