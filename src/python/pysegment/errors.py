"""What the library's statuses become: exceptions with the library's sentence."""
from ._binding import lib


class SegmentError(Exception):
    """A call of libsegment failed; the text is the library's sentence: what is wrong, where, and what helps."""


class UsageError(SegmentError, ValueError):
    """An option or argument is outside its range."""


class InputError(SegmentError, ValueError):
    """Data or a file were read, but what they hold is damaged or unfit."""


class ContradictionError(SegmentError, ValueError):
    """The constraints contradict each other; the text names the pair."""


class FileError(SegmentError, OSError):
    """A file could not be opened, read, written or renamed."""


class NumericError(SegmentError, ArithmeticError):
    """A numerical routine failed."""


class OutOfMemoryError(SegmentError, MemoryError):
    """An allocation failed, or a limit on memory does not suffice."""


class CancelledError(SegmentError):
    """The progress callback or another thread asked the call to stop."""


class SegmentWarning(UserWarning):
    """What the library warns of, such as a region that was not found."""


BY_STATUS = {
    lib.SEG_ERR_MEMORY: OutOfMemoryError,
    lib.SEG_ERR_USAGE: UsageError,
    lib.SEG_ERR_IO: FileError,
    lib.SEG_ERR_INPUT: InputError,
    lib.SEG_ERR_CONTRADICTION: ContradictionError,
    lib.SEG_ERR_NUMERIC: NumericError,
    lib.SEG_ERR_CANCELLED: CancelledError,
    lib.SEG_ERR_LIMIT: OutOfMemoryError,
}
