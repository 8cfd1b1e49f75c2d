#!/bin/bash
# scripts/reproduce.sh: runs whose tables are there, a page that names the others, the same figures again.
. "$(dirname "$0")/lib.sh"
run="$SOURCE/scripts/reproduce.sh"
mkdir sets
for name in iris wine protein; do
    awk -v s="$name" 'BEGIN { for (i = 0; i < 40; i++) { c = i % 2
        printf "%.3f,%.3f,%d\n", c + (i * 7 % 11) / (7 + length(s)), (i * 5 % 13) / 6, c + 1 } }' >sets/$name.csv
done
awk '{ print }' sets/iris.csv | gzip -n >sets/digital04.csv.gz

"$run" --quick "$PROGRAM" sets out HI D U >.out 2>.err || fail "exit $?"
grep -q "D is left out, sets has no wdbc.csv" .err || fail "the missing table is not named"
grep -q "^Left out: not in the folder of the tables: wdbc.csv." out/index.md || fail "not on the page"
grep -q "^Left out of the quick runs" out/index.md || fail "the long run is not named"
[ -s out/HI/nmi-test.svg ] && grep -q "HI/nmi-test.svg" out/index.md || fail "no figure"
# A mean of the page against a recount.
want=$(awk -F , '$1 == "iris" && $2 == "hmrf-kmeans" { s += $6; n++ } END { printf "%.3f", s / n }' out/HI/nmi-test.csv)
grep -A 12 'HI/nmi-test.svg' out/index.md | grep -q "^| .hmrf-kmeans. | $want |" || fail "no mean $want"
cp out/index.md first.md
"$run" --quick "$PROGRAM" sets out HI D U >.out 2>.err || fail "again: exit $?"
diff <(grep '^|' first.md) <(grep '^|' out/index.md) || fail "other figures the second time"

# The table by numbers of constraints: its first row against the first row of the file.
want=$(awk -F , '$1 == "iris" && $2 == "hmrf-kmeans" { printf "%.3f ", $6 }' out/HI/nmi-test.csv | xargs)
got=$(awk '/nmi-test.svg/ { p = 1 } p && /^. iris/ { q = 1 } q && /hmrf-kmeans/ { gsub(/ ± [0-9.]+/, ""); gsub(/[^0-9. ]/, " "); print; exit }' out/index.md | xargs)
[ "$want" = "$got" ] || fail "the table by numbers says $got, not $want"

# Other numbers of draws; sets that packages hold, or the line that they are not there.
"$run" --draws 3 "$PROGRAM" sets out N HL I >.out 2>.err || fail "--draws: exit $?"
grep -q "three\|3 draws" out/index.md || fail "the draws are not stated"
grep -q "I is left out, sets has no msrc" .err || fail "no images, and it is not said"
if grep -q "N is left out" .err; then
    grep -q "^Left out: .* karate.edges" out/index.md || fail "the networks are not named"
else
    [ "$(awk -F , '$1 == "karate" && $2 == "ncut" && $3 == 0 { print $4 }' out/N/nmi-test.csv)" = 3 ] || fail "not three runs"
fi
if [ -s out/made/letters-ijl.csv ]; then
    [ "$(wc -l <out/made/letters-ijl.csv)" -eq 227 ] || fail "letters-ijl: $(wc -l <out/made/letters-ijl.csv) rows"
    [ -s out/HL/nmi-test.svg ] || fail "no figure of the letters"
else
    grep -q "^Left out: .* letters-ijl.csv" out/index.md || fail "the letters are not named"
fi

# Every run's methods and parameters are those of the program: what is missed is the table.
eval "$(sed -n '/^SPECTRAL=/,/^QUICK=/p' "$run")"
while IFS='|' read -r name _ what _; do
    [ "${what%% *}" != eval ] || continue
    # shellcheck disable=SC2086 # words on purpose
    "$PROGRAM" experiment $what --data nowhere.csv --out never >.out 2>.err && fail "$name ran without a table"
    grep -q "nowhere.csv" .err || fail "run $name is refused"
done <<<"$RUNS"

for wrong in "" "--quick" "--draws 0 $PROGRAM sets out2 K" "--draws" "$PROGRAM sets" "$PROGRAM sets out2 X" "$PROGRAM nowhere out2 K"; do
    code=0
    # shellcheck disable=SC2086 # words on purpose
    "$run" $wrong >.out 2>.err || code=$?
    [ "$code" -eq 2 ] && [ -s .err ] && [ ! -e out2 ] || fail "reproduce.sh $wrong: exit $code"
done
exit 0
