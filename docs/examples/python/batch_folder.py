"""A folder of images with scribbles: masks beside them, several images at once, and one page of all.

    python3 docs/examples/python/batch_folder.py FOLDER [IMAGES]

IMAGES is a folder of NAME.jpg and NAME-scribbles.png; NAME-mask.png is written into FOLDER.
"""
# %%
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib.pyplot as plt

import pysegment

IMAGES = Path(__file__).resolve().parents[3] / "images"


# %% [markdown]
# The library computes without Python's lock, so threads are enough: one image a thread, one thread an image.
def one(image, folder):
    scribbles = image.with_name(image.stem + "-scribbles.png")
    try:
        result = pysegment.segment(image, scribbles, threads=1)
    except pysegment.SegmentError as failed:
        return image.stem, None, str(failed)
    result.save(folder / f"{image.stem}-mask.png")
    return image.stem, result, ""


def main():
    folder = Path(sys.argv[1])
    images = sorted(Path(sys.argv[2] if len(sys.argv) > 2 else IMAGES).glob("*.jpg"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda image: one(image, folder), images))
    figure, all_axes = plt.subplots(2, (len(done) + 1) // 2, figsize=(10, 3.6), squeeze=False)
    for axes in all_axes.flat:
        axes.set_axis_off()
    for axes, (name, result, failed) in zip(all_axes.flat, done):
        print(f"{name}: {failed or f'{result.regions} regions'}")
        for region in result.ambiguous if result else ():
            print(f"    a stroke at {region.box} would help: label {region.label} or {region.runner_up}")
        if result:
            axes.imshow(result.overlay())
            axes.set_title(name, fontsize=8)
    figure.tight_layout()
    figure.savefig(folder / "python-batch.jpg", dpi=90)


if __name__ == "__main__":
    main()
