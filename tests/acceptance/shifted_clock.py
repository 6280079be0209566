"""Runs a program whose clock is off by the seconds in a file, read anew each time: `shifted_clock.py FILE PROGRAM ...`.

For setting the clock of one process back while it runs; only the machine's own clock could be set otherwise.
"""

import datetime as dt
import runpy
import sys
import time
from pathlib import Path

_FILE = Path(sys.argv[1])
_time = time.time


def _offset():
    return float(_FILE.read_text())


class _Shifted(dt.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + dt.timedelta(seconds=_offset())


dt.datetime = _Shifted
time.time = lambda: _time() + _offset()
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
