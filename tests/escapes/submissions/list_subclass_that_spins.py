# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: wrong_answer/wrong_type
# why: A list of an own type is not iterated over.
# layers: outside
import torch


class Spin(list):
    def __iter__(self):
        while True:
            pass


def scaled_dot_product_attention(Q, K, V):
    return Spin([V])
