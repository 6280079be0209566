"""The real program for browser tests: `tensorgrade serve` with a bank and data of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("tensorgrade")
SLUG = "scaled-dot-product-attention"


@dataclass
class Served:
    """A running server."""

    address: str
    """Without a slash at the end."""
    process: subprocess.Popen
    home: Path

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def stop(self) -> None:
        """Ends it as a service manager does, and waits."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        self.process.stderr.close()


def start(home: Path, port: int = 0) -> Served:
    """Starts a server (port 0: a free one) and waits until it says where it serves."""
    # Tests submit faster than a student may.
    own = {"BANK": home / "bank", "DATA_DIR": home / "data", "RATE_LIMIT": "off"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TENSORGRADE_")}
    process = subprocess.Popen(
        [PROGRAM, "serve", "--port", str(port)],
        env={**inherited, **{f"TENSORGRADE_{name}": str(value) for name, value in own.items()}},
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = []
    for text in process.stderr:
        lines.append(text)
        with contextlib.suppress(json.JSONDecodeError):
            if (event := json.loads(text)).get("event") == "serving":
                # Somebody must read on, or the pipe fills and the server stands still.
                threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
                return Served(event["url"].rstrip("/"), process, home)
    process.wait()
    process.stderr.close()
    raise AssertionError("the server did not start:\n" + "".join(lines))


def _drain(stream):
    with contextlib.suppress(ValueError):  # closed by `stop`
        for _ in stream:
            pass
