#!/bin/bash
# The same mask, overlay, probabilities and report (but for seconds and memory) for 1, 2 and 4 threads, run after run, from
# another folder, whatever OpenMP is told and whatever malloc leaves in memory. SEGMENT_LONG=1: all images, all
# methods, all refinements.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
inputs=$SOURCE/images
if [ "${SEGMENT_LONG:-0}" = 1 ]; then
    photos=$(basename -s .jpg -a "$inputs"/*.jpg)
    methods=$("$PROGRAM" methods --json | jq -r '.[].name')
    refines="none fast"
else
    photos=camera
    methods="auto"
    refines="fast"
fi

# run NAME PHOTO ARGUMENTS: files NAME.*
run() {
    local name=$1 photo=$2
    shift 2
    expect 0 "$inputs/$photo.jpg" --scribbles "$inputs/$photo-scribbles.png" -o "$name.mask" --overlay "$name.overlay" \
        --prob "$name.prob" --uncertainty "$name.uncertainty" --export svg="$name.svg" --save-run "$name.run" --json -q "$@"
    jq 'del(.stages, .seconds, .peak_memory, .plan, .outputs, .options.threads)' .out >"$name.report"
}
# same NAME NAME
same() {
    local kind
    for kind in mask overlay prob uncertainty svg run report; do
        cmp -s "$1.$kind" "$2.$kind" || fail "$1.$kind and $2.$kind are not the same: $LAST"
    done
}

for photo in $photos; do
    for method in $methods; do
        # What solves a semidefinite program, or compares all pairs, gets larger patches.
        case $method in
        tragek | pcp) patch=(--patch 40) ;;
        kernel-kmeans | kernel-hmrf-kmeans) patch=(--patch 12) ;;
        *) patch=() ;;
        esac
        for refine in $refines; do
            for threads in 1 2 4; do
                run $threads "$photo" --method "$method" --refine "$refine" --threads $threads "${patch[@]}"
            done
            same 1 2
            same 1 4
        done
    done
done

# The environment of the run.
bmp photo.bmp 96 64 't = (x * 7 + y * 13) % 11 * 3; if (x < 50) { r = 200 - t; g = 60 + t } else { g = 80 + t; b = 180 - t }'
bmp scribbles.bmp 96 64 'if (y >= 10 && y < 40) { if (x == 12) b = 255; if (x == 80) r = 255 }'
inputs=.
cp photo.bmp p.jpg && cp scribbles.bmp p-scribbles.png # told apart by content
for arguments in "" "--method enpakl" "--method ccskl" "--method ncut" "--method kmeans"; do
    # shellcheck disable=SC2086
    run 1 p $arguments
    LAST="segment p.jpg $arguments"
    for settings in "OMP_DYNAMIC=true OMP_NUM_THREADS=7 OMP_SCHEDULE=dynamic,1 MALLOC_PERTURB_=165" \
        "OMP_THREAD_LIMIT=1 MALLOC_PERTURB_=90 MALLOC_ARENA_MAX=1 LC_ALL=C.UTF-8 TZ=Asia/Tokyo"; do
        (
            for setting in $settings; do export "${setting?}"; done
            # shellcheck disable=SC2086
            run 2 p $arguments
        ) || exit 1
        same 1 2
    done
done
mkdir deeper && cp p.jpg p-scribbles.png deeper
cd deeper || exit 1
run 1 p
cd ..
run 1 p
for kind in mask overlay prob run report; do
    cmp -s deeper/1.$kind 1.$kind || fail "another folder, another $kind"
done
exit 0
