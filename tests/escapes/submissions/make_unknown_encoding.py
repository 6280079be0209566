# verdict: compile_error/syntax_error | compile_error/missing_function
# why: An encoding that does not exist is a syntax error at most.
# layers: outside
import sys


def source() -> bytes:
    """An encoding cookie that names nothing."""
    return b"# coding: tensorgrade\nx = 1\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
