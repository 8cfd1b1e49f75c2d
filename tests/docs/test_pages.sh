#!/bin/bash
# What the pages say of options, methods and fields is what the program has.
#
#     test_pages.sh BUILD SOURCE
set -euo pipefail
export LC_ALL=C
build=$(realpath "$1") source=$(realpath "$2")
segment=$build/segment
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*"
    exit 1
}

# The pieces of code of the guide to the library, one behind the other, are a program.
{
    printf '%s\n' '#include <stdio.h>' 'void use_mask(const unsigned char *label, int width, int height);' \
        'int main_of_guide(void *pixels, unsigned char *labels, int width, int height, double *numbers, int samples);'
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside && /^#include/' "$source/docs/api.md"
    echo 'int main_of_guide(void *pixels, unsigned char *labels, int width, int height, double *numbers, int samples) {'
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside && !/^#include/' "$source/docs/api.md"
    echo 'return status != SEG_OK; }'
} >guide.c
[ "$(wc -l <guide.c)" -gt 40 ] || fail "hardly any code found in docs/api.md"
"$3" -std=c11 -Wall -Wextra -Werror -fsyntax-only -I "$source/include" guide.c ||
    fail "the code of docs/api.md does not compile"

# The tables of options.
"$source/scripts/options-page.sh" "$segment" >options.md
# shellcheck disable=SC2016 # the backticks are the page's
grep -n '^| `--shard` \|^| `--[a-z]*,` ' options.md && fail "a word of a help's second line was taken for an option"
diff "$source/docs/options.md" options.md ||
    fail "docs/options.md is not what --help=all says: scripts/options-page.sh $segment > options.new && mv options.new docs/options.md"
while read -r command; do
    grep -q "^| \`.*--help\`" <(sed -n "/^<!-- options of: $command -->/,/^<!-- end/p" options.md) ||
        fail "no options in the section of $command"
done < <(sed -n 's/^\(<!-- options of: \)\([a-z]*\) -->$/\2/p' options.md)
for command in $("$segment" --help | sed -n 's/^  segment \([a-z]*\) .*/\1/p'); do
    [ "$command" = help ] || grep -q "^## segment $command$" options.md || fail "options.md has no section on $command"
done

# Every option that a page names is one of the program's.
{
    for command in "" paint learn cluster query eval experiment figure score methods; do
        # shellcheck disable=SC2086 # nothing for the main job
        "$segment" $command --help=all
    done
} | grep -oE -- '--[a-z][a-z-]+' | sort -u >known
grep -ohE -- '(^|[ `(|])--[a-z][a-z-]+' "$source"/README.md "$source"/docs/{tutorial,formats,options}.md "$source"/docs/stages/*.md |
    grep -oE -- '--[a-z][a-z-]+' | sort -u >named
[ "$(wc -l <named)" -gt 20 ] || fail "hardly any option found in the pages"
# Options of other programs.
comm -23 named <(sort -u known - <<<$'--install\n--cflags\n--libs\n--build') >unknown
[ ! -s unknown ] || fail "options that do not exist: $(tr '\n' ' ' <unknown)"

# Every method has its place.
for method in $("$segment" methods --json | jq -r '.[].name'); do
    grep -qE "\`$method(\`| )" "$source"/docs/options.md "$source"/docs/stages/*.md || fail "no page names the method $method"
done

# Every file of the source that a page names is there: by its path from the top or from src/, or by its name alone.
find "$source/src" "$source/include" "$source/tests" "$source/docs" "$source/scripts" -type f | sed 's|.*/||' | sort -u >names
named=0
# shellcheck disable=SC2016 # the ticks are Markdown's
while read -r file; do
    case $file in
    */*) [ -e "$source/$file" ] || [ -e "$source/src/$file" ] || [ -e "$source/include/$file" ] ||
        fail "no file $file" ;;
    *) grep -qxF "$file" names || fail "no file is called $file" ;;
    esac
    named=$((named + 1))
done < <(grep -ohE '`[a-zA-Z_./]+\.(c|h|sh|cmake)`' "$source"/docs/architecture.md "$source"/docs/stages/*.md | tr -d '\`' | sort -u)
[ $named -gt 60 ] || fail "only $named names of files seen"

# Every field of the reports stands in formats.md, those of options and parameters aside.
fields() {
    jq -r 'del(.options, .parameters, .methods) | [paths | map(strings)[]] | unique | .[]' "$1"
}
ln -s "$source/images" "$source/groundtruth" .
"$segment" images/chelsea.jpg --scribbles "$source/docs/tutorial/chelsea-one.png" --truth groundtruth/chelsea.png \
    --save-run run.json --json -q >photo.json
printf 'x,class\n%s' "$(for i in 1 2 3 4 5 6 7 8; do echo "$((i * i)),$((i / 5))"; done)" >table.csv
"$segment" cluster table.csv --labels last --method pcp --sample 1 --active explore --queries 2 --json -q >cluster.json
"$segment" score groundtruth/chelsea.png groundtruth/chelsea.png --json >score.json
"$segment" methods --json | jq '{list: .}' >methods.json
count=0
for report in photo run cluster score methods; do
    while read -r field; do
        [ "$field" = list ] || grep -qE "\`$field\`" "$source"/docs/{formats.md,stages/metrics.md} ||
            fail "formats.md does not say what '$field' is ($report.json)"
        count=$((count + 1))
    done < <(fields $report.json)
done
[ $count -gt 80 ] || fail "only $count fields seen"

# A page that names what does not exist is found.
echo "with \`--no-such-option\`" | grep -oE -- '--[a-z][a-z-]+' | comm -23 - known | grep -q . || fail "blind"
echo "options, methods and $count fields of reports are as the pages say"
