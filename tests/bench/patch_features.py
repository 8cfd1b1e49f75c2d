#!/usr/bin/env python3
"""Features of the patches of images, for measuring at scale: python3 patch_features.py FOLDER_OF_IMAGES ... --out OUT.npy

Writes the features that the main job computes by default of all images of the folders, at most --rows patches (float32).
Needs pysegment (PYTHONPATH=build/python)."""
import argparse
import pathlib

import numpy as np
from pysegment._binding import ffi, lib


def features(ctx, options, path):
    image, grid, matrix = ffi.new("seg_image *"), ffi.new("seg_patch_grid *"), ffi.new("seg_matrix *")
    if lib.seg_image_read(ctx, str(path).encode(), image) or lib.seg_photo_features(ctx, image, options, grid, matrix):
        raise SystemExit(ffi.string(lib.seg_context_message(ctx)).decode())
    rows = np.frombuffer(ffi.buffer(matrix.at, 8 * matrix.rows * matrix.cols)).astype(np.float32)
    rows = rows.reshape(matrix.rows, matrix.cols)
    lib.seg_matrix_free(matrix)
    lib.seg_image_free(image)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="+")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=1000000)
    a = parser.parse_args()
    ctx, options = ffi.gc(lib.seg_context_create(), lib.seg_context_free), ffi.new("seg_options *")
    options[0] = lib.seg_options_default()
    tables, rows = [], 0
    for path in sorted(p for folder in a.folder for p in folder.iterdir()):
        if rows < a.rows:
            tables.append(features(ctx, options, path))
            rows += len(tables[-1])
    np.save(a.out, np.concatenate(tables)[: a.rows])


if __name__ == "__main__":
    main()
