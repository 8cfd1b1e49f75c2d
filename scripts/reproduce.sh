#!/bin/bash
# Run the experiments behind the claims of the papers again (docs/results.md, "Claims of the papers"; docs/report): a folder
# with tables and figures for each run, and a page of all, OUT/index.md. scripts/report-pages.py puts them into docs.
#
#     scripts/reproduce.sh [--quick | --draws N] SEGMENT SETS OUT [RUN...]
#
# SETS   a folder of tables, NAME.csv or NAME.csv.gz, with the class in the last column, and of images, msrc/Images and
#        msrc/GroundTruth; a run whose data are not all there is left out, which the page says. Letters, digits, texts and
#        networks of packages are made in OUT/made where SETS lacks them and the packages are installed
# OUT    is created; an interrupted run continues where it stopped
# RUN    RUNS; all, unless named
#
# --quick: two draws in place of the papers' numbers, without LEFT; ten to fifteen minutes on two processors.
# --draws N: N draws with five labellings each in place of the papers' numbers.
set -euo pipefail
export LC_ALL=C

# run | data | experiment and methods | numbers of draws and labellings
SPECTRAL=ncut,spectral-learning:paper,sskk:paper,sskk:paper:start=random,ccsr:paper,ccskl:paper
GRAPHS=ncut,ccskl:paper,ccsr:paper
KERNELS=kmeans,sskk:paper,pcp:paper,tragek:paper
FIG3=$KERNELS,enpakl:paper:solver=descend,enpakl
FIG4=kmeans,sskk:paper,enpakl1:paper:B=100:R=100,enpakl
FOLDS=hmrf-kmeans:paper,kernel-hmrf-kmeans:paper,kernel-hmrf-kmeans:paper:kernel=exponential,sskk:paper:objective=association
FOLDS+=,sskk:paper:objective=ratio-cut,sskk:paper,spectral-learning:paper
STRATEGIES=random,explore,explore-consolidate,minmax,npu,aipc
PRINTED=random:pckmeans:paper,explore:pckmeans:paper,explore-consolidate:pckmeans:paper,minmax:pckmeans:paper
CUTS=ncut,sskk:paper:objective=association,sskk:paper:objective=ratio-cut,sskk:paper,spectral-learning:paper,ccskl:paper,ccsr:paper
MANY=ncut,spectral-learning:paper,sskk:paper,ccskl:paper,ccskl:paper:m=100,ccsr:paper,ccsr:paper:m=60
IMAGE=kmeans,ncut,enpakl:paper:B=100:R=100:solver=descend:iterations=100000,enpakl
weights() { # METHOD WEIGHT...: random and active questions with each weight
    local method=$1 all=
    shift
    for w in "$@"; do all+=,random:$method:w=$w,explore-consolidate:$method:w=$w; done
    echo "${all:1}"
}
NAMED="iris wdbc sonar protein"
SMALL="glass heart iris protein sonar soybean-small wine"
ACTIVE="iris wine protein heart digital04 wdbc"
TWENTY="--realizations 20 --restarts 10"
TEN=10,20,30,40,50,60,70,80,90,100
WIDER=0.325,0.55,0.775,1,3.25,5.5,7.75,10
QUESTIONS=10,20,50,100,200,300,400,500,700,1000
RUNS="E|$NAMED|error-curve --methods $SPECTRAL|--full
E10|$NAMED|error-curve --starts 10 --methods $SPECTRAL|--realizations 10 --restarts 5
U|usps|error-curve --methods $GRAPHS --sizes 3000,11000 --widths 0.325,0.55,1|--realizations 50 --restarts 50
U10|usps|error-curve --methods $GRAPHS --sizes 1100,11000 --starts 10 --widths 0.325,0.55,1|--realizations 50 --restarts 50
UE|usps|error-curve --methods $SPECTRAL --widths $WIDER|--realizations 50 --restarts 50
UT|usps|error-curve --methods $SPECTRAL|--realizations 5 --restarts 50
UN|usps|error-curve --methods $SPECTRAL --widths 0.1|--realizations 50 --restarts 50
UF|fashion-04|error-curve --methods $SPECTRAL --widths 0.55,1,3.25 --sizes 1000,3000,5000,7000|--realizations 50 --restarts 50
A|$SMALL|accuracy-curve --methods $KERNELS,pcp,tragek,enpakl --sizes 10,30,50,70,100|$TWENTY
AT|$SMALL|accuracy-curve --methods $FIG3 --sizes $TEN|$TWENTY
AP|$SMALL|accuracy-curve --methods enpakl:paper,tragek:paper,kmeans --sizes 10,50,100|$TWENTY
S||accuracy-curve --methods $KERNELS,enpakl:paper:solver=descend,pcp,tragek,enpakl --sizes 10,30,50,100|$TWENTY
ST||accuracy-curve --methods $FIG3 --sizes $TEN|$TWENTY
L|digital04 wdbc|accuracy-curve --methods kmeans,sskk:paper,enpakl1:paper,enpakl1 --param B=100 --param R=100 --sizes 100,200,300,400,500|$TWENTY
LT|wdbc digital04|accuracy-curve --methods $FIG4 --sizes 100,150,200,250,300,350,400,450,500|$TWENTY
LW|waveform|accuracy-curve --methods $FIG4 --sizes 250,300,350,400,450,500,550,600,650|$TWENTY
LS|wdbc|accuracy-curve --methods kmeans,pcp-sample,tragek:paper --sizes 100,250,500|$TWENTY
H|iris wine protein digital04|held-out --methods $FOLDS|--full
HC||held-out --methods $FOLDS|--full
HL|digits-389 letters-ijl protein|held-out --methods $FOLDS|--full
HI|iris wine protein digital04|held-out|--full
N|karate.edges davis.edges lesmis.edges spatial.edges spatial-kernel.csv|held-out --methods $CUTS --sizes 0,20,50,100,200,300,400|--full
NT|spatial.edges|running-time --jobs 1 --restart --methods sskk:paper,spectral-learning:paper,ccskl:paper,ccsr:paper --sizes 10,50|--realizations 3
C|$ACTIVE|active-curve --methods $PRINTED|--realizations 50
CI|$ACTIVE|active-curve --methods random,explore,explore-consolidate,minmax|--realizations 50
CQ|$ACTIVE glass ionosphere sonar soybean-small waveform-third usps-tenth|active-curve --methods $STRATEGIES --sizes 10,30,60,100,200,300|--realizations 50 --restarts 1
B|iris|active-curve --methods $(weights pckmeans:paper 0 1 1e12) --sizes 5,$QUESTIONS|--realizations 50
BT|licences kinds|active-curve --tf-idf --methods $(weights pckmeans:paper:distance=cosine 0 0.001 1e12) --sizes $QUESTIONS|--realizations 20
BO|iris|active-curve --methods $(weights pckmeans:paper 0 1) --sizes 5,$QUESTIONS|--realizations 50
BU|licences kinds|active-curve --tf-idf --methods $(weights pckmeans:paper:distance=cosine 0 0.001) --sizes $QUESTIONS|--realizations 20
BE|licences kinds|active-curve --tf-idf --methods $PRINTED --param distance=cosine --param w=0.001 --sizes $QUESTIONS|--realizations 20
M|letters hundred|error-curve --methods $MANY --widths 0.55,1,3.25 --sizes 1000,5000,20000|--realizations 5 --restarts 10
MT|letters hundred usps|running-time --jobs 1 --restart --methods $MANY --sizes 1,2,5|--realizations 3
T|heart|running-time --jobs 1 --restart --methods pcp:paper,tragek:paper,enpakl:paper:solver=descend,enpakl1:paper,enpakl1,enpakl,ccskl:paper,ccsr:paper --sizes 10,25,50,75,100|--realizations 3
TA||running-time --jobs 1 --restart --methods pcp:paper,tragek:paper --sizes $TEN|--realizations 3
TW|wdbc|running-time --jobs 1 --restart --methods tragek:paper,enpakl:paper:B=100:R=100:solver=descend,enpakl --sizes 100,200,300,400,500|--realizations 3
D|iris wdbc digital04|distances --methods data,$GRAPHS|--realizations 10
DU|usps|distances --methods data,$GRAPHS|--realizations 1
K||kernels|--realizations 5
I|msrc|eval --pairs 50 --features histogram --patch 5 --graph knn --knn 20 --refine none --methods $IMAGE|
IA|msrc|eval --pairs 50 --features histogram --patch 5 --graph knn --knn 20 --refine none --methods $IMAGE,enpakl:paper:B=100:R=100|"
QUICK="--realizations 2 --restarts 2"
LEFT_OUT=" U U10 UE UT UN UF AT AP ST LT LW LS M MT TW DU IA "

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

