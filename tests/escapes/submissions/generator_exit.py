# verdict: run_time_error/exception
# why: Nor is this one.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    raise GeneratorExit
