#!/bin/bash
# The library as a stranger finds it: installed into a folder of its own, found by pkg-config and by CMake, used by the
# examples; nothing of the source tree is named.
#
#     test_install.sh BUILD SOURCE CC
set -euo pipefail
build=$1 source=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

cmake --install "$build" --prefix "$work/root" >"$work/log"
cp "$source"/docs/examples/{cluster_vectors,segment_photo}.c "$work"
lib=$(dirname "$(find "$work/root" -name libsegment.so)")
export LD_LIBRARY_PATH=$lib PKG_CONFIG_PATH=$lib/pkgconfig
cd "$work"

"$work/root/bin/segment" --version | grep -q '^segment [0-9.]*$' || fail "the installed program does not run"
[ "$(find root -name 'segment*.1' | wc -l)" -ge 4 ] || fail "manual pages are missing"
[ "segment $(pkg-config --modversion segment)" = "$(root/bin/segment --version)" ] || fail "segment.pc has another version"

# shellcheck disable=SC2046 # several words
"$cc" -std=c11 -Wall -Werror cluster_vectors.c -o by-pkg-config $(pkg-config --cflags --libs segment) -lm
./by-pkg-config | grep -q 'enpakl .*NMI 1.000' || fail "the example built with pkg-config finds other clusters"

mkdir project
cat >project/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(stranger C)
find_package(segment 0.1 REQUIRED)
add_executable(by_cmake ../segment_photo.c)
target_link_libraries(by_cmake segment::segment)
CMAKE
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_COMPILER="$cc" >>log
cmake --build project/build >>log
project/build/by_cmake "$source/images/chelsea.jpg" "$source/images/chelsea-marks.png" m.png o.png 2>/dev/null |
    grep -q '^2 regions' || fail "the example built with CMake finds other regions"

# Every exported symbol is ours and has the interface's version.
symbols=$(nm -D --defined-only "$lib/libsegment.so" | awk '$2 != "A" { print $3 }')
[ "$(wc -l <<<"$symbols")" -gt 50 ] || fail "too few symbols are exported"
if grep -v '^seg_.*@@SEGMENT_0$' <<<"$symbols"; then
    fail "these are exported without the version"
fi
grep -rl "$source\|$build" root --include='*.h' --include='*.pc' --include='*.cmake' && fail "these name the source tree"
exit 0
