#!/bin/bash
# Seconds, memory and NMI of methods on tables of 10,000 to 1,000,000 rows x 20 columns with 1,000 pairs, as CSV;
# `segment_bench curves` draws it.
#
#     tests/bench/samples.sh BUILD FOLDER [METHOD...] > samples.csv       FOLDER: for 190 megabytes of tables
#     segment_bench curves --figure samples samples.csv
set -euo pipefail
export LC_ALL=C

build=$(realpath "$1")
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
shift 2
[ $# -gt 0 ] || set -- enpakl ccskl ccsr sskk pckmeans

echo "method,rows,wall_s,cpu_s,peak_mib,nmi"
for rows in 10000 100000 1000000; do
    [ -f "$folder/$rows/pairs.csv" ] || python3 "$here/mixture.py" $rows 20 10 "$folder/$rows" --spread 1
    for method in "$@"; do
        /usr/bin/time -o "$folder/time" -f "%e %U %S %M" "$build/segment" cluster "$folder/$rows/mixture.npy" -k 10 -q --json \
            --labels "$folder/$rows/labels.txt" --constraints "$folder/$rows/pairs.csv" --method "$method" \
            -o "$folder/labels-out.txt" >"$folder/report.json"
        tail -n 1 "$folder/time" | awk -v m="$method" -v n=$rows -v nmi="$(jq .scores.nmi "$folder/report.json")" \
            '{ printf "%s,%d,%.2f,%.2f,%.0f,%.4f\n", m, n, $1, $2 + $3, $4 / 1024, nmi }'
    done
done
