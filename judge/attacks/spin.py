# verdict: time_limit_exceeded/wall
# why: An endless loop is killed by the supervisor's clock.
# layers: deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        pass
