# shellcheck shell=bash
# Clean Debian roots, for the scripts that source this: check-package.sh, check-releases.sh, check-arm64.sh.
#
# A root's archive, and the Debian packages that were fetched for it, are kept in build-package/ and used again.
# MIRROR, where it is set, is the mirror to take packages from; else it is the one that this machine's apt takes Debian's from.

# What no test reads of other packages: texts, icons, and Boost's headers, which come with SciPy.
CLEAN_ROOT_WITHOUT="/usr/share/doc/* /usr/share/locale/* /usr/share/man/* /usr/share/info/* /usr/share/icons/* /usr/share/unicode/*
/usr/include/boost/*"

clean_root_fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

clean_root_mirror() {
    local mirror=${MIRROR:-}
    # shellcheck disable=SC2016 # apt's own variables
    [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
        'Label: Debian' 'Component: main' | head -n 1)
    [ -n "$mirror" ] || clean_root_fail "apt knows no mirror of Debian here: name one in MIRROR"
    echo "$mirror"
}

# clean_root_archive CODENAME: makes build-package/root-CODENAME.tar where it is not there.
clean_root_archive() {
    local archive=build-package/root-$1.tar
    [ ! -e "$archive" ] || return 0
    mkdir -p "build-package/fetched-$1"
    rm -f "$archive.new.tar"
    mmdebstrap --quiet --mode=root --variant=apt --dpkgopt=force-unsafe-io --aptopt='Acquire::Languages "none"' \
        --skip=cleanup/apt/lists "$1" "$archive.new.tar" "$(clean_root_mirror)" 2>"build-package/root-$1.log" || {
        cat "build-package/root-$1.log" >&2
        clean_root_fail "no clean root of $1 could be made"
    }
    mv "$archive.new.tar" "$archive"
}

# clean_root_unpack CODENAME ROOT: unpacks it in the folder ROOT.
clean_root_unpack() {
    tar -xf "build-package/root-$1.tar" -C "$2"
    rm -f "$2/etc/resolv.conf"
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
    # As an installed Debian has it.
    printf '127.0.0.1\tlocalhost\n127.0.1.1\t%s\n' "$(uname -n)" >"$2/etc/hosts"
    # apt keeps what it fetches, for the next root of this release
    echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";' >"$2/etc/apt/apt.conf.d/99keep"
    # nobody needs these files after a crash of the machine
    echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/99unsafe-io"
    # shellcheck disable=SC2086 # a line each
    (set -f && printf 'path-exclude=%s\n' $CLEAN_ROOT_WITHOUT && echo 'path-include=*segment*') >"$2/etc/dpkg/dpkg.cfg.d/99without"
    mkdir -p "$2/dev/shm" "$2/dev/pts"
    ln -sf pts/ptmx "$2/dev/ptmx"
}

# clean_root_mount CODENAME ROOT: what programs expect of a running system, and the packages that were fetched before.
clean_root_mount() {
    local fetched=build-package/fetched-$1
    mkdir -p "$fetched"
    mount -t proc proc "$2/proc" || mount --bind /proc "$2/proc" || clean_root_fail "/proc cannot be mounted in the clean root"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$2/dev/pts" || clean_root_fail "/dev/pts cannot be mounted in the clean root"
    mount -t tmpfs tmpfs "$2/dev/shm" || clean_root_fail "/dev/shm cannot be mounted in the clean root"
    mount --bind "$fetched" "$2/var/cache/apt/archives" || clean_root_fail "the fetched packages cannot be mounted in the clean root"
}

clean_root_unmount() {
    local place
    for place in var/cache/apt/archives dev/shm dev/pts proc; do
        umount --lazy "$1/$place" 2>/dev/null || true # lazily: a program that was killed may still end
    done
}

# clean_root_run ROOT COMMAND...: nothing of this machine's environment but the proxies.
clean_root_run() {
    local root=$1
    shift
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$root" "$@" </dev/null
}
