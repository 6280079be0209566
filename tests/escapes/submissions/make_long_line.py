# verdict: compile_error | wrong_answer/returned_none
# why: A line of 60,000 characters.
# layers: outside
import sys


def source() -> bytes:
    """A sum of 15,000 ones."""
    return b"x = " + b"1 + " * 15_000 + b"1\ndef scaled_dot_product_attention(Q, K, V):\n    pass\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
