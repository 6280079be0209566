# verdict: compile_error | wrong_answer/returned_none | time_limit_exceeded/while_loading
# why: As many elements as 64 KiB hold.
# layers: outside
import sys


def source() -> bytes:
    """30,000 numbers."""
    return b"x = [" + b"1," * 30_000 + b"]\ndef scaled_dot_product_attention(Q, K, V):\n    pass\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
