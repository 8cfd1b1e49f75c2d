#!/bin/bash
# --graph full: clusters of few and of many samples and regions of an image by the complete Gaussian graph; what it
# cannot do is one sentence.
. "$(dirname "$0")/lib.sh"
images=$2/images

for n in 90 2250; do
    awk -v n=$n 'BEGIN {
        for (i = 0; i < n; i++)
            printf "%.17g,%.17g\n", (i * 37 % 1009) / 1009 + (i % 3 == 1) * 4, (i * 53 % 1013) / 1013 + (i % 3 == 2) * 4
    }' >blobs$n.csv
done
shuffled() { awk -v n="$1" '{ row[NR - 1] = $0 } END { for (i = 0; i < n; i++) print row[i * 7 % n] }' "blobs$1.csv"; }

for n in 90 2250; do # for LAPACK, and beyond the five million weights that a factor is tried for
    expect 0 cluster blobs$n.csv -k 3 --method ncut --graph full
    silent
    awk -v n=$n 'NR <= 3 { name[NR % 3] = $1; seen[$1]++ } $1 != name[NR % 3] { bad = 1 }
        END { exit bad || NR != n || seen[name[0]] + seen[name[1]] + seen[name[2]] != 3 }' .out || fail "not the three blobs: $LAST"
    cp .out .note
    expect 0 cluster blobs$n.csv -k 3 --method ncut --graph full --threads 1
    cmp -s .out .note || fail "the number of threads makes a difference"
    shuffled $n >turned.csv
    expect 0 cluster turned.csv -k 3 --method ncut --graph full
    paste -d' ' .out <(awk -v n=$n '{ row[NR - 1] = $1 } END { for (i = 0; i < n; i++) print row[i * 7 % n] }' .note) |
        sort -u >pairs.txt
    [ "$(wc -l <pairs.txt)" -eq 3 ] || fail "the order of the samples makes a difference"
    expect 0 cluster blobs$n.csv -k 3 --method ncut --graph full --sigma 2.5 --json
    holds ".graph == \"full\" and .neighbours == null and .sigma == 2.5 and .graph_edges == $n * ($n - 1) / 2"
done
printf '0,3,1\n0,1,-1\n1,2,-1\n0,2,-1\n' >pairs.csv
expect 0 cluster blobs90.csv -k 3 --constraints pairs.csv --method spectral-learning --graph full

refuse 2 "exclude each other" cluster blobs90.csv -k 3 --method ncut --graph full --knn 5
refuse 2 "does not use a graph" cluster blobs90.csv -k 3 --method kmeans --graph full
refuse 2 "./full" cluster --graph full -k 3 --method ncut
expect 0 cluster blobs2250.csv -k 3 --constraints pairs.csv --method spectral-learning --graph full
awk 'BEGIN { for (i = 0; i < 6401; i++) print i "," i % 7 }' >many.csv
refuse 2 "6400 nodes" cluster many.csv -k 3 --method ncut --graph full

for patch in 12 10; do
    expect 0 "$images/coffee.jpg" -k 3 --method ncut --graph full --patch $patch -o mask.png --no-overlay --json
    holds '.options.graph == "full" and .sigma > 0 and .sizes.edges == .sizes.patches * (.sizes.patches - 1) / 2'
done
cp mask.png before.png
expect 0 "$images/coffee.jpg" -k 3 --method ncut --graph full --patch 10 --threads 1 -o mask.png --no-overlay
cmp -s mask.png before.png || fail "the number of threads makes a difference"
expect 0 "$images/coffee.jpg" --scribbles "$images/coffee-scribbles.png" --graph full --patch 12 -o mask.png --no-overlay
refuse 2 "larger patches" "$images/coffee.jpg" --scribbles "$images/coffee-scribbles.png" --graph full
refuse 2 "exclude each other" "$images/coffee.jpg" -k 3 --graph full --knn 5
refuse 2 "does not use a graph" "$images/coffee.jpg" -k 3 --graph full --method kmeans
expect 0 "$images/coffee.jpg" -k 3 --method kmeans --knn 20 -o mask.png --no-overlay
[ "$(grep 'no effect' .err)" = 'segment: warning: knn has no effect: method kmeans uses no graph' ] || fail "--knn is dropped silently"
expect 0 "$images/coffee.jpg" -k 3 --method ncut --knn 20 -o mask.png --no-overlay && ! grep 'no effect' .err || fail "--knn has an effect"
expect 0 "$images/coffee.jpg" -k 3 --method kmeans --spacing 2 --video -o mask.png --no-overlay
[ "$(grep 'no effect' .err)" = 'segment: warning: spacing has no effect: the image has one slice
segment: warning: video has no effect: the image has one slice' ] || fail "--spacing and --video are dropped silently"
