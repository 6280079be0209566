# verdict: compile_error | memory_limit_exceeded
# why: Nesting is limited before the parser's stack is.
# layers: outside
import sys


def source() -> bytes:
    """20,000 pairs of parentheses."""
    return b"x = " + b"(" * 20_000 + b"1" + b")" * 20_000 + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
