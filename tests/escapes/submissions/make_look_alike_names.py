# verdict: compile_error | run_time_error/exception
# why: Names that Python normalises to forbidden ones.
# layers: policy, seccomp, landlock, bubblewrap
import sys


def source() -> bytes:
    """Letters that look like others."""
    return "import torch\n\u212fval = __import__\ndef scaled_dot_product_attention(Q, K, V):\n    return \uff4fpen(\"/etc/passwd\")\n".encode()


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
