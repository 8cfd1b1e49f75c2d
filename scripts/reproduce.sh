#!/bin/bash
# Run the experiments behind the claims of the papers again (docs/results.md, "Claims of the papers"): a folder with tables
# and figures for each run, and a page of all, OUT/index.md.
#
#     scripts/reproduce.sh [--quick] SEGMENT SETS OUT [RUN...]
#
# SETS   a folder of tables, NAME.csv or NAME.csv.gz, with the class in the last column; a run whose tables are not all
#        there is left out, which the page says
# OUT    is created; an interrupted run continues where it stopped
# RUN    E, E10, U, U10, A, AP, S, L, LS, H, HI, C, CI, T, D or K; all, unless named
#
# --quick: two draws in place of the papers' numbers, without U, U10, AP and LS; some ten minutes on two processors.
set -euo pipefail
export LC_ALL=C

# run | tables | experiment and methods | numbers of draws and labellings
SPECTRAL=ncut,spectral-learning:paper,sskk:paper,sskk:paper:start=random,ccsr:paper,ccskl:paper
GRAPHS=ncut,ccskl:paper,ccsr:paper
KERNELS=kmeans,sskk:paper,pcp:paper,tragek:paper
FOLDS=hmrf-kmeans:paper,kernel-hmrf-kmeans:paper,kernel-hmrf-kmeans:paper:kernel=exponential,sskk:paper:objective=association
FOLDS+=,sskk:paper:objective=ratio-cut,sskk:paper,spectral-learning:paper
PRINTED=random:pckmeans:paper,explore:pckmeans:paper,explore-consolidate:pckmeans:paper,minmax:pckmeans:paper
NAMED="iris wdbc sonar protein"
SMALL="glass heart iris protein sonar soybean-small wine"
ACTIVE="iris wine protein heart digital04 wdbc"
TWENTY="--realizations 20 --restarts 10"
RUNS="E|$NAMED|error-curve --methods $SPECTRAL|--full
E10|$NAMED|error-curve --starts 10 --methods $SPECTRAL|--realizations 10 --restarts 5
U|usps|error-curve --methods $GRAPHS --sizes 3000,11000 --widths 0.325,0.55,1|--realizations 50 --restarts 50
U10|usps|error-curve --methods $GRAPHS --sizes 1100,11000 --starts 10 --widths 0.325,0.55,1|--realizations 50 --restarts 50
A|$SMALL|accuracy-curve --methods $KERNELS,pcp,tragek,enpakl --sizes 10,30,50,70,100|$TWENTY
AP|$SMALL|accuracy-curve --methods enpakl:paper,tragek:paper,kmeans --sizes 10,50,100|$TWENTY
S||accuracy-curve --methods $KERNELS,enpakl:paper:solver=descend,pcp,tragek,enpakl --sizes 10,30,50,100|$TWENTY
L|digital04 wdbc|accuracy-curve --methods kmeans,sskk:paper,enpakl1:paper:solver=descend,enpakl1 --param B=100 --param R=100 --sizes 100,200,300,400,500|$TWENTY
LS|wdbc|accuracy-curve --methods kmeans,pcp-sample,tragek:paper --sizes 100,250,500|$TWENTY
H|iris wine protein digital04|held-out --methods $FOLDS|--full
HI|iris wine protein digital04|held-out|--full
C|$ACTIVE|active-curve --methods $PRINTED|--realizations 50
CI|$ACTIVE|active-curve --methods random,explore,explore-consolidate,minmax|--realizations 50
T|heart|running-time --jobs 1 --restart --methods pcp:paper,tragek:paper,enpakl:paper:solver=descend,enpakl1:paper,enpakl1,enpakl,ccskl:paper,ccsr:paper --sizes 10,25,50,75,100|--realizations 3
D|iris wdbc digital04|distances --methods data,$GRAPHS|--realizations 10
K||kernels|--realizations 5"
QUICK="--realizations 2 --restarts 2"
LEFT_OUT=" U U10 AP LS "

