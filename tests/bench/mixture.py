#!/usr/bin/env python3
"""A mixture of Gaussians for measuring at scale: python3 mixture.py ROWS COLUMNS CLASSES FOLDER

Writes FOLDER/mixture.npy (float32), FOLDER/labels.txt (one class a line) and FOLDER/pairs.csv (1,000 must-links and
cannot-links, half each, as --constraints reads them). The centres are drawn from a normal distribution of deviation
SPREAD (--spread, 1.5 by default), the rows around them from the unit one.
The same bytes for the same arguments."""
import argparse
import pathlib

import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int)
    parser.add_argument("columns", type=int)
    parser.add_argument("classes", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--spread", type=float, default=1.5)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--csv", action="store_true", help="also FOLDER/mixture.csv")
    a = parser.parse_args()
    draw = np.random.Generator(np.random.PCG64(1))
    centres = a.spread * draw.standard_normal((a.classes, a.columns))
    label = draw.integers(a.classes, size=a.rows)
    X = (centres[label] + draw.standard_normal((a.rows, a.columns))).astype(np.float32)
    a.folder.mkdir(parents=True, exist_ok=True)
    np.save(a.folder / "mixture.npy", X)
    np.savetxt(a.folder / "labels.txt", label, fmt="%d")
    with open(a.folder / "pairs.csv", "w", encoding="ascii") as out:
        written = {1: 0, -1: 0}
        while sum(written.values()) < a.pairs:
            i, j = draw.integers(a.rows, size=2)
            sign = 1 if label[i] == label[j] else -1
            if i != j and written[sign] < a.pairs / 2:
                written[sign] += 1
                print(i, j, sign, sep=",", file=out)
    if a.csv:
        np.savetxt(a.folder / "mixture.csv", X, fmt="%.6g", delimiter=",")


if __name__ == "__main__":
    main()
