#!/bin/bash
# segment eval: the report, interruption, parts, damaged images, the simulated user, wrong usage.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/eval_lib.sh"
make_set
export OMP_NUM_THREADS=1

# The strokes of the folder; the same bytes for any number of jobs.
expect 0 eval set --out one --methods kmeans,auto --no-timing --jobs 1
[ "$(wc -l <.out)" -eq 3 ] || fail "not a line per method"
grep -q "^auto  *7 " .out || fail "not seven images"
for file in results.csv results.json report.html figures/accuracy.svg \
    photos/p3.jpg masks/auto/p1.png masks/truth/p7.png; do
    [ -s "one/$file" ] || fail "one/$file is missing"
done
[ ! -e one/timings.csv ] || fail "timings in spite of --no-timing"
[ "$(wc -l <one/results.csv)" -eq 15 ] || fail "results.csv has not 14 results"
jq -e '.scored == 7 and (.methods | length) == 2 and (.comparisons | length) == 1 and .methods[1].mean > 0.9' one/results.json \
    >/dev/null || fail "results.json"
expect 0 eval set --out two --methods kmeans,auto --no-timing --jobs 2 -q
silent
same_report one two

# What the report says is what segment score says.
expect 0 score one/masks/auto/p6.png one/masks/truth/p6.png
accuracy=$(score pairwise_accuracy)
dice=$(score mean_dice)
awk -F, -v a="$accuracy" -v d="$dice" '$1 == "p6" && $6 == "auto" && $7 == a && $11 == d { found = 1 } END { exit !found }' \
    one/results.csv || fail "the accuracy of p6 is not $accuracy, or its Dice not $dice"

# Features, patches, graph and refinement are those of every method: what the main job makes with the same options.
how=(--features histogram --patch 4 --graph knn --knn 9 --refine none)
expect 0 eval set --out how --methods kmeans,enpakl --no-timing --jobs 1 -q "${how[@]}"
said="patch 4, features histogram=1, graph knn, knn 9, refine none"
jq -e --arg said "$said" '.how == $said' how/results.json >/dev/null || fail "results.json does not say how: $(jq .how how/results.json)"
grep -q "Every method with $said" how/report.html || fail "the report does not say how"
jq -e 'has("how") | not' one/results.json >/dev/null || fail "defaults are said"
for method in kmeans enpakl; do
    expect 0 set/p6.bmp --scribbles set/p6-scribbles.bmp --method $method "${how[@]}" -o own.png -q
    expect 0 score own.png set/p6-truth.bmp
    awk -F, -v a="$(score pairwise_accuracy)" -v m=$method '$1 == "p6" && $6 == m && $7 == a { found = 1 } END { exit !found }' \
        how/results.csv || fail "$method on p6 is not what segment makes of it ($(score pairwise_accuracy))"
done
refuse 2 "other settings" eval set --out how --methods kmeans,enpakl --no-timing -q "${how[@]}" --knn 8
refuse 2 "colour" eval set --out wrong --features colour
refuse 2 "--patch" eval set --out wrong --patch 65
# Pairs are drawn among the patches that are asked for, of any side.
expect 0 eval set --out seven --pairs 6 --methods enpakl --patch 7 -q --jobs 1
jq -e ".methods[0].failed == 0 and .methods[0].images == 7" seven/results.json >/dev/null || fail "pairs of other patches"

# Images and strokes in every form that the main job reads.
mkdir forms && cp set/p1.bmp set/p{1,6}-{scribbles,truth}.bmp forms
expect 0 set/p6.bmp --scribbles set/p6-scribbles.bmp --no-overlay -q -o forms/p6.tif
expect 0 eval forms --out formed --methods kmeans -q
jq -e '.methods[0].images == 2' formed/results.json >.out || fail "not both images"

# Killed at a random moment, several times, and started again.
for round in 1 2 3; do
    "$PROGRAM" eval set --out three --methods kmeans,auto --no-timing --jobs 2 -q &
    pid=$!
    sleep "0.$((RANDOM % 80 + 10))"
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    : "$round"
done
expect 0 eval set --out three --methods kmeans,auto --no-timing --jobs 2 -q
same_report one three
cp three/journal before
expect 0 eval set --out three --methods kmeans,auto --no-timing -q
cmp before three/journal || fail "a finished run was repeated"
refuse 2 "--restart" eval set --out three --methods kmeans --no-timing -q
# A torn last line is done again.
head -c -20 before >three/journal
expect 0 eval set --out three --methods kmeans,auto --no-timing -q
same_report one three

# Parts, in another order and one of them twice: the last one writes the report of all of them.
for part in 3 1 3 4; do
    expect 0 eval set --out four --methods kmeans,auto --no-timing --shard $part/4
    grep -q "part $part of 4 is done" .err || fail "no word on a part"
done
[ ! -e four/report.html ] || fail "a part wrote the report before the last one"
expect 0 eval set --out four --methods kmeans,auto --no-timing --shard 2/4 -q
same_report one four
rm four/report.html
expect 0 eval set --out four --methods kmeans,auto --no-timing -q
same_report one four
# Processes of mpirun share the work by themselves; another number goes on from there.
pids=()
for rank in 0 1 2; do
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=3 "$PROGRAM" eval set --out ranks --methods kmeans,auto --no-timing -q \
        2>.err-$rank &
    pids+=($!)
done
for rank in 0 1 2; do
    wait "${pids[$rank]}" || fail "rank $rank: exit $?: $(cat .err-$rank)"
