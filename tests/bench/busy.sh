#!/bin/bash
# What a run costs on an idle machine and with busy programs beside it: threads that wait must sleep.
#
#     tests/bench/busy.sh PROGRAM [RUNS] [-- ARGUMENTS OF PROGRAM]
#
# Medians of RUNS runs (11): processor and wall seconds idle, then beside one busy loop a processor, then of eight runs at
# once. ARGUMENTS: the main job on images/coffee.jpg. Exit status 1 where the processor time beside busy loops is above
# 1.25 times the idle one, or the wall time above 2.5 times. Meant for a machine that nobody else uses meanwhile.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2; exit 2; }
program=$1
runs=11
shift
if [ $# -gt 0 ] && [ "$1" != -- ]; then
    runs=$1
    shift
fi
[ $# -eq 0 ] || shift
folder=$(mktemp -d)
loops=()
finish() {
    [ ${#loops[@]} -eq 0 ] || kill "${loops[@]}" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
images=$(dirname "$0")/../../images
if [ $# -eq 0 ]; then
    set -- "$images/coffee.jpg" --scribbles "$images/coffee-scribbles.png" -o "$folder/mask.png" -q
fi

# run NAME ARGUMENTS: a line "processor wall" at the end of the file NAME.
run() {
    local TIMEFORMAT='%U %S %R' name=$1 times
    shift
    times=$({ time "$program" "$@" >/dev/null 2>"$folder/err"; } 2>&1) || { cat "$folder/err" >&2; exit 1; }
    awk '{printf "%.3f %.3f\n", $1 + $2, $3}' <<<"$times" >>"$folder/$name"
}
# median NAME COLUMN
median() {
    cut -d ' ' -f "$2" "$folder/$1" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

run warm "$@"
for ((i = 0; i < runs; i++)); do run idle "$@"; done
for ((p = 0; p < $(nproc); p++)); do
    (while :; do :; done) &
    loops+=($!)
done
for ((i = 0; i < runs; i++)); do run busy "$@"; done
kill "${loops[@]}"
wait "${loops[@]}" 2>/dev/null || true
loops=()
TIMEFORMAT='%U %S %R'
{
    time {
        together=()
        for i in 1 2 3 4 5 6 7 8; do
            "$program" "$@" >/dev/null 2>&1 &
            together+=($!)
        done
        wait "${together[@]}"
    }
} 2>"$folder/eight"

idle_cpu=$(median idle 1) idle_wall=$(median idle 2) busy_cpu=$(median busy 1) busy_wall=$(median busy 2)
echo "$(nproc) processors, medians of $runs runs, seconds:   processor   wall"
printf '%-44s %12s %6s\n' "idle" "$idle_cpu" "$idle_wall" "beside $(nproc) busy loops" "$busy_cpu" "$busy_wall" \
    "eight runs at once, all of them" "$(awk '{print $1 + $2}' "$folder/eight")" "$(awk '{print $3}' "$folder/eight")"
awk -v a="$idle_cpu" -v b="$busy_cpu" -v c="$idle_wall" -v d="$busy_wall" 'BEGIN {
    printf "%-44s %12.2f %6.2f\n", "busy / idle (at most 1.25 and 2.5)", b / a, d / c
    exit !(b <= 1.25 * a && d <= 2.5 * c)
}'
