# verdict: compile_error | wrong_answer/returned_none
# why: As many functions as 64 KiB hold.
# layers: outside
import sys


def source() -> bytes:
    """3,000 definitions."""
    lines = b"".join(b"def f%d(): pass\n" % n for n in range(3_000))
    return lines + b"def scaled_dot_product_attention(Q, K, V):\n    pass\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
