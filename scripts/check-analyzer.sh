#!/bin/bash
# Static analysis of src/: gcc's analyzer over paths through functions, and cppcheck. Every finding must stand in
# scripts/judged-findings.txt with the reason why it is none, and every row there must still be found.
#
#     scripts/check-analyzer.sh               check this tree
#     scripts/check-analyzer.sh --self-test   check that deliberate faults and rows out of date are found
#
# Messages differ between versions: the list is for gcc 12 and cppcheck 2.10, those of Debian 12.
set -euo pipefail
export LC_ALL=C

GCC=12 CPPCHECK=2.10
here=$(cd "$(dirname "$0")/.." && pwd)

compiler=$(command -v "gcc-$GCC" || command -v gcc || true)
[ "$("${compiler:-false}" -dumpversion | cut -d. -f1)" = "$GCC" ] ||
    { echo "check-analyzer: gcc $GCC is needed, for the list of judged findings is made with it" >&2; exit 2; }
[ "$(cppcheck --version 2>/dev/null)" = "Cppcheck $CPPCHECK" ] ||
    { echo "check-analyzer: cppcheck $CPPCHECK is needed, for the list of judged findings is made with it" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# COMMAND: compile as it says, but for the analysis only. A log for each file. Paths are followed less far than by default, in
# half the time; none of the findings that this leaves out was a fault.
# shellcheck disable=SC2016 # the dollar is eval's
analyze_one() {
    local log
    log=$(mktemp -p "$work/gcc")
    eval "$(sed -E 's/ -o [^ ]+\.o( |$)/ -o \/dev\/null /; s/^[^ ]+/"$compiler"/; s/ -c / -S /' <<<"$1") \
        -O0 -fanalyzer --param analyzer-bb-explosion-factor=2 -Wanalyzer-too-complex -fdiagnostics-plain-output" >"$log" 2>&1 ||
        { cat "$log" >&2; return 255; }
}
export -f analyze_one
export work compiler

# "FILE:LINE: ID: MESSAGE" to "FILE: FUNCTION: ID: MESSAGE": lines move, functions stay.
name_functions() { # ROOT
    awk -v root="$1/" '
    {
        split($0, part, ":")
        file = part[1]; number = part[2] + 0; name = "-"
        for (i = 1; i <= number && (getline line < (root file)) > 0; i++)
            if (line ~ /^[A-Za-z_].*[A-Za-z0-9_][(]/ && line !~ /;$/) {
                name = line
                gsub(/__attribute__[(][(][^)]*([(][^)]*[)])*[^)]*[)][)]/, "", name)
                sub(/[(].*/, "", name)
                sub(/.*[^A-Za-z0-9_]/, "", name)
            }
        close(root file)
        rest = $0
        sub(/^[^:]*:[^:]*: /, "", rest)
        print file ": " name ": " rest
    }'
}

