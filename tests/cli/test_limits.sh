#!/bin/bash
# --max-memory: kept, said, recorded; nothing half-written.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures
bmp large.bmp 700 500 'r = (x * y) % 251; g = (x + 3 * y) % 199; b = (5 * x + y) % 233'
grep -q __asan_init "$PROGRAM" && sanitized=1 || sanitized=0

# Not a size.
for size in 0 -1 12Q 1.2.3 '' M 1e9 ' 5'; do
    refuse 2 '--max-memory takes a size' photo.bmp --scribbles scribbles.bmp --max-memory "$size"
done
refuse 2 '--max-memory' cluster table.csv --max-memory few

# Far too little: refused at once, with what would do, in every command.
for size in 1 20K 0.5MiB 3MB; do
    refuse 6 'at least' photo.bmp --scribbles scribbles.bmp --max-memory "$size"
done
refuse 6 'allow at least' - -k 2 --no-overlay -o m.png --max-memory 1M <photo.bmp
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 7 "," (i * 13) % 11 "," i / 60 }' >table.csv
refuse 6 'limit is' cluster table.csv -k 3 --max-memory 1M
refuse 6 'limit is' query table.csv --max-memory 1M </dev/null

# Enough: the same bytes, and no word about it; the report tells the plan.
expect 0 photo.bmp --scribbles scribbles.bmp -o m.png --overlay o.png --save-run plain.json
for size in 900G 1000000MiB 1TB 1000000000000; do
    expect 0 photo.bmp --scribbles scribbles.bmp -o n.png --overlay p.png --max-memory $size --json
    cmp -s m.png n.png && cmp -s o.png p.png || fail "other bytes within a limit of $size"
    holds '.plan | .adapted == null and .predicted > 0 and .limit > 899e9'
done
expect 0 cluster table.csv -k 3 --method kmeans -o c.txt --max-memory 900G --json
holds '.plan.clustering > 0'

# Adapted: said in one line, recorded, and replayed anywhere to the same bytes; never adapted again by a replay.
if [ "$sanitized" -eq 0 ]; then
    bmp smooth.bmp 700 500 't = (x * 7 + y * 13) % 11 * 3; if (x + y / 3 < 350) { r = 200 - t; g = 60 + t } else { g = 80 + t; b = 180 - t }'
    expect 0 smooth.bmp -k 2 --method ncut -o m.png --overlay o.png --threads 1 --max-memory 45M --save-run run.json --json
    [ "$(wc -l <.err)" -eq 1 ] && grep -q 'to keep the memory limit: patches of 10 pixels instead of 5' .err ||
        fail "the adapted plan is not said: $(cat .err)"
    holds '.plan.adapted == "patches of 10 pixels instead of 5" and .peak_memory <= 45000000'
    [ "$(jq -r .options.patch run.json)" -eq 10 ] || fail "the record has the plan that was asked for"
    expect 0 replay run.json -o n.png --overlay p.png
    silent
    cmp -s m.png n.png && cmp -s o.png p.png || fail "the replay of an adapted run has other bytes"
    # What larger patches do not help is refused with what it takes, which does.
    refuse 6 'at least' large.bmp -k 12 --method kmeans --refine none --prob none.npy -o none.png --no-overlay --threads 1 --max-memory 24M
    least=$(sed 's/.*at least \([0-9]*\)M.*/\1/' .err)
    expect 0 large.bmp -k 12 --method kmeans --refine none --prob n.npy -o n.png --no-overlay --threads 1 --max-memory $((least + 1))M
    refuse 6 'at least' smooth.bmp --box 100,80,300,300 -o none.png --no-overlay --threads 1 --max-memory 20M
    expect 0 smooth.bmp --box 100,80,300,300 -o n.png --no-overlay --threads 1 --max-memory "$(sed 's/.*at least \([0-9]*\)M.*/\1/' .err)M"
    rm n.png n.npy p.png
    # A large program that starts this one is not this one's memory: not in the report, and not against the limit.
    if command -v perl >/dev/null; then
        perl -e '$held = "x" x 300000000; exit system(@ARGV) >> 8' "$PROGRAM" cluster table.csv -k 3 --method kmeans -o c.txt -q \
            --max-memory 150M --json >held.json 2>.err || fail "the memory of who started it counts: $(cat .err)"
        [ "$(jq .peak_memory held.json)" -le 150000000 ] || fail "the report counts the memory of who started it"
        rm held.json
    fi
    # A graph without any structure, whose factor takes far more than graphs of images: found out while it runs.
    refuse 6 'the factor of the graph needs' large.bmp -k 3 -o none.png --no-overlay --max-memory 60M
    refuse 6 'with these options' replay run.json -o n.png --overlay p.png --threads 1 --max-memory 24M
fi

exit 0
