# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: The trusted half of the judge is not in the jail's view.
# layers: policy, seccomp, landlock, bubblewrap
import os

import torch


def attack():
    import judge

    open(os.path.join(os.path.dirname(judge.__file__), "compare.py")).read()


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
