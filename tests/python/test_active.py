"""Active choice of constraints."""
import numpy as np
import pytest

from pysegment import ActiveConstraints, cluster, pairwise_accuracy
from pysegment.active import STRATEGIES


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_questions_and_answers(strategy, blobs):
    X, truth = blobs
    ask = ActiveConstraints(X, strategy, k=3, budget=25)
    asked = []
    for i, j in ask:
        assert ask.question() == (i, j)
        asked.append((i, j))
        ask.answer(bool(truth[i] == truth[j]))
    assert 0 < len(asked) <= 25 and len(set(map(frozenset, asked))) == len(asked)
    assert [(one.i, one.j) for one in ask.history if not one.inferred] == asked
    assert len(ask.must_link) + len(ask.cannot_link) == len(ask.history)
    assert strategy == "aipc" or not any(one.guessed for one in ask.history)
    for pairs, same in ((ask.must_link, True), (ask.cannot_link, False)):
        assert pairs.dtype == np.int64 and pairs.shape[1] == 2
        assert all((truth[i] == truth[j]) == same for i, j in pairs)
    found = cluster(X, 3, must_link=ask.must_link, cannot_link=ask.cannot_link)
    assert pairwise_accuracy(truth, found.labels) > 0.9


def test_unknown_undo_and_what_is_known(blobs):
    X, truth = blobs
    ask = ActiveConstraints(X, k=3, must_link=[[0, 1]], cannot_link=[[0, 50]], labels=np.where(np.arange(120) == 100, 4, -1))
    assert not ask.undo()
    first = next(ask)
    ask.answer(None)
    assert ask.history[-1] == (*first, None, False, False)
    assert next(ask) != first
    assert ask.undo() and next(ask) == first and ask.history == []
    assert [0, 1] in ask.must_link.tolist() and [0, 50] in ask.cannot_link.tolist()
    ask.answer(np.bool_(truth[first[0]] == truth[first[1]]))
    assert len(ask.history) >= 1


def test_aipc_guesses_and_needs_k():
    X = np.array([0, 0.1, 0.2, 10, 10.1, 10.2, 4.9])[:, None]
    ask = ActiveConstraints(X, "aipc", k=2)
    (i, j), truth = ask.question(), [0, 0, 0, 1, 1, 1, 0]
    assert i == 6 and truth[j] == 1
    ask.answer(False)
    assert ask.history[0] == (i, j, False, False, False)
    assert ask.history[1].guessed and ask.history[1].inferred and truth[ask.history[1].j] == 0
    assert len(list(map(lambda _: ask.answer(None), ask))) <= 6 and ask.question() is None
    with pytest.raises(ValueError, match="needs the number of clusters"):
        ActiveConstraints(X, "aipc")


def test_the_same_seed_asks_the_same(blobs):
    X, _ = blobs
    one, other, third = (next(ActiveConstraints(X, seed=seed)) for seed in (4, 4, 5))
    assert one == other and (one != third or X is not None)
    with pytest.raises(StopIteration):
        next(ActiveConstraints(X, budget=0))
