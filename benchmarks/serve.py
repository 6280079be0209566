"""Real servers and workers for the scripts beside it: each in a process and a directory of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from problems.shipped import shipped_bank

PROGRAM = Path(sys.executable).with_name("tensorgrade")


@dataclass(frozen=True)
class Server:
    """A running server."""

    address: str
    pid: int

    def cpu_s(self) -> float:
        """Processor time of its own process; the jailed ones are left out."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mib(self) -> float:
        """Memory that it alone has."""
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text(encoding="ascii")
        return sum(int(kib) for kib in re.findall(r"^Private_(?:Clean|Dirty): +(\d+)", text, re.MULTILINE)) / 1024

    def descriptors(self) -> int:
        """Open descriptors."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def figure(self, name: str) -> float:
        """One of GET /metrics."""
        text = httpx.get(f"{self.address}/metrics", timeout=60).text
        found = re.search(rf"^tensorgrade_{re.escape(name)} (.*)$", text, re.MULTILINE)
        return float(found[1]) if found else 0.0


@contextmanager
def serving(place: Path | None = None, **settings: str) -> Iterator[Server]:
    """A server without a rate limit, unless a setting gives it one; its data lies in a directory below `place`."""
    with _running(["serve", "--port", "0"], "serving", place, settings) as (process, ready):
        yield Server(ready["url"].rstrip("/"), process.pid)


@contextmanager
def working(**settings: str) -> Iterator[int]:
    """A worker; its process id."""
    with _running(["worker"], "working", None, settings) as (process, _):
        yield process.pid


@contextmanager
def _running(
    command: list[str], ready: str, place: Path | None, settings: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """The process, and the line in which it says that it is ready."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TENSORGRADE_")}
    with tempfile.TemporaryDirectory(dir=place) as data:
        own = {"TENSORGRADE_BANK": str(shipped_bank()), "TENSORGRADE_DATA_DIR": data, "TENSORGRADE_RATE_LIMIT": "off"}
        process = subprocess.Popen(  # noqa: S603 -- the program that is measured
            [PROGRAM, *command], env={**inherited, **own, **settings}, stderr=subprocess.PIPE, text=True
        )
        lines = process.stderr or iter(())
        said = next((json.loads(line) for line in lines if f'"event": "{ready}"' in line), None)
        if said is None:
            raise SystemExit(f"tensorgrade {command[0]} did not start")
        # Somebody must read on, or the pipe fills and the process stands still.
        threading.Thread(target=lambda: [None for _ in lines], daemon=True).start()
        try:
            yield process, said
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
