#!/bin/bash
# Cross-build for arm64 in a clean root of Debian, run the unit tests under qemu's emulation of the processor, and compare
# the masks of three images with those of a native build. Not part of CI: the emulation takes ten times as long.
# Needs root, mmdebstrap, qemu-user-static, and a mirror of Debian.
#
#     scripts/check-arm64.sh [CODENAME [PROGRAM]]     (this machine's release, build/segment)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/clean-root.sh
. scripts/clean-root.sh
# shellcheck source=/dev/null
codename=${1:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
program=$(realpath "${2:-build/segment}")
emulator=$(command -v qemu-aarch64-static) || clean_root_fail "there is no emulator; apt-get install qemu-user-static"
[ -x "$program" ] || clean_root_fail "there is no '$program' to compare with; build it first (scripts/test.sh)"
tree=$PWD/build-root/arm64-$codename/segment
root=$PWD/build-root/arm64-$codename/root

# A root of its own, in which the libraries are those of arm64 and the compiler is not.
if [ ! -e "build-root/arm64-$codename/made" ]; then
    rm -rf --one-file-system "build-root/arm64-$codename"
    mkdir -p "$root"
    clean_root_archive "$codename"
    clean_root_unpack "$codename" "$root"
    cp "$emulator" "$root/usr/bin/qemu-aarch64-static"
    touch "build-root/arm64-$codename/made"
fi
trap 'umount --lazy "$root$tree" 2>/dev/null || true; clean_root_unmount "$root"' EXIT
mkdir -p "$tree" "$root$tree"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from - --create --file - | tar -xf - -C "$tree"
clean_root_mount "$codename" "$root"
mount --bind "$tree" "$root$tree" || clean_root_fail "the sources cannot be mounted in the clean root"
inside() {
    # shellcheck disable=SC2016 # for the shell inside
    clean_root_run "$root" sh -c 'cd "$0" && exec "$@"' "$tree" "$@"
}

libraries=()
for package in $(scripts/install-packages.sh --list build) libcmocka-dev; do
    case $package in
    gcc | cmake | ninja-build | fonts-*) ;;
    *) libraries+=("$package:arm64") ;;
    esac
done
inside dpkg --add-architecture arm64
inside apt-get -q update
inside apt-get -q -y --no-install-recommends install crossbuild-essential-arm64 cmake ninja-build fonts-dejavu-core "${libraries[@]}"
inside cmake -S . -B build -G Ninja -DCMAKE_TOOLCHAIN_FILE=scripts/cmake/arm64.cmake -DSEGMENT_WERROR=ON
inside cmake --build build --parallel "$(nproc)"

bad=0
inside ctest --test-dir build --tests-regex '^test_' --timeout 3000 --output-on-failure --parallel "$(nproc)" || bad=1
masks=$(mktemp -d)
for name in coffee fig chelsea; do
    inside qemu-aarch64-static build/segment "images/$name.jpg" --scribbles "images/$name-scribbles.png" --no-overlay -q -o "$name-arm64.png"
    "$program" "images/$name.jpg" --scribbles "images/$name-scribbles.png" --no-overlay -q -o "$masks/$name.png"
    if cmp -s "$tree/$name-arm64.png" "$masks/$name.png"; then
        echo "$name: the same mask to the byte"
    else
        "$program" score "$tree/$name-arm64.png" "$masks/$name.png" |
            awk -v name="$name" '$1 == "error_rate" { printf "%s: %.6f of the pixels have the same label\n", name, 1 - $2; exit !($2 < 0.001) }' || bad=1
    fi
done
rm -rf "$masks"
exit $bad
