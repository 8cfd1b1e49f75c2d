#!/bin/bash
# A batch shared among processes and parts: the bytes of one process, resumed after an interruption, joined by the part
# that ends last.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
mkdir photos scribbles truths
number=0
for name in a b.v2 c d e; do
    bmp photos/$name.bmp 60 40 "t = (x * 7 + y * (13 + $number)) % 11 * 3; if (x < $((26 + number))) { r = 200 - t; g = 60 + t } else { g = 80 + t; b = 180 - t }"
    cp scribbles.bmp scribbles/$name-scribbles.bmp
    cp truth.bmp truths/$name.bmp
    number=$((number + 2))
done
all=(photos -s scribbles --names "left,right" --prob each --export svg)
shared() { # FOLDER: what all images write together, in that folder's name
    printf -- '-o %s --table %s.csv --export coco=%s.json --export yolo=%s.yolo' "$1" "$1" "$1" "$1"
}
# FOLDER: everything is as in the folder `one`.
same() {
    diff -r -x '*journal' one "$1" >.note && cmp one.csv "$1.csv" && cmp one.json "$1.json" && diff -r one.yolo "$1.yolo" >.note ||
        fail "$1: not what one process writes: $(cat .note)"
}
# shellcheck disable=SC2046 # words
expect 0 "${all[@]}" $(shared one) -q
[ "$(jq '.images | length' one.json)" -eq 5 ] && [ "$(wc -l <one.csv)" -eq 11 ] || fail "not five images in one file"

