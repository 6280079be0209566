# verdict: output_limit_exceeded | time_limit_exceeded/wall
# why: Catching everything does not stop the flood being one.
# layers: outside, deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        try:
            print("x" * 100_000)
        except BaseException:
            pass
