# verdict: compile_error/syntax_error
# why: A null byte in the source is a syntax error.
# layers: outside
import sys


def source() -> bytes:
    """A null byte between two lines."""
    return b"import torch\n\0\ndef scaled_dot_product_attention(Q, K, V):\n    return V\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
