#!/bin/bash
# Scribble files as people paint them, made of images/ with the right answer known: how they are read. The images are
# scaled to two fifths, which is quick; docs/results.md says how larger ones are read.
# run.sh READ_MARKS SOURCE WORK
set -euo pipefail
python=/usr/bin/python3
"$python" -c 'import numpy, PIL' 2>/dev/null || exit 77
rm -rf "$3"
"$python" "$2/tests/stroke_files/make_files.py" "$2/images" "$3" 60 judge 0.4
"$1" "$3" >"$3/read.txt"
"$python" "$2/tests/stroke_files/judge.py" "$3" <"$3/read.txt"
