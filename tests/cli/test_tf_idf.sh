#!/bin/bash
# segment cluster: counts of words by tf-idf and cosine; what is unfit is one sentence.
. "$(dirname "$0")/lib.sh"

# 60 documents of three classes and of any length: terms 1 to 4 belong to all, 5 to 7, 8 to 10 and 11 to 13 to one each.
awk 'BEGIN {
    for (i = 0; i < 60; i++) {
        n = 1 + i * 7 % 11
        for (t = 1; t <= 4; t++) a[i, t] = n * (1 + (i * 5 + t) % 4)
        for (t = 0; t < 2; t++) a[i, 5 + 3 * (i % 3) + (i + t) % 3] = n
        for (t = 1; t <= 13; t++) printf "%d%s", a[i, t], t < 13 ? "," : "\n" >"counts.csv"
        print i % 3 >"classes.txt"
    }
}'
expect 0 cluster counts.csv --labels classes.txt --tf-idf --method kmeans --param distance=cosine -o out.txt --json
holds '.scores.nmi == 1 and .tf_idf'

refuse 2 "--tf-idf needs a table" cluster --kernel counts.csv -k 3 --tf-idf
refuse 2 "exclude each other" cluster counts.csv -k 3 --tf-idf --standardise
printf '1,2\n-1,3\n' >negative.csv
refuse 3 "column 1 of row 2 is -1" cluster negative.csv -k 2 --tf-idf
printf '1,0\n0,1\n0,0\n' >zeros.csv
refuse 2 "row 3 is all zeros" cluster zeros.csv -k 2 --method kmeans --param distance=cosine
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n3 2 1\n' >sparse.mtx
refuse 3 "MatrixMarket" cluster sparse.mtx -k 2
refuse 3 "MatrixMarket" cluster --graph sparse.mtx -k 2
exit 0
