# verdict: compile_error/syntax_error
# why: Bytes that are no text are a syntax error, not a judge error.
# layers: outside
import sys


def source() -> bytes:
    """Every byte there is."""
    return bytes(range(256)) * 16


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
