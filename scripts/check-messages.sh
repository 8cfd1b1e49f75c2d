#!/bin/bash
# The library names its own fields: no string of it has a flag of the command line (--word, -k) or a command
# ('segment methods'). The command line adds them, in one table (cli_say_library in src/cli/common/messages.c).
#
#     scripts/check-messages.sh [ROOT]        check a source tree (default: this one)
#     scripts/check-messages.sh --self-test   check that deliberate violations are found
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)

# Strings of include/ and src/, without those of the programs and of the table of options, whose help is the command
# line's. A string ends with its line.
check_tree() {
    local folder found=0
    for folder in "$1"/include "$1"/src/*/; do
        case $(basename "$folder") in cli | evaluation | paint) continue ;; esac
        ! grep -rnE --include='*.[ch]' --exclude=options_table.c '"([^"]|\\")*(--[a-z]|[ (]-[a-z]\>|^-[a-z]\>|\<segment (cluster|eval|experiment|figure|methods|query|replay|score)\>)' \
            "$folder" || found=1
    done
    return $found
}

if [ "${1-}" = --self-test ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree"/include "$tree"/src/{base,cli,evaluation}
    for text in 'say("use --patch 3");' 'say("use -k 3 or more");' 'say("\"x\": use --patch");' \
        "say(\"'segment methods' lists them\");"; do
        echo "$text" >"$tree/src/base/a.c"
        if check_tree "$tree" >"$tree/found"; then
            echo "check-messages: this was not found: $text" >&2
            exit 1
        fi
    done
    printf '%s\n' 'say("k - 1 of k, half-open, a -- b, -1, segment is");' '/* --patch */' 'x = a --b;' >"$tree/src/base/a.c"
    echo 'say("use --patch 3");' | tee "$tree/src/cli/a.c" >"$tree/src/evaluation/a.c"
    check_tree "$tree" || { echo "check-messages: a good source was refused" >&2; exit 1; }
    echo "check-messages: every violation is found"
    exit 0
fi

check_tree "${1-$here}" || { echo "check-messages: the library names flags and commands of the command line" >&2; exit 1; }
echo "check-messages: good"
