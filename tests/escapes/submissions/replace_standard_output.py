# with policy: compile_error/forbidden_import
# without policy: wrong_answer/wrong_shape
# why: A stand-in for standard output only loses the submission's own words.
# layers: outside
import io
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    sys.stdout = io.StringIO()
    print("verdict: accepted")
    return V
