# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: Nobody asks an own exception for its text, so a __str__ that ends the process ends nothing.
# layers: outside
import os
import torch


class Exit(Exception):
    def __str__(self):
        os._exit(0)


def scaled_dot_product_attention(Q, K, V):
    raise Exit
