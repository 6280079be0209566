# verdict: compile_error | memory_limit_exceeded | run_time_error/crashed | run_time_error/exception
# why: A tree that is deep without a bracket.
# layers: outside
import sys


def source() -> bytes:
    """60,000 minus signs."""
    return b"x = " + b"-" * 60_000 + b"1\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
