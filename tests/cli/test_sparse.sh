#!/bin/bash
# segment cluster: sparse tables of counts, tf-idf and cosine, as the dense table gives them; what is unfit is one sentence.
. "$(dirname "$0")/lib.sh"

# 60 documents of three classes and of any length: terms 1 to 4 belong to all, 5 to 7, 8 to 10 and 11 to 13 to one each.
awk 'BEGIN {
    for (i = 0; i < 60; i++) {
        n = 1 + i * 7 % 11
        for (t = 1; t <= 4; t++) a[i, t] = n * (1 + (i * 5 + t) % 4)
        for (t = 0; t < 2; t++) a[i, 5 + 3 * (i % 3) + (i + t) % 3] = n
        for (t = 1; t <= 13; t++) {
            printf "%d%s", a[i, t], t < 13 ? "," : "\n" >"dense.csv"
            if (a[i, t]) list[++m] = (i + 1) " " t " " a[i, t]
        }
        print i % 3 >"classes.txt"
    }
    print "%%MatrixMarket matrix coordinate integer general\n60 13 " m >"sparse.mtx"
    for (e = m; e >= 1; e--) print list[e] >"sparse.mtx"
}'
gzip -k sparse.mtx

for how in "--method kmeans --standardise" "--method kmeans --tf-idf" "--method kmeans --param distance=cosine --tf-idf" \
    "--method pckmeans --param distance=cosine --sample 3 --labels classes.txt" "--method ncut --knn 5 --tf-idf"; do
    # shellcheck disable=SC2086 # words on purpose
    expect 0 cluster dense.csv -k 3 $how
    cp .out dense.txt
    for data in sparse.mtx sparse.mtx.gz -; do
        # shellcheck disable=SC2086
        expect 0 cluster $data -k 3 $how <sparse.mtx
        cmp -s .out dense.txt || fail "not as the dense table: $LAST"
    done
done
expect 0 cluster sparse.mtx --labels classes.txt --tf-idf --method kmeans --param distance=cosine -o out.txt --json
holds '.scores.nmi == 1 and .tf_idf'

refuse 2 "--tf-idf needs a table" cluster --kernel dense.csv -k 3 --tf-idf
refuse 2 "exclude each other" cluster sparse.mtx -k 3 --tf-idf --standardise
refuse 3 "file of their own" cluster sparse.mtx --labels last
printf '1,2\n-1,3\n' >negative.csv
refuse 3 "column 1 of row 2 is -1" cluster negative.csv -k 2 --tf-idf
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n2 2 1\n' >zeros.mtx
refuse 2 "row 3 is all zeros" cluster zeros.mtx -k 2 --method kmeans --param distance=cosine
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n4 2 1\n' >outside.mtx
refuse 3 "outside.mtx:4: column 1, '4'" cluster outside.mtx -k 2
printf '%%%%MatrixMarket matrix coordinate real general\n30000 30000 1\n1 1 1\n' >large.mtx
refuse 6 'limit is' cluster large.mtx -k 2 --max-memory 300M
exit 0
