#!/bin/bash
# Measure the times behind the claims of the papers, row T of docs/results.md, in one run: a table of methods and numbers
# of constraints, medians of the draws in milliseconds of processor time.
#
#     scripts/claim-times.sh SEGMENT heart.csv [OUT [OPTION...]]
#
# OUT: the folder of the experiment (claim-times); OPTION: of `segment experiment running-time`. ENPAKL as printed is run with
# solver=descend: by the projections of Algorithm 2 it takes some 20 s for each figure.
set -euo pipefail
export LC_ALL=C
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
segment=$1 data=$2 out=${3:-claim-times}
shift "$(($# > 3 ? 3 : $#))"
"$segment" experiment running-time --data "$data" --out "$out" --jobs 1 --restart -q --sizes 10,25,50,75,100 --realizations 3 \
    --methods pcp:paper,tragek:paper,enpakl:paper:solver=descend,enpakl1:paper,enpakl1,enpakl,ccskl:paper,ccsr:paper \
    "$@" > /dev/null
tail -n +2 "$out/times.csv" | sort -t , -k 2,2 -k 3,3n -k 5,5g | awk -F , '
{
    if (!($2 in row)) { row[$2] = ++rows; name[rows] = $2 }
    if (!($3 in column)) { column[$3] = ++columns; size[columns] = $3 }
    cell = $2 "," $3
    value[cell, ++count[cell]] = 1000 * $5
}
END {
    printf "| milliseconds, constraints a class |"
    for (c = 1; c <= columns; c++) printf " %s |", size[c]
    printf "\n|---|"
    for (c = 1; c <= columns; c++) printf "---|"
    for (r = 1; r <= rows; r++) {
        printf "\n| `%s` |", name[r]
        for (c = 1; c <= columns; c++) {
            cell = name[r] "," size[c]
            m = count[cell]
            printf " %.*f |", 1, m ? (value[cell, int((m + 1) / 2)] + value[cell, int(m / 2) + 1]) / 2 : 0
        }
    }
    print ""
}'
