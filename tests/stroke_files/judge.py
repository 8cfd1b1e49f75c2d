#!/usr/bin/python3
"""judge.py FOLDER: what read_scribbles understood (standard input) against the truth. Ends with the counts; exit 1 where
one file was read wrongly without an error, or more than one in twenty was not read rightly."""
import os, sys

import numpy as np
from PIL import Image


def judge(folder, name, lossy):
    """"" where the labels are right, else what is wrong."""
    truth = np.load(os.path.join(folder, f"{name}-truth.npy"))
    read = np.asarray(Image.open(os.path.join(folder, f"{name}-read.pgm")))
    labels = sorted(set(truth[(truth > 0) & (truth < 100)].tolist()))
    found = sorted(set(read[read > 0].tolist()))
    if len(found) != len(labels):
        return f"{len(found)} labels instead of {len(labels)}"
    taken = {}
    for label in labels:
        got = np.bincount(read[truth == label], minlength=256)
        best = int(got[1:].argmax()) + 1
        if best in taken.values():
            return f"two strokes have label {best}"
        taken[label] = best
        other = got[1:].sum() - got[best]
        if other:
            return f"{other} core pixels of stroke {label} have another label"
        if got[best] < (0.75 if lossy else 0.95) * got.sum():
            return f"{got[0]} of {got.sum()} core pixels of stroke {label} are unmarked"
        edge = read[truth == 100 + label]
        wrong = ((edge != 0) & (edge != best)).sum()
        if wrong:
            return f"{wrong} edge pixels of stroke {label} have another label"
    stray = (read[truth == 0] > 0).sum()
    return f"{stray} pixels away from strokes are marked" if stray > 0.0005 * truth.size else ""


def main():
    folder = sys.argv[1]
    how = {l.split("\t")[0]: l.rstrip("\n").split("\t")[1:] for l in open(os.path.join(folder, "list.txt"))}
    right = refused = wrong = 0
    for line in sys.stdin:
        name, code, kind, labels, message = line.rstrip("\n").split("\t", 4)
        problem = judge(folder, name, how[name][0].endswith("jpg") or "indexed" in how[name][1]) if code == "0" else message
        right += not problem
        refused += code != "0"
        wrong += code == "0" and problem != ""
        if problem:
            print(f"{name} ({how[name][1]}): {'' if code != '0' else 'WRONG: '}{problem}")
    count = len(how)
    print(f"{right} of {count} right, {refused} refused, {wrong} wrong")
    sys.exit(wrong > 0 or right + refused + wrong != count or 20 * right < 19 * count)


main()
