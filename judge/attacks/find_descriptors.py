# with policy: compile_error/forbidden_import
# without policy: run_time_error/exception
# why: There is no descriptor beyond 3: no log, no control socket, no sibling's pidfd.
# layers: policy, descriptors
import errno
import os

import torch


def attack():
    for descriptor in range(4, 256):
        try:
            os.lseek(descriptor, 0, os.SEEK_CUR)
        except OSError as error:
            if error.errno == errno.EBADF:
                continue
        return
    raise LookupError("no descriptor")


def scaled_dot_product_attention(Q, K, V):
    attack()
    return torch.softmax(Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1) @ V
