"""While a call runs: progress, interrupts, other threads."""
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import IMAGES, photo, strokes

import pysegment


def long_problem():
    """TRAGEK on 300 samples: seconds, nearly all of them in one solver."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)) + 4 * np.eye(3, 4)[np.arange(300) % 3]
    must = [(i, i + 3) for i in range(0, 60, 2)]
    cannot = [(i, i + 1) for i in range(0, 60, 2)]
    return lambda **more: pysegment.cluster(X, 3, must_link=must, cannot_link=cannot, method="tragek", **more)


def test_progress_rises(halves):
    image, scribbles = halves
    reports = []
    pysegment.segment(image, scribbles, progress=lambda done, stage: reports.append((done, stage)))
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert reports[-1] == (1.0, "mask") and all(0 <= done <= 1 and stage for done, stage in reports)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ZeroDivisionError])
def test_what_a_callback_raises_ends_the_call(halves, raised):
    image, scribbles = halves

    def progress(_done, _stage):
        raise raised("from the callback")

    with pytest.raises(raised, match="from the callback"):
        pysegment.segment(image, scribbles, progress=progress)


def test_a_callback_cancels(halves):
    image, scribbles = halves
    with pytest.raises(pysegment.CancelledError):
        long_problem()(progress=lambda _done, _stage: True)
    with pysegment.Session(image, progress=lambda done, _stage: done < 0) as session:
        assert session.segment(scribbles).regions == 2


def test_a_callback_cannot_call_its_own_session(halves):
    image, scribbles = halves
    session = None

    def progress(_done, _stage):
        session.segment(scribbles)

    def by_way_of_another(_done, _stage):
        pysegment.segment(image, scribbles, progress=progress)

    for one in (progress, by_way_of_another):
        session = pysegment.Session(image, progress=one)
        with pytest.raises(RuntimeError, match="a progress callback cannot call what it reports on"):
            session.segment(scribbles)


def test_a_callback_may_call_others(halves):
    image, scribbles = halves
    inner = {}  # in each stage once
    pysegment.segment(image, scribbles, progress=lambda _done, stage: None if stage in inner else inner.update({stage: pysegment.segment(image, scribbles).mask}))
    first, *others = inner.values()
    assert others and all((mask == first).all() for mask in others)


@pytest.mark.parametrize("with_progress", [True, False])
def test_an_interrupt_reaches_a_running_call(with_progress):
    run = long_problem()
    running, sent = threading.Event(), []

    def interrupt():
        if with_progress:
            running.wait(60)
        else:
            time.sleep(0.05)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            run(**({"progress": lambda _done, _stage: running.set()} if with_progress else {}))
    finally:
        thread.join()
    # It came out of the library's call, not after it.
    assert any(entry.name == "pysegment_progress" for entry in raised.traceback)
    print(f"interrupted {1000 * (time.perf_counter() - sent[0]):.0f} ms after the signal")  # timing.py measures it
    assert pysegment.cluster([[0.0], [1.0]], 2, method="kmeans").labels.shape == (2,)  # and life goes on


def test_cancel_from_another_thread():
    image = pysegment.read_image(photo("coffee"))
    image = np.tile(image, (4, 4, 1))
    scribbles = np.tile(pysegment.read_scribbles(strokes("coffee")), (4, 4))
    session = pysegment.Session(image)
    began = threading.Event()
    session._context.progress = lambda _done, _stage: began.set()

    def cancel():
        began.wait(60)
        session.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(pysegment.CancelledError):
        session.segment(scribbles)
    thread.join()
    session.close()


def test_eight_threads_give_the_bytes_of_one():
    """Each image on a thread of its own, in contexts of one thread, by several methods; Python counts meanwhile."""
    names = IMAGES[:8]
    inputs = []
    for name in names:
        image = pysegment.read_image(photo(name))[::3, ::3]
        scribbles = pysegment.read_scribbles(strokes(name))[::3, ::3]
        how = {"method": ("auto", "ccskl", "walk", "kmeans")[len(inputs) % 4], "threads": 1}
        inputs.append((np.ascontiguousarray(image), np.ascontiguousarray(scribbles), how))
    alone = [pysegment.segment(image, scribbles, **how).mask for image, scribbles, how in inputs]
    found = [None] * 8

    def work(at):
        image, scribbles, how = inputs[at]
        found[at] = pysegment.segment(image, scribbles, **how).mask

    threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    counted = 0
    while any(thread.is_alive() for thread in threads):
        counted += 1
        time.sleep(0.001)
    assert counted > 1  # Python's lock is free while the library computes
    for one, other in zip(alone, found):
        assert np.array_equal(one, other)


def test_calls_of_one_session_wait_for_each_other(halves):
    image, scribbles = halves
    with pysegment.Session(image) as session:
        expected = session.segment(scribbles).mask
        masks = []
        threads = [threading.Thread(target=lambda: masks.append(session.segment(scribbles).mask)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(masks) == 4 and all(np.array_equal(mask, expected) for mask in masks)


def test_a_session_is_closed_between_the_calls_of_other_threads(halves):
    image, scribbles = halves
    quick = {"balance": "off"}  # some calls end before the session does
    expected = pysegment.segment(image, scribbles, **quick).mask
    for attempt in range(20):
        session, seen, said = pysegment.Session(image, **quick), [], []

        def work():
            try:
                while True:
                    result = session.segment(scribbles)
                    seen.append(np.array_equal(result.mask, expected) and set(result.stages) >= {"clustering", "mask"})
            except ValueError as error:
                said.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.003 * attempt)
        session.close()
        for thread in threads:
            thread.join()
        assert said == ["the session is closed"] * 3 and all(seen)
