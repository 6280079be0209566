# verdict: compile_error | wrong_answer/returned_none
# why: Form feeds in the indentation.
# layers: outside
import sys


def source() -> bytes:
    """White space that is not a space."""
    return b"def scaled_dot_product_attention(Q, K, V):\n\x0c    \x0cpass\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
