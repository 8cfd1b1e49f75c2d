"""Images and scribbles to masks."""
from __future__ import annotations

import os
import struct
import time
import zlib
from itertools import count, takewhile
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._binding import ffi, lib
from .arrays import (Owned, array_of_image, array_of_mask, byte_labels, channels_apart, colours_of_mask, describe, image_array,
                     label_array, make_image, make_mask, shown_channels, stacked)
from .constraints import patch_constraints
from .context import Context, Progress, Unpicklable, text_of, whole
from .registry import default_options, set_all, set_option, wants


def _is_path(value) -> bool:
    return isinstance(value, (str, bytes, os.PathLike))


def _pointer_to(handle: str, free):
    """Room for a handle of the library, freed with the room."""
    return ffi.gc(ffi.new(handle), lambda room: free(room[0]))


class Ambiguous(NamedTuple):
    """A region that no scribble marks and that a second label fits nearly as well."""

    label: int  #: of most of the region
    runner_up: int  #: the label that fits nearly as well
    box: Tuple[int, int, int, int]  #: left, top, right, bottom in pixels, the last two just beyond it
    share: float  #: of the image's area
    island: bool  #: a piece of its label that no stroke touches


class Result:
    """What a segmentation found.

    Attributes
    ----------
    mask : ndarray of uint8, height x width
        A label per pixel, the numbers of the scribbles. (Where those were above 254 or negative, of the scribbles' type:
        pixels of negative labels keep them, as in `skimage.segmentation.random_walker`.)
    probability : ndarray of float32, height x width x k, or None
        Scores of each pixel, 0 to 1, that sum to 1, in the order of `labels`; where it was asked for.
    uncertainty : ndarray of uint8, height x width, or None
        255 (1 - (best - second best score)); where it was asked for.
    labels : ndarray
        The label of each of the k columns of `probability`.
    ambiguous : list of Ambiguous
        Regions for which another stroke would help most, the largest first.
    seconds : float
        Wall-clock time of the call.
    stages : dict
        Seconds of each stage.
    k, regions : int
        Regions that were asked for, and that the mask has.
    method, ran : str
        The method, and what made the regions where the method chose another.
    objective : float
        Of the method; nan where it has none.
    objective_bound : float
        What no partition's objective is below, the sum of the eigenvalues for `ncut`; nan for other methods.
    n_iter : int
        Iterations of the method's own solver.
    converged : bool
        Whether the solver met its tolerance.
    colours : ndarray of uint8, 256 x 3
        RGB of each label, those of the scribbles where they were read from a file.
    """

    mask: np.ndarray
    probability: Optional[np.ndarray]
    uncertainty: Optional[np.ndarray]

    def __init__(self, room, seconds: float, stages: Dict[str, float], photo, values, scribbles, slices: Optional[int] = None,
                 channels: Optional[int] = None):
        found = room[0]
        self._photo = photo  # the seg_image, and the memory that it borrows
        self._bytes = array_of_mask(found.mask)
        self.colours = colours_of_mask(found.mask)
        self.seconds, self.stages = seconds, stages
        self.k, self.regions = found.k, found.regions
        self.method = text_of(found.method.name)
        self.ran = text_of(found.ran)
        self.objective, self.objective_bound = found.objective, found.objective_bound
        self.n_iter, self.converged = found.iterations, bool(found.converged)
        names = _label_names(values)
        self.mask = self._bytes if values is None else _renamed(self._bytes, names, scribbles)
        self.labels = names[np.frombuffer(ffi.buffer(found.column_label, found.k), np.uint8)]
        shape = self._bytes.shape
        self.probability = self.uncertainty = None
        if found.probability != ffi.NULL:
            self.probability = Owned.array(room, found.probability, shape + (found.k,), np.float32)
        if found.uncertainty != ffi.NULL:
            self.uncertainty = Owned.array(room, found.uncertainty, shape, np.uint8)
        self._slices = slices
        self._channels = channels
        if slices:
            whole_shape = (slices, shape[0] // slices, shape[1])
            self.mask = self.mask.reshape(whole_shape)
            if self.probability is not None:
                self.probability = self.probability.reshape(whole_shape + (found.k,))
            if self.uncertainty is not None:
                self.uncertainty = self.uncertainty.reshape(whole_shape)
        self.ambiguous: List[Ambiguous] = []
        for i in range(found.ambiguous_count):
            at = found.ambiguous[i]
            self.ambiguous.append(Ambiguous(int(names[at.label]), int(names[at.runner_up]),
                                            (at.left, at.top, at.right, at.bottom), at.share,
                                            bool(found.ambiguous_island[i])))

    # Pickled and copied with the image's pixels, so that the overlay can be drawn in another process, too.
    def __getstate__(self) -> Dict[str, Any]:
        photo = self._photo[0]
        return {**self.__dict__, "_photo": (array_of_image(photo), photo.low, photo.high)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        pixels, low, high = state["_photo"]
        photo = make_image(Context(threads=1), image_array(pixels))
        photo.low, photo.high = low, high
        self._photo = (photo, None)

    def overlay(self, alpha: float = 0.4, outline: Optional[int] = None, show: Optional[Sequence[int]] = None) -> np.ndarray:
        """The mask over the image; see `overlay`. (RGB bytes that `segment` used where they lie are drawn as they are now.)
        Of an image with channels, red, green and blue are those that `show` names, counted from 1, else the first three, each
        stretched to its 1st and 99th percentile."""
        photo = self._photo[0]
        if self._channels:
            photo = make_image(Context(threads=1), shown_channels(array_of_image(photo), self._channels, show))
        drawn = _draw(photo, self._bytes, alpha, outline, self.colours)
        return drawn.reshape(self.mask.shape + (3,))

    def save(self, path) -> None:
        """Write the mask in the colours of the scribbles, as `write_mask` does. That of a volume is a TIFF file with a page for
        each slice, or .npy."""
        write_mask(path, self)

    def _repr_png_(self) -> bytes:
        """For notebooks: the overlay."""
        return png_bytes(self.overlay())

    def __repr__(self) -> str:
        size = " x ".join(str(side) for side in reversed(self.mask.shape))
        return (f"<pysegment.Result: {self.regions} region{'' if self.regions == 1 else 's'} of {size} pixels "
                f"by {self.ran}, {self.seconds:.3f} s>")


def _label_names(values) -> np.ndarray:
    """What each of the library's labels 0..255 is called by the caller; labels beyond the caller's follow the largest."""
    if values is None:
        return np.arange(256)
    last = int(values[-1]) if len(values) else 0
    return np.concatenate([[0], values.astype(np.int64), last + 1 + np.arange(255 - len(values))])


def _renamed(mask: np.ndarray, names: np.ndarray, scribbles: np.ndarray) -> np.ndarray:
    named = names[mask]
    negative = scribbles < 0
    named[negative] = scribbles[negative]
    return named.astype(np.result_type(scribbles.dtype, np.min_scalar_type(int(named.max()))))


def png_bytes(image: np.ndarray) -> bytes:
    """An 8-bit RGB image as PNG."""
    height, width, _ = image.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter, none
    rows[:, 1:] = image.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b""))


