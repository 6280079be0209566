# verdict: output_limit_exceeded
# why: More than 1 MiB printed in one case is too much.
# layers: outside
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        print("x" * 1000)
