"""NumPy arrays as what the library takes, without a copy where the layout allows it."""
from __future__ import annotations

import numpy as np

from ._binding import ffi, lib
from .context import Context

_SAMPLES = {np.dtype(np.uint8): lib.SEG_SAMPLE_U8, np.dtype(np.uint16): lib.SEG_SAMPLE_U16,
            np.dtype(np.float32): lib.SEG_SAMPLE_FLOAT}


class Owned:
    """Memory of the library as an array: it is freed with the last view of it."""

    def __init__(self, owner, pointer, shape, dtype):
        self._owner = owner
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": np.dtype(dtype).str, "data": (address, False)}

    @classmethod
    def array(cls, owner, pointer, shape, dtype) -> np.ndarray:
        return np.asarray(cls(owner, pointer, shape, dtype))


def pointer_to(array: np.ndarray, kind: str):
    """A pointer to the array's memory, which has to be kept meanwhile."""
    return ffi.cast(kind, array.ctypes.data)


def describe(array) -> str:
    return f"an array of shape {array.shape} and type {array.dtype}"


def image_array(image) -> np.ndarray:
    """Check an image, and bring it to rows whose pixels lie side by side: the same memory, or one copy."""
    array = np.asarray(image)
    native = array.dtype.newbyteorder("=")
    if native == np.bool_:
        array = array.astype(np.uint8) * 255
    elif native in (np.dtype(np.float64), np.dtype(np.float16)):
        array = array.astype(np.float32)
    elif native in _SAMPLES:
        array = array.astype(native, copy=False)
    if array.dtype not in _SAMPLES:
        raise ValueError(f"image has samples of type {array.dtype}; give uint8, uint16, bool, or floats of 0 to 1")
    if array.ndim == 2:
        array = array[:, :, np.newaxis]
    if array.ndim != 3 or array.shape[2] not in (1, 3, 4):
        raise ValueError(f"image is {describe(np.asarray(image))}; give height x width, or height x width x 1 (grey), "
                         "3 (RGB) or 4 (RGBA)")
    if 0 in array.shape:
        raise ValueError(f"image is {describe(np.asarray(image))}, which has no pixels")
    pixel = array.shape[2] * array.itemsize
    side_by_side = array.strides[2] == array.itemsize or array.shape[2] == 1
    if not (side_by_side and array.strides[1] == pixel and abs(array.strides[0]) >= array.shape[1] * pixel):
        array = np.ascontiguousarray(array)
    return array


def stacked(array):
    """The slices of a volume one below the other, and how many they are; an image as it is, and None."""
    array = np.asarray(array)
    is_volume = array.ndim == 4 or (array.ndim == 3 and array.shape[2] not in (1, 3, 4))
    if not is_volume or 0 in array.shape:
        return array, None
    if array.ndim == 4 and array.shape[3] not in (1, 3, 4):
        raise ValueError(f"image is {describe(array)}; give slices x height x width, or x 1 (grey), 3 (RGB) or 4 (RGBA) more, "
                         f"or the argument channels={array.shape[3]}")
    return np.ascontiguousarray(array).reshape((-1,) + array.shape[2:]), array.shape[0]


def channels_apart(array, count: int):
    """The channels of an image, the last axis, one below the other: grey, stretched to 0 .. 1 if they are not of bytes or of
    16 bits, each by itself if one has less than a 64th of the range of all. The image may be a volume."""
    array = np.asarray(array)
    if array.ndim not in (3, 4) or array.shape[-1] != count or 0 in array.shape:
        raise ValueError(f"image is {describe(array)}; give height x width x {count} channels")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        bad = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"channel {bad[-1]} of pixel ({', '.join(str(at) for at in bad[-2::-1])}) is {array[tuple(bad)]}; samples are finite numbers")
    apart = np.ascontiguousarray(np.moveaxis(array, -1, 0), array.dtype.newbyteorder("="))
    if apart.dtype not in (np.uint8, np.uint16, np.bool_):
        flat = apart.reshape(count, -1).astype(np.float64)
        low = flat.min(axis=1, keepdims=True)
        span = flat.max(axis=1, keepdims=True) - low
        every = flat.max() - flat.min()
        if not (span * 64 < every)[span > 0].any():
            low, span = flat.min(), every
        apart = ((flat - low) / np.where(span > 0, span, 1)).astype(np.float32)
    return apart.reshape(-1, array.shape[-2])


def shown_channels(stack: np.ndarray, count: int, show) -> np.ndarray:
    """RGB of up to three channels, counted from 1, each from its 1st to its 99th percentile."""
    planes = stack.reshape(count, -1, stack.shape[1])
    numbers = list(range(1, min(count, 3) + 1)) if show is None else list(show)
    if not 1 <= len(numbers) <= 3 or not all(1 <= number <= count for number in numbers):
        raise ValueError(f"show is {numbers}; give one to three numbers of channels, 1 to {count}")
    out = np.zeros(planes.shape[1:] + (3,), np.uint8)
    for colour, number in enumerate(numbers):
        low, high = np.percentile(planes[number - 1], (1, 99))
        out[:, :, colour] = np.clip((planes[number - 1] - low) / max(high - low, 1e-9), 0, 1) * 255 + 0.5
    return out


