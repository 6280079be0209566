# verdict: compile_error/too_large
# why: Refused by its size, before any child sees it.
# layers: outside
import sys


def source() -> bytes:
    """A comment of 1 MB."""
    return b"# " + b"x" * (1 << 20)


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
