#!/usr/bin/python3
"""How good the mask is after so many strokes: seeds that people drew on icgbench, stroke by stroke.

    tests/bench/stroke_sequences.py SEGMENT ICGBENCH [EVERY]

A stroke is a connected part of the seeds. Each label's largest comes first, in the order of their sizes, then the others by
size. Prints the mean Dice over the images (every EVERY-th of them) after 1, 2, 4 and 8 strokes (of fewer where there are fewer). Needs python3-pil.
"""
import json
import os
import subprocess
import sys
import tempfile

from PIL import Image

program, folder = sys.argv[1:3]
every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
COUNTS = (1, 2, 4, 8)


def read(path):
    """Image name, size, labels and seeds of a .gt file; runs of a label and a length."""
    fields = {}
    with open(path) as file:
        for line in file:
            name, _, value = line.partition(":")
            fields[name] = value
    pixels = []
    for name in ("LABELS", "SEEDS"):
        numbers = list(map(int, fields[name].split()))
        pixels.append([label for label, length in zip(numbers[::2], numbers[1::2]) for _ in range(length)])
    return fields["IMAGE"].strip(), int(fields["WIDTH"]), int(fields["HEIGHT"]), pixels[0], pixels[1]


def strokes_of(seeds, width):
    """Connected parts, as lists of pixels with their label."""
    left = {i for i, label in enumerate(seeds) if label > 0}
    parts = []
    while left:
        start = left.pop()
        part, queue = [start], [start]
        while queue:
            at = queue.pop()
            for step in (1, -1, width, -width, width + 1, width - 1, -width + 1, -width - 1):
                there = at + step
                if there in left and seeds[there] == seeds[start]:
                    left.remove(there)
                    part.append(there)
                    queue.append(there)
        parts.append((seeds[start], sorted(part)))
    parts.sort(key=lambda part: (-len(part[1]), part[1][0]))
    seen, first, rest = set(), [], []
    for part in parts:
        (rest if part[0] in seen else first).append(part)
        seen.add(part[0])
    return first + rest


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
            drawn = [0] * (width * height)
            for label, part in parts[:count]:
                for at in part:
                    drawn[at] = label
            if len({label for label, _ in parts[:count]}) > 1:
                save(marks, width, height, drawn)
                run(os.path.join(folder, "images", photo), "-s", marks, "-o", mask, "--no-overlay", "-q")
            else:
                save(mask, width, height, [parts[0][0]] * (width * height))
            scores[count].append(json.loads(run("score", mask, truth_file, "--json"))["scores"]["mean_dice"])
for count in COUNTS:
    print(f"after {count}: mean Dice {sum(scores[count]) / len(scores[count]):.3f} of {len(scores[count])} seed files")
