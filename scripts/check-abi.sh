#!/bin/bash
# The binary interface of libsegment is the one that is stored in scripts/abi/libsegment.abi: functions, their
# parameters, the size and the fields of every public struct, the values of enums.
#
#     scripts/check-abi.sh [ROOT]        compare a source tree (default: this one)
#     scripts/check-abi.sh --renew       store this tree's interface, after a change that is meant
#     scripts/check-abi.sh --self-test   check that deliberate changes are found
#
# It is taken from a shared library of empty functions, made of the public headers with debug information in a second:
# what the headers declare is the interface, and tests/install compares it with what the real library exports.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
stored=$here/scripts/abi/libsegment.abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$(uname -m)" != x86_64 ]; then
    echo "check-abi: the stored interface is that of x86_64; nothing to compare with here"
    exit 0
fi

# dump ROOT FILE: the interface that the headers of a tree declare.
dump() {
    gcc -E -P -I "$1/include" "$1/include/segment/segment.h" |
        perl -0pe 's/(__attribute__\(\(visibility\("default"\)\)\)[^;{]*);/$1 { __builtin_trap(); }/g' >"$work/stubs.c"
    gcc -g -gdwarf-4 -O0 -w -fPIC -shared -fno-eliminate-unused-debug-types -ffile-prefix-map="$work/=" \
        -Wl,-soname,libsegment.so.0 -Wl,--version-script="$1/src/base/libsegment.map" "$work/stubs.c" \
        -o "$work/libsegment.so"
    abidw --no-show-locs --no-comp-dir-path --no-corpus-path --drop-private-types --drop-undefined-syms \
        --out-file "$2" "$work/libsegment.so"
}

# 0 where the interface is the stored one; what differs is printed.
check_tree() {
    local code=0
    dump "$1" "$work/now.abi"
    abidiff --no-show-locs "$stored" "$work/now.abi" >"$work/said" 2>&1 || code=$?
    [ $code -eq 0 ] && return 0
    cat "$work/said"
    if ((code & 8)); then
        echo "check-abi: programs that were linked before would break"
    fi
    return 1
}

case ${1-} in
--renew)
    dump "$here" "$stored"
    echo "check-abi: $(grep -c '<elf-symbol name' "$stored") functions are stored"
    exit 0
    ;;
--self-test)
    cp -R "$here/include" "$work/include" && mkdir -p "$work/src/base"
    cp "$here/src/base/libsegment.map" "$work/src/base"
    check_tree "$work" || { echo "check-abi: an unchanged tree is refused" >&2; exit 1; }
    while IFS='|' read -r file change what; do
        cp "$here/include/segment/$file" "$work/include/segment/$file"
        sed -i -E "$change" "$work/include/segment/$file"
        ! cmp -s {"$here","$work"}/include/segment/"$file" || { echo "check-abi: nothing was changed: $what" >&2; exit 1; }
        ! check_tree "$work" >/dev/null || { echo "check-abi: this was not found: $what" >&2; exit 1; }
        cp "$here/include/segment/$file" "$work/include/segment/$file"
    done <<'END'
version.h|/seg_version\(/d|a function less
version.h|s/(SEG_API) (const char .seg_version)/\1 int seg_more(void); \1 \2/|a function more
image.h|s/, int by_tiles,/, long by_tiles,/|a parameter of another type
image.h|s/^(    int depth;)/    int between; \1/|a field between others
photo.h|s/^(    int64_t reserved)/    int more; \1/|a struct that has grown
status.h|s/^    SEG_ERR_USAGE,/    SEG_ERR_OTHER, SEG_ERR_USAGE,/|other values of an enum
END
    echo "check-abi: every change is found"
    exit 0
    ;;
esac

if ! check_tree "${1-$here}"; then
    echo "check-abi: the interface is not the stored one. Where the change is meant: scripts/check-abi.sh --renew, a line" \
        "in docs/CHANGELOG.md, and a new SOVERSION where linked programs would break" >&2
    exit 1
fi
echo "check-abi: good"
