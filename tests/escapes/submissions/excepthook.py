# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Hooks of the interpreter's own last words are never reached.
# layers: outside
import os
import sys
import torch


def scaled_dot_product_attention(Q, K, V):
    sys.excepthook = lambda *_: os._exit(0)
    sys.unraisablehook = lambda *_: os._exit(0)
    raise ValueError
