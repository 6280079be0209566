# verdict: run_time_error/exception
# why: An exception whose __str__ raises still has a type and a line.
# layers: outside
import torch


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


def scaled_dot_product_attention(Q, K, V):
    raise Mute
