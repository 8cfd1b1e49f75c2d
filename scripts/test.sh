#!/bin/bash
# Install what is missing, build in build/ and run all tests; ctest's summary ends the output.
#
#     scripts/test.sh [CMAKE OPTIONS]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build test
generator=()
[ -e build/CMakeCache.txt ] || generator=(-G Ninja)
cmake -S . -B build "${generator[@]}" -DSEGMENT_TESTS=ON -DSEGMENT_MPI=ON "$@"
cmake --build build --parallel "$(nproc)"
ctest --test-dir build --output-on-failure --parallel "$(nproc)"
