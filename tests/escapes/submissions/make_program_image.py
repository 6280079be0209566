# verdict: compile_error/syntax_error
# why: A compiled program is no Python.
# layers: outside
import sys


def source() -> bytes:
    """The head of an executable."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00" + bytes(2000)


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
