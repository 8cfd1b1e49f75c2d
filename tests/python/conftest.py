"""Where the tests of pysegment find the program, the images and the vectors."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SEGMENT_PROGRAM", str(ROOT / "build" / "segment"))
IMAGES = sorted(path.stem for path in (ROOT / "images").glob("*.jpg"))
sys.path.insert(0, os.path.dirname(__file__))

# What measures, or compares larger results than others that make the same calls: ctest's python_long.
larger = pytest.mark.larger


def run(*words):
    """Run the program, and return what it prints."""
    # The sanitizers that Python runs with are loaded for it; the program has its own.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def photo(name):
    return ROOT / "images" / f"{name}.jpg"


def strokes(name):
    return ROOT / "images" / f"{name}-scribbles.png"


@pytest.fixture
def halves():
    """An image of two halves, and a stroke in each."""
    image = np.zeros((60, 80, 3), np.uint8)
    image[:, 40:] = 200
    image += np.random.default_rng(5).integers(0, 20, image.shape, np.uint8)
    scribbles = np.zeros((60, 80), np.uint8)
    scribbles[10:50, 10] = 1
    scribbles[10:50, 70] = 2
    return image, scribbles


@pytest.fixture
def blobs():
    """Three clouds of points, and which each is of."""
    rng = np.random.default_rng(3)
    truth = np.repeat([0, 1, 2], 40)
    return rng.normal(size=(120, 2)) + 6 * np.array([[0, 0], [1, 0], [0, 1]])[truth], truth
