# verdict: run_time_error/exception
# why: A __str__ that returns something else.
# layers: outside
import torch


class Wrong(Exception):
    def __str__(self):
        return 5


def scaled_dot_product_attention(Q, K, V):
    raise Wrong
