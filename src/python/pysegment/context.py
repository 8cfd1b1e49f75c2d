"""A context of the library: threads, seed, progress, and how its failures become exceptions."""
from __future__ import annotations

import operator
import threading
import warnings
from typing import Any, Callable, Optional

from ._binding import ffi, lib
from .errors import BY_STATUS, OutOfMemoryError, SegmentWarning

Progress = Callable[[float, str], Any]

# Seconds between two calls of Python by a running call. Interrupts are seen then, too.
INTERVAL = 0.02


def text_of(chars) -> str:
    return ffi.string(chars).decode("utf-8", "surrogateescape") if chars else ""


class Unpicklable:
    """What refers to memory of the library, and so belongs to one process. `instead` says what to send to another."""

    _instead = ""

    def __init_subclass__(cls, instead: str = "", **others: Any):
        super().__init_subclass__(**others)
        cls._instead = instead or cls._instead

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a {type(self).__name__} cannot be pickled or copied: {self._instead}")


class Context:
    """One context of the library, for one call at a time.

    Parameters
    ----------
    seed : int
        Of every random choice.
    threads : int
        0 for as many as there are processors. Never changes a result.
    progress : callable, optional
        Called as ``progress(done, stage)`` with `done` from 0 to 1, about every 0.02 s, on the thread that called. A true
        result cancels the call, which then raises `CancelledError`; what it raises ends the call as well.
    """

    def __init__(self, seed: int = 1, threads: int = 0, progress: Optional[Progress] = None):
        if progress is not None and not callable(progress):
            raise TypeError("progress must be callable as progress(done, stage)")
        seed, threads = whole(seed, "seed", 0, 2**64 - 1), whole(threads, "threads", 0, 2**31 - 1)
        self.ctx = ffi.gc(lib.seg_context_create(), lib.seg_context_free)
        self._watch = ffi.gc(lib.pysegment_watch_create(INTERVAL), lib.pysegment_watch_free)
        if self.ctx == ffi.NULL or self._watch == ffi.NULL:
            raise OutOfMemoryError("no memory for a context")
        settings = lib.seg_context_settings(self.ctx)
        settings.seed, settings.threads = seed, threads
        self.progress = progress
        self._lock = threading.Lock()
        self._thread = 0  # that has a call running
        self._closed = False
        self.raised: Optional[BaseException] = None
        self.lines: list = []

    def call(self, function, *args, stages: Optional[dict] = None):
        """Run ``function(ctx, *args)``, a call of the library that returns a status. Python's lock is not held meanwhile.
        `stages` takes the seconds per stage, of this call and no other thread's."""
        before = _running.context
        if self._thread == threading.get_ident():
            raise RuntimeError("a progress callback cannot call what it reports on")
        with self._lock:
            if self._closed:
                raise ValueError("the session is closed")
            self.raised, self.lines = None, []
            # Signals reach Python on its main thread alone.
            main = threading.current_thread() is threading.main_thread()
            lib.pysegment_watch_begin(self._watch, self.ctx, int(main or self.progress is not None))
            _running.context, self._thread = self, threading.get_ident()
            try:
                status = function(self.ctx, *args)
            finally:
                _running.context, self._thread = before, 0
            raised, lines, self.raised, self.lines = self.raised, self.lines, None, []
            message = text_of(lib.seg_context_message(self.ctx)) if status != lib.SEG_OK else ""
            if stages is not None:
                self._add_stages(stages)
        for line in lines:
            warnings.warn(line, SegmentWarning, stacklevel=4)
        if raised is not None:
            raise raised
        if status != lib.SEG_OK:
            raise BY_STATUS[status](message)

    def quick(self, function, *args):
        """As `call`, for what takes no time and reports nothing."""
        status = function(self.ctx, *args)
        if status != lib.SEG_OK:
            raise BY_STATUS[status](text_of(lib.seg_context_message(self.ctx)))

    def cancel(self):
        lib.pysegment_watch_cancel(self._watch)

    def _add_stages(self, spent: dict):
        info = ffi.new("seg_context_info *")
        lib.seg_context_about(self.ctx, info)
        for stage in ffi.unpack(info.stage, info.stages):
            name = text_of(stage.name)
            spent[name] = spent.get(name, 0.0) + stage.seconds

    def close(self, room=None):
        """End the context's threads, once no call runs, and free what belongs to it. No call can be made afterwards."""
        if self._thread == threading.get_ident():
            raise RuntimeError("a progress callback cannot close what it reports on")
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if room is not None:
                ffi.release(room)
            ffi.release(self.ctx)


# The context whose call runs on this thread.
class _Running(threading.local):
    context: Optional[Context] = None


_running = _Running()


def _on_error(_kind, value, trace):
    """A callback raised, or an interrupt came: the call is cancelled and raises it."""
    context = _running.context
    if context is not None and context.raised is None:
        context.raised = value.with_traceback(trace)


@ffi.def_extern(error=1, onerror=_on_error)
def pysegment_progress(done, stage):
    progress = _running.context.progress
    return 1 if progress is not None and progress(done, text_of(stage)) else 0  # an interrupt is raised on the way here


@ffi.def_extern(onerror=_on_error)
def pysegment_log(line):
    _running.context.lines.append(text_of(line))


def whole(value, name: str, low: int, high: int) -> int:
    """`value` as a whole number between `low` and `high`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}; it must be {low} to {high}")
    return number
