#!/bin/bash
# The worked example of docs/adding-a-method.md finds what it should, and the page shows the code as it is.
#
#     check.sh PROGRAM SOURCE
set -euo pipefail
export LC_ALL=C
program=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*"
    exit 1
}

"$program" methods >list # whole: a closed pipe is a failure, too
grep -q '^nearest-marked: the nearest marked sample along the graph$' list || fail "it is not listed"

# A known answer: a path of six samples, the fourth edge weak; the cut is there, and who is nearer scores more.
printf '0 1\n1 2\n2 3\n3 4 0.1\n4 5\n' >edges
printf '0,5,-1\n' >pairs
"$program" cluster --graph edges -k 2 --constraints pairs --method nearest-marked 2>said && fail "pairs are not groups"
grep -q 'nearest-marked needs strokes in every region' said || fail "$(cat said)"

# An image: clearly better than k-means, the same bytes for any number of threads, strokes kept.
for name in lake nuthatch; do
    photo=$source/images/$name.jpg scribbles=$source/images/$name-scribbles.png truth=$source/groundtruth/$name.png
    for threads in 1 2; do
        "$program" "$photo" --scribbles "$scribbles" --method nearest-marked --threads $threads -o $threads.png --no-overlay -q
    done
    cmp 1.png 2.png || fail "threads change the mask of $name"
    accuracy=$("$program" score 1.png "$truth" | awk '/^pairwise_accuracy/ { print $2 }')
    awk -v a="$accuracy" 'BEGIN { exit !(a > 0.95) }' || fail "$name: accuracy $accuracy"
    echo "$name: $accuracy"
done
"$program" "$photo" --scribbles "$scribbles" --method nearest-marked --param power=0 2>said && fail "power=0 is out of range"
grep -q 'power' said || fail "$(cat said)"

# The page's code is the example's.
page=$source/docs/adding-a-method.md
inside='' block=''
while IFS= read -r line; do
    if [ "$line" = '```c' ]; then
        inside=1 block=''
    elif [ "$line" = '```' ] && [ -n "$inside" ]; then
        inside=''
        [[ $(<"$source/docs/examples/method/nearest_marked.c") == *"$block"* ]] || fail "the page shows other code: $block"
        shown=1
    elif [ -n "$inside" ]; then
        block+=${block:+$'\n'}$line
    fi
done <"$page"
[ -n "${shown-}" ] || fail "the page shows no code"
