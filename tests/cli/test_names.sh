#!/bin/bash
# File names of every kind through the evaluation, several images at once, records and exports: each image is
# there under its own name, and what is written can be read again.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/eval_lib.sh"
command -v jq >/dev/null || exit 77
odd_names
SET=$'set <&\n\xe9'
mkdir -p "$SET/scribbles" "$SET/groundtruth"
texture='t = (x * 7 + y * 13) % 11 * 3;'
bmp photo.bmp 24 16 "$texture if (x < 12) { r = 200 - t; g = 60 + t; b = 50 } else { r = 40; g = 80 + t; b = 180 - t }"
bmp scribbles.bmp 24 16 'if (y >= 4 && y < 12) { if (x == 5) b = 255; if (x == 19) r = 255 }'
bmp truth.bmp 24 16 'if (x < 12) b = 255; else r = 255'
for name in "${NAMES[@]}"; do
    cp photo.bmp "$SET/$name.bmp"
    cp scribbles.bmp "$SET/scribbles/$name.bmp"
    cp truth.bmp "$SET/groundtruth/$name.bmp"
done
count=${#NAMES[@]}
[ "$(find "$SET" -maxdepth 1 -name '*.bmp' -print0 | tr -cd '\0' | wc -c)" -eq "$count" ] || fail "two names are one"

# sorted_names: the names themselves, ended by zeros, from the lines of standard input.
sorted_names() {
    while IFS= read -r line; do
        printf %b "$line"
        printf '\0'
    done | sort -z
}
printf '%s\0' "${NAMES[@]}" | sort -z >.note

# --- The evaluation: all at once, again from its journal, and in two parts.
expect 0 eval "$SET" --out 'report [1]*' --methods kmeans --no-timing
[ -e sprung ] && fail "a name was run as a command"
tail -n +2 'report [1]*/results.csv' | sed -n 's/^"\(\([^"]\|""\)*\)",.*/\1/; t quoted; s/,.*//; p; b; :quoted s/""/"/g; p' |
    sorted_names >.said
cmp -s .note .said || fail "results.csv: $(tr '\0\n' '\n?' <.said | diff <(tr '\0\n' '\n?' <.note) - | head -n 5)"
jq -r '.items[].item | @json' 'report [1]*/results.json' >json
[ "$(wc -l <json)" -eq "$count" ] || fail "results.json has not $count images"
while IFS= read -r text; do
    printf %b "$(jq -rn "$text + \"|\"")" # a line end at the end would be lost
    printf '\0'
done <json | sed -z 's/|$//' | sort -z >.said
cmp -s .note .said || fail "results.json: $(tr '\0\n' '\n?' <.said | diff <(tr '\0\n' '\n?' <.note) - | head -n 5)"
jq -e '.title' 'report [1]*/results.json' >/dev/null || fail "no title"
iconv -f utf-8 -t utf-8 'report [1]*'/{results.csv,results.json,report.html,journal} >/dev/null 2>&1 || fail "a report is not UTF-8"
cp 'report [1]*/journal' journal
expect 0 eval "$SET" --out 'report [1]*' --methods kmeans --no-timing -q
cmp -s journal 'report [1]*/journal' || fail "the second run did not go on with the journal"
for part in 1 2; do
    expect 0 eval "$SET" --out 'parts [1]*' --methods kmeans --no-timing --shard $part/2 -q
done
expect 0 eval "$SET" --out 'parts [1]*' --methods kmeans --no-timing -q
same_report 'report [1]*' 'parts [1]*'
# Where something is wrong with one, it is named.
echo nothing >"$SET/groundtruth/"$'line\nend.bmp'
expect 5 eval "$SET" --out broken --methods kmeans --no-timing
grep -qF 'skipped line\x0Aend' .err || fail "what is passed over is not named"
[ "$(grep -c broken broken/results.csv)" -eq 1 ] || fail "not one broken record"
cp truth.bmp "$SET/groundtruth/"$'line\nend.bmp'
rm -r 'report [1]*' 'parts [1]*' broken journal json

