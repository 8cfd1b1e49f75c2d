"""Pairs and groups as the library's constraints."""
from __future__ import annotations

import os

import numpy as np

from ._binding import ffi, lib
from .context import Context


def pair_array(pairs, name: str) -> np.ndarray:
    """m x 2 or m x 3 (index, index[, weight]) as m x 3 doubles."""
    if pairs is None:
        return np.empty((0, 3))
    array = np.asarray(pairs)
    if array.size == 0:
        return np.empty((0, 3))
    if array.ndim != 2 or array.shape[1] not in (2, 3) or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} is an array of shape {array.shape} and type {array.dtype}; give rows of two indices, or "
                         "of two indices and a weight")
    array = array.astype(np.float64)
    if array.shape[1] == 2:
        array = np.column_stack([array, np.ones(len(array))])
    return array


def check_indices(indices: np.ndarray, samples: int, name: str):
    wrong = ~((indices == np.floor(indices)) & (indices >= 0) & (indices < samples)).all(axis=1)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        first, second = indices[row]
        raise ValueError(f"{name} has the indices {first:g} and {second:g} in row {row}; indices are whole numbers from 0 "
                         f"to {samples - 1}")
    same = indices[:, 0] == indices[:, 1]
    if same.any():
        row = int(np.flatnonzero(same)[0])
        raise ValueError(f"{name} joins sample {indices[row, 0]:g} to itself in row {row}")


def make_constraints(context: Context, samples: int):
    out = ffi.gc(ffi.new("seg_constraints *"), lib.seg_constraints_free)
    context.quick(lib.seg_constraints_create, samples, out)
    return out


def add_pairs(context: Context, out, pairs: np.ndarray, sign: int, name: str):
    """Append rows of pair_array's."""
    check_indices(pairs[:, :2], out.n, name)
    pair = ffi.new("seg_pair *")
    pair.sign = sign
    for i, j, weight in pairs.tolist():
        pair.i, pair.j, pair.weight = int(i), int(j), weight
        context.quick(lib.seg_constraints_add, out, pair[0])


def set_groups(out, labels: np.ndarray) -> np.ndarray:
    """Groups of partial labels, -1 for unknown. Returns the label that each group stands for."""
    values = np.unique(labels[labels >= 0])
    if len(values) > lib.SEG_MAX_LABELS:
        raise ValueError(f"labels has {len(values)} different labels; there can be {lib.SEG_MAX_LABELS}")
    groups = np.full(len(labels), -1, np.int16)
    groups[labels >= 0] = np.searchsorted(values, labels[labels >= 0])
    out.groups = len(values)
    ffi.memmove(out.group, ffi.from_buffer(groups), groups.nbytes)
    return values


def partial_labels(labels, samples: int, name: str = "labels") -> np.ndarray:
    """n whole numbers, negative ones for unknown."""
    array = np.asarray(labels)
    if array.shape != (samples,):
        raise ValueError(f"{name} has the shape {array.shape}; give one label for each of the {samples} samples")
    if array.dtype.kind == "O" and all(isinstance(one, (int, np.integer)) for one in array):
        array = array.astype(np.int64)
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.floor(array)).all():
        array = array.astype(np.int64)
    if array.dtype.kind not in "iub":
        raise ValueError(f"Unknown label type: {name} has labels of type {array.dtype}; labels are whole numbers, -1 for "
                         "unknown")
    return array.astype(np.int64)


def patch_constraints(context: Context, given, grid):
    """Constraints on patches of an image: a file, or rows i, j, sign[, weight] of patches or x1, y1, x2, y2, sign
    [, weight] of pixels."""
    out = make_constraints(context, grid.columns * grid.rows)
    if isinstance(given, (str, bytes, os.PathLike)):
        context.call(lib.seg_constraints_read, os.fsencode(given), grid, 0, out, ffi.NULL)
        return out
    rows = np.asarray(given)
    if rows.size == 0:
        return out
    if rows.ndim != 2 or not 3 <= rows.shape[1] <= 6 or rows.dtype.kind not in "iuf":
        raise ValueError(f"constraints is an array of shape {rows.shape} and type {rows.dtype}; give rows i, j, sign"
                         "[, weight] of patches or x1, y1, x2, y2, sign[, weight] of pixels")
    rows = rows.astype(np.float64)
    name = "constraints"
    if rows.shape[1] >= 5:
        within = ((rows[:, :4] >= 0) & (rows[:, :4] < [grid.width, grid.height, grid.width, grid.height])
                  & (rows[:, :4] == np.floor(rows[:, :4])))
        if not within.all():
            row = int(np.flatnonzero(~within.all(axis=1))[0])
            raise ValueError(f"{name} has a pixel outside the image of {grid.width} x {grid.height}, or not a whole "
                             f"number, in row {row}")
        x, y = rows[:, [0, 2]].astype(np.int64), rows[:, [1, 3]].astype(np.int64)
        patches = y // grid.side * grid.columns + x // grid.side
        rest = rows[:, 4:]
        inside = (patches[:, 0] == patches[:, 1]) & (rest[:, 0] > 0)
        rows = np.column_stack([patches, rest])[~inside]
    if not np.isin(rows[:, 2], (1, -1)).all():
        raise ValueError(f"{name} has a sign that is neither 1 (must-link) nor -1 (cannot-link)")
    if rows.shape[1] == 3:
        rows = np.column_stack([rows, np.ones(len(rows))])
    check_indices(rows[:, :2], out.n, name)
    for i, j, sign, weight in rows.tolist():
        context.quick(lib.seg_constraints_add, out, ffi.new("seg_pair *", [int(i), int(j), int(sign), weight])[0])
    return out
