# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: A program written to a memfd needs no file system; neither call is allowed.
# layers: policy, seccomp
import os

import torch


def attack():
    descriptor = os.memfd_create("tensorgrade-escape")
    os.write(descriptor, b"#!/bin/true\n")
    os.execve(descriptor, ["true"], {})


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
