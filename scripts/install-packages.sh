#!/bin/bash
# Install what is missing of the Debian packages that segment needs; says what it does, nothing where nothing is missing.
#
#     scripts/install-packages.sh [--list] [build] [test] [browser] [check] [package]
#
# build  compiler and libraries (the default)
# test   what the tests need on top
# browser  what the test of segment paint's page needs on top; node and npm of other makers serve as well
# package  what scripts/package.sh and scripts/check-package.sh need on top
# check  what .ci/run needs on top: the second compiler, the formatter, the linters
# --list   say which packages these are, and install nothing
set -euo pipefail

list=
if [ "${1:-}" = --list ]; then
    list=1
    shift
fi

# OpenBLAS without threads of its own: segment runs BLAS on one thread anyway, and idle workers would burn a processor.
BUILD="gcc libc6-dev cmake ninja-build libpng-dev libjpeg62-turbo-dev libexif-dev libtiff-dev zlib1g-dev \
libfftw3-dev libarpack2-dev libsuitesparse-dev libdsdp-dev liblapacke-dev libopenblas-serial-dev libjansson-dev \
nettle-dev libmicrohttpd-dev fonts-dejavu-core liblcms2-dev"
TEST="libvips42 libcmocka-dev pkg-config jq zsh fish coinor-csdp python3-numpy \
python3-pil python3-shapely python3-cairo librsvg2-bin"
# Of Python what pysegment is built with, and what its tests and examples use.
PYTHON="python3-dev python3-cffi python3-numpy"
TEST+=" $PYTHON python3-scipy python3-sklearn python3-skimage python3-matplotlib python3-pytest python3-pytest-cov \
python3-setuptools python3-wheel python3-pip python3-tifffile"
CHECK="clang lld clang-format cppcheck shellcheck mandoc doxygen gcovr abigail-tools"
BROWSER="chromium firefox-esr"
for program in "node nodejs" npm; do
    command -v "${program% *}" >/dev/null || BROWSER+=" ${program#* }"
done
PACKAGE="dpkg-dev mmdebstrap lintian $PYTHON"

wanted=
for group in "${@:-build}"; do
    case $group in
    build) wanted+=" $BUILD" ;;
    test) wanted+=" $TEST" ;;
    browser) wanted+=" $BROWSER" ;;
    check) wanted+=" $CHECK" ;;
    package) wanted+=" $PACKAGE" ;;
    *)
        echo "install-packages.sh: no group '$group': build, test, browser, check, package" >&2
        exit 2
        ;;
    esac
done

if [ -n "$list" ]; then
    echo "$wanted"
    exit 0
fi
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "Not a Debian system: the build needs the equivalents of$wanted" >&2
    exit 0 # CMake names what is really missing
fi

missing=()
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages; as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing ${missing[*]} ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" </dev/null >>"$log" 2>&1
}
# The lists may be stale or absent; an update that fails is not a reason not to try.
run apt-get -q -o DPkg::Lock::Timeout=300 update || true
if ! run apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"; then
    cat "$log" >&2
    echo "install-packages.sh: apt-get install failed" >&2
    exit 1
fi
