"""The same strokes for pysegment, scikit-image's random walker and a random forest of scikit-learn.

    python3 docs/examples/python/compare_scikit_image.py FOLDER [RUNS STEP]

Prints the table of the README and writes a picture of the masks into FOLDER. RUNS, 3, is how often each is timed; with STEP
only every so many pixels are taken.
"""
# %%
import sys
import time
from pathlib import Path

import matplotlib.pyplot as plt
from skimage import feature, segmentation
from sklearn.ensemble import RandomForestClassifier

import pysegment

IMAGES = Path(__file__).resolve().parents[3] / "images"


# %% [markdown]
# Three ways from an image and scribbles to a mask.
def by_pysegment(image, scribbles):
    return pysegment.segment(image, scribbles).mask


def by_random_walker(image, scribbles):
    return segmentation.random_walker(image, scribbles, mode="cg_j", channel_axis=-1)


def by_forest(image, scribbles):
    features = feature.multiscale_basic_features(image, channel_axis=-1, sigma_max=8)
    forest = RandomForestClassifier(50, max_depth=10, n_jobs=-1, random_state=1)
    forest.fit(features[scribbles > 0], scribbles[scribbles > 0])
    return forest.predict(features.reshape(-1, features.shape[-1])).reshape(scribbles.shape)


WAYS = {"pysegment.segment": by_pysegment, "skimage random_walker(mode='cg_j')": by_random_walker,
        "sklearn forest on skimage features": by_forest}


# %% [markdown]
# Seconds are the least of the runs; the accuracy is measured on the pixels that have a truth.
def measure(image, scribbles, truth, runs):
    rows = {}
    for name, way in WAYS.items():
        seconds = []
        for _ in range(runs):
            began = time.perf_counter()
            mask = way(image, scribbles)
            seconds.append(time.perf_counter() - began)
        rows[name] = (min(seconds), pysegment.pairwise_accuracy(truth, mask, void=255), mask)
    return rows


def main():
    folder = Path(sys.argv[1])
    runs, step = (int(sys.argv[at]) if len(sys.argv) > at else initial for at, initial in ((2, 3), (3, 1)))
    image = pysegment.read_image(IMAGES / "coffee.jpg")
    scribbles = pysegment.read_scribbles(IMAGES / "coffee-scribbles.png", image)[::step, ::step]
    truth = pysegment.read_truth(IMAGES.parent / "groundtruth" / "coffee.png")[::step, ::step]
    image = image[::step, ::step]
    rows = measure(image, scribbles, truth, runs)
    height, width = scribbles.shape
    print(f"| {width} x {height} pixels, {scribbles.max()} labels | seconds | pairwise accuracy |\n|---|---|---|")
    for name, (seconds, accuracy, _) in rows.items():
        print(f"| `{name}` | {seconds:.2f} | {accuracy:.3f} |")
    figure, all_axes = plt.subplots(1, 3, figsize=(9, 2.4))
    for axes, (name, (_, _, mask)) in zip(all_axes, rows.items()):
        axes.imshow(pysegment.overlay(image, mask))
        axes.set_title(name, fontsize=8)
        axes.set_axis_off()
    figure.tight_layout()
    figure.savefig(folder / "python-scikit-image.jpg", dpi=100)


if __name__ == "__main__":
    main()