# Two at once, in processes of their own; a second time nothing is left to do.
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared two) --jobs 2 -q
silent
same two
[ "$(wc -l <two/journal)" -eq 6 ] || fail "not one record an image"
stamp() {
    stat -c '%Y.%y %i %n' "$1"/*-mask.png
}
stamp two >.said
rm two.csv two.json
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared two) --jobs 2 -q
stamp two | cmp -s - .said || fail "finished masks were made again"
same two

# A changed input, and a lost output: these two images and no others. Changed options: refused, or --restart.
touch scribbles/c-scribbles.bmp
rm two/e-mask.png
expect 0 "${all[@]}" -o two --table two.csv --export coco=two.json --export yolo=two.yolo --jobs 2 -q
[ "$(stamp two | diff - .said | grep -c '^<')" -eq 2 ] || fail "other images than the two were made again"
same two
expect 2 "${all[@]}" -o two --table two.csv --jobs 2 --knn 9
sentence "other settings"
expect 0 "${all[@]}" -o two --table two.csv --export coco=two.json --export yolo=two.yolo --jobs 2 --restart -q
same two

# Parts, two at the same time, more parts than images; whoever ends last joins them, and nobody before.
for part in 1 2 3 4 6 7; do
    # shellcheck disable=SC2046
    "$PROGRAM" "${all[@]}" $(shared parts) --shard $part/7 -q 2>.err-$part &
    [ $((part % 2)) -eq 1 ] || wait
done
wait
[ ! -e parts.csv ] && [ ! -e parts.json ] && [ ! -e parts.yolo ] || fail "a part wrote what all images share"
rm -f .err-*
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared parts) --shard 5/7 -q
same parts
# All parts at once, of one machine or many: one of them joins. Done once more, what was lost is made again.
together() { # LAUNCHER FOLDER
    local part pids=()
    for part in 0 1 2; do
        case $1 in
            mpirun) set -- "$1" "$2" OMPI_COMM_WORLD_RANK=$part OMPI_COMM_WORLD_SIZE=3 ;;
            hydra) set -- "$1" "$2" PMI_RANK=$part PMI_SIZE=3 ;;
            srun) set -- "$1" "$2" SLURM_PROCID=$part SLURM_STEP_NUM_TASKS=3 SLURM_NTASKS=3 ;;
            array)
                set -- "$1" "$2" SLURM_ARRAY_TASK_ID=$((4 + 2 * part)) SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_STEP=2 \
                    SLURM_ARRAY_TASK_COUNT=3
                ;;
        esac
        # shellcheck disable=SC2046
        env "${@:3}" "$PROGRAM" "${all[@]}" $(shared "$2") $([ "$1" != array ] || echo --shard auto) -q 2>.err-$part >.out-$part &
        pids+=($!)
        set -- "$1" "$2"
    done
    for part in 0 1 2; do
        wait "${pids[$part]}" || fail "$1: part $part: exit $?: $(cat .err-$part)"
        [ ! -s .err-$part ] || fail "$1: part $part said $(cat .err-$part)"
    done
}
for launcher in mpirun hydra srun array; do
    together $launcher $launcher
    same $launcher
    [ "$(echo $launcher/shard-*)" = "$(echo $launcher/shard-{1,2,3}-of-3.journal)" ] || fail "$launcher: not three parts"
done
rm mpirun.csv mpirun.json
together mpirun mpirun
same mpirun
rm mpirun/d-mask.png mpirun.json
together srun mpirun
same mpirun
# What parts have done, another number of parts or one process goes on from; nothing is done twice.
mkdir half
cp one/{a,b.v2}-* half
head -n 1 mpirun/journal >half/shard-1-of-9.journal
sed -n '2,$p' mpirun/journal | grep -E '^(a|b.v2)#' >>half/shard-1-of-9.journal
stamp half >.said
together hydra half
same half
! stamp half | diff - .said | grep -q '^>' || fail "finished masks of another part were made again"
rm half/journal half.csv
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared half) --jobs 2 -q
same half
[ "$(wc -l <half/journal)" -eq 6 ] || fail "the journal of the whole lacks what the parts did"
# A part says what is left; sbatch starts one process, whatever tasks it was given.
expect 0 photos -k 2 -o said --no-overlay --shard 2/2
grep -q "part 2 of 2 is done, and 3 of 5 images are not; the part that ends last" .err || fail "not said what is left"
[ "$(cd said && echo ./*.png)" = "./b.v2-mask.png ./d-mask.png" ] || fail "other images: $(ls said)"
SLURM_PROCID=0 SLURM_NTASKS=4 expect 0 photos -k 2 -o batched --no-overlay -q
[ "$(find batched -name '*.png' | wc -l)" -eq 5 ] && [ ! -e batched/shard-1-of-4.journal ] || fail "sbatch: $(ls batched)"

# Scores and reports stand in the order of the images.
expect 0 photos -s scribbles --truth truths -o plain --no-overlay
cp .out .note
expect 0 photos -s scribbles --truth truths -o scored --no-overlay --jobs 2
cmp -s .out .note || fail "other scores"
expect 0 photos -k 2 -o reports --no-overlay --jobs 2 --json
[ "$(jq -rs '[.[].photo] | join(" ")' .out)" = "photos/a.bmp photos/b.v2.bmp photos/c.bmp photos/d.bmp photos/e.bmp" ] ||
    fail "reports in another order"

# A model's void pixels and names come through the masks.
expect 0 learn photos/a.bmp photos/c.bmp --scribbles scribbles -o m.model -q
expect 0 apply m.model photos -o applied --export coco=applied.json --no-overlay -q
expect 0 apply m.model photos -o applied2 --export coco=applied2.json --no-overlay --jobs 2 -q
diff -r -x journal applied applied2 >.note && cmp -s applied.json applied2.json || fail "apply: not what one process writes"

# Images that fail: the others are done; they alone are tried again.
echo text >photos/bad.bmp
cp scribbles.bmp scribbles/bad.bmp
mv scribbles/d-scribbles.bmp away.bmp
expect 5 photos -s scribbles -o some --no-overlay --table some1.csv
expect 5 photos -s scribbles -o some2 --no-overlay --table some2.csv --jobs 2
grep -q "'photos/d.bmp' has no --scribbles" .err && grep -q "photos/bad.bmp.*text file" .err || fail "a failure is not named"
grep -q '^segment: 2 of 6 images failed$' .err || fail "no summary"
cmp -s some1.csv some2.csv && diff -r -x journal some some2 >.note || fail "not what one process leaves"
expect 0 photos -s scribbles -o some3 --no-overlay --table some3.csv --shard 1/3 -q # bad is the third, d the fifth
expect 5 photos -s scribbles -o some3 --no-overlay --table some3.csv --shard 3/3 -q
[ "$(cd some3 && echo ./*.png)" = "./a-mask.png ./c-mask.png ./e-mask.png" ] || fail "parts 1 and 3: $(ls some3)"
[ ! -e some3.csv ] || fail "joined without all parts"
expect 5 photos -s scribbles -o some3 --no-overlay --table some3.csv --shard 2/3 -q # a part without a failure joins
cmp -s some1.csv some3.csv || fail "parts with failures: another table"
# mpirun ends the others where one process fails: the part that ends last alone tells of failures.
export PMI_SIZE=2
PMI_RANK=0 expect 0 photos -s scribbles -o some4 --no-overlay --table some4.csv -q # bad and d
PMI_RANK=1 expect 5 photos -s scribbles -o some4 --no-overlay --table some4.csv -q
unset PMI_SIZE
cmp -s some1.csv some4.csv || fail "parts of mpirun with failures: another table"
mv away.bmp scribbles/d-scribbles.bmp
cp photos/e.bmp photos/bad.bmp
stamp some2 >.said
expect 0 photos -s scribbles -o some2 --no-overlay --table some2.csv --jobs 2 -q
[ "$(stamp some2 | diff - .said | grep -c '^<')" -eq 2 ] || fail "not the two that had failed"
rm photos/bad.bmp

# Ended at any time, the same command goes on to the same bytes, and leaves nothing half-written in its folder. Beside it, where
# others may be writing, what a kill leaves of a table stays.
for seconds in 0.05 0.12 0.2; do
    # shellcheck disable=SC2046
    { timeout -s KILL $seconds "$PROGRAM" "${all[@]}" $(shared killed) --jobs 1 -q; } 2>.err
done
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared killed) --jobs 1 -q
same killed
[ -z "$(find killed -name '.segment-*')" ] || fail "half-written files are left: $(find killed -name '.segment-*')"
rm -f .segment-*
# shellcheck disable=SC2046
expect 124 "${all[@]}" $(shared timed) --jobs 1 -q --timeout 0.001
grep -q "the same command goes on" .err || grep -q "out of time" .err || fail "not said what to do: $(cat .err)"
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared timed) --jobs 1 -q
same timed

# One image; none; wrong parts.
mkdir single empty
cp photos/a.bmp single
expect 0 single -k 2 -o alone --no-overlay --jobs 0
expect 0 single/a.bmp -k 2 -o alone2 --no-overlay --shard 1/1
cmp -s alone/a-mask.png alone2/a-mask.png || fail "a folder of one image: another mask"
expect 0 single -k 2 -o alone3 --no-overlay --shard 2/2
[ "$(echo alone3/*)" = "alone3/journal alone3/shard-2-of-2.journal" ] || fail "a part without an image wrote something"
refuse 3 "no image" empty -k 2 -o x --shard 1/2
refuse 2 "takes I/N" photos -k 2 -o x --shard 0/2
refuse 2 "takes I/N" photos -k 2 -o x --shard 3/2
refuse 2 "takes I/N" photos -k 2 -o x --shard 1
refuse 2 "--jobs" photos -k 2 -o x --jobs 65
refuse 2 "--restart is not for one part" photos -k 2 -o x --shard 1/2 --restart
refuse 2 "--shard auto is for processes" photos -k 2 -o x --shard auto
OMPI_COMM_WORLD_RANK=4 OMPI_COMM_WORLD_SIZE=3 refuse 2 "OMPI_COMM_WORLD_RANK" photos -k 2 -o x
refuse 2 "-o FOLDER" photos -k 2 --jobs 2
refuse 2 "both be written" photos -k 2 -o two --jobs 2 --restart --export svg --export svg
expect 0 photos/a.bmp -k 2 -o r.png --no-overlay --save-run r.json
refuse 2 "a replay is of one" replay r.json -o x.png --jobs 2
exit 0
