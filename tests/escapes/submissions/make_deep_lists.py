# verdict: compile_error | memory_limit_exceeded
# why: The same with brackets that are never closed.
# layers: outside
import sys


def source() -> bytes:
    """60,000 opening brackets."""
    return b"[" * 60_000


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
