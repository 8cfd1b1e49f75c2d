#!/bin/bash
# Run a script of this folder (test_paint.mjs) with a browser: fetches what drives it by npm, once a folder.
#
#     tests/browser/run.sh [--needed] [--firefox] FOLDER SCRIPT SEGMENT SOURCE [ARGUMENTS...]
#
# FOLDER gets the modules. Without node, npm or Chromium (with --firefox: Debian's Firefox), or where npm cannot fetch, the
# exit status is 77, skipped; with --needed that is a failure. scripts/install-packages.sh browser installs them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
missing=77
if [ "${1:-}" = --needed ]; then
    missing=1
    shift
fi
browser=chromium
if [ "${1:-}" = --firefox ]; then
    browser=firefox-esr
    export BROWSER=firefox
    shift
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd) script=$2 segment=$(realpath "$3") source=$(realpath "$4")
shift 4

for command in node npm $browser; do
    if ! command -v "$command" >/dev/null; then
        echo "tests/browser: there is no $command; scripts/install-packages.sh browser installs it"
        exit $missing
    fi
done
if [ ! -x "$(dirname "$segment")/segment-paint" ]; then
    echo "tests/browser: segment paint is not built: libmicrohttpd is missing"
    exit $missing
fi
exec {preparing}>"$folder/.preparing" # two at once, of two browsers: the second waits
flock "$preparing"
for file in "$here"/*.mjs "$here"/package*.json; do
    cmp -s "$file" "$folder/${file##*/}" || cp "$file" "$folder"
done
cd "$folder"
if ! cmp -s package-lock.json node_modules/.from; then
    if ! npm ci --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
        cat npm.log
        exit $missing
    fi
    cp package-lock.json node_modules/.from
fi
exec {preparing}>&-
exec node "$script" "$segment" "$source" "$@"
