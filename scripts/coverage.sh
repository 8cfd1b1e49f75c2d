#!/bin/bash
# Line coverage by the tests (gcov): a gcc build of its own, the whole ctest, a table of the parts and of the files with
# the least. Exits with 1 below the bounds: the readers of foreign bytes 90 %, the library 85 %.
#
#     scripts/coverage.sh [--no-run]     --no-run: report on the counts that the last run left
set -euo pipefail
cd "$(dirname "$0")/.."

READERS_LEAST=90
LIBRARY_LEAST=85

# Files whose functions read bytes that others wrote.
readers='src/(image|image/formats|scribbles)/(file|decode|png|jpeg|bmp_read|tiff_header|vips_image|scribbles|labels|pixels|'
readers+='ground|image|strokes|flat_colours|stroke_colours)\.c|'
readers+='src/vectors/(load|table|number|classes|[a-z]+_read)\.c|'
readers+='src/constraints/pairs_file\.c|src/features/spec\.c|src/methods/params\.c|'
readers+='src/evaluation/(sets/photo_set[a-z_]*|runner/item_json|runner/run_journal|runner/results)\.c|'
readers+='src/cli/(segment/run_photo|common/arguments)\.c'

run=1
case ${1-} in
--no-run) run= ;;
"") ;;
*)
    echo "coverage.sh: no option '$1'; see the head of the script" >&2
    exit 2
    ;;
esac

if [ -n "$run" ]; then
    scripts/install-packages.sh build test check
    cmake -S . -B build-coverage -G Ninja -DCMAKE_BUILD_TYPE=Coverage \
        "-DCMAKE_C_FLAGS_COVERAGE=-O1 --coverage -fprofile-update=atomic" >/dev/null
    cmake --build build-coverage --parallel "$(nproc)"
    find build-coverage -name '*.gcda' -delete
    # Where a whole program's memory or disk fails, so does gcov's own, which speaks of it at the end of each run.
    ctest --test-dir build-coverage --output-on-failure --parallel "$(nproc)" \
        -E '^sweep_(memory|disk|damaged)' </dev/null
fi

# One line a source file: lines covered, lines with code, path.
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
gcovr --root . --object-directory build-coverage --filter src/ --json-summary --exclude-unreachable-branches |
    jq -r '.files[] | select(.line_total > 0) | "\(.line_covered) \(.line_total) \(.filename)"' >"$counts"
[ -s "$counts" ] || { echo "coverage.sh: there are no counts in build-coverage; run it without --no-run" >&2; exit 1; }

awk -v readers="^($readers)\$" -v readers_least=$READERS_LEAST -v library_least=$LIBRARY_LEAST '
function add(part) {
    covered[part] += $1
    lines[part] += $2
    files[part]++
}
function show(part, least,   percent) {
    percent = lines[part] ? 100 * covered[part] / lines[part] : 0
    printf "%-28s %4d files %7d lines %6.1f %%%s\n", part, files[part], lines[part], percent,
           least ? (percent >= least ? "  (at least " : "  BELOW ") least " %" (percent >= least ? ")" : "") : ""
    below = below || (least && percent < least)
}
{
    folder = $3
    sub(/\/[^\/]*$/, "", folder)
    if ($3 ~ readers) {
        add("readers")
        least_of[$3] = sprintf("%6.1f %%  %4d of %4d  %s", 100 * $1 / $2, $1, $2, $3)
    }
    if (folder != "src/cli" && folder != "src/evaluation")
        add("library")
    add(folder)
    all[$3] = sprintf("%6.1f %%  %4d of %4d  %s", 100 * $1 / $2, $1, $2, $3)
}
END {
    show("readers", readers_least)
    show("library", library_least)
    show("src/evaluation")
    show("src/cli")
    print "\nReaders with the least:"
    for (file in least_of)
        print least_of[file] | "sort -n | head -n 12"
    close("sort -n | head -n 12")
    print "\nFiles with the least:"
    for (file in all)
        print all[file] | "sort -n | head -n 20"
    close("sort -n | head -n 20")
    exit below
}' "$counts"
