#!/bin/bash
# A person who answers: scripted here. What is answered is kept whatever happens, and the commands take the file.
. "$(dirname "$0")/lib.sh"

# Twelve rows in three far groups, row i in group i % 3.
awk -v OFS=, 'BEGIN { print "height,weight,group"; for (i = 0; i < 12; i++) print 100 * (i % 3) + i / 10, 7 * (i % 3), i % 3 }' \
    >table.csv

# answers FILE: the pairs in it, without comments.
answers() {
    grep -v '^#' "$1"
}
# every answer in FILE is right.
right() {
    answers "$1" | awk -F, '($1 % 3 == $2 % 3) != ($3 > 0) && $3 != 0 { exit 1 }' || fail "wrong answers in $1"
}
# ask PROGRAM'S ARGUMENTS: answer by the rows' numbers, to the end.
# shellcheck disable=SC2094 # a pipe, not a file
ask() {
    rm -f .fifo
    mkfifo .fifo
    "$PROGRAM" query "$@" <.fifo 2>&1 >.out | {
        exec 9>.fifo
        while IFS= read -r -d ' ' word; do
            printf '%s ' "$word" >>.err
            case $word in
            *row) expected=1 ;;
            '' | *[!0-9]*) ;;
            *) [ "${expected:-0}" = 1 ] && rows="${rows:-} $word" && expected=0 ;;
            esac
            if [ "$word" = "[q]uit:" ]; then
                # shellcheck disable=SC2086
                set -- $rows
                if [ $(($1 % 3)) -eq $(($2 % 3)) ]; then echo yes >&9; else echo N >&9; fi
                rows=
            fi
        done
        exec 9>&-
    }
    rm -f .fifo
}

: >.err
ask table.csv --labels last -k 3 -o pairs.csv
right pairs.csv
[ "$(answers pairs.csv | wc -l)" -ge 12 ] || fail "few answers: $(answers pairs.csv)"
grep -q '^#:samples 12$' pairs.csv || fail "the number of rows is not stated"
grep -q 'height' .err || fail "the columns' names are not shown"
grep -q 'group  *$' .err && fail "the labels are shown"
expect 0 cluster table.csv --labels last --constraints pairs.csv --method pckmeans -o /dev/null --json
holds '.scores.clustering_error == 0'

# Everything is known: nothing more is asked, and the file stays.
cp pairs.csv .said
expect 0 query table.csv --labels last -k 3 -o pairs.csv </dev/null
cmp pairs.csv .said || fail "a file with nothing to add was changed"
grep -q 'Question' .err && fail "a question whose answer is known"
rm pairs.csv .said

# Letters, words, capitals, blanks, line ends of DOS; what is not an answer is asked again; the end of input ends it.
printf ' Y \r\nperhaps\n\nno\nskip' >.note
expect 0 query table.csv --labels last -o pairs.csv --strategy random <.note
[ "$(answers pairs.csv | cut -d, -f3 | tr '\n' ' ')" = "1 -1 0 " ] || fail "answers: $(answers pairs.csv)"
[ "$(grep -o 'not one of these answers' .err | wc -l)" -eq 2 ] || fail "what is not an answer was taken for one"
grep -q '3 answers (1 belong together, 1 do not, 1 skipped)' .err || fail "no summary"
[ ! -s .out ] || fail "something on standard output"

# Continued: the old lines stay in front, nothing of them is asked again.
cp pairs.csv first.csv
yes no | expect 0 query table.csv --labels last -o pairs.csv --queries 4 --strategy random
head -n "$(wc -l <first.csv)" pairs.csv | cmp - first.csv || fail "the lines of before were changed"
[ "$(answers pairs.csv | wc -l)" -eq 7 ] || fail "four answers more: $(answers pairs.csv)"
[ "$(answers pairs.csv | awk -F, '{ print $1 < $2 ? $1 "," $2 : $2 "," $1 }' | sort -u | wc -l)" -eq 7 ] ||
    fail "a pair was asked twice"
rm first.csv pairs.csv

