# verdict: run_time_error/exception
# why: Not every exception is an Exception.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    raise KeyboardInterrupt
