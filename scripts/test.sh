#!/bin/bash
# Install what is missing, build in build/ and run all tests; ctest's summary ends the output.
#
#     scripts/test.sh [--without LABEL] [CMAKE OPTIONS]
#
# --without LABEL   leave out the tests of a label of tests/labels.cmake; of several: '(LABEL|LABEL)'
set -euo pipefail
cd "$(dirname "$0")/.."

selection=() browser=browser
if [ "${1:-}" = --without ]; then
    selection=(--label-exclude "^${2:?--without takes a label}\$")
    [[ $2 != *browser* ]] || browser=
    shift 2
fi
scripts/install-packages.sh build test $browser
generator=()
[ -e build/CMakeCache.txt ] || generator=(-G Ninja)
cmake -S . -B build "${generator[@]}" -DSEGMENT_TESTS=ON "$@"
cmake --build build --parallel "$(nproc)"
# One more than processors: some tests wait for what they have started.
ctest --test-dir build "${selection[@]}" --output-on-failure --parallel $(($(nproc) + 1))
