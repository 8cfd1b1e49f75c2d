#!/bin/bash
# Build the fuzzers (clang, address and undefined-behaviour sanitizers) and run them, each beginning with its corpus.
#
#     scripts/fuzz.sh [--seconds N | --runs N] [--total N] [--jobs N] [--merge] [-D...] [TARGET...]
#     scripts/fuzz.sh --count
#
# --seconds N  for each target (default 60)
# --runs N     executions of each target instead, the same ones every time
# --total N    rounds over the targets until they were executed N times in all; a run that was ended goes on where it
#              was. Leaks are searched in every fourth round, beginning with the first: that is slow
# --jobs N     targets at once (default 1)
# --merge      write tests/fuzz/corpus/TARGET.tar.gz anew: of its seeds and of what was found, no larger than 4 kB,
#              those that reach branches which the named files of tests/fuzz/corpus/TARGET do not
# --count      the table of what --total has executed until now
# -D...        for cmake, which builds in build-fuzz/
# TARGET       fuzz_TARGET.c; default all
#
# Finds go to build-fuzz/finds/TARGET/, inputs that break something to build-fuzz/broken/. A table of the executions
# goes to standard output; the exit code is 1 where anything was found.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=(-max_total_time=60)
merge="" total="" jobs=1 count=""
targets=() settings=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds | --runs | --total | --jobs)
        [[ ${2-} =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: $1 takes a number" >&2; exit 2; }
        case $1 in
        --seconds) limit=("-max_total_time=$2") ;;
        --runs) limit=("-runs=$2" -seed=1) ;;
        --total) total=$2 ;;
        --jobs) jobs=$2 ;;
        esac
        shift
        ;;
    --merge) merge=1 ;;
    --count) count=1 ;;
    -D*) settings+=("$1") ;;
    -*)
        echo "fuzz.sh: no option '$1'; see the head of the script" >&2
        exit 2
        ;;
    *) targets+=("$1") ;;
    esac
    shift
done
if [ ${#targets[@]} -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.c; do
        name=${source##*/fuzz_}
        targets+=("${name%.c}")
    done
fi

# Rows of --total: ROUND TARGET EXECUTIONS SECONDS BRANCHES FINDING.
rows=build-fuzz/rounds.txt

executed() {
    if [ -f "$rows" ]; then awk '{ sum += $3 } END { printf "%.0f\n", sum }' "$rows"; else echo 0; fi
}

table_of_rounds() {
    awk '
    { runs[$2] += $3; seconds[$2] += $4; rounds[$2]++; finds[$2] += $6 != "none" }
    $5 != "?" { branches[$2] = $5 }
    END {
        printf "%-12s %12s %8s %9s %9s %7s\n", "target", "executions", "rounds", "minutes", "branches", "finds"
        for (target in runs) {
            printf "%-12s %12.0f %8d %9.1f %9s %7d\n", target, runs[target], rounds[target], seconds[target] / 60,
                   branches[target], finds[target] | "sort"
            all += runs[target]; time += seconds[target]; found += finds[target]
        }
        close("sort")
        printf "%-12s %12.0f %8s %9.1f %9s %7d\n", "total", all, "", time / 60, "", found
    }' "$rows"
}

if [ -n "$count" ]; then
    [ -f "$rows" ] || { echo "fuzz.sh: no run with --total here yet" >&2; exit 1; }
    table_of_rounds
    exit 0
fi

scripts/install-packages.sh build check
mkdir -p build-fuzz
# Many executions: comparisons are not traced, which takes two thirds of the time of whatever loops over pixels.
optimization=-O1 untraced=''
[ -z "$total" ] || optimization=-O2 untraced=-fno-sanitize-coverage=trace-cmp
# With the sanitizers a program is large, and there are nearly two hundred: a third of the time to link.
linker=(-DCMAKE_{EXE,SHARED,MODULE}_LINKER_FLAGS=-fuse-ld=lld)
cmake -S . -B build-fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DSEGMENT_FUZZ=ON -DSEGMENT_SANITIZE=ON -DCMAKE_BUILD_TYPE=Fuzz \
    -DCMAKE_C_FLAGS_FUZZ="$optimization" -DSEGMENT_FUZZ_FLAGS="$untraced" "${linker[@]}" "${settings[@]}" >/dev/null
cmake --build build-fuzz --target "${targets[@]/#/fuzz_}" >build-fuzz/build.log || { cat build-fuzz/build.log; exit 1; }

# Where memory is refused, the reader must say so; what allocators print about it is not a finding. Little is kept of what
# was freed, and of who allocated it: inputs are small.
# Of C++'s library, which clang links before the sanitizer's, only the fuzzer itself asks anything.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=4:malloc_context_size=4:verify_asan_link_order=0
[ -z "$total" ] || ASAN_OPTIONS=${ASAN_OPTIONS/size_mb=4:malloc_context_size=4/size_mb=1:malloc_context_size=1}
export UBSAN_OPTIONS=print_stacktrace=1
fuzzers=$PWD/build-fuzz/tests/fuzz
mkdir -p build-fuzz/broken

longest() { # input of a target: short where the format is
    case $1 in
    number) echo 64 ;;
    spec | exif) echo 256 ;;
    labelmap | labels | edges | kernel | pairs | gt | scribbles | options) echo 512 ;;
    *) echo 4096 ;;
    esac
}

