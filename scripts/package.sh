#!/bin/bash
# Debian packages of the program, the library and what one needs to build with it, in build-package/.
#
#     scripts/package.sh [CMAKE OPTIONS]     prints the names of the packages
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build package
# The flags of Debian's own packages (hardening), without symbols for a debugger; only libraries that are used become
# dependencies.
export DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CFLAGS_MAINT_STRIP=-g
flags="$(dpkg-buildflags --get CPPFLAGS) $(dpkg-buildflags --get CFLAGS)"
links="$(dpkg-buildflags --get LDFLAGS) -Wl,--as-needed"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -f build-package/*.deb
if ! {
    cmake -S . -B build-package -G Ninja -DCMAKE_BUILD_TYPE=Release -DSEGMENT_PACKAGE=ON -DSEGMENT_TESTS=OFF \
        -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" \
        -DCMAKE_C_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS="$links -pie" -DCMAKE_SHARED_LINKER_FLAGS="$links" "$@" &&
        cmake --build build-package --parallel "$(nproc)" &&
        (umask 022 && cd build-package && cpack -G DEB)
} >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
ls build-package/*.deb