class Session(Unpicklable, instead="send the image and the scribbles, and open a session there; its results can be pickled"):
    """An image that is segmented again and again while strokes are added: what they do not change is computed once.

    Each mask has the bytes that `segment` gives of the same scribbles. A session is a context manager, serves one call at
    a time (calls of other threads wait), and keeps a copy of the image.

    Parameters
    ----------
    image : array_like or path
        As for `segment`.
    k, method, seed, threads, probability, uncertainty, progress, start, **params
        As for `segment`; they hold for every mask of the session.

    Examples
    --------
    >>> with Session(image) as session:                             # doctest: +SKIP
    ...     result = session.segment(scribbles)
    ...     scribbles[40:60, 100:180] = 2                           # one more stroke
    ...     result = session.segment(scribbles)
    """

    def __init__(self, image, k: Optional[int] = None, method: Optional[str] = "auto", *, seed: int = 1, threads: int = 0,
                 probability: bool = False, uncertainty: bool = False, progress: Optional[Progress] = None,
                 start=None, **params: Any):
        self._session = None
        self._open(image, False, k, method, seed, threads, probability, uncertainty, progress, start, params)

    @classmethod
    def from_file(cls, path, k: Optional[int] = None, method: Optional[str] = "auto", **others: Any) -> "Session":
        """A session of the image in a file of any format that is read; the arguments are those of `Session`."""
        return cls(os.fspath(path), k, method, **others)

    def _open(self, image, borrow, k, method, seed, threads, probability, uncertainty, progress, start, params):
        self._context = context = Context(seed, threads, progress)
        self._slices = None  # of a volume
        given = params.get("channels")
        self._channels = channels = None if given is None or given == 1 else whole(given, "channels", 1, 64)
        if _is_path(image):
            self._photo, self._pixels = _read_photo(image, context, channels), None
        else:
            if channels:
                self._slices = np.asarray(image).shape[0] if np.asarray(image).ndim == 4 else None
                image = channels_apart(image, channels)
            else:
                image, self._slices = stacked(image)
            pixels = image_array(image)
            self._photo = make_image(context, pixels, borrow)
            self._pixels = pixels if borrow else None
        self.shape = (self._photo.height // (channels or 1), self._photo.width)
        options = default_options(context)
        if k is not None:
            set_option(context, options, "regions", whole(k, "k", 1, lib.SEG_MAX_LABELS))
        lib.seg_options_want(options, wants(probability, uncertainty))
        set_all(context, options, method, params)
        if self._slices:
            set_option(context, options, "slices", str(self._slices))
        self._start = None
        if start is not None:
            self._start = _start_mask(context, start, self.shape, self._slices)
            lib.seg_options_set_known(options, ffi.NULL, self._start)
        self._options = options
        room = _pointer_to("seg_session **", lib.seg_session_close)
        context.call(lib.seg_session_open, self._photo, options, room)
        self._session = room

    def _opened(self):
        if self._session is None:
            raise ValueError("the session is closed")
        return self._session[0]

    def prepare(self) -> None:
        """Compute now what does not depend on strokes; otherwise the first `segment` does."""
        self._opened()
        self._context.call(lambda ctx: lib.seg_session_prepare(ctx, self._opened()))

    def segment(self, scribbles=None, constraints=None) -> Result:
        """Segment with these scribbles.

        Parameters
        ----------
        scribbles, constraints
            As for `segment`.

        Returns
        -------
        Result
        """
        self._opened()
        context, stages = self._context, {}
        began = time.perf_counter()
        labels = values = mask = None
        if _is_path(scribbles):
            mask = _read_scribbles(context, scribbles, None if self._channels else self._photo, None, self._start)
        elif scribbles is not None:
            if self._slices:
                scribbles = self._stacked_labels(scribbles)
            labels = label_array(scribbles, "scribbles", self.shape)
            small, values = byte_labels(labels, "scribbles")
            if labels.max() > lib.SEG_MAX_LABELS and self._start is not None:
                raise ValueError("scribbles that correct a start have labels up to 254, as the start has")
            mask = make_mask(context, small)
        pairs = None
        if constraints is not None:
            layout = lib.seg_patch_layout_of(self._options, self.shape[1], self.shape[0])
            grid = ffi.new("seg_patch_grid *", layout.grid)
            pairs = patch_constraints(context, constraints, grid)
        room = _pointer_to("seg_result **", lib.seg_result_free)
        # Asked for again when it is this call's turn: another thread may have closed the session.
        context.call(lambda ctx: lib.seg_session_segment(ctx, self._opened(), mask or ffi.NULL, pairs or ffi.NULL, room),
                     stages=stages)
        seconds = time.perf_counter() - began
        return Result(room, seconds, stages, (self._photo, self._pixels), values, labels, self._slices,
                      self._channels)

    def _stacked_labels(self, scribbles):
        array, shape = np.asarray(scribbles), (self._slices, self.shape[0] // self._slices, self.shape[1])
        if array.shape != shape:
            raise ValueError(f"scribbles have the shape {array.shape}, and the volume {shape} (slices x height x width)")
        return np.ascontiguousarray(array).reshape(self.shape)

    def cancel(self) -> None:
        """End a call that runs on another thread; it raises `CancelledError`."""
        self._context.cancel()

    def close(self) -> None:
        """Free what the session holds, and end its threads. A second time does nothing."""
        room = self._session
        if room is not None:
            self._session = None
            self._context.close(room)

    def __enter__(self) -> "Session":
        self._opened()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def segment(image, scribbles=None, k: Optional[int] = None, method: Optional[str] = "auto", *, constraints=None,
            seed: int = 1, threads: int = 0, probability: bool = False, uncertainty: bool = False,
            progress: Optional[Progress] = None, start=None, **params: Any) -> Result:
    """Cut an image into regions from a few scribbles.

    Parameters
    ----------
    image : array_like, or path
        Height x width (grey), x 3 (RGB) or x 4 (RGBA, composited over white); uint8, uint16, bool, or floats of 0 to 1. Rows
        may be strided. RGB bytes in C order are used where they lie; the library makes its own copy of others, and NumPy
        one more of float64 and of arrays whose pixels do not lie side by side. A volume is slices x height x width, or x 1,
        3 or 4 more: every array of four dimensions, and of three where the last is not 1, 3 or 4.
    scribbles : array_like of int, height x width (of a volume slices x height x width), or path, optional
        0 for pixels that are not marked, positive numbers for labels, as `skimage.segmentation.random_walker` takes them;
        up to 254 different ones, with `start` up to the number 254. Negative numbers are pixels that are ignored. A path is
        read with `read_scribbles`. Without scribbles `k` is needed.
    k : int, optional
        Regions, 1 to 254; without it as many as there are labels.
    method : str
        One of `methods`; "auto" is the best over whole data sets.
    constraints : array_like or path, optional
        Further must-links (sign 1) and cannot-links (-1): rows x1, y1, x2, y2, sign[, weight] of pixels, or i, j, sign
        [, weight] of patches; or a file of such lines.
    seed : int
        Of every random choice. The same input, options and seed give the same bytes.
    threads : int
        0 for as many as there are processors; never changes the mask.
    probability, uncertainty : bool
        Whether the result has these arrays.
    progress : callable, optional
        Called as ``progress(done, stage)``, `done` from 0 to 1; a true result cancels. An exception in it ends the call.
    start : array_like or path, optional
        A mask that the scribbles correct; it stays where they do not contradict it. Whole numbers of 0 to 254, height x width
        (of a volume slices x height x width), are labels, where 0, and 255, are one more region whose label follows the
        largest: bool, and 0 and 255 alone, become
        the labels 1 and 2. Others are probabilities: in that shape of label 1, or x k of the labels 1 to k. A path is read
        with `read_truth`. Of two labels the lower one is corrected as with ``object=True`` if it has less than a quarter of the
        image's frame.
    **params
        Options of the library (`options`: patch, features, graph, knn, sigma, refine, islands, object, box=(left, top, width, height),
        region=(left, top, width, height): only this part of the image is segmented, and the rest is 0 in the result; ...)
        and parameters of the method (`methods`).

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        Shapes, types or numbers that do not fit (`UsageError`, `InputError`), scribbles that contradict each other
        (`ContradictionError`).
    MemoryError, OSError, ArithmeticError
        As `OutOfMemoryError`, `FileError`, `NumericError`.
    CancelledError
        By `progress`.

    Notes
    -----
    Time grows with the pixels: about 0.1 s for 0.25 megapixels. The default method is a random walker with the priors of a
    forest grown on the strokes [grady2005priors; geurts2006].

    Examples
    --------
    >>> import numpy as np, pysegment
    >>> image = np.zeros((40, 40, 3), np.uint8); image[:, 20:] = 200
    >>> scribbles = np.zeros((40, 40), int); scribbles[10:30, 5] = 1; scribbles[10:30, 35] = 2
    >>> pysegment.segment(image, scribbles).mask[20, [2, 38]]
    array([1, 2], dtype=uint8)
    """
    session = Session.__new__(Session)
    began = time.perf_counter()
    if "channels" not in params and not _is_path(image) and scribbles is not None and not _is_path(scribbles):
        shape, marked = np.shape(image), np.shape(scribbles)
        if len(shape) == 3 and shape[2] not in (1, 3, 4) and shape[:2] == marked[:2] and len(marked) == 2:
            params = {**params, "channels": shape[2]}
    session._open(image, True, k, method, seed, threads, probability, uncertainty, progress, start, params)
    try:
        result = session.segment(scribbles, constraints)
    finally:
        session.close()
    result.seconds = time.perf_counter() - began
    return result


def _start_mask(context: Context, start, shape, slices=None):
    if slices and _is_path(start) and os.fsencode(start).endswith(b".npy"):  # whose shape tells voxels from labels
        start = np.load(start, allow_pickle=False)
    if _is_path(start):
        mask = ffi.gc(ffi.new("seg_mask *"), lib.seg_mask_free)
        context.call(lib.seg_truth_read, os.fsencode(f"{os.fspath(start)}[0-{slices - 1}]" if slices else start), mask)
        return mask
    given = np.asarray(start)
    if slices:
        volume = (slices, shape[0] // slices, shape[1])
        if given.shape[:3] != volume:
            raise ValueError(f"start has the shape {given.shape}, and the volume {volume} (slices x height x width)")
        given = given.reshape(shape + given.shape[3:])
    planes = given[:, :, np.newaxis] if given.ndim == 2 else given
    if planes.ndim != 3 or planes.shape[:2] != shape or not 1 <= planes.shape[2] <= lib.SEG_MAX_LABELS or given.dtype.kind not in "biuf":
        raise ValueError(f"start is {describe(given)}; give labels or probabilities of label 1, height x width, or probabilities "
                         f"of k labels, height x width x k, of an image of {shape}")
    # The numbers mean what they mean in a file (from_array in src/scribbles/truth_read.c).
    labels, k = planes[:, :, 0], planes.shape[2]
    if k > 1 or not ((labels >= 0) & (labels <= lib.SEG_VOID) & (labels == np.floor(labels))).all():
        bad = planes[~((planes >= 0) & (planes <= 1))]
        if bad.size:
            raise ValueError(f"start has the number {bad[0]}; labels are whole numbers up to {lib.SEG_VOID}, probabilities 0 to 1")
        mask = make_mask(context, (planes.argmax(axis=2) + 1 if k > 1 else np.where(labels >= 0.5, 1, 2)).astype(np.uint8))
        mask.labels = max(k, 2)
        return mask
    used = np.unique(labels[(labels > 0) & (labels < 255)])
    if (labels == 255).any() and set(used) <= {128}:  # object, ground and undecided
        labels = np.select([labels == 255, labels == 0], [1, 2], lib.SEG_VOID)
    elif len(used) < 2:
        labels = np.where(labels == 0, int(used.max(initial=1)) + 1, labels)
    return make_mask(context, labels.astype(np.uint8))


def _read_photo(path, context: Optional[Context] = None, channels: Optional[int] = None):
    if (channels or 1) > 1:
        path = f"{os.fspath(path)}[0-{channels - 1}]"
    photo = ffi.gc(ffi.new("seg_image *"), lib.seg_image_free)
    (context or Context(threads=1)).call(lib.seg_image_read, os.fsencode(path), photo)
    return photo


def read_image(path) -> np.ndarray:
    """Read an image of any format that is read, upright: height x width x 3, or height x width where it is grey; uint8, or
    uint16 where it has more than 8 bits. Transparency is composited over white."""
    return array_of_image(_read_photo(path))


def _read_labelmap(context, path):
    names = ffi.new("seg_labelmap *")
    context.call(lib.seg_labelmap_read, os.fsencode(path), names)
    return names


def _read_scribbles(context, path, photo, labelmap, start=None):
    mask, about = ffi.gc(ffi.new("seg_mask *"), lib.seg_mask_free), ffi.new("seg_scribbles_about *")
    context.call(lib.seg_scribbles_read, os.fsencode(path), photo or ffi.NULL, labelmap or ffi.NULL, mask, about)
    if start is not None and lib.SEG_SCRIBBLES_COLOURS <= about.kind <= lib.SEG_SCRIBBLES_SNAPPED:
        _number_as_start(start, mask)
    return mask


def _number_as_start(start, strokes):
    """Colours of the start's palette are its labels, and others further labels, as the program has them."""
    ours, theirs = (np.frombuffer(ffi.buffer(mask.colour), np.uint8).reshape(256, 3) for mask in (strokes, start))
    to, used = np.arange(256, dtype=np.uint8), range(1, strokes.labels + 1)
    same = {n: [m for m in range(1, start.labels + 1) if (theirs[m] == ours[n]).all()] for n in used}
    if not any(same.values()):
        return
    last, colours = start.labels, ours.copy()
    for n in used:
        last = min(last + (not same[n]), lib.SEG_MAX_LABELS)
        to[n] = same[n][0] if same[n] else last
        ours[to[n]] = colours[n]
    labels = np.frombuffer(ffi.buffer(strokes.label, strokes.width * strokes.height), np.uint8)
    labels[:] = to[labels]
    strokes.labels = last


def read_scribbles(path, image=None, labelmap=None) -> np.ndarray:
    """Read scribbles of any kind: a palette PNG, grey values, flat colours, strokes painted on a copy of the image.

    Parameters
    ----------
    path : path
    image : array_like or path, optional
        The image, which is needed to find strokes that were painted on a copy of it.
    labelmap : path, optional
        A file of lines ``NAME:R,G,B`` that says which colour is which label.

    Returns
    -------
    ndarray of uint8, height x width
        0 for pixels that are not marked, 1..254 for labels.
    """
    context = Context(threads=1)
    photo = None
    if _is_path(image):
        photo = _read_photo(image, context)
    elif image is not None:
        pixels = image_array(image)
        photo = make_image(context, pixels)
    names = None if labelmap is None else _read_labelmap(context, labelmap)
    return array_of_mask(_read_scribbles(context, path, photo, names))


def read_truth(path) -> np.ndarray:
    """Read a ground truth or a mask: palette and grey files hold the labels, of RGB each colour is one.

    Returns
    -------
    ndarray of uint8, height x width
        Labels 1..254, and 255 for void: what metrics leave out by ``void=255``.
    """
    mask = ffi.gc(ffi.new("seg_mask *"), lib.seg_mask_free)
    Context(threads=1).call(lib.seg_truth_read, os.fsencode(path), mask)
    return array_of_mask(mask)


def _colour_table(colours) -> np.ndarray:
    table = np.asarray(colours)
    if table.ndim != 2 or table.shape[1] != 3 or not 1 <= len(table) <= 256 or table.dtype != np.uint8:
        raise ValueError(f"colours is an array of shape {table.shape} and type {table.dtype}; give up to 256 x 3 bytes, "
                         "the RGB of labels 0, 1, ...")
    return np.ascontiguousarray(table)


def _mask_bytes(mask) -> np.ndarray:
    if isinstance(mask, Result):
        return mask._bytes
    labels = label_array(mask, "mask")
    if labels.min() < 0 or labels.max() > 255:
        raise ValueError(f"mask has labels from {labels.min()} to {labels.max()}; a mask has 0 to 254, and 255 for void")
    return labels.astype(np.uint8, copy=False)


def _coloured(context: Context, labels: np.ndarray, colours):
    mask = make_mask(context, labels)
    if colours is not None:
        table = _colour_table(colours)
        ffi.memmove(mask.colour, ffi.from_buffer(table), table.nbytes)
    return mask


def _file_labels(result: Result) -> np.ndarray:
    """A result's labels by their own numbers, 255 where they are negative: those pixels were ignored."""
    labels, void = result.mask.reshape(result._bytes.shape), result._bytes == lib.SEG_VOID
    bad = labels[(labels > lib.SEG_MAX_LABELS) & ~void]
    if bad.size:
        raise ValueError(f"the mask has the label {bad[0]}, and files have labels of 1 to {lib.SEG_MAX_LABELS}; number the scribbles so")
    return np.where(void | (labels < 0), lib.SEG_VOID, labels).astype(np.uint8)


def _write(path, labels, colours, slices=None):
    context = Context(threads=1)
    mask = _coloured(context, labels, colours)
    mask.slices = slices or 1
    name, at = os.fsdecode(path).lower(), os.fsencode(path)
    ending = os.path.splitext(name)[1]
    exports = {"." + text_of(kind.ending): kind.name for kind in takewhile(bool, map(lib.seg_export_format_at, count()))}
    if slices:  # the others have no slices, or need to know how far apart these are
        exports = {".npy": exports[".npy"]}
    if ending in (".tif", ".tiff") or (slices and not ending):
        return context.call(lib.seg_mask_write, at, mask, lib.SEG_MASK_TIFF)
    for last, kind in exports.items():
        if name.endswith(last):
            return context.call(lib.seg_export_write, kind, at, mask, ffi.NULL)
    if slices or ending not in ("", ".png"):
        raise ValueError(f"{os.fsdecode(path)} ends in {ending}; of {'a volume' if slices else 'an image'} masks are written as "
                         + ", ".join(([] if slices else [".png"]) + [".tif", ".tiff", *exports]))
    return context.call(lib.seg_mask_write, at, mask, lib.SEG_MASK_PNG)


def write_mask(path, mask, colours=None) -> None:
    """Write a mask in the format that the name ends in: .png (or no ending) is an 8-bit palette PNG, the index is the label;
    .tif a tiled TIFF; .npy, .geojson and so on the exports of docs/formats.md.

    Parameters
    ----------
    path : path
        Written beside it and renamed over it, so that it never holds half a file.
    mask : array_like of int, height x width, or Result
        Labels 0 to 254; 255 is void, as are the ignored pixels of a Result.
    colours : array_like of uint8, up to 256 x 3, optional
        RGB of labels 0, 1, ...; the default can be told apart by colour-blind people.

    Raises
    ------
    ValueError
        A name that ends otherwise; a Result with labels above 254.
    """
    if not isinstance(mask, Result):
        _write(path, _mask_bytes(mask), colours)
    else:
        _write(path, _file_labels(mask), mask.colours if colours is None else colours, mask._slices)


def _draw(photo, labels: np.ndarray, alpha: float, outline: Optional[int], colours) -> np.ndarray:
    context = Context(threads=1)
    label_array(labels, "mask", (photo.height, photo.width))
    mask = _coloured(context, labels, colours)
    style = ffi.new("seg_overlay_style *")
    style.alpha = float(alpha)
    style.outline = lib.SEG_OUTLINE_AUTO if outline is None else whole(outline, "outline", 0, 32)
    out = ffi.gc(ffi.new("seg_image *"), lib.seg_image_free)
    context.call(lib.seg_overlay_draw, photo, mask, style, out)
    drawn = np.frombuffer(ffi.buffer(out.data, out.height * out.width * 3), np.uint8)
    return drawn.reshape(out.height, out.width, 3).copy()


def overlay(image, mask, alpha: float = 0.4, outline: Optional[int] = None, colours=None) -> np.ndarray:
    """The mask over the image: each region tinted in the colour of its label, and outlined.

    Parameters
    ----------
    image : array_like or path
    mask : array_like of int, height x width, or Result
    alpha : float
        Strength of the tint, 0 to 1.
    outline : int, optional
        Width of the outline in pixels, 0 to 32; by default by the image's size.
    colours : array_like of uint8, up to 256 x 3, optional
        RGB of labels 0, 1, ...; those of a Result, or the default, which colour-blind people can tell apart.

    Returns
    -------
    ndarray of uint8, height x width x 3
    """
    pixels = None if _is_path(image) else image_array(image)
    photo = _read_photo(image) if pixels is None else make_image(Context(threads=1), pixels, True)
    if colours is None and isinstance(mask, Result):
        colours = mask.colours
    return _draw(photo, _mask_bytes(mask), alpha, outline, colours)
