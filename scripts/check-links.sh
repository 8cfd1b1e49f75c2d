#!/bin/bash
# Every relative link of the Markdown files leads to a file of the tree, and every anchor to a heading, as code hosts
# name them. Ends with 1 where one does not.
#
#     scripts/check-links.sh [FILE.md ...]     all of the tree without a name
set -euo pipefail
cd "$(dirname "$0")/.."

# Without blocks of code, in which brackets mean something else.
prose() {
    awk '/^ *```/ { code = !code; next } !code' "$1"
}

# The anchors of a page: headings in small letters, without punctuation, blanks as dashes, and a number for a second one.
anchors() {
    prose "$1" | sed -n 's/^#\{1,6\} //p' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' |
        awk '{ print seen[$0]++ ? $0 "-" seen[$0] - 1 : $0 }'
}

# Where the links of a page lead, those to other machines left out.
targets() {
    # shellcheck disable=SC2016 # the ticks are Markdown's
    prose "$1" | tr '\n' ' ' | sed 's/`[^`]*`//g' | grep -oE '\]\([^) ]+' | cut -c3- | grep -vE '^[a-z]+:' || true
}

# Of each page that a link with an anchor leads to, once.
declare -A read_of anchor_of
has_anchor() { # PAGE ANCHOR
    local anchor
    if [ -z "${read_of[$1]-}" ]; then
        while read -r anchor; do
            anchor_of[$1#$anchor]=1
        done < <(anchors "$1")
        read_of[$1]=1
    fi
    [ -n "${anchor_of[$1#$2]-}" ]
}

check() { # PAGE TARGET
    local page=$1 target=$2 file folder=.
    file=${target%%#*}
    [[ $page != */* ]] || folder=${page%/*}
    if [ -n "$file" ]; then
        file=$folder/$file
        [ -e "$file" ] || { echo "$page: no file for '$target'" && return 1; }
    else
        file=$page
    fi
    if [[ $target == *#?* ]] && ! has_anchor "$file" "${target#*#}"; then
        echo "$page: no heading for '$target'"
        return 1
    fi
}

if [ $# -eq 0 ]; then
    mapfile -t pages < <(git ls-files --cached --others --exclude-standard '*.md')
else
    pages=("$@")
fi
wrong=0 links=0
for page in "${pages[@]}"; do
    while read -r target; do
        links=$((links + 1))
        check "$page" "$target" || wrong=1
    done < <(targets "$page")
done
[ $wrong -eq 0 ] && echo "check-links: good, $links links in ${#pages[@]} pages"
exit $wrong
