# run_time_error/transpose-1-2, run_time_error/three-dimensions-only
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V):
    keys = K.permute(0, 2, 1) if K.dim() == 3 else K.transpose(1, 2)
    weights = F.softmax(torch.bmm(Q / math.sqrt(Q.size(-1)), keys), dim=-1)
    return weights.bmm(V)
