#!/usr/bin/python3
"""How good the mask is after so many strokes: seeds that people drew on icgbench, stroke by stroke.

    tests/bench/stroke_sequences.py SEGMENT ICGBENCH [EVERY]

A stroke is a connected part of the seeds. Each label's largest comes first, in the order of their sizes, then the others by
size. Prints the mean Dice over the images (every EVERY-th of them) after 1, 2, 4 and 8 strokes (of fewer where there are fewer). Needs python3-pil and python3-scipy.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image
from scipy import ndimage

program, folder = sys.argv[1:3]
every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
COUNTS = (1, 2, 4, 8)


def read(path):
    """Image name, size, labels and seeds of a .gt file; runs of a label and a length."""
    with open(path) as file:
        fields = dict(line.partition(":")[::2] for line in file)
    numbers = [np.array(fields[name].split(), int) for name in ("LABELS", "SEEDS")]
    pixels = [np.repeat(runs[::2], runs[1::2]) for runs in numbers]
    return fields["IMAGE"].strip(), int(fields["WIDTH"]), int(fields["HEIGHT"]), pixels[0], pixels[1]


def strokes_of(seeds, width):
    """Connected parts, as lists of pixels with their label."""
    grid, parts = np.reshape(seeds, (-1, width)), []
    for label in np.unique(grid[grid > 0]):
        numbers, count = ndimage.label(grid == label, np.ones((3, 3)))
        parts += [(label, np.flatnonzero(numbers == part + 1)) for part in range(count)]
    parts.sort(key=lambda part: (-len(part[1]), part[1][0]))
    first = {}
    for label, at in parts:
        first.setdefault(label, at)
    return list(first.items()) + [part for part in parts if part[1] is not first[part[0]]]


def save(path, width, height, labels):
    image = Image.new("P", (width, height))
    image.putdata(labels)
    image.putpalette([value for i in range(256) for value in (i, 37 * i % 256, 91 * i % 256)])
    image.save(path)


def run(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


scores = {count: [] for count in COUNTS}
with tempfile.TemporaryDirectory() as work:
    marks, mask, truth_file = (os.path.join(work, name) for name in ("scribbles.png", "mask.png", "truth.png"))
    for name in sorted(os.listdir(os.path.join(folder, "all")))[::every]:
        photo, width, height, truth, seeds = read(os.path.join(folder, "all", name))
        labels = min(truth)
        save(truth_file, width, height, [label - labels + 1 for label in truth])
        parts = strokes_of(seeds, width)
        for count in COUNTS:
            drawn = np.zeros(width * height, np.uint8)
            for label, part in parts[:count]:
                drawn[part] = label
            if len({label for label, _ in parts[:count]}) > 1:
                save(marks, width, height, drawn)
                run(os.path.join(folder, "images", photo), "-s", marks, "-o", mask, "--no-overlay", "-q")
            else:
                save(mask, width, height, [parts[0][0]] * (width * height))
            scores[count].append(json.loads(run("score", mask, truth_file, "--json"))["scores"]["mean_dice"])
for count in COUNTS:
    print(f"after {count}: mean Dice {sum(scores[count]) / len(scores[count]):.3f} of {len(scores[count])} seed files")
