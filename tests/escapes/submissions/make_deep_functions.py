# verdict: compile_error | memory_limit_exceeded | time_limit_exceeded/while_loading
# why: Functions inside functions, as deep as indentation goes.
# layers: outside
import sys


def source() -> bytes:
    """95 levels."""
    return b"".join(b" " * n + b"def f():\n" for n in range(95)) + b" " * 95 + b"pass\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
