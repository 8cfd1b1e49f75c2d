#!/bin/bash
# Run a command of this tree as on a fresh machine: in a clean root of a release of Debian, on a copy of the tracked files.
# Needs root, mmdebstrap and a mirror of Debian (scripts/clean-root.sh).
#
#     scripts/in-clean-root.sh [--new] CODENAME COMMAND...
#
#     scripts/in-clean-root.sh trixie scripts/demo.sh
#     scripts/in-clean-root.sh trixie scripts/test.sh
#
# The root stays in build-root/CODENAME/, so that the next command finds what the last one installed and built; --new
# begins anew. The copy, build-root/CODENAME/segment, has the same path inside as outside.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/clean-root.sh
. scripts/clean-root.sh
new=
if [ "${1:-}" = --new ]; then
    new=1
    shift
fi
[ $# -ge 2 ] || { echo "in-clean-root: name a release of Debian and a command" >&2 && exit 2; }
codename=$1
shift
[ "$(id -u)" -eq 0 ] || clean_root_fail "making a clean root needs root; run it as root (sudo scripts/in-clean-root.sh ...)"
place=$PWD/build-root/$codename
root=$place/root
tree=$place/segment
close_root() {
    umount --lazy "$root$tree" 2>/dev/null || true
    clean_root_unmount "$root"
}
trap close_root EXIT

close_root # what a run that was killed has left
[ -z "$new" ] || rm -rf --one-file-system "$place"
if [ ! -e "$place/made" ]; then
    rm -rf --one-file-system "$place"
    mkdir -p "$root" "$tree"
    clean_root_archive "$codename"
    clean_root_unpack "$codename" "$root"
    mkdir -p "$root$tree"
    touch "$place/made"
fi
# The copy follows the tree: what has changed since the last command is copied, what is gone is removed.
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
done | LC_ALL=C sort -z >"$place/files.new"
if [ -e "$place/files" ]; then
    (cd "$tree" && LC_ALL=C comm -z -23 "$place/files" "$place/files.new" | xargs -0 -r rm -f --)
fi
tar --null --files-from "$place/files.new" --create --file - | tar -xf - -C "$tree"
mv "$place/files.new" "$place/files"
clean_root_mount "$codename" "$root"
mount --bind "$tree" "$root$tree" || clean_root_fail "the sources cannot be mounted in the clean root"
# shellcheck disable=SC2016 # for the shell inside
clean_root_run "$root" sh -c 'cd "$0" && exec "$@"' "$tree" "$@"