# made NAME: the file of a set that packages hold, made in OUT/made, or nothing where they are not installed.
made() {
    local to=$out/made
    mkdir -p "$to"
    case $1 in
    letters*.csv | digits-389.csv | fashion-04.csv | hundred.csv) script=sets ;;
    kinds.csv | licences.csv) script=texts ;;
    *.edges | spatial-kernel.csv) script=networks ;;
    waveform-third.csv | usps-tenth.csv) # every third row, every tenth
        local whole=$sets/${1%-*}.csv step=3
        [[ $1 == waveform* ]] || step=10
        [ -e "$whole" ] || [ ! -e "$whole.gz" ] || whole+=.gz
        [ ! -e "$whole" ] || gzip -dcf "$whole" | awk "NR % $step == 1" >"$to/$1"
        [ ! -s "$to/$1" ] || echo "$to/$1"
        return 0 ;;
    *) return 0 ;;
    esac
    if [ ! -e "$to/$script.log" ]; then
        case $script in
        sets) Rscript "$here/paper-sets.R" "$to" ;;
        texts) for name in kinds licences; do "$here/text-set.sh" "$to/$name" $name || rm -f "$to/$name.csv"; done ;;
        networks) /usr/bin/python3 "$here/networks.py" "$to" ;;
        esac </dev/null >"$to/$script.log" 2>&1 || true
    fi
    [ ! -s "$to/$1" ] || echo "$to/$1"
}

