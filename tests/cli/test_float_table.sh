#!/bin/bash
# A float32 NPY stays float32 for kmeans and its kin: the labels are those of the same numbers as float64, from less
# memory; where something else looks at the table it becomes doubles, with the same labels again.
. "$(dirname "$0")/lib.sh"

# npy SIZE: 50,000 x 40 in four blobs, 200 times the same 250 rows, as float32 (4) or float64 (8): whole numbers and
# halves, which either holds exactly.
npy() {
    local row=250 block head
    block=$(awk -v size="$1" -v rows=$row '
function bytes(v,   e, m, b, t) {
    t = ""
    if (v == 0) { for (b = 0; b < size; b++) t = t "\\000"; return t }
    for (e = 0; v >= 2; e++) v /= 2
    for (; v < 1; e--) v *= 2
    m = size == 4 ? (126 + e + v) * 128 : (1022 + e + v) * 16 # the two highest bytes, and what follows as a fraction
    for (b = 0; b < size; b++) { place[b] = b == 0 ? int(m / 256) : b == 1 ? int(m) % 256 : int(m * 256 ^ (b - 1)) % 256 }
    for (b = size - 1; b >= 0; b--) t = t sprintf("\\%03o", place[b])
    return t
}
BEGIN {
    for (i = 0; i < rows; i++)
        for (c = 0; c < 40; c++) printf "%s", bytes((i * 7 + c * 13) % 31 / 2 + 40 * (c % 4 == i % 4))
}')
    # shellcheck disable=SC2059 # the escapes are the point
    printf "$block" >.block
    head=$(printf "{'descr': '<f%d', 'fortran_order': False, 'shape': (50000, 40), }" "$1")
    {
        printf '\223NUMPY\001\000\166\000%-117s\n' "$head"
        for ((i = 0; i < 200; i++)); do cat .block; done
    } >"f$((8 * $1)).npy"
    rm .block
}
npy 4
npy 8
awk 'BEGIN { for (i = 0; i < 40; i++) printf "%d,%d,1\n%d,%d,-1\n", i, i + 4, i, i + 5 }' >pairs.csv

peak() {
    jq .peak_memory .out
}

for method in "kmeans" "pckmeans --constraints pairs.csv"; do
    for run in "f64 1" "f32 3" "f32 1"; do
        # shellcheck disable=SC2086 # words on purpose
        expect 0 cluster "${run% *}.npy" -k 4 --restarts 1 --method $method --threads "${run#* }" --json -o "${run% *}.csv"
        [ "$run" = "f64 1" ] && wide=$(peak)
        cmp -s "${run% *}.csv" f64.csv || fail "the labels differ: $LAST"
    done
    holds '.features == 40'
    # Half of 16,000,000 bytes, less what large pages make of it.
    [ $((wide - $(peak))) -gt 5000000 ] || fail "$(peak) bytes with float32, $wide with float64: $LAST"
done

# Doubles are made where they are needed: the same labels as of the file that holds them.
for more in "kmeans --standardise" "cop-kmeans --constraints pairs.csv" "kmeans:paper"; do
    for file in f32 f64; do
        # shellcheck disable=SC2086 # words on purpose
        expect 0 cluster $file.npy -k 4 --restarts 1 --method $more -o $file.csv
    done
    cmp -s f32.csv f64.csv || fail "the labels differ: $more"
done

# Unfit files: one sentence, the same as of any table.
head -c 1000000 f32.npy >short.npy
refuse 3 "'short.npy' is not an NPY file that can be read: it contains fewer numbers than its header states" \
    cluster short.npy -k 4 --method kmeans
{
    head -c 400128 f32.npy
    printf '\000\000\300\177'
    tail -c +400133 f32.npy
} >nan.npy
refuse 3 "'nan.npy': row 2500, column 0 (from 0) is a missing value" cluster nan.npy -k 4 --method kmeans
refuse 3 "cannot read 'none.npy'" cluster none.npy -k 4 --method kmeans
exit 0
