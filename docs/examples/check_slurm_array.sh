#!/bin/bash
# check_slurm_array.sh SEGMENT SOURCE FOLDER: the job array's script, its tasks run one by one, gives what one process
# gives.
set -euo pipefail
script=$2/docs/examples/slurm-array.sh
if command -v shellcheck >/dev/null; then
    shellcheck "$script"
fi
rm -rf "$3"
mkdir -p "$3/photos" "$3/scribbles"
cd "$3"
for name in a b c d; do
    cp "$2/images/fig.jpg" photos/$name.jpg
    cp "$2/images/fig-scribbles.png" scribbles/$name.png
done
export SEGMENT=$1 PARTS=3 SLURM_CPUS_PER_TASK=2
for task in 3 1 2; do
    SLURM_ARRAY_TASK_ID=$task bash "$script"
done
"$1" photos --scribbles scribbles -o one --no-overlay --table one.csv --export coco=one.json --quiet
diff -r one masks
cmp one.csv masks.csv
cmp one.json masks.json
