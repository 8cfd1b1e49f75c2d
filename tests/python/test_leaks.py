"""A short version of leaks.py, which makes 10,000 calls."""
import os

import leaks
import pytest


@pytest.mark.larger  # it measures, and the sanitizers find what the library itself loses
@pytest.mark.skipif("SEGMENT_PRELOAD" in os.environ, reason="the sanitizer keeps freed memory, and finds leaks by itself")
def test_resident_memory_stays():
    for name, grown in leaks.measure(calls=200, sessions=90, first=50).items():
        print(f"{name}: {grown / 2**20:.2f} MiB")
        assert grown < 2 * 2**20, name
