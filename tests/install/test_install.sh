#!/bin/bash
# The library as a stranger finds it: installed into a folder of its own, moved to another, found by pkg-config and by
# CMake, used by the examples; nothing of the source tree is named. Installed for a package (DESTDIR) it is the same,
# and what the manifest lists is everything.
#
#     test_install.sh BUILD SOURCE CC
set -euo pipefail
build=$1 source=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*"
    exit 1
}
names() {
    (cd "$1" && find . ! -type d | sort)
}

DESTDIR=$work/staged cmake --install "$build" --prefix /opt/segment >log
cmake --install "$build" --prefix "$work/first" >>log
diff <(names staged/opt/segment) <(names first) || fail "DESTDIR (<) and a prefix (>) install different files"
diff -r staged/opt/segment first || fail "DESTDIR and a prefix install different bytes"
cp -R first root
xargs rm <"$build/install_manifest.txt"
[ -z "$(names first)" ] || fail "the manifest does not list these: $(names first)"

lib=$(dirname "$(find "$work/root" -name libsegment.so)")
export LD_LIBRARY_PATH=$lib PKG_CONFIG_PATH=$lib/pkgconfig
version=$(root/bin/segment --version)
[[ $version =~ ^segment\ ([0-9]+)\.([0-9]+)\.[0-9]+$ ]] || fail "the installed program does not run"
minor=${BASH_REMATCH[1]}.${BASH_REMATCH[2]} next=${BASH_REMATCH[1]}.$((BASH_REMATCH[2] + 1))
[ "segment $(pkg-config --modversion segment)" = "$version" ] || fail "segment.pc has another version"

for page in "$source"/docs/*.[13]; do
    cmp "$page" "root/share/man/man${page##*.}/${page##*/}" || fail "the manual page ${page##*/} is missing"
done
for script in bash:bash-completion/completions/segment zsh:zsh/site-functions/_segment \
    fish:fish/vendor_completions.d/segment.fish; do
    cmp "$source/src/cli/help/completion/segment.${script%%:*}" "root/share/${script#*:}" ||
        fail "the completion for ${script%%:*} is not installed"
done

# shellcheck disable=SC2046 # several words
"$cc" -std=c11 -Wall -Werror "$source/docs/examples/cluster_vectors.c" -o by-pkg-config \
    $(pkg-config --cflags --libs segment) -lm
./by-pkg-config | grep -q 'enpakl .*NMI 1.000' || fail "the example built with pkg-config finds other clusters"
# shellcheck disable=SC2046
"$cc" -std=c11 "$source/docs/examples/cluster_vectors.c" -o by-archive $(pkg-config --cflags segment) \
    "$lib/libsegment.a" $(pkg-config --static --libs segment | sed 's/-lsegment//')
env -u LD_LIBRARY_PATH ./by-archive | cmp - <(./by-pkg-config) || fail "the static library finds other clusters"

# By the build tool of this build: no other may be installed.
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
# find_with REQUIREMENT: configure a project that asks for the library so.
find_with() {
    mkdir -p project
    cat >project/CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(stranger C)
find_package(segment $1 REQUIRED)
add_executable(by_cmake "$source/docs/examples/segment_photo.c")
target_link_libraries(by_cmake segment::segment)
CMAKE
    cmake -S project -B project/build -G "$generator" -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_COMPILER="$cc" >>log 2>&1
}
! find_with "$next" || fail "CMake takes the library for version $next"
! find_with "$((${minor%%.*} + 1)).0" || fail "CMake takes the library for the next major version"
find_with "${version#segment } EXACT" || fail "CMake does not take the library for its own version: $(tail -3 log)"
find_with "$minor" || fail "CMake does not take the library for version $minor: $(tail -3 log)"
cmake --build project/build >>log
project/build/by_cmake "$source/images/chelsea.jpg" "$source/images/chelsea-scribbles.png" m.png o.png 2>/dev/null |
    grep -q '^2 regions' || fail "the example built with CMake finds other regions"

# What the headers declare is exported, with the interface's version, and nothing else; nothing is wanted that no
# library has.
readelf -d "$lib/libsegment.so" | grep -q 'SONAME.*\[libsegment\.so\.0\]' || fail "the library has another soname"
[ "$(readlink "$lib/libsegment.so")" = libsegment.so.0 ] || fail "libsegment.so does not lead to libsegment.so.0"
nm -D --defined-only "$lib/libsegment.so" | awk '$2 != "A" { print $3 }' | sort >exported
cat root/include/segment/*.h | tr '\n' ' ' | grep -oE 'SEG_API [^;(]*\(' | grep -oE 'seg_[a-z0-9_]*\($' |
    sed 's/($/@@SEGMENT_0/' | sort -u >declared
[ "$(wc -l <declared)" -gt 50 ] || fail "too few functions were found in the headers"
diff declared exported || fail "the headers declare (<) what is not exported so (>)"
# What the library could write to that no caller owns: the locks that segment/context.h tells of, OpenBLAS's count, and what
# a thread has allocated for the JSON text that it is reading, where a program has that watched (base/json_read.h).
nm -f sysv "$build/libsegment.so" |
    awk -F'|' '{ gsub(/ /, ""); split($0, part, "|") } part[7] ~ /^\.t?(data|bss)$/ { print part[1] }' |
    grep -vE '^(_|completed\.)' | LC_ALL=C sort >writable
printf '%s\n' alone arpack_lock current lock lost one_at_a_time planner remembered this_thread users vips_lock | diff - writable ||
    fail "the library has other state of the process (>) than is known (<)"
! ldd -r "$lib/libsegment.so" 2>&1 | grep -E 'undefined symbol|not found' || fail "the library lacks these"
! grep -rl "$source\|$build" root --include='*.h' --include='*.pc' --include='*.cmake' || fail "these name the source tree"