def make_image(context: Context, array: np.ndarray, borrow: bool = False):
    """A seg_image of `image_array`'s result. With `borrow`, RGB bytes without gaps are not copied, and have to stay."""
    height, width, channels = array.shape
    if borrow and channels == 3 and array.dtype == np.uint8 and array.flags.c_contiguous and width <= 65535 and height <= lib.SEG_MAX_STACK:
        image = ffi.new("seg_image *")
        image.width, image.height, image.depth = width, height, 8
        image.data = pointer_to(array, "void *")
        return image
    image = ffi.gc(ffi.new("seg_image *"), lib.seg_image_free)
    if width > 2**31 - 1 or height > 2**31 - 1:
        raise ValueError(f"image is {describe(array)}; its sides are at most 65535 pixels")
    stride = array.strides[0] if height > 1 else 0
    pixels = ffi.new("seg_pixels *", (pointer_to(array, "void *"), width, height, channels, _SAMPLES[array.dtype], stride))
    context.call(lib.seg_image_create, pixels, image)
    return image


def array_of_image(image) -> np.ndarray:
    """A copy of a seg_image's samples, height x width where it is grey."""
    dtype = np.dtype(np.uint8 if image.depth == 8 else np.uint16)
    count = image.height * image.width * 3
    samples = np.frombuffer(ffi.buffer(image.data, count * dtype.itemsize), dtype)
    samples = samples.reshape(image.height, image.width, 3)
    return (samples[:, :, 0] if image.grey else samples).copy()


def label_array(labels, name: str, shape=None) -> np.ndarray:
    """Check labels of pixels: whole numbers, height x width."""
    array = np.asarray(labels)
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} is {describe(np.asarray(labels))}; give height x width whole numbers")
    if array.dtype == np.bool_:
        array = array.astype(np.uint8)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} has labels of type {array.dtype}; labels are whole numbers")
    if shape is not None and array.shape != tuple(shape[:2]):
        raise ValueError(f"{name} has the size {array.shape[0]} x {array.shape[1]}, and the image "
                         f"{shape[0]} x {shape[1]} (height x width)")
    return array


def byte_labels(labels: np.ndarray, name: str):
    """Labels as bytes, those below 0 as 0, and the label that each stands for: None where all stand for themselves."""
    low, high = int(labels.min()), int(labels.max())
    if high <= lib.SEG_MAX_LABELS:
        small = (labels if low >= 0 else np.maximum(labels, 0)).astype(np.uint8, copy=False)
        return small, None if low >= 0 else np.arange(1, lib.SEG_MAX_LABELS + 1)
    values = np.unique(labels)
    values = values[values > 0]
    if len(values) > lib.SEG_MAX_LABELS:
        raise ValueError(f"{name} has {len(values)} different labels; there can be {lib.SEG_MAX_LABELS}")
    small = np.zeros(labels.shape, np.uint8)
    at = labels > 0
    small[at] = np.searchsorted(values, labels[at]) + 1
    return small, values


def make_mask(context: Context, labels: np.ndarray):
    """A seg_mask of labels 0..255 (a copy)."""
    if labels.strides[1] != 1 or abs(labels.strides[0]) < labels.shape[1]:
        labels = np.ascontiguousarray(labels)
    mask = ffi.gc(ffi.new("seg_mask *"), lib.seg_mask_free)
    height, width = labels.shape
    context.call(lib.seg_mask_from_labels, pointer_to(labels, "uint8_t *"), width, height,
                 labels.strides[0] if height > 1 else 0, mask)
    return mask


def array_of_mask(mask) -> np.ndarray:
    """A copy of a seg_mask's labels."""
    labels = np.frombuffer(ffi.buffer(mask.label, mask.height * mask.width), np.uint8)
    return labels.reshape(mask.height, mask.width).copy()


def colours_of_mask(mask) -> np.ndarray:
    """A copy of a seg_mask's colours, 256 x 3."""
    return np.frombuffer(ffi.buffer(mask.colour), np.uint8).reshape(256, 3).copy()


def real_matrix(values, name: str) -> np.ndarray:
    """n x d doubles, row by row: the same memory where that is what they are, else one copy. Checked to be finite."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} has numbers of type {array.dtype}; give real numbers")
    if array.ndim != 2:
        raise ValueError(f"{name} is {describe(array)}; give samples x features"
                         + (": reshape(-1, 1) makes one feature of it" if array.ndim == 1 else ""))
    if 0 in array.shape:
        raise ValueError(f"{name} is {describe(array)}, which has nothing in it")
    array = np.ascontiguousarray(array, np.float64)
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"{name} holds {array[row, column]} in row {row}, column {column}; numbers are finite")
    return array


def make_matrix(array: np.ndarray):
    """A seg_matrix that borrows the array's memory."""
    matrix = ffi.new("seg_matrix *")
    matrix.rows, matrix.cols = array.shape
    matrix.at = pointer_to(array, "double *")
    return matrix


def array_of_matrix(matrix, owner) -> np.ndarray:
    """The numbers of a seg_matrix, kept by `owner`, without a copy."""
    return Owned.array(owner, matrix.at, (matrix.rows, matrix.cols), np.float64)
