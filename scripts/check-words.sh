#!/bin/bash
# No word that only this project would use, in headers, code, tests, messages and pages: scripts/words.txt is the list.
#
#     scripts/check-words.sh [ROOT]        check the files that git knows of a tree (default: this one)
#     scripts/check-words.sh --self-test   check that each row of the list is found
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
list=$here/scripts/words.txt

# Fixed inputs of tests keep what they hold, and so do names in the papers' titles.
files() {
    git -C "$1" ls-files -z -- . ':!tests/fuzz/corpus' ':!scripts/words.txt' ':!scripts/check-words.sh' ':!*.bib' ':!LICENSE' |
        grep -zvE '\.(png|jpg|tif|bmp|svg|npy|gz|zip|mat|json)$'
}

# ROOT PATTERN: lines that have it; none is no failure.
lines_with() {
    cd "$1"
    files . | xargs -0 grep -nHiP -- "$2" || true
}

check_tree() {
    local pattern use found=0
    while IFS=$'\t' read -r pattern use; do
        [[ $pattern && $pattern != \#* ]] || continue
        while IFS= read -r line; do
            [[ $line != *"earlier name"* ]] || continue
            printf '%s\n    write: %s\n' "$line" "$use"
            found=1
        done < <(lines_with "$1" "$pattern")
    done <"$list"
    return $found
}

if [ "${1-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    git -C "$tree" init -q
    cat >"$tree/page.md" <<'END'
A thing. The robot. Areas of doubt. The rival. A contender. Its surroundings. seg_marks_read. photo-marks.png
the marks_kind. The photograph. Asked in vain. A wish to stop. It lets go of it. It keeps back. Held in other hands.
The papers' form of it. What has other numbers than stated. This is no file. It has 8 bits a sample.
END
    git -C "$tree" add page.md
    rows=$(grep -cvE '^(#|$)' "$list")
    refused=$(check_tree "$tree" | grep '^    write:' | sort -u | wc -l || true)
    uses=$(grep -vE '^(#|$)' "$list" | cut -f2 | sort -u | wc -l)
    [ "$refused" -eq "$uses" ] || { echo "check-words: of $uses uses ($rows rows) $refused were found" >&2; exit 1; }
    echo 'Its earlier name was things. Nothing is lost, and it is no more.' >"$tree/page.md"
    check_tree "$tree" || { echo "check-words: a good page was refused" >&2; exit 1; }
    echo "check-words: every row is found"
    exit 0
fi

check_tree "${1-$here}" || { echo "check-words: these words are only ours" >&2; exit 1; }
echo "check-words: good"
