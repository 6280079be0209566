# verdict: output_limit_exceeded
# why: One endless line counts like many.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        print("x" * 100_000, end="")
