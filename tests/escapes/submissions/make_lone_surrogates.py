# verdict: compile_error/syntax_error
# why: A lone surrogate is not valid UTF-8.
# layers: outside
import sys


def source() -> bytes:
    """Half a character."""
    return "x = '\ud800'\n".encode("utf-8", "surrogatepass")


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