# ROOT DATABASE: all findings in the sources of a list of compile commands, sorted.
findings() {
    rm -rf "$work/gcc"
    mkdir "$work/gcc"
    jq --arg src "$1/src/" '[.[] | select(.file | startswith($src))]' "$2" >"$work/sources.json"
    jq -r '.[].command' "$work/sources.json" >"$work/commands"
    [ -s "$work/commands" ] || { echo "check-analyzer: no source below $1/src" >&2; return 1; }
    # shellcheck disable=SC2016 # the dollar is the inner shell's
    xargs -d '\n' -P "$(nproc)" -n 1 bash -c 'analyze_one "$1"' - <"$work/commands" || return 1
    cppcheck -j "$(nproc)" --project="$work/sources.json" --enable=warning,performance,portability \
        --inconclusive --std=c11 --library=posix,gnu --quiet --template='{file}:{line}: {id}: {message}' \
        >"$work/cppcheck" 2>&1 || { cat "$work/cppcheck" >&2; return 1; }
    {
        # Temporaries have other numbers in every build.
        cat "$work"/gcc/* | sed -nE '/-Wanalyzer-too-complex\]$/d; s/^([^:]+:[0-9]+):[0-9]+: warning: (.*) \[-W(analyzer-[a-z-]+)\]$/\1: \3: \2/p' |
            sed -E 's/_[0-9]+(\([A-Z]+\))?//g; s/ \[CWE-[0-9]+\]//'
        cat "$work/cppcheck"
    } | sed "s|^$1/||" | name_functions "$1" | sort -u
}

# ROOT DATABASE LIST: 0 where the findings are those of the list. Two lines a row there: the finding, and behind blanks the reason.
check_tree() {
    findings "$1" "$2" >"$work/found" || return 1
    awk '/^#/ || /^$/ { next }
         /^ /         { reason = 1; next }
                      { if (row != "" && !reason) bad = row; row = $0; reason = 0; print }
         END          { if (row != "" && !reason) bad = row; if (bad != "") { print "no reason: " bad > "/dev/stderr"; exit 1 } }' \
        "$3" >"$work/rows" || return 1
    sort -u -o "$work/rows" "$work/rows"
    local bad=0
    while read -r line; do
        echo "new finding: $line"
        bad=1
    done < <(comm -23 "$work/found" "$work/rows")
    while read -r line; do
        echo "no longer found, take it from the list: $line"
        bad=1
    done < <(comm -13 "$work/found" "$work/rows")
    return $bad
}

self_test() {
    local tree=$work/tree
    mkdir -p "$tree/src/base"
    cat >"$tree/src/base/planted.c" <<'SOURCE'
#include <stdlib.h>

void twice(char *block, int again);

void twice(char *block, int again) {
    free(block);
    if (again)
        free(block);
}

int behind(int i);

int behind(int i) {
    int room[4] = {0};
    if (i == 9)
        return room[i];
    return 0;
}
SOURCE
    jq -n --arg tree "$tree" '[{directory: $tree, file: ($tree + "/src/base/planted.c"),
        command: ("cc -c -o planted.c.o " + $tree + "/src/base/planted.c")}]' >"$tree/db.json"
    : >"$tree/none"
    must_say "$tree/none" "new finding: src/base/planted.c: twice: analyzer-double-free: double-'free' of 'block'"
    must_say "$tree/none" "new finding: src/base/planted.c: twice: doubleFree: Memory pointed to by 'block' is freed twice."
    must_say "$tree/none" "new finding: src/base/planted.c: behind: arrayIndexOutOfBoundsCond: "
    findings "$tree" "$tree/db.json" | sed 's/$/\n    Planted./' >"$tree/all"
    check_tree "$tree" "$tree/db.json" "$tree/all"
    { cat "$tree/all"; printf 'src/base/gone.c: f: analyzer-double-free: x\n    Planted.\n'; } >"$tree/stale"
    must_say "$tree/stale" "no longer found, take it from the list: src/base/gone.c: f: analyzer-double-free: x"
    grep -v '^ ' "$tree/all" >"$tree/bare"
    must_say "$tree/bare" "no reason: src/base/planted.c"
    echo 'int broken(' >>"$tree/src/base/planted.c"
    must_say "$tree/all" "error: "
    echo "check-analyzer: self-test good"
}

must_say() { # LIST TEXT: the check fails, and says so
    if said=$(check_tree "$work/tree" "$work/tree/db.json" "$1" 2>&1) || [[ $said != *"$2"* ]]; then
        echo "check-analyzer: self-test: not said: $2"$'\n'"but: $said" >&2
        exit 1
    fi
}

if [ "${1:-}" = --self-test ]; then
    self_test
    exit
fi
cmake -S "$here" -B "$here/build-analyze" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DSEGMENT_TESTS=OFF -DSEGMENT_PYTHON=OFF >/dev/null
check_tree "$here" "$here/build-analyze/compile_commands.json" "$here/scripts/judged-findings.txt" || {
    echo "check-analyzer: correct what is real; what is not goes to scripts/judged-findings.txt with the reason" >&2
    exit 1
}
echo "check-analyzer: good, $(wc -l <"$work/commands") files, $(wc -l <"$work/rows") findings judged;" \
    "gcc's analyzer left $(cat "$work"/gcc/* | grep -c 'bailed out early.*too-complex') of the files before it had seen every path"
