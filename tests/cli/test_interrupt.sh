#!/bin/bash
# SIGINT and SIGTERM during the work: one sentence, exit 128 + the signal, nothing written.
. "$(dirname "$0")/lib.sh"
set -m # background jobs take SIGINT, as they do not in a script otherwise
bmp tile.bmp 700 500 'r = (x * y) % 251; g = (x + 3 * y) % 199; b = (5 * x + y) % 233'
mkfifo .said

for signal in INT:130 TERM:143; do
    "$PROGRAM" tile.bmp -k 12 --restarts 1000 --method kmeans --threads 1 --progress json >.out 2>.said &
    pid=$!
    exec 9<.said
    read -r first <&9 || fail "it ended before it reported progress"
    [[ $first == *progress* ]] || fail "no progress but: $first"
    kill -"${signal%:*}" $pid
    grep -v '"progress"' <&9 >.err
    exec 9<&-
    got=0
    wait $pid || got=$?
    # shellcheck disable=SC2034 # lib.sh prints it
    LAST="after SIG${signal%:*}"
    [ $got -eq "${signal#*:}" ] || fail "exit $got after SIG${signal%:*}"
    sentence
    [ "$(files)" = ./tile.bmp ] || fail "files were left: $(files)"
done
exit 0
