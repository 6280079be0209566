# with policy: compile_error/forbidden_name | compile_error/forbidden_construct
# without policy: run_time_error/exception
# why: A type that the serving code has never seen.
# layers: outside
import torch


class Out(BaseException):
    pass


def scaled_dot_product_attention(Q, K, V):
    raise Out
