"""Models of a series of images: learned from scribbles on some, applied to others."""
from __future__ import annotations

import os
import time
from typing import Any, List, Optional

import numpy as np

from ._binding import ffi, lib
from .arrays import byte_labels, channels_apart, image_array, label_array, make_image, make_mask
from .context import Context, Progress, Unpicklable, text_of
from .images import Result, _is_path, _pointer_to, _read_labelmap, _read_photo, _read_scribbles
from .registry import default_options, set_all, set_option, wants


class Model(Unpicklable, instead="send what to_bytes() gives, write it to a file there, and load that"):
    """What scribbles on some images of a series teach about the others.

    ``add`` each image with its scribbles, ``learn``, then ``apply`` to images that have none, or few. The same images in the
    same order, options and seed give the same bytes. A model serves one call at a time.

    Parameters
    ----------
    seed : int
        Of the forest.
    threads : int
        0 for as many as there are processors; never changes the result.
    progress : callable, optional
        As for `segment`.
    **params
        Options of the library that a model keeps: features, patch, reduce, graph, knn, sigma; and channels, how many its images
        have, arrays of height x width x channels. Each keeps its brightness relative to the others in the image.

    Examples
    --------
    >>> import numpy as np, pysegment
    >>> image = np.zeros((40, 60, 3), np.uint8); image[:, 30:] = 200
    >>> scribbles = np.zeros((40, 60), int); scribbles[10:30, 2:24] = 1; scribbles[10:30, 36:58] = 2
    >>> model = pysegment.Model()
    >>> model.add(image, scribbles); model.add(image[:, ::-1], scribbles[:, ::-1])
    >>> model.learn().apply(image).mask[20, [4, 54]]
    array([1, 2], dtype=uint8)
    """

    _names = None  # of a label map

    def __init__(self, *, seed: int = 1, threads: int = 0, progress: Optional[Progress] = None, **params: Any):
        self._context = Context(seed, threads, progress)
        options = default_options(self._context)
        set_all(self._context, options, "auto", params)
        self._room = _pointer_to("seg_model **", lib.seg_model_free)
        self._context.call(lib.seg_model_create, options, self._room)

    @classmethod
    def load(cls, path, *, threads: int = 0, progress: Optional[Progress] = None) -> "Model":
        """A model from a file that ``segment learn`` or `save` wrote. It learns nothing further."""
        model = cls.__new__(cls)
        model._context = Context(1, threads, progress)
        model._room = _pointer_to("seg_model **", lib.seg_model_free)
        model._context.call(lib.seg_model_read, os.fsencode(path), model._room)
        return model

    def save(self, path) -> None:
        """Write the model into a file."""
        content = self.to_bytes()
        self._context.call(lib.seg_file_write, os.fsencode(path), content, len(content))

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        bytes_, size = ffi.new("void **"), ffi.new("size_t *")
        self._context.call(lib.seg_model_bytes, self._room[0], bytes_, size)
        try:
            return bytes(ffi.buffer(bytes_[0], size[0]))
        finally:
            lib.seg_free(bytes_[0])

    def _image(self, image):
        channels = self._about().channels
        if _is_path(image):
            return _read_photo(image, self._context, channels), None
        pixels = image_array(image if channels == 1 else channels_apart(image, channels))
        return make_image(self._context, pixels, True), pixels

    def _scribbles(self, scribbles, photo):
        channels = self._about().channels
        if _is_path(scribbles):
            mask = _read_scribbles(self._context, scribbles, photo if channels == 1 else None, self._labelmap())
            if self._names is not None:  # it alone assigns colours to labels, also to strokes that are numbers
                ffi.memmove(mask.colour[1], self._names.colour, 3 * self._names.count)
            return mask
        labels = label_array(scribbles, "scribbles", (photo.height // channels, photo.width))
        small, values = byte_labels(labels, "scribbles")
        if values is not None:
            raise ValueError(f"scribbles have labels from {labels.min()} to {labels.max()}; a model's are 1 to 254, and 0 is "
                             "not marked")
        return make_mask(self._context, small)

    def _labelmap(self):
        """What was given, else the labels so far where they are 1, 2, ...: strokes in their colours have their numbers."""
        if self._names is not None or not len(self.labels) or list(self.labels) != list(range(1, len(self.labels) + 1)):
            return self._names
        names = ffi.new("seg_labelmap *", {"count": len(self.labels)})
        for i in range(names.count):
            about = self._about(i)  # which its member does not keep
            ffi.memmove(names.colour[i], about.label.colour, 3)
            ffi.memmove(names.name[i], about.label.name, len(ffi.string(about.label.name)))
        return names

    def add(self, image, scribbles, name: str = "", labelmap=None) -> None:
        """Add an image and its scribbles, arrays or paths as for `segment`; labels are 1 to 254. `labelmap` is a file of lines
        ``NAME:R,G,B``, for this image and those after it. Without one colours are numbered in the first image, and strokes of
        further images have its colours."""
        if labelmap is not None:
            self._names = _read_labelmap(self._context, labelmap)
        photo, _pixels = self._image(image)
        name = name or (os.fsdecode(image) if _is_path(image) else f"image {self.images + 1}")
        self._context.call(lib.seg_model_add, self._room[0], name.encode(errors="surrogateescape"), photo,
                           self._scribbles(scribbles, photo))

    def learn(self) -> "Model":
        """Learn from all images that were added; again after more of them. Returns the model."""
        for number in self.labels:
            if self._names is not None and number <= self._names.count:
                self._context.call(lib.seg_model_name_label, self._room[0], int(number), self._names.name[int(number) - 1])
        self._context.call(lib.seg_model_learn, self._room[0])
        return self

    def apply(self, image, scribbles=None, *, unknown: bool = True, probability: bool = False, uncertainty: bool = False,
              **params: Any) -> Result:
        """Segment an image by what others taught.

        Parameters
        ----------
        image : array_like or path
            As for `segment`.
        scribbles : array_like of int or path, optional
            They keep their labels; labels are 1 to 254, and may be new ones.
        unknown : bool
            Whether pixels that are like nothing that was marked have the label 255 in the mask.
        probability, uncertainty, **params
            As for `segment`.

        Returns
        -------
        Result
        """
        began, stages, channels = time.perf_counter(), {}, self._about().channels
        photo, pixels = self._image(image)
        options = default_options(self._context)
        lib.seg_options_want(options, wants(probability, uncertainty))
        set_all(self._context, options, "auto", {"channels": channels, **params})
        if not unknown:
            set_option(self._context, options, "no-unknown", 1)
        lib.seg_options_set_known(options, self._room[0], ffi.NULL)
        mask = ffi.NULL if scribbles is None else self._scribbles(scribbles, photo)
        room = _pointer_to("seg_result **", lib.seg_result_free)
        self._context.call(lib.seg_segment_photo, photo, mask, ffi.NULL, options, room, stages=stages)
        return Result(room, time.perf_counter() - began, stages, (photo, pixels), None, None, None,
                      channels if channels > 1 else None)

    def _about(self, position: int = 0):
        about = ffi.new("seg_model_info *")
        lib.seg_model_about(self._room[0], position, about)
        return about

    @property
    def images(self) -> int:
        """Images that were added, or that the model of a file learned from."""
        return self._about().images

    @property
    def accuracy(self) -> float:
        """Share of an image's marked patches that the other images predict right, mean over the images; nan where nothing
        could be left out."""
        return self._about().accuracy

    @property
    def accuracies(self) -> List[float]:
        """The same of each image; empty for a model of a file."""
        return [about.image.accuracy for about in map(self._about, range(self._about().listed))]

    @property
    def labels(self) -> np.ndarray:
        """Numbers of the labels, ascending."""
        return np.array([about.label.number for about in map(self._about, range(self._about().labels))], int)

    def __repr__(self) -> str:
        about = self._about()
        return (f"<pysegment.Model: {about.labels} labels of {about.images} images, "
                f"{'learned by ' + text_of(about.version) if about.trees else 'not learned yet'}>")