# What the log says of a failure. A timeout is one only where the input takes as long again: a machine that others use
# may have stopped the process.
finding_of() {
    local target=$1 log=$2 input
    input=$(sed -n 's/^artifact_prefix=.*Test unit written to //p' "$log" | tail -n 1)
    if [[ $input == *-timeout-* ]] && "$fuzzers/fuzz_$target" -timeout=20 "$input" >/dev/null 2>&1; then
        rm -f "$input"
        echo none
    else
        grep -m 1 -oE 'does not hold.*|runtime error.*|(Address|Leak)Sanitizer: .*|libFuzzer: .*' "$log" || echo "see $log"
    fi
}

# TARGET OPTION...: branches alone count, not how often: a few files say as much to those who replay them. The archive of
# the same seeds is the same to the byte.
write_seeds() {
    local target=$1 kept
    shift
    kept=$(mktemp -d)
    cp "tests/fuzz/corpus/$target"/* "$kept"
    "$fuzzers/fuzz_$target" "$@" -use_counters=0 -set_cover_merge=1 "$kept" "$fuzzers/corpus/$target" "build-fuzz/finds/$target"
    find "$kept" -type f \( -size +4095c -o -not -name "$(printf '[0-9a-f]%.0s' {1..40})" \) -delete
    find "$kept" -type f -printf '%f\n' | LC_ALL=C sort >"$kept.list"
    rm -f "tests/fuzz/corpus/$target.tar.gz"
    if [ -s "$kept.list" ]; then # else the named files are enough
        tar -C "$kept" -T "$kept.list" --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 --format=ustar -c |
            gzip -9n >"tests/fuzz/corpus/$target.tar.gz"
    fi
    rm -r "$kept" "$kept.list"
}

# TARGET LEAKS: run it once; the row of the table goes to standard output, or to the rows of --total.
run_target() {
    local target=$1 leaks=$2 round=$3
    local finds=build-fuzz/finds/$target named=tests/fuzz/corpus/$target log=build-fuzz/$target.log
    local options=(-timeout=5 -rss_limit_mb=2048 "-max_len=$(longest "$target")" "-detect_leaks=$leaks"
        "-artifact_prefix=build-fuzz/broken/$target-")
    local findings=none runs speed branches began=$SECONDS
    mkdir -p "$finds" "$fuzzers/corpus/$target"
    [ ! -f "tests/fuzz/$target.dict" ] || options+=("-dict=tests/fuzz/$target.dict")
    # libheif 1.15 and dav1d lose some blocks of damaged AVIF images, which are not ours to free, nor is what GLib keeps.
    local asan=$ASAN_OPTIONS
    if [ "$target" = vips ]; then
        options+=(-detect_leaks=0)
        asan+=:detect_leaks=0
    fi
    ASAN_OPTIONS=$asan "$fuzzers/fuzz_$target" "${options[@]}" "${limit[@]}" -print_final_stats=1 "$finds" "$named" \
        "$fuzzers/corpus/$target" >"$log" 2>&1 ||
        findings=$(finding_of "$target" "$log")
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    branches=$(grep -aoE 'cov: [0-9]+' "$log" | tail -n 1 | cut -c6- || true)
    if [ -n "$total" ]; then
        echo "$round $target ${runs:-0} $((SECONDS - began)) ${branches:-?} $findings" >>"$rows"
    fi
    printf '%-12s %12s %9s %9s  %s\n' "$target" "${runs:-?}" "${speed:-?}" "${branches:-?}" "$findings"
    if [ -n "$merge" ]; then
        write_seeds "$target" "${options[@]}" >>"$log" 2>&1 || findings="the seeds were not merged, see $log"
    fi
}

# LEAKS ROUND: each target once, `jobs` at a time.
run_round() {
    local target
    for target in "${targets[@]}"; do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
            wait -n
        done
        run_target "$target" "$1" "$2" &
    done
    wait
}

printf '%-12s %12s %9s %9s  %s\n' target executions exec/s branches findings
if [ -n "$total" ]; then
    round=$([ -f "$rows" ] && awk 'END { print $1 }' "$rows" || echo 0)
    while [ "$(executed)" -lt "$total" ]; do
        round=$((round + 1))
        run_round $((round % 4 == 1)) "$round"
        # A target that has found something would find it again: the others go on.
        mapfile -t targets < <(for target in "${targets[@]}"; do
            awk -v r="$round" -v t="$target" '$1 == r && $2 == t && $6 != "none" { bad = 1 } END { exit bad }' "$rows" &&
                echo "$target"
        done || true)
        [ ${#targets[@]} -gt 0 ] || break
    done
    table_of_rounds
    found=$(awk '$6 != "none"' "$rows" | wc -l)
else
    run_round 1 1 | tee build-fuzz/table.txt
    awk '{ sum += $2 } END { printf "%-12s %12.0f\n", "total", sum }' build-fuzz/table.txt
    found=$(awk '$5 != "none"' build-fuzz/table.txt | wc -l)
fi
if [ "$found" -gt 0 ]; then
    echo "$found runs found something: build-fuzz/broken/ has the inputs, build-fuzz/TARGET.log says what" >&2
    exit 1
fi
