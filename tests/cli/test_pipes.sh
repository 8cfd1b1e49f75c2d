#!/bin/bash
# Readers that go away, streams that are closed, odd environments: a quiet, orderly end, and never a spoilt mask.
. "$(dirname "$0")/lib.sh"
make_pictures
job=(photo.bmp --scribbles scribbles.bmp --no-overlay --threads 1 -q)
expect 0 "${job[@]}" -o whole.png

# A reader that goes away: SIGPIPE or exit 1, and no more than one sentence.
gone() {
    LAST=$*
    [ "$1" -eq 141 ] || [ "$1" -eq 1 ] || [ "$1" -eq 0 ] || fail "exit $1"
    [ "$(wc -l <.err)" -le 1 ] || fail "many words about a closed pipe"
}
bmp large.bmp 700 300 'r = (x * y) % 251; g = (x + 3 * y) % 199; b = (5 * x + y) % 233'
"$PROGRAM" large.bmp -k 3 --method kmeans --overlay - -o /dev/null --threads 1 -q 2>.err | head -c 10 >/dev/null
gone "${PIPESTATUS[0]}" "an overlay into head"
for arguments in "--json -o m.png" "-o -"; do
    # shellcheck disable=SC2086 # words
    "$PROGRAM" "${job[@]}" $arguments 2>.err | true
    gone "${PIPESTATUS[0]}" "$arguments into true"
done
"$PROGRAM" methods --json 2>.err | true
gone "${PIPESTATUS[0]}" "methods into true"
# Where SIGPIPE is ignored the write fails, and that is said.
got=0
(trap '' PIPE; "$PROGRAM" large.bmp -k 3 --method kmeans -o /dev/null --overlay - --threads 1 -q 2>.err; echo $? >.note) | true
[ "$(cat .note)" = 1 ] || [ "$(cat .note)" = 0 ] || fail "exit $(cat .note) where SIGPIPE is ignored"
rm -f m.png large.bmp

# Closed streams: files that are opened instead must not be taken for them.
closed() { # CODE "REDIRECTIONS" ARGUMENTS
    local code=$1 how=$2
    shift 2
    LAST="$how: $*"
    got=0
    rm -f m.png
    case $how in
    in) "$PROGRAM" "$@" <&- >.out 2>.err || got=$? ;;
    out) "$PROGRAM" "$@" >&- 2>.err || got=$? ;;
    err) "$PROGRAM" "$@" >.out 2>&- || got=$? ;;
    all) "$PROGRAM" "$@" <&- >&- 2>&- || got=$? ;;
    esac
    [ "$got" -eq "$code" ] || fail "exit $got instead of $code"
    [ ! -e m.png ] || cmp -s m.png whole.png || fail "another mask"
}
for how in in out err all; do
    closed 0 $how "${job[@]}" -o m.png
    cmp -s m.png whole.png || fail "no mask"
done
closed 3 in - --scribbles scribbles.bmp --no-overlay -o m.png
closed 1 out "${job[@]}" -o -
closed 1 out "${job[@]}" -o m.png --json
closed 0 err photo.bmp --scribbles scribbles.bmp --no-overlay --threads 1 -v --progress json -o m.png
cmp -s m.png whole.png || fail "words in the mask"
closed 3 all missing.bmp -k 2 -o m.png
rm -f m.png

# The environment.
expect_same() {
    rm -f m.png
    LAST=$*
    env "$@" "$PROGRAM" "${job[@]}" -o m.png >.out 2>.err || fail "exit $?"
    cmp -s m.png whole.png || fail "another mask"
}
expect_same -u HOME -u TMPDIR -u TERM -u PATH
expect_same TMPDIR=/nowhere LANG=xx_YY.nonsense LC_ALL=tlh
expect_same LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8
expect_same TERM= COLUMNS=-3 OMP_NUM_THREADS=99
rm -f m.png

# Names.
for name in 'a%s%n.bmp' $'new\nline.bmp' 'gr\u00fc\u00df.bmp' $'\377\376.bmp' ' .bmp' 'a b;c&d.bmp'; do
    cp photo.bmp "$name"
    expect 0 "$name" --scribbles scribbles.bmp --no-overlay --threads 1 -q
    cmp -s "${name%.bmp}-mask.png" whole.png || fail "no mask for the name"
    rm -f "${name%.bmp}"*
done
long=$(printf 'x%.0s' {1..5000})
refuse 3 "too long" "$long" -k 2
refuse 1 "" photo.bmp -k 2 --no-overlay -o "$long"
refuse 1 "" photo.bmp -k 2 --no-overlay -o "$long/m.png"

# Outputs that cannot be.
mkdir folder
refuse 1 "folder" "${job[@]}" -o folder
for same in photo.bmp ./photo.bmp "$WORK/photo.bmp" scribbles.bmp; do
    before=$(md5sum photo.bmp scribbles.bmp)
    refuse 2 "" "${job[@]}" -o "$same"
    [ "$before" = "$(md5sum photo.bmp scribbles.bmp)" ] || fail "an input was written over"
done
ln photo.bmp linked.bmp
ln -s photo.bmp pointed.bmp
for same in linked.bmp pointed.bmp; do
    refuse 2 "" "${job[@]}" -o "$same"
done
if [ "$(id -u)" -ne 0 ]; then # root may write everywhere
    chmod a-w folder
    refuse 1 "folder" "${job[@]}" -o folder/m.png
    chmod u+w folder
fi
exit 0
