#!/bin/bash
# A folder of images as a job array of Slurm: each task does a part of the images, and the one that
# ends last writes the table and the COCO file of all. Submit it from a folder that all machines see:
#
#     sbatch slurm-array.sh
#
# A task that was ended is submitted again (sbatch --array=3 ...; the number of parts stays PARTS). Without Slurm: SLURM_ARRAY_TASK_ID=1 bash slurm-array.sh
#
#SBATCH --job-name=segment
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
set -euo pipefail

# What to segment, and how; all tasks must have the same. PARTS is the end of --array above.
PHOTOS=${PHOTOS:-photos} SCRIBBLES=${SCRIBBLES:-scribbles} OUT=${OUT:-masks} PARTS=${PARTS:-16} SEGMENT=${SEGMENT:-segment}
command=("$SEGMENT" "$PHOTOS" --scribbles "$SCRIBBLES" -o "$OUT" --no-overlay --table "$OUT.csv"
    --export "coco=$OUT.json" --quiet)

exec "${command[@]}" --shard "$SLURM_ARRAY_TASK_ID/$PARTS" --jobs "${SLURM_CPUS_PER_TASK:-0}"
