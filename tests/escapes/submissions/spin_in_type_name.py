# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: time_limit_exceeded/wall | wrong_answer/wrong_type
# why: A metaclass whose name never ends.
# layers: deadline
import torch


class Meta(type):
    @property
    def __name__(cls):
        while True:
            pass


class Result(metaclass=Meta):
    pass


def scaled_dot_product_attention(Q, K, V):
    return Result()
