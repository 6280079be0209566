# verdict: compile_error | wrong_answer/returned_none
# why: Old line ends do not hide a line from the reader.
# layers: outside
import sys


def source() -> bytes:
    """Lines that end as on old Macs."""
    return b"import torch\r# comment\rimport os\rdef scaled_dot_product_attention(Q, K, V):\r    pass\r"


if __name__ == "__main__":
    sys.stdout.buffer.write(source())
