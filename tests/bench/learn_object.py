#!/usr/bin/env python3
"""Learn the constants of the object mode (CONSTANTS below) by simulated clicks: learn_object.py [--every N] [--clicks N] SET...

SET has images/NAME.* and ground-truth/NAME.png, as for interactive_peers.py. The sources are copied to a temporary folder, in which
each constant reads the environment, and built there with cmake and ninja. The score of constants is the mean over the sets of the
mean IoU after 1 to N clicks: the first on the object, the others at the deepest point of the larger error. Each of --rounds steps tries
each of FACTORS times each constant, and keeps the best one if it raises the score by more than --gain: with all sets, and with each
left out. Prints what was kept, and the score of each left-out set by the constants of the code and by those learned without it, then
the scores of all sets for each single change; with --rounds 0 the scores of the code alone. --build keeps the build for later runs.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from interactive_peers import RADIUS, cases, deepest, iou

TREE = pathlib.Path(__file__).resolve().parents[2]
FACTORS = 0.5, 2
CONSTANTS = {  # what they are is beside them
    "STRENGTH": "src/masks/object.c", "FADES": "src/masks/object.c", "NEAR": "src/masks/object.c",
    "ALIKE": "src/methods/random_walk.c", "ALONE": "src/methods/random_walk.c",
    "REACH": "src/pipeline/steady.c", "LEAST": "src/pipeline/steady.c",
}


def build(folder):
    """A build whose constants read the environment. Returns the constants of the code."""
    copy, values = folder / "tree", {}
    shutil.copytree(TREE, copy, dirs_exist_ok=True, ignore=lambda at, names: {"build", ".git"} & set(names) if pathlib.Path(at) == TREE else ())
    for name, file in CONSTANTS.items():
        text = (copy / file).read_text()
        found = re.search(rf"^#define {name} +([0-9.e-]+)", text, re.M)
        values[name] = float(found[1])
        (copy / file).write_text(text.replace(found[0], f'#define {name} (getenv("{name}") ? atof(getenv("{name}")) : {found[1]})'))
    subprocess.run(["cmake", "-S", copy, "-B", folder / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", folder / "build", "pysegment"], check=True, stdout=sys.stderr)
    sys.path.insert(0, str(folder / "build" / "python"))
    return values


def curve(session, inside, outside, clicks):
    marks, found, reached = np.zeros(inside.shape, np.uint8), np.zeros(inside.shape, bool), []
    for _ in range(clicks):
        free = marks == 0
        missed, wrong = deepest(inside & ~found & free), deepest(outside & found & free)
        depth, x, y = missed if missed[0] >= wrong[0] else wrong
        if depth > 0:
            disc = cv2.circle(np.zeros(marks.shape, np.uint8), (x, y), RADIUS, 1, -1) > 0
            marks[disc & free] = 1 if missed[0] >= wrong[0] else 2
            found = session.segment(marks.astype(np.int32)).mask == 1
        reached.append(iou(found, inside, outside))
    return np.mean(reached)


class Scores:
    """Scores of constants by set, each computed once. A session whose strokes are all new answers as a new one does."""

    def __init__(self, folders, every, clicks):
        import pysegment
        self.clicks, self.known = clicks, {}
        self.sets = {os.path.basename(os.path.normpath(folder)): [
            (pysegment.Session(image, object=True, threads=1), inside, outside) for image, inside, outside in cases(folder, every)
        ] for folder in folders}

    def of(self, name, values):
        key = name, tuple(values.values())
        if key not in self.known:
            os.environ.update({constant: str(value) for constant, value in values.items()})
            self.known[key] = np.mean([curve(*case, self.clicks) for case in self.sets[name]])
            print(name, values, f"{self.known[key]:.4f}", file=sys.stderr, flush=True)
        return self.known[key]

    def mean(self, names, values):
        return np.mean([self.of(name, values) for name in names])


def changes(values):
    return [{**values, name: values[name] * factor} for name in CONSTANTS for factor in FACTORS]


def learn(scores, names, values, rounds, gain):
    for _ in range(rounds):
        best = max(changes(values), key=lambda tried: scores.mean(names, tried))
        if scores.mean(names, best) <= scores.mean(names, values) + gain:
            break
        values = best
    return values


def show(values, code):
    return ", ".join(f"{name} {value:g}" for name, value in values.items() if value != code[name]) or "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="+")
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--clicks", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--gain", type=float, default=0.002)
    parser.add_argument("--build", type=pathlib.Path)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        code = build(a.build or pathlib.Path(folder))
        scores = Scores(a.set, a.every, a.clicks)
        print("| left out | constants that change | its score by those of the code, by the learned |\n|---|---|---|")
        for out in [*scores.sets, None]:
            learned = learn(scores, [name for name in scores.sets if name != out], code, a.rounds, a.gain)
            shown = [out] if out else list(scores.sets)
            print(f"| {out or 'none'} | {show(learned, code)} | {scores.mean(shown, code):.4f}, {scores.mean(shown, learned):.4f} |", flush=True)
        if not a.rounds:
            return
        print(f"\n| constant | {', '.join(scores.sets)} | mean |\n|---|---|---|")
        for values in [code, *changes(code)]:
            print(f"| {show(values, code)} | {', '.join(f'{scores.of(name, values):.3f}' for name in scores.sets)} | {scores.mean(scores.sets, values):.4f} |")


if __name__ == "__main__":
    main()