# Undo, to the beginning and once too often.
printf 'yes\nno\nundo\nundo\nundo\nno\nquit\nyes\n' >.note
expect 0 query table.csv --labels last -o - --strategy random <.note
[ "$(answers .out | cut -d, -f3)" = -1 ] || fail "after undo: $(answers .out)"
grep -q 'no answer to undo' .err || fail "nothing said about an undo too many"

# Nothing answered, nothing written.
before=$(files)
expect 0 query table.csv --labels last </dev/null
[ "$(files)" = "$before" ] || fail "a file without answers"

# A signal while a question waits: what was answered is there.
rm -f .fifo
mkfifo .fifo
set -m
"$PROGRAM" query table.csv --labels last <.fifo 2>.err &
pid=$!
exec 9>.fifo
echo skip >&9
for _ in $(seq 100); do
    [ -s table-pairs.csv ] && [ "$(grep -c Question .err)" -eq 2 ] && break
    sleep 0.1
done
kill -INT $pid
got=0
wait $pid || got=$?
exec 9>&-
rm .fifo
[ $got -eq 130 ] || fail "exit $got after SIGINT"
[ "$(answers table-pairs.csv | wc -l)" -eq 1 ] || fail "the answer before the signal is lost"
rm table-pairs.csv

# A must-link that AIPC guesses is named as a guess, and is a pair like others where the file is read.
printf '0\n0.1\n0.2\n10\n10.1\n10.2\n4.9\n' >between.csv
printf 'no\n' | expect 0 query between.csv -k 2 --strategy aipc -o guess.csv
[ "$(sed -n '4,5p' guess.csv)" = "$(printf '# guessed from a cannot-link with the second most similar cluster:\n6,2,1')" ] ||
    fail "the guess: $(cat guess.csv)"
grep -q '1 answers (0 belong together, 1 do not, 0 skipped) and 1 not asked about, in guess.csv' .err || fail "no summary"
printf 'skip\n' | expect 0 query between.csv -k 2 --strategy aipc -o guess.csv
answers guess.csv | grep -c '^6,' | grep -qx 2 || fail "asked about the sample again: $(cat guess.csv)"
refuse 2 "aipc begins with a clustering: it needs the number of clusters" query between.csv --strategy aipc
rm between.csv guess.csv

# Refusals.
refuse 2 "name a table" query
refuse 2 "standard input" query -
refuse 2 "--strategy" query table.csv --strategy clever
refuse 2 "overwritten" query table.csv -o table.csv
refuse 3 "cannot read 'none.csv'" query none.csv
refuse 1 "cannot write" query table.csv -o no/such/pairs.csv
printf '0,1,1\n1,2,1\n0,2,-1\n' >bad.csv
refuse 4 "at the cannot-link 0 != 2 (bad.csv, line 3)" query table.csv -o bad.csv
printf '0,1,-1\n1,2,-1\n0,2,-1\n' >bad.csv
refuse 4 "k = 2" query table.csv -k 2 -o bad.csv
printf '#:samples 11\n0,1,1\n' >bad.csv
refuse 3 "bad.csv:1" query table.csv -o bad.csv
refuse 3 "bad.csv:1" cluster table.csv --labels last --constraints bad.csv --method pckmeans

# Labels as the one who answers.
expect 0 cluster table.csv --labels last --active explore-consolidate --queries 30 --method pckmeans --json
[ "$(jq -c '[.active.strategy, .active.queries == (.constraints | .must_links + .cannot_links) - .active.inferred,
    .active.neighbourhoods, .constraints.violated]' .out)" = '["explore-consolidate",true,3,0]' ] ||
    fail "the report of --active"
expect 0 cluster table.csv --labels last --active random --queries 9 --unknown-rate 1 --json --method pckmeans
[ "$(jq -c '[.active.unknown, .constraints.must_links + .constraints.cannot_links]' .out)" = '[9,0]' ] ||
    fail "--unknown-rate 1"
refuse 2 "--queries N" cluster table.csv --labels last --active explore
refuse 2 "--active" cluster table.csv --labels last --queries 5
refuse 2 "--labels" cluster table.csv -k 3 --active explore --queries 5
exit 0
