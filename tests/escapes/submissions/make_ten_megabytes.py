# verdict: compile_error/too_large
# why: Refused by its size, before any child sees it.
# layers: outside
import sys


def source() -> bytes:
    """10 MB of assignments."""
    return b"x = 1\n" * 1_750_000


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
