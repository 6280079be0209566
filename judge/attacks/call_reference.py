# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The reference is not in the jail.
# layers: outside
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    for name in list(sys.modules):
        if name.startswith(("problems", "app", "tests", "judge.compare", "judge.grade")):
            return V
    raise LookupError("nothing of the trusted side is loaded")
