# verdict: time_limit_exceeded/wall
# why: There is no exception to catch: the kill is a kill.
# layers: deadline
import torch


def scaled_dot_product_attention(Q, K, V):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