# --- One after the other: masks by name, records that replay, reports.
expect 5 "$SET" --scribbles "$SET/scribbles" -o masks --no-overlay --save-run masks --export coco -q
[ "$(grep -c 'would exceed' .err)" -eq 1 ] || fail "the name that leaves no room for -mask.png is not named"
for name in "${NAMES[@]}"; do
    [ "${#name}" -gt 200 ] && continue
    [ -s "masks/$name-mask.png" ] || fail "no mask of '$name'"
    [ "$(printf %b "$(jq -r '.images[0].file_name + "|"' "masks/$name-mask.coco.json")")" = "$name.bmp|" ] ||
        fail "another name in the COCO file of '$name'"
done
# Of a name that leaves room for -mask.png but not for -overlay.png only this image fails, in the working folder too.
mkdir tight
cp photo.bmp tight/a.bmp && cp photo.bmp "tight/$(printf '%0245d' 1).bmp"
for to in '-o tight-masks' ''; do
    # shellcheck disable=SC2086 # two words
    expect 5 tight -k 2 $to -q
    grep -q '0...-overlay.png. would exceed' .err || fail "it is not said which name is too long"
    [ "$(find . -name '*-overlay.png' | wc -l)" -eq 1 ] || fail "$(find . -name '*-overlay.png') with $to"
    rm -rf tight-masks a-mask.png a-overlay.png
done
rm -r tight
# shellcheck disable=SC2016 # names, not expansions
for name in plain $'tab\tbed' $'line\nend' $'caf\xe9' $'bad\xff\xfe' 'back\x41slash' '-leading' '$(touch sprung)' '<!--<script>'; do
    expect 0 replay "masks/$name-run.json" -o again.png --no-overlay -q
    cmp -s again.png "masks/$name-mask.png" || fail "the replay of '$name' gives another mask"
    expect 0 "$SET/$name.bmp" --scribbles "$SET/scribbles/$name.bmp" -o again.png --no-overlay --json -q
    [ "$(printf %b "$(jq -r '.photo' .out)")" = "$SET/$name.bmp" ] || fail "another name in the report of '$name'"
done
[ -e sprung ] && fail "a name was run as a command"
# The first line names the image, on a line of its own.
expect 0 "$SET/"$'line\nend.bmp' "$SET/"plain.bmp --scribbles "$SET/scribbles" --truth "$SET/groundtruth" -o masks --no-overlay -q
[ "$(grep -c '^photo ' .out)" -eq 2 ] && ! grep -q '^end' .out || fail "a line end in a name breaks the scores"

# --- What only ends differently has one name, and that is said before anything is done.
mkdir twice && cp photo.bmp twice/a.bmp && cp photo.bmp twice/a.BMP && cp truth.bmp twice/a-truth.bmp
refuse 2 "the same name" twice -k 2 -o masks
refuse 3 "two items called" eval twice --out none

# --- A report is not written where it would be taken for images; without truth there is no result.
mkdir few && cp photo.bmp few/a.bmp
before=$(find few | sort)
refuse 2 "folder of the data set" eval few --out few
refuse 2 "folder of the data set" eval few --out few/.
ln -s few other
refuse 2 "folder of the data set" eval few --out other
[ "$before" = "$(find few | sort)" ] || fail "something was written"
refuse 3 "has a ground truth" eval few --out none --methods kmeans
mkdir nothing
refuse 3 "has a ground truth in 'nothing'" eval few --out none --methods kmeans --truth nothing
cp truth.bmp few/a-truth.bmp
for turn in 1 2; do
    expect 0 eval few --out few/report --methods kmeans -q
    [ "$(wc -l <few/report/results.csv)" -eq 2 ] || fail "run $turn: not one image"
done
bmp few/a-truth.bmp 24 16 'b = 255'
expect 3 eval few --out one --methods kmeans
grep -q 'no image could be scored' .err || fail "nothing was scored, and it is not said"
! grep -q '0\.0000' .out || fail "a mean of nothing"
exit 0
