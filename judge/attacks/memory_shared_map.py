# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception | memory_limit_exceeded
# why: Shared mappings count as well: the limit is on address space.
# layers: rlimits
import mmap
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 1 << 24))
