# verdict: run_time_error/exception | memory_limit_exceeded
# why: An exception whose text needs a gigabyte.
# layers: outside, rlimits
import torch


class Huge(Exception):
    def __str__(self):
        return "x" * (1 << 30)


def scaled_dot_product_attention(Q, K, V):
    raise Huge
