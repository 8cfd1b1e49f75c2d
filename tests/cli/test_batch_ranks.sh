#!/bin/bash
# segment DIR on three processes of mpirun: the bytes of one process. Skipped where segment is built without MPI.
. "$(dirname "$0")/lib.sh"

if ! command -v mpirun >/dev/null; then
    echo "skipped: no mpirun"
    exit 77
fi
make_pictures
mkdir photos
OMPI_COMM_WORLD_SIZE=2 "$PROGRAM" photos -k 2 -o x 2>.err >.out
if grep -q "built without MPI" .err; then
    echo "skipped: built without MPI (SEGMENT_MPI)"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1 # as test_eval_ranks.sh has it
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
for number in 1 2 3 4 5 6; do
    bmp photos/p$number.bmp 60 40 "t = (x * 7 + y * (12 + $number)) % 11 * 3; if (x < $((20 + 4 * number))) { r = 200 - t; g = 60 } else { g = 80; b = 180 - t }"
done
# ranks CODE ARGUMENTS
ranks() {
    local code=$1 got=0
    shift
    mpirun -n 3 "$PROGRAM" "$@" >.out 2>.err || got=$?
    [ $got -eq "$code" ] || fail "mpirun: exit $got instead of $code: $*"
}
same() {
    diff -r -x journal one "$1" >.note && cmp one.csv "$1.csv" && cmp one.json "$1.json" || fail "$1: $(cat .note)"
}
expect 0 photos -s scribbles.bmp -o one --table one.csv --export coco=one.json -q
ranks 0 photos -s scribbles.bmp -o three --table three.csv --export coco=three.json -q
same three
[ "$(wc -l <three/journal)" -eq 7 ] || fail "not one record an image"
# What an interrupted run has done, three processes finish.
mkdir half
for name in p1 p2; do
    cp one/$name-mask.png one/$name-overlay.png half
done
head -n 3 three/journal >half/journal
ranks 0 photos -s scribbles.bmp -o half --table half.csv --export coco=half.json --jobs 2 -q
[ "$(sort three/journal | cut -f 1 | tail -n 6 | cut -d '#' -f 1 | sort -u | wc -l)" -eq 6 ] || fail "not a record for each"
# One that fails does not stop the others; a failure of the run ends all processes.
echo text >photos/bad.bmp
ranks 5 photos -s scribbles.bmp -o three --table three.csv --export coco=three.json -q
[ "$(grep -c 'photos/bad.bmp. was not segmented' .err)" -eq 1 ] || fail "the failure is not named once"
rm photos/bad.bmp
ranks 2 photos -s scribbles.bmp -o three --knn 9 -q
exit 0
