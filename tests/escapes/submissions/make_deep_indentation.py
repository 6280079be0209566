# verdict: compile_error
# why: Python counts indentation.
# layers: outside
import sys


def source() -> bytes:
    """300 levels."""
    return b"".join(b" " * n + b"if 1:\n" for n in range(300))


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