# one_in_three FOLDER TO: every third image of FOLDER, with its ground truth.
one_in_three() {
    mkdir -p "$2/Images" "$2/GroundTruth"
    find "$1/Images" -name '*_s.bmp' | sort | awk 'NR % 3 == 1' | while read -r image; do
        ln -sf "$(realpath "$image")" "$2/Images/"
        ln -sf "$(realpath "$1")/GroundTruth/$(basename "$image" .bmp)_GT.bmp" "$2/GroundTruth/"
    done
}

here=$(cd "$(dirname "$0")" && pwd)
names=$(cut -d'|' -f1 <<<"$RUNS" | paste -sd' ')
usage() {
    sed -n '2,17s/^# \{0,1\}//p' "$0" | sed "s/  RUNS; /  ${names// /, }; /; s/without LEFT/without${LEFT_OUT% }/"
    exit 2
}
quick='' said=''
if [ "${1:-}" = --quick ]; then
    quick=1 said=', quick: two draws'
    shift
elif [ "${1:-}" = --draws ]; then
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage >&2
    few="--realizations $2 --restarts 5" said=", $2 draws, five labellings each"
    shift 2
fi
[ $# -ge 3 ] || usage >&2
segment=$1 sets=$2 out=$3
shift 3
chosen=" $* "
for run in "$@"; do
    grep -q "^$run|" <<<"$RUNS" || { echo "reproduce.sh: there is no run $run; the runs are: $names" >&2; exit 2; }
done
[ -d "$sets" ] || { echo "reproduce.sh: no folder $sets; name the one with the tables" >&2; exit 2; }
mkdir -p "$out"
page=$out/index.md
{
    echo "# Claims of the papers, run again"
    echo
    echo "$("$segment" --version | head -n 1), $(date -u +%F)$said"
} >"$page.new"

while IFS='|' read -r run tables what draws; do
    { [ $# -eq 0 ] || [[ $chosen == *" $run "* ]]; } || continue
    printf '\n## %s\n\n' "$run" >>"$page.new"
    if [ -n "$quick" ] && [[ $LEFT_OUT == *" $run "* ]]; then
        echo "Left out of the quick runs: it takes too long." >>"$page.new"
        continue
    fi
    data=() files=() labels=() missing=
    for name in $tables; do
        [[ $name == *.* || $name == msrc ]] || name+=.csv
        file=
        for place in "$sets/$name" "$sets/$name.gz"; do
            [ -n "$file" ] || [ ! -e "$place" ] || file=$place
        done
        [ -n "$file" ] || file=$(made "$name")
        if [ -z "$file" ]; then
            missing+=" $name"
            continue
        fi
        files+=("$file")
        case $file in
        *msrc)
            one_in_three "$file" "$out/msrc"
            data+=("$out/msrc") files=() ;;
        *.edges) data+=(--graph "$file") labels+=(--labels "${file%.edges}.labels") ;;
        *-kernel.csv) data+=(--kernel "$file") labels+=(--labels "${file%-kernel.csv}.labels") ;;
        *.gz)
            [ -e "$out/$name" ] || gzip -dc "$file" >"$out/$name"
            data+=(--data "$out/$name") ;;
        *) data+=(--data "$file") ;;
        esac
    done
    if [ -n "$missing" ]; then
        echo "Left out: not in the folder of the tables:$missing." >>"$page.new"
        echo "reproduce.sh: $run is left out, $sets has no$missing" >&2
        continue
    fi
    # shellcheck disable=SC2206 # the fields of the table hold several words
    words=($what)
    if [ "${words[0]}" != eval ]; then
        # shellcheck disable=SC2206 # and these
        [ -n "$quick" ] && words+=($QUICK) || words+=(${few:-$draws})
        words=(experiment "${words[@]}")
    fi
    echo "reproduce.sh: $run: segment ${words[*]}" >&2
    begun=$SECONDS
    if ! "$segment" "${words[@]}" "${data[@]}" "${labels[@]}" --out "$out/$run" -q; then
        [ "${words[0]}" = eval ] || exit 1
    fi
    {
        names=("${data[@]##*/}" "${labels[@]##*/}")
        printf 'segment %s\n' "${words[*]}${names[*]:+ ${names[*]}}" >"$out/$run/command"
        printf '    %s\n\n' "$(cat "$out/$run/command")"
        echo "$(($(wc -l <"$out/$run/$([ -e "$out/$run/results.csv" ] && echo results || echo times).csv") - 1)) items, $((SECONDS - begun)) s."
        [ ${#files[@]} -eq 0 ] || echo
        for file in "${files[@]}"; do
            echo "* $(basename "$file"), sha256 $(sha256sum <"$file" | cut -c1-16)"
        done
        echo
        for file in "$out/$run"/*.svg; do
            [ -e "$file" ] || continue
            name=$(basename "$file" .svg)
            printf '![%s](%s/%s.svg)\n\n' "$name" "$run" "$name"
            if [ "$name" = time ]; then # medians in milliseconds, by the numbers of constraints
                table "$out/$run/times.csv" 3 5 "median, ms" %.1f
            else # means over all numbers of constraints, by the sets; then by the numbers
                table "${file%.svg}.csv" 1 6 mean %.3f
                echo
                "$here/report-pages.py" --table "${file%.svg}.csv"
            fi
            echo
        done
    } >>"$page.new"
done <<<"$RUNS"
mv "$page.new" "$page"
echo "$page"
