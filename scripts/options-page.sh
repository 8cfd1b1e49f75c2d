#!/bin/bash
# The part of docs/options.md that lists the options, made from what the program says of them, so that the two cannot
# differ: prints the page as it should be.
#
#     scripts/options-page.sh SEGMENT [PAGE] > PAGE.new
set -euo pipefail
export LC_ALL=C
segment=$1 page=${2:-$(dirname "$0")/../docs/options.md}

# A command's help as tables, one per group of options.
tables() {
    "$segment" "$@" --help=all | awk '
function flush() {
    if (option != "") {
        gsub(/\|/, "\\|", text)
        if (!open) { print "| option | |\n|---|---|"; open = 1 }
        printf "| `%s` | %s |\n", option, text
    }
    option = text = ""
}
function heading(line) {
    flush()
    if (open) print ""
    open = 0
    sub(/^ +/, "", line); sub(/:$/, "", line)
    printf "**%s**\n\n", line
}
/^Usage:/ { usage = 1; next }
/^                    +[^ ]/ && option != "" { line = $0; sub(/^ +/, "", line); text = text (text == "" ? "" : " ") line; next }
/^ [A-Z].*:$/ { started = 1; heading($0); next }
/^ +(-[a-zA-Z], +)?--[a-z]/ {
    flush()
    started = 1
    line = $0
    sub(/^ +/, "", line)
    match(line, /^(-[a-zA-Z], +)?--[^ ]+/)
    option = substr(line, 1, RLENGTH)
    text = substr(line, RLENGTH + 1)
    sub(/^ +/, "", text)
    gsub(/, +--/, ", --", option)
    next
}
{ flush() }
END { flush() }'
}

# What stands by hand goes through; between the markers the tables are made anew.
while IFS= read -r line; do
    if [[ $line == "<!-- options of: "*" -->" ]]; then
        command=${line#<!-- options of: }
        command=${command% -->}
        echo "$line"
        echo
        if [ "$command" = segment ]; then
            tables
        else
            tables "$command"
        fi
        skip=1
    elif [[ $line == "<!-- end -->" ]]; then
        skip=
        echo
        echo "$line"
    elif [ -z "${skip-}" ]; then
        printf '%s\n' "$line"
    fi
done <"$page"
