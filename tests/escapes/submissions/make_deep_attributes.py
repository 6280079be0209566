# verdict: compile_error | memory_limit_exceeded | run_time_error/crashed | run_time_error/exception
# why: A chain of attributes is as deep as it is long.
# layers: outside
import sys


def source() -> bytes:
    """30,000 dots."""
    return b"x = a" + b".b" * 30_000 + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
