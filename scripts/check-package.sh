#!/bin/bash
# The Debian packages in a clean root: made, looked at by lintian, installed with what they depend on, used, removed.
# Needs root, for the root folder, and a mirror of Debian.
#
#     scripts/check-package.sh [PROGRAM]     PROGRAM, build/segment, must give the same masks
#
# The root is one of scripts/clean-root.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-build/segment}")
# shellcheck source=scripts/clean-root.sh
. scripts/clean-root.sh

fail() {
    clean_root_fail "$@"
}
[ "$(id -u)" -eq 0 ] || fail "making a clean root needs root; run it as root (sudo scripts/check-package.sh)"
[ -x "$program" ] || fail "there is no '$program' to compare with; build it first (scripts/test.sh)"

# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
scripts/install-packages.sh package
root=$(mktemp -d)
expected=$(mktemp -d)
base=
finish() {
    [ -z "$base" ] || kill "$base" 2>/dev/null || true
    clean_root_unmount "$root"
    rm -rf --one-file-system "$root" "$expected"
}
trap finish EXIT

# The base is fetched while the packages are being built. segment's own dependencies are left to the packages.
mkdir -p build-package
clean_root_archive "$codename" &
base=$!
scripts/package.sh
# Running lintian as root is all right for files of one's own.
lintian --fail-on error,warning --allow-root build-package/*.deb || fail "lintian finds fault"
wait "$base" || fail "there is no clean root"
base=
clean_root_unpack "$codename" "$root"
clean_root_mount "$codename" "$root"

inside() {
    clean_root_run "$root" "$@"
}
apt() {
    inside apt-get -q -y -o DPkg::Options::=--force-unsafe-io --no-install-recommends "$@" >build-package/apt.log 2>&1 ||
        { cat build-package/apt.log >&2 && fail "apt-get $1 failed in the clean root"; }
}
ours() { # files whose names are ours, but for the records and the downloads of dpkg and apt
    find "$root" -xdev \( -path "$root/var/lib/dpkg" -o -path "$root/var/lib/apt" -o -path "$root/var/log" -o \
        -path "$root/trial" -o -path "$root/proc" -o -path "$root/var/cache/apt" \) -prune -o -name '*segment*' -print | sort
}

apt install gcc libc6-dev pkgconf # what a stranger compiles with
ours >build-package/before
mkdir "$root/trial"
cp build-package/*.deb tests/fuzz/corpus/vips/jxl-grey images/coffee.jpg images/coffee-scribbles.png docs/examples/segment_photo.c "$root/trial"

# The program alone, without the library.
apt install "/trial/$(cd build-package && ls segment_*.deb)"
inside dpkg -s libopenblas0-pthread >/dev/null 2>&1 && fail "an OpenBLAS with threads of its own came along"
version=$("$program" --version)
[ "$(inside segment --version)" = "$version" ] || fail "the installed program has another version than '$version'"
inside sh -c 'cd /trial && segment coffee.jpg --scribbles coffee-scribbles.png -o mask.png --overlay overlay.png -q'
"$program" images/coffee.jpg --scribbles images/coffee-scribbles.png -o "$expected/mask.png" --overlay "$expected/overlay.png" -q
cmp "$expected/mask.png" "$root/trial/mask.png" || fail "the installed program gives another mask than $program"
cmp "$expected/overlay.png" "$root/trial/overlay.png" || fail "the installed program gives another overlay"

# What is only recommended is not here, and the program says so.
inside sh -c 'cd /trial && segment jxl-grey -k 2 -o grey.png 2>said' && fail "JPEG XL is read without libvips"
grep -q "install Debian's libvips42" "$root/trial/said" || fail "the program does not name libvips' package"
[[ $(dpkg-deb -f build-package/segment_*.deb Recommends) == *libvips42* ]] || fail "the package does not recommend libvips42"

# What the other program does.
inside sh -c 'cd /trial && segment experiment held-out --sizes 10 --realizations 1 --methods pckmeans --out held-out -q'
[ -s "$root/trial/held-out/nmi-test.svg" ] || fail "the installed program draws no figure"

for page in docs/*.1; do
    gzip -t "$root/usr/share/man/man1/${page##*/}.gz" || fail "the manual page ${page##*/} is not there"
done
for file in bash-completion/completions/segment zsh/vendor-completions/_segment fish/vendor_completions.d/segment.fish \
    doc/segment/copyright doc/segment/changelog.gz; do
    [ -s "$root/usr/share/$file" ] || fail "/usr/share/$file is not there"
done
inside bash -c '. /usr/share/bash-completion/completions/segment && complete -p segment' >/dev/null

# A stranger's program, by the shared library.
libraries=(build-package/lib*.deb)
apt install "${libraries[@]/#build-package/\/trial}"
# shellcheck disable=SC2016 # for the shell inside
inside sh -c 'cd /trial && cc -std=c11 -Wall -Werror segment_photo.c -o stranger $(pkg-config --cflags --libs segment) &&
    ./stranger coffee.jpg coffee-scribbles.png their-mask.png their-overlay.png >said 2>/dev/null'
grep -q '^[0-9]* regions by' "$root/trial/said" || fail "the example says nothing of regions"
cmp "$expected/mask.png" "$root/trial/their-mask.png" || fail "the installed library gives another mask than $program"
[ -s "$root/usr/share/man/man3/segment.3.gz" ] || fail "the manual page segment.3 is not there"

# Python's.
apt install "/trial/$(cd build-package && ls python3-pysegment_*.deb)"
cat >"$root/trial/mask.py" <<'END'
import pysegment
assert pysegment.__file__ == "/usr/lib/python3/dist-packages/pysegment/__init__.py", pysegment.__file__
pysegment.segment("coffee.jpg", "coffee-scribbles.png").save("python-mask.png")
print(pysegment.cluster([[0.0], [0.1], [5.0]], 2, method="kmeans").labels[:2])
END
inside sh -c 'cd /trial && python3 mask.py' >/dev/null || fail "pysegment fails in the clean root"
cmp "$expected/mask.png" "$root/trial/python-mask.png" || fail "the installed pysegment gives another mask than $program"

inside sh -c 'dpkg -L segment libsegment0 libsegment-dev python3-pysegment' | grep /. | sort -u >build-package/installed
[ "$(grep -c segment build-package/installed)" -ge 40 ] || fail "the packages have hardly a file"
apt purge segment libsegment0 libsegment-dev python3-pysegment
ours >build-package/after
diff build-package/before build-package/after || fail "these files are left behind"
while IFS= read -r file; do
    if [ -d "$root$file" ]; then
        inside dpkg -S "$file" >/dev/null 2>&1 || [ "$file" = /. ] || fail "the folder $file is left behind"
    elif [ -e "$root$file" ] || [ -L "$root$file" ]; then
        fail "$file is left behind"
    fi
done <build-package/installed
inside ldconfig -p | grep -q libsegment && fail "the dynamic linker still knows the library"
echo "check-package: good"