# table FILE COLUMN VALUE STATISTIC FORMAT: of FILE's fields a table with a row for each method, which is field 2, and a column
# for each value of field COLUMN; in it the mean, or the median times 1000, of field VALUE.
table() {
    { sed -n 1p "$1"; tail -n +2 "$1" | sort -s -t , -k "$3,$3g"; } | awk -F , -v by="$2" -v value="$3" -v statistic="$4" -v format="$5" '
    NR == FNR {
        if (FNR > 1 && !($by in columns)) { columns[$by] = ++last; column[last] = $by }
        if (FNR > 1 && !($2 in methods)) { methods[$2] = ++rows; method[rows] = $2 }
        next
    }
    FNR > 1 { n = ++count[$by, $2]; sum[$by, $2] += $value; sorted[$by, $2, n] = $value }
    END {
        printf "| %s |", statistic
        for (c = 1; c <= last; c++) printf " %s |", column[c]
        printf "\n|---|"
        for (c = 1; c <= last; c++) printf "---|"
        for (r = 1; r <= rows; r++) {
            printf "\n| `%s` |", method[r]
            for (c = 1; c <= last; c++) {
                n = count[column[c], method[r]]
                key = column[c] SUBSEP method[r] SUBSEP
                median = 500 * (sorted[key int((n + 1) / 2)] + sorted[key int(n / 2) + 1])
                if (n) printf " " format " |", statistic == "mean" ? sum[column[c], method[r]] / n : median
                else printf "  |"
            }
        }
        print ""
    }' "$1" -
}

quick=
if [ "${1:-}" = --quick ]; then
    quick=1
    shift
fi
[ $# -ge 3 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
segment=$1 sets=$2 out=$3
shift 3
chosen=" $* "
for run in "$@"; do
    grep -q "^$run|" <<<"$RUNS" || { echo "reproduce.sh: there is no run $run; the runs are: $(cut -d'|' -f1 <<<"$RUNS" | paste -sd' ')" >&2; exit 2; }
done
[ -d "$sets" ] || { echo "reproduce.sh: no folder $sets; name the one with the tables" >&2; exit 2; }
mkdir -p "$out"
page=$out/index.md
{
    echo "# Claims of the papers, run again"
    echo
    echo "$("$segment" --version | head -n 1), $(date -u +%F)${quick:+, quick: two draws}"
} >"$page.new"

while IFS='|' read -r run tables what draws; do
    { [ $# -eq 0 ] || [[ $chosen == *" $run "* ]]; } || continue
    printf '\n## %s\n\n' "$run" >>"$page.new"
    if [ -n "$quick" ] && [[ $LEFT_OUT == *" $run "* ]]; then
        echo "Left out of the quick runs: it takes too long." >>"$page.new"
        continue
    fi
    data=() missing=
    for name in $tables; do
        for file in "$sets/$name.csv" "$sets/$name.csv.gz" ""; do
            [ -z "$file" ] || [ ! -e "$file" ] || break
        done
        if [ -z "$file" ]; then
            missing+=" $name.csv"
        elif [ "${file%.gz}" = "$file" ]; then
            data+=(--data "$file")
        else
            [ -e "$out/$name.csv" ] || gzip -dc "$file" >"$out/$name.csv"
            data+=(--data "$out/$name.csv")
        fi
    done
    if [ -n "$missing" ]; then
        echo "Left out: not in the folder of the tables:$missing." >>"$page.new"
        echo "reproduce.sh: $run is left out, $sets has no$missing" >&2
        continue
    fi
    # shellcheck disable=SC2206 # the fields of the table hold several words
    words=($what ${quick:+$QUICK} ${draws:+$([ -n "$quick" ] || echo "$draws")})
    echo "reproduce.sh: $run: segment experiment ${words[*]}" >&2
    begun=$SECONDS
    "$segment" experiment "${words[@]}" "${data[@]}" --out "$out/$run" -q
    {
        printf '    segment experiment %s\n\n' "${words[*]}"
        echo "$(($(wc -l <"$out/$run/$([ -e "$out/$run/results.csv" ] && echo results || echo times).csv") - 1)) items, $((SECONDS - begun)) s."
        [ ${#data[@]} -eq 0 ] || echo
        for file in "${data[@]}"; do
            [ "$file" = --data ] || echo "* $(basename "$file"), sha256 $(sha256sum <"$file" | cut -c1-16)"
        done
        echo
        for file in "$out/$run"/*.svg; do
            [ -e "$file" ] || continue
            name=$(basename "$file" .svg)
            printf '![%s](%s/%s.svg)\n\n' "$name" "$run" "$name"
            if [ "$name" = time ]; then # medians in milliseconds, by the numbers of constraints
                table "$out/$run/times.csv" 3 5 "median, ms" %.1f
            else # means over all numbers of constraints, by the sets
                table "${file%.svg}.csv" 1 6 mean %.3f
            fi
            echo
        done
    } >>"$page.new"
done <<<"$RUNS"
mv "$page.new" "$page"
echo "$page"
