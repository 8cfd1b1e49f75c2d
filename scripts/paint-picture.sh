#!/bin/bash
# The animated picture of the README, made anew: the browser of the tests paints on images/fig.jpg.
#
#     scripts/paint-picture.sh SEGMENT > docs/pictures/paint.png
#
# Needs what scripts/install-packages.sh test browser installs. An APNG of 256 colours, below 2 MB.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/frames"
"$here/tests/browser/run.sh" --needed "$work/modules" animation.mjs "$1" "$here" "$work/frames" >&2
/usr/bin/python3 - "$work/frames" "$work/paint.png" <<'PYTHON'
import glob
import sys
from PIL import Image
frames = [Image.open(name).convert("RGB").resize((640, 400), Image.LANCZOS) for name in sorted(glob.glob(sys.argv[1] + "/*.png"))]
palette = frames[-1].quantize(256, method=Image.MEDIANCUT)
frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
kept, durations = [], []
for frame in frames:  # what stands still is one frame
    if kept and frame.tobytes() == kept[-1].tobytes():
        durations[-1] += 120
    else:
        kept.append(frame)
        durations.append(120)
kept[0].save(sys.argv[2], save_all=True, append_images=kept[1:], duration=durations, loop=0, optimize=True)
PYTHON
cat "$work/paint.png"
