"""What other Python threads can do during a call."""

import threading
import time

import numpy as np
import pytest


def assert_others_run_during(call):
    """Fails if a call holds the interpreter lock for most of its time, as seen by a thread that ticks."""
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        # The longest pause of the ticker is the copy at the border, not the work. A busy machine may pause it longer.
        shares = []
        for _ in range(10):
            begin = time.perf_counter()
            call()
            end = time.perf_counter()
            inside = [begin, *(t for t in list(ticks) if begin < t < end), end]
            shares.append(np.diff(inside).max() / (end - begin))
            if shares[-1] < 0.5:
                return
        pytest.fail(f"the other thread stood still for {min(shares):.0%} of the call")
    finally:
        done.set()
        ticker.join()
