#!/bin/bash
# Constraints, embeddings and learned kernels that are saved, read back by NumPy and by segment itself.
. "$(dirname "$0")/lib.sh"
awk 'BEGIN { srand(5); for (i = 0; i < 60; i++) { c = i % 3; print c * 4 + rand() "," (c == 1) * 4 + rand() "," c } }' >data.csv
cut -d, -f1,2 data.csv >bare.csv

# Drawn pairs give the same clusters when they are read, counted from 0 or from 1.
expect 0 cluster data.csv --labels last --sample 7 --method ccskl -o drawn.txt --save-constraints pairs.csv
[ "$(grep -vc '^#' pairs.csv)" -ge 30 ] || fail "pairs: $(head -3 pairs.csv)"
expect 0 cluster bare.csv -k 3 --constraints pairs.csv --method ccskl -o read.txt --save-constraints again.csv
cmp drawn.txt read.txt || fail "saved pairs are other pairs"
cmp pairs.csv again.csv || fail "pairs change when they are saved again"
awk -F, '/^#/ { next } { print $1 + 1 "," $2 + 1 "," $3 "," $4 }' pairs.csv >from1.csv
expect 0 cluster bare.csv -k 3 --constraints from1.csv --base 1 --method ccskl --save-constraints kept1.csv -o read.txt
cmp drawn.txt read.txt && diff <(grep -v '^#' kept1.csv) from1.csv || fail "pairs counted from 1 are saved otherwise"

# A sample with the weight of another digit than the last survives.
printf '0,3,1,0.1\n1,2,-1,3e-7\n' >weights.csv
expect 0 cluster bare.csv -k 3 --constraints weights.csv --method sskk --save-constraints kept.csv
expect 0 cluster bare.csv -k 3 --constraints kept.csv --method sskk --save-constraints kept2.csv
cmp kept.csv kept2.csv || fail "weights change"

for form in csv npy; do
    expect 0 cluster bare.csv -k 3 --constraints pairs.csv --method enpakl -o labels.txt --save-embedding Z.$form \
        --save-kernel K.$form --save-constraints C.$form
    [ "$(sort -u labels.txt | wc -l)" -eq 3 ] || fail "labels beside what is saved"
done
expect 0 cluster --kernel K.csv -k 3 --constraints pairs.csv --method kernel-kmeans -o by-kernel.txt
[ "$(paste labels.txt by-kernel.txt | sort -u | wc -l)" -eq 3 ] ||
    fail "the saved kernel shows other clusters"

# What cannot be.
refuse 2 "kmeans has no embedding" cluster bare.csv -k 3 --method kmeans --save-embedding no.npy
refuse 2 "--save-constraints needs pairs" cluster bare.csv -k 3 --save-constraints no.csv
refuse 2 "--save-kernel needs a file name" cluster bare.csv -k 3 --method ncut --save-kernel -
refuse 2 "" cluster bare.csv -k 3 --method ncut --save-kernel no.png
refuse 2 "would be overwritten" cluster bare.csv -k 3 --method ncut --save-kernel bare.csv
refuse 2 "--save-embedding and --save-kernel would both be written to" cluster bare.csv -k 3 --method ncut --save-kernel both.npy --save-embedding both.npy
refuse 2 "" cluster bare.csv -k 3 --constraints pairs.csv --save-constraints pairs.csv

python=/usr/bin/python3
$python -c 'import numpy' 2>/dev/null || exit 0
$python - <<'END' || fail "another program reads other numbers"
import numpy as np

Z, K, C = (np.load(name + ".npy") for name in "ZKC")
assert Z.dtype == K.dtype == C.dtype == np.float64 and Z.shape[0] == 60 and K.shape == (60, 60)
for name, A in (("Z", Z), ("K", K), ("C", C)):
    assert (np.loadtxt(name + ".csv", delimiter=",", ndmin=2) == A).all(), name
assert abs(K - Z @ Z.T).max() < 1e-12
assert np.linalg.eigvalsh(K).min() > -1e-9
pairs = [line.split(",") for line in open("pairs.csv") if line[0] != "#"]
assert (C == np.array(pairs, float)).all()
label = np.loadtxt("labels.txt", dtype=int)
means = np.array([Z[label == c].mean(0) for c in range(3)])
assert (((Z[:, None] - means) ** 2).sum(-1).argmin(1) == label).mean() > 0.95
END
exit 0
