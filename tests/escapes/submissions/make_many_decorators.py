# verdict: compile_error | run_time_error/exception | run_time_error/crashed | memory_limit_exceeded
# why: 10,000 decorators on one function.
# layers: outside
import sys


def source() -> bytes:
    """Decorators only."""
    return b"@f\n" * 10_000 + b"def scaled_dot_product_attention(Q, K, V):\n    pass\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
