"""Waits for what processes elsewhere do."""

import threading
import time

HALT = threading.Event()
"""Is never set: what waits for it waits for time to pass."""


def wait_for(look, within_s=60):
    """What it finds, once it finds anything."""
    end = time.monotonic() + within_s
    while not (found := look()) and time.monotonic() < end:
        HALT.wait(0.02)
    assert found
    return found
