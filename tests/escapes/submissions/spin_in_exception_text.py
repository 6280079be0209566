# verdict: run_time_error/exception
# why: Nobody asks an own exception for its text, endless or not.
# layers: outside
import torch


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def scaled_dot_product_attention(Q, K, V):
    raise Endless
