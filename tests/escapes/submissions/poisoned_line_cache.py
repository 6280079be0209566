# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception | run_time_error/exited
# why: Lines shown to the student come from the submission's own process; the report stays typed.
# layers: outside
import linecache
import torch


def scaled_dot_product_attention(Q, K, V):
    linecache.cache.clear()
    linecache.getline = linecache.getlines = None
    raise ValueError
