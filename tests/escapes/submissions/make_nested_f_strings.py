# verdict: compile_error | run_time_error/exception | wrong_answer/returned_none
# why: Format specifications inside format specifications.
# layers: outside
import sys


def source() -> bytes:
    """500 levels."""
    return b"x = f'" + b"{1:" * 500 + b"}" * 500 + b"'\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
