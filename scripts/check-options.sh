#!/bin/bash
# The build can be configured without its optional parts and with what instruments it, each two of these options together;
# nothing is built. One folder is configured again and again, so that each combination takes about a second.
#
#     scripts/check-options.sh [CMAKE OPTIONS]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0
# configure PAINT PYTHON TESTS SANITIZE TYPE
configure() {
    local options=(-DSEGMENT_PAINT="$1" -DSEGMENT_PYTHON="$2" -DSEGMENT_TESTS="$3" -DSEGMENT_SANITIZE="$4" -DCMAKE_BUILD_TYPE="$5")
    if ! cmake -S . -B "$folder/build" "${options[@]}" "${more[@]}" >"$folder/said" 2>&1; then
        cat "$folder/said"
        echo "check-options: this cannot be configured: cmake ${options[*]}"
        exit 1
    fi
    count=$((count + 1))
}

more=("$@")
configure OFF ON ON OFF Release
configure OFF ON ON ON Release
configure OFF OFF ON ON Debug
configure OFF OFF ON OFF Coverage
configure ON OFF ON ON Release
configure ON ON ON OFF Coverage
configure ON OFF OFF ON Release
configure OFF ON OFF OFF Release

# A sanitizer by the flags of the compiler alone: functions with a second body would end the program before it begins.
for compiler in gcc clang; do
    for sanitizer in address thread; do
        command -v $compiler >/dev/null || continue
        if $compiler -fsanitize=$sanitizer -Isrc -dM -E src/base/lanes.h | grep 'define SEG_WIDER_TOO __attribute__' >/dev/null; then
            echo "check-options: src/base/lanes.h gives functions a second body with $compiler -fsanitize=$sanitizer"
            exit 1
        fi
    done
done
echo "check-options: $count combinations can be configured"
