"""Active choice of constraints: which two samples to ask about next."""
from __future__ import annotations

from typing import Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from ._binding import ffi, lib
from .arrays import make_matrix, real_matrix
from .constraints import add_pairs, make_constraints, pair_array, partial_labels, set_groups
from .context import Context, Unpicklable, whole

STRATEGIES = tuple(name.removeprefix("SEG_ACTIVE_").lower().replace("_", "-")
                   for _, name in sorted(ffi.typeof("seg_active_strategy").elements.items()))

_ANSWERS = {True: lib.SEG_ANSWER_MUST, False: lib.SEG_ANSWER_CANNOT, None: lib.SEG_ANSWER_UNKNOWN}
_MEANING = {lib.SEG_ANSWER_MUST: True, lib.SEG_ANSWER_CANNOT: False, lib.SEG_ANSWER_UNKNOWN: None}


class Answer(NamedTuple):
    """A question that was answered, or a must-link that was not asked about."""

    i: int
    j: int
    answer: Optional[bool]  #: True: must link, False: cannot link, None: not known
    inferred: bool  #: it was not asked: it follows from the number of clusters, unless it is
    guessed: bool = False  #: a guess of "aipc", which may be wrong


class ActiveConstraints(Unpicklable, Iterator[Tuple[int, int]],
                        instead="send its must_link and cannot_link, and begin with those there"):
    """Questions whose answers tell most: do two samples belong together?

    What follows from earlier answers is never asked, so answers cannot contradict each other.

    Parameters
    ----------
    X : array_like, n x d
        The samples; Euclidean distances are used.
    strategy : {"explore-consolidate", "explore", "minmax", "random", "npu", "aipc"}
        Explore finds a sample of each cluster, Consolidate asks about others [basu2004active]; "minmax" asks about the
        sample that is least similar to known ones [mallapragada2008minmax]; "npu" about the least certain
        one for the questions that it takes [xiong2014npu]; "aipc" about the least certain one of a fuzzy clustering,
        and guesses must-links from cannot-links [zhong2019aipc]; "random" is the baseline.
    k : int, optional
        Clusters, if known; "aipc" needs it.
    budget : int, optional
        Questions at most; those without an answer count.
    must_link, cannot_link, labels
        What is known before, as for `cluster`.
    seed : int
        The same samples, seed and answers give the same questions.

    Examples
    --------
    >>> truth = [0, 0, 1, 1]
    >>> ask = ActiveConstraints([[0.0], [0.1], [5.0], [5.1]], k=2)
    >>> for i, j in ask:
    ...     ask.answer(truth[i] == truth[j])
    >>> len(ask.must_link) + len(ask.cannot_link) >= 3
    True
    """

    def __init__(self, X, strategy: str = "explore-consolidate", *, k: Optional[int] = None, budget: Optional[int] = None,
                 must_link=None, cannot_link=None, labels=None, seed: int = 1):
        if strategy not in STRATEGIES:
            raise ValueError(f"strategy is {strategy!r}; give one of {', '.join(STRATEGIES)}")
        self._context = context = Context(seed, threads=1)
        self._samples = np.array(real_matrix(X, "X"))  # kept as it is now
        known = make_constraints(context, len(self._samples))
        if labels is not None:
            set_groups(known, partial_labels(labels, len(self._samples)))
        add_pairs(context, known, pair_array(must_link, "must_link"), 1, "must_link")
        add_pairs(context, known, pair_array(cannot_link, "cannot_link"), -1, "cannot_link")
        self._matrix = make_matrix(self._samples)
        spec = ffi.new("seg_active_spec *")
        spec.strategy, spec.n, spec.features, spec.known = STRATEGIES.index(strategy), len(self._samples), self._matrix, known
        spec.k = whole(k, "k", 1, lib.SEG_MAX_LABELS) if k is not None else 0
        spec.budget = whole(budget, "budget", 0, 2**63 - 1) if budget is not None else 2**64 - 1
        self._room = ffi.gc(ffi.new("seg_active **"), lambda room: lib.seg_active_free(room[0]))
        context.call(lib.seg_active_create, spec, self._room)

    def question(self) -> Optional[Tuple[int, int]]:
        """The next question, the same until it is answered; None where nothing is left to ask."""
        i, j, more = ffi.new("int32_t *"), ffi.new("int32_t *"), ffi.new("int *")
        self._context.call(lib.seg_active_next, self._room[0], i, j, more)
        return (i[0], j[0]) if more[0] else None

    def __iter__(self) -> "ActiveConstraints":
        return self

    def __next__(self) -> Tuple[int, int]:
        asked = self.question()
        if asked is None:
            raise StopIteration
        return asked

    def answer(self, answer: Optional[bool]) -> None:
        """Answer the question: True, they belong together; False, they do not; None, nobody knows."""
        if answer is not None and not isinstance(answer, (bool, np.bool_)):
            raise TypeError(f"answer is {answer!r}; give True, False or None")
        said = _ANSWERS[None if answer is None else bool(answer)]
        self._context.call(lib.seg_active_answer, self._room[0], said)

    def undo(self) -> bool:
        """Take the last answer back; False where there was none."""
        undone = ffi.new("int *")
        self._context.call(lib.seg_active_undo, self._room[0], undone)
        return bool(undone[0])

    @property
    def history(self) -> List[Answer]:
        """All answers so far, in order, unknown and inferred ones included."""
        tally = lib.seg_active_about(self._room[0])
        rows = tally.history
        return [Answer(rows[at].i, rows[at].j, _MEANING[rows[at].answer], bool(rows[at].inferred), rows[at].inferred == 2)
                for at in range(tally.asked + tally.inferred)]

    def _pairs(self, sign: int) -> np.ndarray:
        out = ffi.gc(ffi.new("seg_constraints *"), lib.seg_constraints_free)
        self._context.call(lib.seg_active_constraints, self._room[0], out)
        rows = [(out.pair[at].i, out.pair[at].j) for at in range(out.pairs) if out.pair[at].sign == sign]
        return np.array(rows, np.int64).reshape(-1, 2)

    @property
    def must_link(self) -> np.ndarray:
        """m x 2 indices of what must link by now: what was known, the answers, what they imply by `k`, and guesses of "aipc"."""
        return self._pairs(1)

    @property
    def cannot_link(self) -> np.ndarray:
        """m x 2 indices of what cannot link by now."""
        return self._pairs(-1)
