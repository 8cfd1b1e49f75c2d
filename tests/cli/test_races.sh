#!/bin/bash
# Two runs at once on one output, and runs that are ended at many moments: only whole files, and nothing left over.
. "$(dirname "$0")/lib.sh"
make_pictures
bmp other.bmp 60 40 'if (y >= 10 && y < 30) { if (x == 20) b = 255; if (x == 22) r = 255 }'
common=(--method kmeans --threads 1 -q --no-overlay)
expect 0 photo.bmp --scribbles scribbles.bmp "${common[@]}" -o one.png
expect 0 photo.bmp --scribbles other.bmp "${common[@]}" -o two.png
cmp -s one.png two.png && fail "both masks are the same"
start=$(files)

for _ in {1..20}; do
    "$PROGRAM" photo.bmp --scribbles scribbles.bmp "${common[@]}" -o m.png 2>.err &
    first=$!
    "$PROGRAM" photo.bmp --scribbles other.bmp "${common[@]}" -o m.png 2>.note || fail "the second: exit $?"
    wait $first || fail "the first: exit $?"
    cmp -s m.png one.png || cmp -s m.png two.png || fail "neither of the two masks"
    rm m.png
    [ "$(files)" = "$start" ] || fail "left over: $(files)"
done

# Signals at twelve moments from the start on: 128 + signal, or the whole work was done already.
set -m # background jobs take SIGINT
echo old >m.png
start=$(files)
ended() { # SIGNAL NUMBER DELAY ARGUMENTS
    local signal=$1 number=$2 delay=$3
    got=0
    shift 3
    LAST="SIG$signal after $delay s: $*"
    trap - EXIT # a signal before the program has begun must not let the shell's copy clean up
    "$PROGRAM" "$@" >.out 2>.err &
    local pid=$!
    trap 'rm -rf "$WORK"' EXIT
    sleep "$delay"
    kill -"$signal" $pid 2>/dev/null
    wait $pid 2>/dev/null || got=$?
    [ $got -eq 0 ] || [ $got -eq $((128 + number)) ] || fail "exit $got"
    [ $got -eq 0 ] || [ "$(wc -l <.err)" -le 1 ] || fail "many words"
}
for delay in 0 0.002 0.005 0.01 0.015 0.02 0.025 0.03 0.04 0.05 0.08 0.12; do
    for signal in INT:2 TERM:15; do
        ended "${signal%:*}" "${signal#*:}" $delay photo.bmp --scribbles scribbles.bmp --restarts 60 --threads 1 -q -o m.png \
            --no-overlay --export svg=m.svg --save-run m.json
        if [ "$got" -ne 0 ]; then
            case $(tr -d "\0" <m.png | head -c 3) in
            old) [ ! -e m.svg ] || fail "an export and no mask" ;;
            *) is_palette_png m.png ;;
            esac
        fi
        rm -f m.svg m.json
        echo old >m.png
        [ "$(files)" = "$start" ] || fail "left over: $(files)"
    done
done

# Killed outright: at most a file of the name .segment-*.tmp, which the next run does not mind.
for delay in 0.01 0.03 0.06 0.1 0.2 0.4; do
    ended KILL 9 $delay photo.bmp --scribbles scribbles.bmp --restarts 60 --threads 1 -q -o m.png --no-overlay
    [ "$(tr -d "\0" <m.png | head -c 3)" = old ] || is_palette_png m.png
    rm -f .segment-????????????????.tmp
    echo old >m.png
    [ "$(files)" = "$start" ] || fail "more than a temporary file is left: $(files)"
done
: >.segment-0123456789abcdef.tmp
expect 0 photo.bmp --scribbles scribbles.bmp "${common[@]}" -o m.png
cmp -s m.png one.png || fail "a left-over file disturbs"
rm .segment-0123456789abcdef.tmp

# Several images, and an evaluation: whole masks only.
mkdir photos scribbles out
for name in a b c d; do
    cp photo.bmp photos/$name.bmp
    cp scribbles.bmp scribbles/$name-scribbles.bmp
done
for delay in 0.02 0.1 0.3; do
    ended TERM 15 $delay photos --scribbles scribbles -o out --no-overlay --restarts 60 --threads 1 -q
    for mask in out/* out/.[!.]*; do
        [ ! -e "$mask" ] || is_palette_png "$mask"
    done
    rm -f out/*
done
mkdir set
for name in a b c; do
    cp photo.bmp set/$name.bmp
    cp scribbles.bmp set/$name-scribbles.bmp
    cp truth.bmp set/$name-truth.bmp
done
for delay in 0.05 0.3 0.7; do
    ended INT 2 $delay eval set --out report --methods kmeans --jobs 1 --no-timing -q
    find . -name '.segment-*' | grep -q . && fail "left over: $(find . -name '.segment-*')"
done
expect 0 eval set --out report --methods kmeans --jobs 1 --no-timing -q # goes on where the last ended
[ -s report/results.json ] || fail "no report after interruptions"
exit 0
