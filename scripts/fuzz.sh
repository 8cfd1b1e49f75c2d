#!/bin/bash
# Build the fuzzers (clang, address and undefined-behaviour sanitizers) and run them, each beginning with its corpus.
#
#     scripts/fuzz.sh [--seconds N | --runs N] [--merge] [TARGET...]
#
# --seconds N  for each target (default 60)
# --runs N     executions of each target instead, the same ones every time
# --merge      take what reaches new branches into tests/fuzz/corpus, where it is no larger than 4 kB
# TARGET       fuzz_TARGET.c; default all
#
# Finds go to build-fuzz/finds/TARGET/, inputs that break something to build-fuzz/broken/. A table of the executions
# goes to standard output; the exit code is 1 where anything was found.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=(-max_total_time=60)
merge=
targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds | --runs)
        [[ ${2-} =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: $1 takes a number" >&2; exit 2; }
        [ "$1" = --runs ] && limit=("-runs=$2" -seed=1) || limit=("-max_total_time=$2")
        shift
        ;;
    --merge) merge=1 ;;
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

scripts/install-packages.sh build check
cmake -S . -B build-fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DSEGMENT_FUZZ=ON -DCMAKE_BUILD_TYPE=Fuzz \
    -DCMAKE_C_FLAGS_FUZZ=-O1 >/dev/null
cmake --build build-fuzz --target "${targets[@]/#/fuzz_}" >build-fuzz/build.log || { cat build-fuzz/build.log; exit 1; }

# Where memory is refused, the reader must say so; what allocators print about it is no finding. Little is kept of what
# was freed, and of who allocated it: inputs are small.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=4:malloc_context_size=4
export UBSAN_OPTIONS=print_stacktrace=1
fuzzers=build-fuzz/tests/fuzz
mkdir -p build-fuzz/broken

longest() { # input of a target: short where the format is
    case $1 in
    number) echo 64 ;;
    spec | exif) echo 256 ;;
    labelmap | labels | edges | kernel | pairs | gt | marks | options) echo 512 ;;
    *) echo 4096 ;;
    esac
}

total=0 found=0
printf '%-12s %12s %9s %9s  %s\n' target executions exec/s branches findings
for target in "${targets[@]}"; do
    finds=build-fuzz/finds/$target corpus=tests/fuzz/corpus/$target log=build-fuzz/$target.log
    options=(-timeout=5 -rss_limit_mb=2048 "-max_len=$(longest "$target")" "-artifact_prefix=build-fuzz/broken/$target-")
    mkdir -p "$finds"
    [ ! -f "tests/fuzz/$target.dict" ] || options+=("-dict=tests/fuzz/$target.dict")
    findings=none
    "$fuzzers/fuzz_$target" "${options[@]}" "${limit[@]}" -print_final_stats=1 "$finds" "$corpus" >"$log" 2>&1 || {
        findings=$(grep -m 1 -oE 'does not hold.*|runtime error.*|(Address|Leak)Sanitizer: .*|libFuzzer: .*' "$log" || echo "see $log")
        found=$((found + 1))
    }
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    branches=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -c6- || true)
    total=$((total + ${runs:-0}))
    printf '%-12s %12s %9s %9s  %s\n' "$target" "${runs:-?}" "${speed:-?}" "${branches:-?}" "$findings"
    if [ -n "$merge" ]; then
        # Branches alone, not how often: a few files say as much to those who replay them.
        "$fuzzers/fuzz_$target" "${options[@]}" -use_counters=0 -merge=1 "$corpus" "$finds" >>"$log" 2>&1 || true
        find "$corpus" -type f -size +4095c -delete
    fi
done
printf '%-12s %12s\n' total "$total"
if [ "$found" -gt 0 ]; then
    echo "$found of ${#targets[@]} targets found something: build-fuzz/broken/ has the inputs, build-fuzz/TARGET.log says what" >&2
    exit 1
fi
