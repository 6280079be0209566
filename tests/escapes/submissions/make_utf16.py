# verdict: compile_error/syntax_error
# why: Another encoding is a syntax error.
# layers: outside
import sys


def source() -> bytes:
    """A text in UTF-16 with its mark."""
    return "import torch\n".encode("utf-16")


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
