# verdict: run_time_error/exception | run_time_error/crashed
# why: Ten thousand exceptions, each while handling the last.
# layers: outside
import torch


def chain(last):
    try:
        raise last
    except ValueError as error:
        raise KeyError("x") from error


def scaled_dot_product_attention(Q, K, V):
    error = ValueError("first")
    for _ in range(10_000):
        try:
            raise ValueError("next") from error
        except ValueError as caught:
            error = caught
    raise error