done
[ "$(cat ranks/shard-*.journal | grep -vc '^#')" -eq 7 ] || fail "the parts did not do each image once"
same_report one ranks
expect 0 eval set --out ranks --methods kmeans,auto --no-timing -q
same_report one ranks
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 expect 2 eval set --out ranks --methods kmeans -q
sentence "other settings"

# Interrupted by a signal: says so, and goes on.
"$PROGRAM" eval set --out six --methods kmeans,auto --no-timing --jobs 1 >.out 2>.err &
pid=$!
for _ in $(seq 100); do
    [ -s six/journal ] && [ "$(wc -l <six/journal)" -gt 1 ] && break
    sleep 0.05
done
kill -INT $pid
wait $pid
code=$?
[ $code -eq 130 ] || [ $code -eq 0 ] || fail "exit $code on an interrupt"
[ $code -eq 0 ] || grep -q "interrupted" .err || fail "no word on an interrupt"
expect 0 eval set --out six --methods kmeans,auto --no-timing -q
same_report one six

# Timings stand apart: the tables do not change.
expect 0 eval set --out one --methods kmeans,auto -q
[ -s one/timings.csv ] || fail "no timings"
cmp one/results.csv two/results.csv || fail "timings change results.csv"
cmp one/results.json two/results.json || fail "timings change results.json"

# Damaged files are told and passed over.
cp -r set broken
head -c 500 broken/p2.bmp >short && mv short broken/p2.bmp
echo nothing >broken/p3-truth.bmp
rm broken/p4-truth.bmp broken/p5-scribbles.bmp
bmp broken/p6-truth.bmp 50 40 'g = 255'
expect 5 eval broken --out damaged --methods kmeans --no-timing
for name in p2 p3 p4 p5; do
    grep -q "warning: skipped $name: " .err || fail "not a word about $name"
done
jq -e '.scored == 2 and .skipped == 1 and .broken == 4' damaged/results.json >/dev/null || fail "the counts"
grep -q '^p2,broken,' damaged/results.csv || fail "p2 is not in results.csv"

# Pairs.
expect 0 eval set --out pairs --methods enpakl,kmeans --pairs 20 --no-timing -q
[ "$(grep -c '^p1,' pairs/results.csv)" -eq 2 ] || fail "not two methods"

# Clicks, on two of the project's images; the same bytes for any number of jobs.
mkdir -p clicked
for name in chelsea coffee; do
    cp "$SOURCE/images/$name.jpg" clicked && cp "$SOURCE/groundtruth/$name.png" "clicked/$name-truth.png"
done
for jobs in 1 2; do
    expect 0 eval clicked --out clicks$jobs --methods walk --clicks 6 --no-timing --jobs $jobs
    grep -q "^walk  *2 " .out && grep -q "NoC@85 .*IoU@5 .*fall>.2$" .out || fail "the table of clicks"
    ! grep -q "IoU@10" .out || fail "IoU after more clicks than were made"
done
same_report clicks1 clicks2
[ -s clicks1/figures/clicks.svg ] && grep -q 'id="clicks"' clicks1/report.html || fail "no figure or table of clicks"
[ "$(head -n 1 clicks1/clicks.csv)" = item,method,click,iou ] || fail "clicks.csv"
grep -q "^chelsea,walk,1,0.000000$" clicks1/clicks.csv || fail "an IoU before there is a mask"
mean=$(awk -F, '$3 == 6 { sum += $4; n++ } END { printf "%.5f", sum / n }' clicks1/clicks.csv)
jq -e --argjson mean "$mean" '.methods[0].clicks | (.iou | length) == 6 and (.iou[5] - $mean | fabs) < 1e-5 and
    .iou_5 == .iou[4] and .noc_80 <= .noc_90 and .noc_90 <= 6 and .failures_90 >= .failures_80 and
    .iou_interval[4][0] <= .iou[4] and .iou[4] <= .iou_interval[4][1] and .steps >= .falls_05 and .falls_05 >= .falls_20 and
    has("iou_10") == false' clicks1/results.json >/dev/null || fail "clicks in results.json"
# Three labels have a click each before the first mask, and more than two clicks are needed.
expect 5 eval set --out labels --methods walk --clicks 2 -q --no-timing
grep -q "3 labels" labels/results.csv || fail "no word on too few clicks"
refuse 2 "other settings" eval clicked --out clicks1 --methods walk --clicks 6 --first object --no-timing -q

# The first click alone has an answer, in a truth of two labels.
rm clicked/coffee*
expect 0 eval clicked --out first --methods auto --clicks 2 --first object --no-timing
jq -e '.methods[0].clicks.iou[0] > 0' first/results.json >/dev/null || fail "no answer to the first click"

# Wrong usage.
refuse 2 "no data set" eval
refuse 2 "one data set" eval set set
refuse 2 "kmaens" eval set --methods kmaens --out x
refuse 2 "twice" eval set --methods kmeans,kmeans --out x
refuse 2 "exclude" eval set --pairs 3 --clicks 3 --out x
refuse 2 "needs --clicks" eval set --first object --out x
refuse 2 "--shard" eval set --shard 5/4 --out x
refuse 2 "--restart" eval set --shard 1/4 --restart --out x
refuse 2 "msrc" eval set --dataset none --out x
refuse 3 "cannot list" eval absent --out x
mkdir -p nothing
refuse 3 "is not recognised" eval nothing --out x
exit 0
