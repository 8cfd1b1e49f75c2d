#!/bin/bash
# A batch in several processes and in parts: the bytes of one process, also after an interruption.
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
all=(photos -s scribbles --balance off --names "left,right" --prob each --export svg)
shared() { # FOLDER: what all images write together, in that folder's name
    printf -- '-o %s --table %s.csv --export coco=%s.json --export yolo=%s.yolo' "$1" "$1" "$1" "$1"
}
# FOLDER: everything is as in the folder `one`.
same() {
    diff -r one "$1" >.note && cmp one.csv "$1.csv" && cmp one.json "$1.json" && diff -r one.yolo "$1.yolo" >.note ||
        fail "$1: not what one process writes: $(cat .note)"
}
# shellcheck disable=SC2046 # words
expect 0 "${all[@]}" $(shared one) -q
[ "$(jq '.images | length' one.json)" -eq 5 ] && [ "$(wc -l <one.csv)" -eq 11 ] || fail "not five images in one file"
stamp() {
    stat -c '%Y.%y %i %n' "$1"/*-mask.png
}

# Two at once, in processes of their own.
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared two) --jobs 2 -q
silent
same two

# Resumed: a lost output is made again, and no other image; in one process and in several.
for how in "" "--jobs 2"; do
    stamp two >.said
    rm two/e-mask.png two/b.v2-overlay.png
    # shellcheck disable=SC2086
    expect 0 "${all[@]}" -o two --resume -q $how
    [ "$(stamp two | diff - .said | grep -c '^<')" -eq 2 ] || fail "other images than the two were made again ($how)"
    same two
    stamp two >.said
    # shellcheck disable=SC2086
    expect 0 "${all[@]}" -o two --resume -q $how
    silent
    stamp two | cmp -s - .said || fail "finished masks were made again ($how)"
done

# What is resumed would leave most images out of the files of all images: these stay as they are.
cp two.csv .kept
refuse 2 "would lack them" "${all[@]}" -o two --table two.csv --resume
refuse 2 "would lack them" "${all[@]}" -o two --export coco=two.json --resume --jobs 2
cmp -s two.csv .kept || fail "the table of all images was written again"
rm .kept

# Parts, at the same time, more parts than images: who ends last writes the files of all images.
for part in 1 2 3 4 5 6 7; do
    # shellcheck disable=SC2046
    "$PROGRAM" "${all[@]}" $(shared parts) --shard $part/7 -q 2>.err-$part &
    [ $((part % 2)) -eq 1 ] || wait
done
wait
same parts
rm -f .err-*
# In another order, one of them twice, several images of a part at once: there is nothing before the last one.
for part in 3/3 1/3 3/3 2/3; do
    [ ! -e order.csv ] && [ ! -e order.json ] || fail "the files of all images were written before the last part"
    # shellcheck disable=SC2046
    expect 0 "${all[@]}" $(shared order) --shard $part -q --jobs $((${part%/*} % 2 + 1))
    silent
done
same order
# All of the parts again: those that are left of other options or images do not count.
expect 0 "${all[@]}" -o again --table again.csv --simplify 1 --shard 1/2 -q
expect 0 "${all[@]}" -o again --table again.csv --shard 2/2 -q
[ ! -e again.csv ] || fail "a part of other options was joined"
expect 0 "${all[@]}" -o again --table again.csv --shard 1/2 -q
cmp one.csv again.csv || fail "not the table of one process"
[ "$(find again -name 'parts-*' | wc -l)" -eq 1 ] || fail "other files of parts are left: $(ls again)"
# A part is missing: no files of all images.
expect 0 "${all[@]}" -o missing --table missing.csv --shard 2/3 -q
expect 0 "${all[@]}" -o missing --table missing.csv --shard 1/3 -q
[ ! -e missing.csv ] || fail "a table without the images of a part"
# One of one; on standard output.
# shellcheck disable=SC2046
expect 0 "${all[@]}" $(shared whole) --shard 1/1 -q
same whole
expect 0 "${all[@]}" -o stream --table - --shard 1/2 -q
[ ! -s .out ] || fail "a part printed a table"
expect 0 "${all[@]}" -o stream --table - --shard 2/2 -q
cmp -s one.csv .out || fail "another table on standard output"
# Processes of a launcher, of one machine or many.
together() { # LAUNCHER FOLDER
    local part pids=() where
    for part in 0 1 2; do
        case $1 in
            mpirun) where=("OMPI_COMM_WORLD_RANK=$part" OMPI_COMM_WORLD_SIZE=3) ;;
            hydra) where=("PMI_RANK=$part" PMI_SIZE=3) ;;
            srun) where=("SLURM_PROCID=$part" SLURM_STEP_NUM_TASKS=3 SLURM_NTASKS=3) ;;
            array)
                where=(SLURM_ARRAY_TASK_ID=$((4 + 2 * part)) SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_STEP=2
                    SLURM_ARRAY_TASK_COUNT=3)
                ;;
        esac
        # shellcheck disable=SC2046
        env "${where[@]}" "$PROGRAM" "${all[@]}" $(shared "$2") $([ "$1" != array ] || echo --shard auto) -q 2>.err-$part >.out-$part &
        pids+=($!)
    done
    for part in 0 1 2; do
        wait "${pids[$part]}" || fail "$1: part $part: exit $?: $(cat .err-$part)"
        [ ! -s .err-$part ] || fail "$1: part $part said $(cat .err-$part)"
    done
    same "$2"
}
for launcher in mpirun hydra srun array; do
    together $launcher $launcher
done
expect 0 photos -k 2 -o said --no-overlay --shard 2/2 -q
[ "$(cd said && echo ./*.png)" = "./b.v2-mask.png ./d-mask.png" ] || fail "other images: $(ls said)"
# sbatch starts one process, whatever tasks it was given.
SLURM_PROCID=0 SLURM_NTASKS=4 expect 0 photos -k 2 -o batched --no-overlay -q
[ "$(find batched -name '*.png' | wc -l)" -eq 5 ] || fail "sbatch: $(ls batched)"

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
diff -r applied applied2 >.note && cmp -s applied.json applied2.json || fail "apply: not what one process writes"

# Images that fail: the others are done; they alone are tried again.
echo text >photos/bad.bmp
cp scribbles.bmp scribbles/bad.bmp
mv scribbles/d-scribbles.bmp away.bmp
expect 5 photos -s scribbles -o some --no-overlay --table some1.csv
expect 5 photos -s scribbles -o some2 --no-overlay --table some2.csv --jobs 2
grep -q "'photos/d.bmp' has no --scribbles" .err && grep -q "photos/bad.bmp.*text file" .err || fail "a failure is not named"
grep -q '^segment: 2 of 6 images failed$' .err || fail "no summary"
cmp -s some1.csv some2.csv && diff -r some some2 >.note || fail "not what one process leaves"
expect 5 photos -s scribbles -o some3 --no-overlay --table some3.csv --shard 3/3 -q # bad is the third, d the fifth
expect 0 photos -s scribbles -o some3 --no-overlay --table some3.csv --shard 1/3 -q
expect 5 photos -s scribbles -o some3 --no-overlay --table some3.csv --shard 2/3 -q
cmp -s some1.csv some3.csv && diff -r some some3 >.note || fail "parts: not what one process leaves"
# mpirun ends the others where one process fails.
PMI_RANK=0 PMI_SIZE=2 expect 0 photos -s scribbles -o some4 --no-overlay
grep -q '^segment: 2 of 3 images failed$' .err || fail "no word on failures of a part"
mv away.bmp scribbles/d-scribbles.bmp
cp photos/e.bmp photos/bad.bmp
stamp some2 >.said
expect 0 photos -s scribbles -o some2 --no-overlay --jobs 2 --resume -q
[ "$(stamp some2 | diff - .said | grep -c '^<')" -eq 2 ] || fail "not the two that had failed"
rm photos/bad.bmp

# Ended at any time, --resume goes on to the same bytes; cancelled, nothing half-written is left.
for seconds in 0.05 0.12 0.2; do
    { timeout -s KILL $seconds "$PROGRAM" "${all[@]}" -o killed --jobs 1 -q --resume; } 2>.err
done
expect 0 "${all[@]}" -o killed --jobs 1 -q --resume
rm -f killed/.segment-*
diff -r one killed >.note || fail "resumed: $(cat .note)"

# One image; none; wrong parts; in the working folder.
mkdir single empty
cp photos/a.bmp single
expect 0 single -k 2 -o alone --no-overlay --jobs 0
expect 0 single/a.bmp -k 2 -o alone2 --no-overlay --shard 1/1
cmp -s alone/a-mask.png alone2/a-mask.png || fail "a folder of one image: another mask"
expect 0 single -k 2 -o alone3 --no-overlay --shard 2/2
[ ! -e alone3 ] || fail "a part without an image wrote something"
expect 0 single -k 2 --no-overlay --jobs 2 --export coco=here.json
cmp -s alone/a-mask.png a-mask.png && [ -s here.json ] || fail "in the working folder: another mask"
refuse 3 "no image" empty -k 2 -o x --shard 1/2
refuse 2 "takes I/N" photos -k 2 -o x --shard 0/2
refuse 2 "takes I/N" photos -k 2 -o x --shard 3/2
refuse 2 "takes I/N" photos -k 2 -o x --shard 1
refuse 2 "--jobs" photos -k 2 -o x --jobs 65
refuse 2 "--shard auto is for processes" photos -k 2 -o x --shard auto
OMPI_COMM_WORLD_RANK=4 OMPI_COMM_WORLD_SIZE=3 refuse 2 "OMPI_COMM_WORLD_RANK" photos -k 2 -o x
refuse 2 "both be written" photos -k 2 -o two --jobs 2 --export svg --export svg
expect 0 photos/a.bmp -k 2 -o r.png --no-overlay --save-run r.json
refuse 2 "unknown option '--jobs'" replay r.json -o x.png --jobs 2
exit 0
