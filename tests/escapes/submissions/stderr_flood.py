# with policy: compile_error/forbidden_import
# without policy: output_limit_exceeded
# why: Standard error is kept like standard output.
# layers: outside
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        sys.stderr.write("x" * 1000)
