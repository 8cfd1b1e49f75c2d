#!/bin/bash
# docs/CHANGELOG.md in the form of a Debian changelog, on standard output.
#
#     scripts/debian-changelog.sh CHANGELOG.md "Name <address>"
#
# Its date is SOURCE_DATE_EPOCH, else that of the last commit, else today.
set -euo pipefail
changes=$1
seconds=${SOURCE_DATE_EPOCH:-$(git -C "$(dirname "$changes")" log -1 --format=%ct 2>/dev/null || date +%s)}
date=$(LC_ALL=C date -u -R -d "@$seconds")
awk -v who="$2" -v date="$date" '
function put(text, first,   words, count, line, i) { # lines of up to 78 characters
    count = split(text, words, " ")
    line = first
    for (i = 1; i <= count; i++) {
        if (length(line) + length(words[i]) > 77) { print line; line = "   " }
        line = line " " words[i]
    }
    if (count) print line
}
function finish() {
    put(entry, "  *")
    entry = ""
}
function sign() { if (version) printf "\n -- %s  %s\n\n", who, date }
/^## / { finish(); sign(); version = $2; sub(",", "", version); printf "segment (%s) unstable; urgency=medium\n\n", version; next }
/^\* / { finish() }
version && NF { sub(/^\* */, ""); entry = entry " " $0 }
END { finish(); sign() }' "$changes"
