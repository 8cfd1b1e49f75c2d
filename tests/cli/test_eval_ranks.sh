#!/bin/bash
# segment eval on three processes of mpirun: the same report as on one. Skipped where segment is built without MPI.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/eval_lib.sh"

if ! command -v mpirun >/dev/null; then
    echo "skipped: no mpirun"
    exit 77
fi
OMPI_COMM_WORLD_SIZE=2 "$PROGRAM" eval absent 2>.err >.out
if grep -q "built without MPI" .err; then
    echo "skipped: built without MPI (SEGMENT_MPI)"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Processes that wait give way to those that work: by default they spin, three of them on two processors.
export OMPI_MCA_mpi_yield_when_idle=1
# More processes than processors, by the name that Open MPI 4 knows and by that of Open MPI 5.
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
ranks() {
    mpirun -n 3 "$PROGRAM" "$@" >.out 2>.err || fail "mpirun: exit $?: $*"
}
make_set
expect 0 eval set --out one --methods kmeans,auto --no-timing --jobs 1 -q
ranks eval set --out three --methods kmeans,auto --no-timing --jobs 1 -q
same_report one three
[ "$(wc -l <three/journal)" -eq 8 ] || fail "not one record an item"
# What one process has begun, three finish.
cp -r three half
head -n 4 three/journal >half/journal
rm half/report.html
ranks eval set --out half --methods kmeans,auto --no-timing --jobs 2 -q
same_report one half
# MPI is loaded for mpirun alone; where its module is missing, that is said, and nothing else needs it.
! ldd "$(dirname "$PROGRAM")/segment-evaluation" | grep -q libmpi || fail "every command waits for MPI to be loaded"
mkdir alone
cp "$PROGRAM" "$(dirname "$PROGRAM")/segment-evaluation" alone
OMPI_COMM_WORLD_SIZE=2 alone/segment eval set --out none >.out 2>.err
[ $? -eq 1 ] || fail "a missing module is not refused"
grep -q "segment-ranks.so.*install all of segment, or divide the work with --shard" .err || fail "no word of the missing module"
[ ! -e none/journal ] || fail "a report was begun"
alone/segment eval set --out without --methods kmeans,auto --no-timing --jobs 1 -q || fail "one process needs the module"
same_report one without
# A failure of the run ends all of them.
mpirun -n 3 "$PROGRAM" eval set --out half --methods kmeans --no-timing -q >.out 2>.err
[ $? -eq 2 ] || fail "other settings are not refused"
exit 0
