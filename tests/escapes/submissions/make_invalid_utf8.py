# verdict: compile_error/syntax_error
# why: Bytes that are not UTF-8 are a syntax error.
# layers: outside
import sys


def source() -> bytes:
    """Bytes of no encoding."""
    return b"x = '\xff\xfe\xfa'\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
