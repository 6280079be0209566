# verdict: memory_limit_exceeded | time_limit_exceeded/wall
# why: Doubling a list runs into the same limit.
# layers: rlimits
import torch


def scaled_dot_product_attention(Q, K, V):
    kept = [0]
    while True:
        kept = kept + kept
